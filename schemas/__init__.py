"""The public contract: events, page content, the finished document, ids, errors, and their encoding. Imports nothing of ours."""

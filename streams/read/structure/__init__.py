"""Documents without pages of their own, read by their structure and never by laying them out."""

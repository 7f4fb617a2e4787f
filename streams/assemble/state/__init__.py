"""What the aggregator knows of documents and how events change it: pure transitions over values, as they stand on the changelog."""

"""The model side: engines, what is asked of them and what they answer, scheduling, guards, the cache, and the consumer. Knows nothing of PDFs."""

"""Kafka, spoken in one place: embedded broker, client settings, topic administration and the transactional processor.

Knows nothing of documents. Every function takes plain values, never the application's settings.
"""

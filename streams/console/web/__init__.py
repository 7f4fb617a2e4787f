"""The web server of the console: requests in, JSON, pictures and a stream of events out. Knows `port` and no Kafka."""

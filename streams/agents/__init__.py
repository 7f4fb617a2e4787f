"""The agents `open` and `read`: what they answer to a record (without Kafka), and the lanes and driver by which Faust runs them."""

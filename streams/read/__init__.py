"""Reading: a page of a document from its bytes, as blocks in reading order with an honest confidence. Knows no Kafka."""

"""The pipeline: stages between topics, composed by `streams.app` and `streams.cli`."""

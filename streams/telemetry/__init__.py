"""What workers tell of themselves: metrics, health, traces. Off by default, and then it costs a function call for a record and nothing for a page."""

"""What a file holds and its page does not show: text unseen, covered or printed twice; and what is missing from the file."""

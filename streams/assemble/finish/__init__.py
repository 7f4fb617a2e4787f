"""Complete documents on their way out: which is finished when (`queue`), and what a child process makes of its page events (`child`)."""

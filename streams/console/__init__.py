"""The console: a web page on the pipeline, for people. Reads the public topics without a group; whatever it loses on a restart is read again."""

"""One module a format, each with `classify` and `read`; see `trajmatch.reading`."""

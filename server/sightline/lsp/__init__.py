"""The language-server edge: the only part that knows pygls and lsprotocol."""

"""The language server: the only package that uses pygls and lsprotocol."""

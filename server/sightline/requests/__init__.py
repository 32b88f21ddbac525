"""Parses clients' requests from JSON, independent of the protocol; every error has a clear message."""

"""The features of the server, one module per feature; each registers its own handlers."""

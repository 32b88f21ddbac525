"""What the server can do, one module a feature; each registers its own handlers."""

"""The Model Context Protocol over the same index; nothing else imports its SDK."""

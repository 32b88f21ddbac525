"""Child processes that do work where it cannot harm this one."""

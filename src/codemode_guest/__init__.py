"""What a guest imports: the standard library, RestrictedPython, and nothing of the host."""

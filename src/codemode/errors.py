"""Every exception that codemode raises on purpose, in families by reader.

`UsageError` is for the programmer of the host, `RuntimeFault` for its operator. What a
model's program did wrong is a value on a result (`CodeRunFailure`), never an exception.
"""


class CodemodeError(Exception):
    """Whatever codemode raises on purpose."""


class UsageError(CodemodeError):
    """The host's code asked for something that cannot be; mend the code."""


class RuntimeFault(CodemodeError):
    """The machine did not give what a run needs; mend the machine or the configuration."""

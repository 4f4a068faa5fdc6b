# What `codemode_guest.policy` uses of RestrictedPython 9. Its own annotations fix the type of each
# visitor, and ours answer more kinds of things; at run time the class is an `ast.NodeTransformer`.

INSPECT_ATTRIBUTES: frozenset[str]

class RestrictingNodeTransformer:
    def __init__(self) -> None: ...

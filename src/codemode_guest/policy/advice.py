"""What to write instead of what is refused by its name."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True, kw_only=True)
class Rejection:
    """Why something may not be written, and what to write instead."""

    reason: str
    substitute: str


#: For names of attributes and variables.
SUBSTITUTES: Final = {
    "__class__": "write type(x)",
    "__dict__": "write vars(x)",
    "__bases__": "write type(x).__mro__, or issubclass() for a check",
    "__base__": "write type(x).__mro__, or issubclass() for a check",
    "__subclasses__": "keep a list of your own, filled in __init_subclass__ or by a decorator",
    "__annotations__": "write dataclasses.fields(x) or a dict of your own",
    "__dataclass_fields__": "write dataclasses.fields(x)",
    "__traceback__": "write traceback.format_exc(), or e.__traceback__.tb_lineno for the line",
    "tb_frame": "write traceback.format_exc(), or e.__traceback__.tb_lineno for the line",
    "tb_lineno": "write e.__traceback__.tb_lineno, of the exception itself",
    "tb_next": "write traceback.format_exc(), or e.__traceback__.tb_lineno for the line",
    "__getattribute__": "write getattr(x, name)",
    "__getattr__": "write getattr(x, name)",
    "__setattr__": "write setattr(x, name, value), or super().__setattr__(name, value)",
    "__delattr__": "write delattr(x, name)",
    "__dir__": "write dir(x)",
    "__reduce__": "define __copy__ and __deepcopy__",
    "__reduce_ex__": "define __copy__ and __deepcopy__",
    "__getstate__": "write dict(vars(x))",
    "__wrapped__": "keep a reference to the function under a name of your own",
    "__self__": "keep a reference to the object under a name of your own",
    "__func__": "keep a reference to the function under a name of your own",
    "__defaults__": "write the values as constants of your own",
    "__kwdefaults__": "write the values as constants of your own",
    "__closure__": "keep the values in an object of your own",
    "__code__": "keep what you need to know of a function in a dict of your own",
    "__import__": "write an import statement",
    "__file__": "leave it out: a program has no file",
    "__spec__": "leave it out: a program is in no package",
    "__package__": "leave it out: a program is in no package",
    "__path__": "leave it out: a program is in no package",
    "__globals__": "pass what is needed as an argument",
    "__builtins__": "write the name of the function itself",
    "__get__": "call the function, or write getattr(x, name)",
    "get_loop": "await directly; the event loop belongs to the runtime",
    "get_coro": "keep the coroutine under a name of your own",
    "get_stack": "write traceback.format_exc()",
    "cell_contents": "keep the values in an object of your own",
}

_FLAG: Final = "keep a flag of your own"

#: For the names that `inspect` documents, by their beginnings.
_BY_PREFIX: Final = {
    "tb_": SUBSTITUTES["tb_next"],
    "f_": SUBSTITUTES["tb_next"],
    "co_": SUBSTITUTES["__code__"],
    "gi_": _FLAG,
    "cr_": _FLAG,
    "ag_": _FLAG,
}


def advice_for(name: str) -> str:
    """Say what to write instead of reading an attribute."""
    by_prefix = next((text for start, text in _BY_PREFIX.items() if name.startswith(start)), None)
    return SUBSTITUTES.get(name) or by_prefix or "write a method or an attribute of your own"


_NO_CODE: Final = "write the statements themselves, or a function that you call"

#: Built-in functions that a program does not find. It may define its own under these names.
ABSENT_BUILTINS: Final = {
    "eval": Rejection(
        reason="eval() is not available: text is not run as code",
        substitute="write the expression itself, or ast.literal_eval(text) or json.loads(text)",
    ),
    "exec": Rejection(
        reason="exec() is not available: text is not run as code", substitute=_NO_CODE
    ),
    "compile": Rejection(
        reason="compile() is not available: text is not run as code",
        substitute=f"write re.compile() for a pattern; otherwise {_NO_CODE}",
    ),
    "open": Rejection(
        reason="open() is not available: a program has no files",
        substitute="write io.StringIO(text) for a file in memory, or call a tool that reads files",
    ),
    "input": Rejection(
        reason="input() is not available: nobody types while a program runs",
        substitute="write the value into the program, or ask for it with a tool",
    ),
    "globals": Rejection(
        reason="globals() is not available", substitute="keep the values in a dict of your own"
    ),
    "locals": Rejection(
        reason="locals() is not available", substitute="keep the values in a dict of your own"
    ),
    "breakpoint": Rejection(
        reason="breakpoint() is not available: there is no debugger", substitute="write print(…)"
    ),
    "exit": Rejection(
        reason="exit() is not available", substitute="write return at the top level, or raise"
    ),
    "quit": Rejection(
        reason="quit() is not available", substitute="write return at the top level, or raise"
    ),
    "help": Rejection(
        reason="help() is not available: there is no pager", substitute="write print(x.__doc__)"
    ),
}

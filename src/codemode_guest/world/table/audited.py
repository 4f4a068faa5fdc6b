"""Where the library works with names or text that it is given, and why a program gains nothing.

Each place in the modules behind the facades that calls `getattr`, `eval` and their kin with more
than a literal, by module and function. A test searches the sources of the running Python and
compares, so that a new place waits for a decision. Nothing of the guest imports this.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

_FIXED: Final = "the names stand in the library's own text"
_LOADING: Final = "it runs while the module is imported"
_NOT_OFFERED: Final = "neither it nor what calls it is offered"
_REPLACED: Final = "a stand-in is offered in its place"
_DISARMED: Final = "`disarming` changes it, or what it calls"
_OWN_CLASS: Final = "it works on a class in the making, under names that the class's body has"
_LABEL: Final = "of a frame or module it takes the name, as text"
_TEMPLATE: Final = "it formats text of the library's own, or is no method of text"
_FORWARDS: Final = (
    "it forwards what is not special to the object that an alias stands for; "
    "the guards take no alias for the program's own"
)

#: By reason, then by module: `function:what`, with the Pythons that have it.
AUDITED: Final[Mapping[str, Mapping[str, str]]] = {
    _FIXED: {
        "_markupbase": "ParserBase._parse_doctype_subset:getattr",
        "enum": (
            "EnumType.__new__:getattr EnumType.__new__:setattr EnumType.__new__:delattr>=3.13 "
            "EnumType._find_new_:getattr _dataclass_repr:getattr>=3.12 Enum.__new__:getattr>=3.13"
        ),
        "functools": "total_ordering:getattr total_ordering:setattr",
        "inspect": (
            "_signature_get_user_defined_method:getattr isabstract:getattr _finddoc:getattr"
        ),
        "zoneinfo": "__dir__:globals __getattr__:def",
        "zoneinfo._common": "_TZifHeader.__init__:setattr",
        "calendar": "__getattr__:def>=3.12",
        "urllib.parse": "__getattr__:def",
        "io": "__getattr__:def<3.12",
        "types": "__getattr__:def>=3.13",
        "typing": "__getattr__:def>=3.13 __getattr__:getattr>=3.13 __getattr__:globals>=3.13",
    },
    _LOADING: {
        "base64": "*:format",
        "decimal": "*:sys.modules>=3.13",
        "hashlib": "*:globals __get_openssl_constructor:getattr",
        "inspect": "*:globals",
        "logging": "*:_getframe",
        "os": "*:globals *:sys.modules _exists:globals",
        "re._constants": "_makecodes:globals",
        "types": "*:globals",
        "typing": "*:sys.modules<3.13",
        "ast": "*:globals>=3.12",
    },
    _NOT_OFFERED: {
        "abc": "update_abstractmethods:getattr",
        "ast": (
            "NodeTransformer.generic_visit:delattr NodeTransformer.generic_visit:setattr "
            "NodeVisitor.visit:getattr NodeVisitor.visit_Constant:getattr __getattr__:def>=3.12 "
            "__getattr__:globals>=3.12 copy_location:getattr copy_location:setattr "
            "dump._format:getattr iter_fields:getattr"
        ),
        "codecs": (
            "StreamReader.__getattr__:def StreamReader.__getattr__:getattr "
            "StreamReaderWriter.__getattr__:def StreamReaderWriter.__getattr__:getattr "
            "StreamRecoder.__getattr__:def StreamRecoder.__getattr__:getattr "
            "StreamWriter.__getattr__:def StreamWriter.__getattr__:getattr"
        ),
        "collections": "OrderedDict.__reduce__:vars",
        "collections.abc": "_get_framelocalsproxy:_getframe>=3.13",
        "enum": (
            "EnumType._convert_:sys.modules _old_convert_:sys.modules _test_simple_enum:getattr "
            "_simple_enum.convert_class:getattr _simple_enum.convert_class:setattr "
            "global_enum:sys.modules"
        ),
        "inspect": (
            "_main:getattr _main:import_module classify_class_attrs:getattr "
            "currentframe:_getframe findsource:vars>=3.13 getfile:sys.modules getmodule:getattr "
            "getmodule:sys.modules stack:_getframe"
        ),
        "os": "_wrap_close.__getattr__:def _wrap_close.__getattr__:getattr",
        "string": (
            "Formatter._vformat:get_field Formatter.format:vformat Formatter.get_field:getattr"
        ),
        "traceback": (
            "extract_stack:_getframe format_stack:_getframe print_stack:_getframe "
            "walk_stack:_getframe"
        ),
        "warnings": (
            "_getcategory:__import__ _getcategory:getattr catch_warnings.__init__:sys.modules "
            "catch_warnings.__repr__:sys.modules"
        ),
    },
    _REPLACED: {
        "contextlib": (
            "_RedirectStream.__enter__:getattr _RedirectStream.__enter__:setattr "
            "_RedirectStream.__exit__:setattr"
        ),
        "collections": "UserString.format:format UserString.format_map:format_map",
        "functools": "update_wrapper:getattr update_wrapper:setattr",
        "logging": (
            "BufferingFormatter.format:format Formatter.formatMessage:format "
            "Handler.format:format LogRecord.__init__:sys.modules StrFormatStyle._format:format"
        ),
        "operator": "attrgetter.__init__.func:getattr methodcaller.__call__:getattr",
        "typing": "get_type_hints:vars get_type_hints:sys.modules",
    },
    _DISARMED: {
        "copy": "_reconstruct:setattr",
        "dataclasses": (
            "_FuncBuilder.add_fns_to_class:exec>=3.13 _FuncBuilder.add_fns_to_class:setattr>=3.13 "
            "_create_fn:exec<3.13 _asdict_inner:getattr _astuple_inner:getattr "
            "_dataclass_getstate:getattr _get_field:getattr _process_class:delattr "
            "_process_class:getattr _process_class:setattr _replace:getattr>=3.13 "
            "_set_new_attribute:setattr fields:getattr replace:getattr<3.13"
        ),
        "enum": "property.__get__:getattr>=3.12",
        "inspect": (
            "_signature_fromstr.wrap_value:eval _signature_fromstr:sys.modules "
            "get_annotations:eval get_annotations:sys.modules get_annotations:vars"
        ),
        "pprint": "PrettyPrinter._pprint_dataclass:getattr",
        "traceback": "_compute_suggestion_error:__import__>=3.12",
        "typing": "ForwardRef._evaluate:eval ForwardRef._evaluate:sys.modules",
    },
    _OWN_CLASS: {
        "enum": (
            "EnumType.__getattr__:def<3.12 EnumType.__setattr__:def "
            "EnumType._add_member_:setattr>=3.13 _proto_member.__set_name__:delattr "
            "_proto_member.__set_name__:setattr<3.13"
        ),
        "typing": (
            "NamedTupleMeta.__new__:setattr _ProtocolMeta.__init__:getattr>=3.12<3.13 "
            "_ProtocolMeta.__instancecheck__:getattr<3.13 _is_callable_members_only:getattr<3.12 "
            "no_type_check:getattr runtime_checkable:getattr>=3.13"
        ),
        "uuid": "UUID.__setattr__:def",
    },
    _LABEL: {
        "collections": "namedtuple:_getframe namedtuple:_getframemodulename>=3.12",
        "dataclasses": (
            "_get_field:sys.modules _is_type:sys.modules _process_class:sys.modules "
            "make_dataclass:_getframe>=3.12 make_dataclass:_getframemodulename>=3.12"
        ),
        "enum": "EnumType._create_:_getframe EnumType._create_:_getframemodulename>=3.12",
        "inspect": "_findclass:getattr _findclass:sys.modules",
        "typing": (
            "_caller:_getframe _caller:_getframemodulename>=3.12 _GenericAlias.__reduce__:globals"
        ),
        "warnings": "warn:_getframe",
    },
    _TEMPLATE: {
        "datetime": "_format_time:format<3.12",
        "functools": "partialmethod.__repr__:format<3.13",
        "inspect": "Parameter.__init__:format Signature.__init__:format Signature._bind:format",
        "traceback": (
            "TracebackException.format:format format_exception:format format_list:format "
            "format_tb:format print_list:format"
        ),
        "warnings": "_deprecated:format",
    },
    _FORWARDS: {
        "typing": (
            "_AnnotatedAlias.__getattr__:def _BaseGenericAlias.__getattr__:def "
            "_BaseGenericAlias.__getattr__:getattr _BaseGenericAlias.__setattr__:def "
            "_BaseGenericAlias.__setattr__:setattr _DeprecatedType.__getattribute__:def<3.13 "
            "_SpecialForm.__getattr__:def"
        ),
    },
    "it takes identifiers that are no keywords, as exact strings, and makes a lambda of them": {
        "collections": "namedtuple:eval",
    },
    "it compiles the text, and nothing runs what comes of that": {
        "ast": "parse:compile",
        "typing": "ForwardRef.__init__:compile",
    },
}

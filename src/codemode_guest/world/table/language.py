"""The decisions for the modules that extend the language: types, classes, errors, tasks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from codemode_guest.world.table import IMPORTED, INTERNAL, SYSTEM, ModuleTable

_FRAMES: Final = "it shows the interpreter's own frames; use format_exc()"
_EVALUATES: Final = "it evaluates text as code"
_MODULE: Final = "it writes into a module"
_HANDLERS: Final = "what is logged goes to the run's log; use basicConfig(level=..., format=...)"
_CONCRETE: Final = "it makes functions and modules of code; use def and class"
_LOOP: Final = "the event loop belongs to the runtime; await directly, or use asyncio.run(main())"
_THREADS: Final = "a program has one thread; await asyncio.gather(...) runs things together"

LANGUAGE: Final[Mapping[str, ModuleTable]] = {
    "abc": ModuleTable(
        offered=(
            "ABC ABCMeta abstractclassmethod abstractmethod abstractproperty abstractstaticmethod"
        ),
        left_out={"get_cache_token update_abstractmethods": INTERNAL},
    ),
    "collections": ModuleTable(
        offered=(
            "ChainMap Counter OrderedDict UserDict UserList UserString defaultdict deque namedtuple"
        ),
    ),
    "collections.abc": ModuleTable(
        offered=(
            "AsyncGenerator AsyncIterable AsyncIterator Awaitable Buffer>=3.12 ByteString "
            "Callable Collection Container Coroutine Generator Hashable ItemsView Iterable "
            "Iterator KeysView Mapping MappingView MutableMapping MutableSequence MutableSet "
            "Reversible Sequence Set Sized ValuesView"
        ),
        left_out={
            "ABCMeta EllipsisType FunctionType GenericAlias abstractmethod sys": IMPORTED,
            "async_generator bytearray_iterator bytes_iterator coroutine dict_itemiterator "
            "dict_items dict_keyiterator dict_keys dict_valueiterator dict_values "
            "framelocalsproxy generator list_iterator list_reverseiterator longrange_iterator "
            "mappingproxy range_iterator set_iterator str_iterator tuple_iterator "
            "zip_iterator": INTERNAL,
        },
    ),
    "copy": ModuleTable(
        offered="Error copy deepcopy error replace>=3.13",
        left_out={"dispatch_table": INTERNAL},
    ),
    "dataclasses": ModuleTable(
        offered=(
            "Field FrozenInstanceError InitVar KW_ONLY MISSING asdict astuple dataclass field "
            "fields is_dataclass replace"
        ),
        replaced={"make_dataclass": "takes no special methods in `namespace`"},
        left_out={
            "FunctionType GenericAlias abc builtins copy functools inspect itertools keyword re "
            "recursive_repr sys types": IMPORTED,
        },
    ),
    "enum": ModuleTable(
        offered=(
            "CONFORM CONTINUOUS EJECT Enum EnumCheck EnumDict>=3.13 EnumMeta EnumType Flag "
            "FlagBoundary IntEnum IntFlag KEEP NAMED_FLAGS ReprEnum STRICT StrEnum UNIQUE auto "
            "member nonmember show_flag_values unique verify"
        ),
        left_out={
            "global_enum global_enum_repr global_flag_repr global_str": _MODULE,
            "property": "it reads attributes that are named in it, and can be renamed; "
            "use the built-in property",
            "pickle_by_enum_name pickle_by_global_name": "nothing is pickled; use json",
            "bin": INTERNAL,
            "DynamicClassAttribute MappingProxyType bltns reduce sys": IMPORTED,
        },
    ),
    "typing": ModuleTable(
        offered=(
            "AbstractSet Annotated Any AnyStr AsyncContextManager AsyncGenerator AsyncIterable "
            "AsyncIterator Awaitable BinaryIO ByteString Callable ChainMap ClassVar Collection "
            "Concatenate Container ContextManager Coroutine Counter DefaultDict Deque Dict Final "
            "FrozenSet Generator Generic Hashable IO ItemsView Iterable Iterator KeysView List "
            "Literal LiteralString Mapping MappingView Match MutableMapping MutableSequence "
            "MutableSet NamedTuple Never NewType NoDefault>=3.13 NoReturn NotRequired Optional "
            "OrderedDict ParamSpec ParamSpecArgs ParamSpecKwargs Pattern Protocol ReadOnly>=3.13 "
            "Required Reversible Self Sequence Set Sized SupportsAbs SupportsBytes SupportsComplex "
            "SupportsFloat SupportsIndex SupportsInt SupportsRound TYPE_CHECKING Text TextIO Tuple "
            "Type TypeAlias TypeAliasType>=3.12 TypeGuard TypeIs>=3.13 TypeVar TypeVarTuple "
            "TypedDict Union Unpack ValuesView assert_never assert_type cast clear_overloads "
            "dataclass_transform final get_args get_origin get_overloads "
            "get_protocol_members>=3.13 is_protocol>=3.13 is_typeddict no_type_check "
            "no_type_check_decorator overload override>=3.12 runtime_checkable"
        ),
        replaced={
            "get_type_hints": ("takes what the program made, and of text only names, items and `|`")
        },
        left_out={
            "ForwardRef": _EVALUATES,
            "reveal_type": "it is a question to a type checker; print(type(x).__name__)",
            "ABCMeta GenericAlias MethodDescriptorType MethodWrapperType WrapperDescriptorType "
            "abstractmethod collections contextlib copyreg defaultdict functools io operator re "
            "stdlib_re sys types warnings": IMPORTED,
            "CT_co EXCLUDED_ATTRIBUTES KT NamedTupleMeta T T_co T_contra VT VT_co V_co": INTERNAL,
        },
    ),
    "types": ModuleTable(
        offered=(
            "AsyncGeneratorType BuiltinFunctionType BuiltinMethodType CoroutineType EllipsisType "
            "GeneratorType GenericAlias MappingProxyType MethodType NoneType NotImplementedType "
            "SimpleNamespace UnionType"
        ),
        left_out={
            "CellType CodeType FunctionType LambdaType ModuleType coroutine": _CONCRETE,
            "FrameType TracebackType": "a program sees no frames",
            "CapsuleType ClassMethodDescriptorType DynamicClassAttribute GetSetDescriptorType "
            "MemberDescriptorType MethodDescriptorType MethodWrapperType "
            "WrapperDescriptorType": "it is a detail of the interpreter",
            "get_original_bases new_class prepare_class resolve_bases": "use a class statement",
        },
    ),
    "contextlib": ModuleTable(
        offered=(
            "AbstractAsyncContextManager AbstractContextManager AsyncContextDecorator "
            "AsyncExitStack ContextDecorator ExitStack aclosing asynccontextmanager closing "
            "contextmanager nullcontext suppress"
        ),
        replaced={
            "redirect_stderr redirect_stdout": "redirects what the program prints",
        },
        left_out={
            "chdir": SYSTEM,
            "GenericAlias MethodType abc deque os sys wraps": IMPORTED,
        },
    ),
    "traceback": ModuleTable(
        replaced={
            "extract_tb format_exc format_exception format_exception_only "
            "format_tb": "shows the program's own frames",
            "print_exc print_exception print_tb": "shows the program's own frames, in the log",
        },
        left_out={
            "FrameSummary StackSummary TracebackException clear_frames extract_stack format_list "
            "format_stack print_last print_list print_stack walk_stack walk_tb": _FRAMES,
            "ANSIColors BUILTIN_EXCEPTION_LIMIT suppress": INTERNAL,
            "collections itertools linecache sys textwrap warnings": IMPORTED,
        },
    ),
    "warnings": ModuleTable(
        offered="deprecated>=3.13 filterwarnings resetwarnings simplefilter warn",
        replaced={"catch_warnings": "takes no `module`, and hands out none"},
        left_out={
            "WarningMessage defaultaction filters formatwarning onceregistry showwarning "
            "warn_explicit": INTERNAL,
            "sys": IMPORTED,
        },
    ),
    "logging": ModuleTable(
        offered="CRITICAL DEBUG ERROR FATAL INFO NOTSET WARN WARNING BASIC_FORMAT",
        replaced={
            "Logger basicConfig critical debug disable error exception fatal getLevelName "
            "getLogger info log root warn warning": "writes to the run's log",
            "Formatter Handler NullHandler StreamHandler": (
                "writes to the run's log, or to a file of the program's own; styled with `%`"
            ),
        },
        left_out={
            "BufferingFormatter FileHandler Filter Filterer LogRecord LoggerAdapter "
            "addLevelName captureWarnings getHandlerByName getHandlerNames "
            "getLevelNamesMapping getLogRecordFactory getLoggerClass lastResort "
            "makeLogRecord setLogRecordFactory setLoggerClass shutdown": _HANDLERS,
            "Manager PercentStyle PlaceHolder RootLogger StrFormatStyle StringTemplateStyle "
            "currentframe logAsyncioTasks logMultiprocessing logProcesses logThreads "
            "raiseExceptions": INTERNAL,
            "GenericAlias Template atexit collections io os re sys threading time traceback "
            "warnings weakref": IMPORTED,
        },
    ),
    "asyncio": ModuleTable(
        offered=(
            "ALL_COMPLETED BrokenBarrierError CancelledError FIRST_COMPLETED FIRST_EXCEPTION "
            "InvalidStateError QueueEmpty QueueFull QueueShutDown>=3.13 TimeoutError iscoroutine "
            "iscoroutinefunction sleep"
        ),
        replaced={
            "Future Task TaskGroup as_completed create_task current_task ensure_future gather "
            "isfuture shield wait wait_for": "gives tasks that do not lead to the event loop",
            "Barrier BoundedSemaphore Condition Event LifoQueue Lock PriorityQueue Queue Semaphore "
            "Timeout timeout timeout_at": "does not lead to the event loop",
            "run": "runs within the loop that the program runs in",
        },
        left_out={
            "AbstractEventLoop AbstractEventLoopPolicy BaseEventLoop DefaultEventLoopPolicy "
            "EventLoop Handle Runner SelectorEventLoop TimerHandle "
            "create_eager_task_factory eager_task_factory get_event_loop_policy "
            "new_event_loop set_event_loop set_event_loop_policy wrap_future": (_LOOP),
            "get_event_loop get_running_loop": (
                "the event loop belongs to the runtime; write asyncio.create_task(coroutine), "
                "asyncio.Future(), time.monotonic() or asyncio.run(main())"
            ),
            "all_tasks": "keep the tasks that you create in a list",
            "run_coroutine_threadsafe to_thread": _THREADS,
            "AbstractChildWatcher AbstractServer BaseProtocol BaseTransport BufferedProtocol "
            "DatagramProtocol DatagramTransport FastChildWatcher IncompleteReadError "
            "LimitOverrunError MultiLoopChildWatcher PidfdChildWatcher Protocol ReadTransport "
            "SafeChildWatcher SendfileNotAvailableError Server StreamReader StreamReaderProtocol "
            "StreamWriter SubprocessProtocol SubprocessTransport ThreadedChildWatcher Transport "
            "WriteTransport create_subprocess_exec create_subprocess_shell get_child_watcher "
            "open_connection open_unix_connection set_child_watcher start_server "
            "start_unix_server": SYSTEM,
            "base_events base_futures base_subprocess base_tasks constants coroutines events "
            "exceptions format_helpers futures locks log mixins protocols queues runners "
            "selector_events sslproto staggered streams subprocess sys taskgroups tasks threads "
            "timeouts transports trsock unix_events": IMPORTED,
        },
    ),
}

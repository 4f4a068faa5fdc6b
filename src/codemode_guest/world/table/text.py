"""The decisions for the modules that read and write text and bytes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from codemode_guest.world.table import COMMAND, IMPORTED, INTERNAL, SYSTEM, ModuleTable

_RAW_FILE: Final = "there are no files to wrap; use StringIO, BytesIO and bytes.decode()"

TEXT: Final[Mapping[str, ModuleTable]] = {
    "string": ModuleTable(
        offered=(
            "Template ascii_letters ascii_lowercase ascii_uppercase capwords digits hexdigits "
            "octdigits printable punctuation whitespace"
        ),
        left_out={"Formatter": "it reads any attribute; use str.format or an f-string"},
    ),
    "re": ModuleTable(
        offered=(
            "A ASCII DEBUG DOTALL I IGNORECASE L LOCALE M MULTILINE Match NOFLAG Pattern "
            "PatternError>=3.13 RegexFlag S T<3.13 TEMPLATE<3.13 U UNICODE VERBOSE X compile error "
            "escape findall finditer fullmatch match purge search split sub subn template<3.13"
        ),
        left_out={"Scanner": INTERNAL, "copyreg enum functools": IMPORTED},
    ),
    "textwrap": ModuleTable(
        offered="TextWrapper dedent fill indent shorten wrap",
        left_out={"re": IMPORTED},
    ),
    "unicodedata": ModuleTable(
        offered=(
            "bidirectional category combining decimal decomposition digit east_asian_width "
            "is_normalized lookup mirrored name normalize numeric unidata_version"
        ),
        left_out={"UCD ucd_3_2_0": "only the current Unicode is offered"},
    ),
    "difflib": ModuleTable(
        offered=(
            "Differ HtmlDiff IS_CHARACTER_JUNK IS_LINE_JUNK Match SequenceMatcher context_diff "
            "diff_bytes get_close_matches ndiff restore unified_diff"
        ),
        left_out={"GenericAlias": IMPORTED},
    ),
    "pprint": ModuleTable(
        offered="PrettyPrinter isreadable isrecursive pformat pp pprint saferepr",
        left_out={"re": IMPORTED},
    ),
    "json": ModuleTable(
        offered="JSONDecodeError JSONDecoder JSONEncoder dump dumps load loads",
        left_out={
            "detect_encoding": INTERNAL,
            "codecs scanner": IMPORTED,
            "encoder": "write json.JSONEncoder",
        },
    ),
    "json.decoder": ModuleTable(
        offered="JSONDecodeError JSONDecoder",
        left_out={
            "BACKSLASH FLAGS JSONArray JSONObject NaN NegInf PosInf STRINGCHUNK WHITESPACE "
            "WHITESPACE_STR c_scanstring py_scanstring scanstring": INTERNAL,
            "re scanner": IMPORTED,
        },
    ),
    "csv": ModuleTable(
        offered=(
            "Dialect DictReader DictWriter Error QUOTE_ALL QUOTE_MINIMAL QUOTE_NONE "
            "QUOTE_NONNUMERIC QUOTE_NOTNULL>=3.12 QUOTE_STRINGS>=3.12 Sniffer excel excel_tab "
            "field_size_limit get_dialect list_dialects reader register_dialect unix_dialect "
            "unregister_dialect writer"
        ),
        left_out={"StringIO re types": IMPORTED},
    ),
    "io": ModuleTable(
        offered=(
            "BytesIO DEFAULT_BUFFER_SIZE SEEK_CUR SEEK_END SEEK_SET StringIO UnsupportedOperation"
        ),
        left_out={
            "FileIO open open_code": SYSTEM,
            "BufferedIOBase BufferedRWPair BufferedRandom BufferedReader BufferedWriter IOBase "
            "IncrementalNewlineDecoder RawIOBase TextIOBase TextIOWrapper text_encoding": _RAW_FILE,
            "BlockingIOError abc": IMPORTED,
        },
    ),
    "html": ModuleTable(offered="escape unescape"),
    "html.entities": ModuleTable(offered="codepoint2name entitydefs html5 name2codepoint"),
    "html.parser": ModuleTable(
        offered="HTMLParser",
        left_out={
            "attrfind_tolerant charref commentclose endendtag endtagfind entityref incomplete "
            "interesting_normal locatestarttagend_tolerant piclose starttagopen tagfind_tolerant": (
                INTERNAL
            ),
            "re unescape": IMPORTED,
        },
    ),
    "urllib": ModuleTable(
        left_out={
            "error request response robotparser": "a program has no network; call a tool",
        },
    ),
    "urllib.parse": ModuleTable(
        offered=(
            "DefragResult DefragResultBytes ParseResult ParseResultBytes SplitResult "
            "SplitResultBytes parse_qs parse_qsl quote quote_from_bytes quote_plus unquote "
            "unquote_plus unquote_to_bytes urldefrag urlencode urljoin urlparse urlsplit "
            "urlunparse urlunsplit uses_fragment uses_netloc uses_params uses_query uses_relative"
        ),
        left_out={
            "ResultBase clear_cache non_hierarchical scheme_chars splitattr splithost splitnport "
            "splitpasswd splitport splitquery splittag splittype splituser splitvalue to_bytes "
            "unwrap": INTERNAL,
            "functools ipaddress math namedtuple re sys types warnings": IMPORTED,
        },
    ),
    "ipaddress": ModuleTable(
        offered=(
            "AddressValueError IPV4LENGTH IPV6LENGTH IPv4Address IPv4Interface IPv4Network "
            "IPv6Address IPv6Interface IPv6Network NetmaskValueError collapse_addresses "
            "get_mixed_type_key ip_address ip_interface ip_network summarize_address_range "
            "v4_int_to_packed v6_int_to_packed"
        ),
        left_out={"functools": IMPORTED},
    ),
    "base64": ModuleTable(
        offered=(
            "a85decode a85encode b16decode b16encode b32decode b32encode b32hexdecode b32hexencode "
            "b64decode b64encode b85decode b85encode decodebytes encodebytes standard_b64decode "
            "standard_b64encode urlsafe_b64decode urlsafe_b64encode z85decode>=3.13 "
            "z85encode>=3.13"
        ),
        left_out={
            "decode encode": "it takes files; use b64decode and b64encode",
            "MAXBINSIZE MAXLINESIZE bytes_types": INTERNAL,
            "main test": COMMAND,
            "binascii re struct": IMPORTED,
        },
    ),
    "binascii": ModuleTable(
        offered=(
            "Error Incomplete a2b_base64 a2b_hex a2b_qp a2b_uu b2a_base64 b2a_hex b2a_qp b2a_uu "
            "crc32 crc_hqx hexlify unhexlify"
        ),
    ),
    "hashlib": ModuleTable(
        offered=(
            "algorithms_available algorithms_guaranteed blake2b blake2s file_digest md5 new "
            "pbkdf2_hmac scrypt sha1 sha224 sha256 sha384 sha3_224 sha3_256 sha3_384 sha3_512 "
            "sha512 shake_128 shake_256"
        ),
    ),
    "hmac": ModuleTable(
        offered="HMAC compare_digest digest new",
        left_out={"digest_size trans_36 trans_5C": INTERNAL},
    ),
    "secrets": ModuleTable(
        offered=(
            "SystemRandom choice compare_digest randbelow randbits token_bytes token_hex "
            "token_urlsafe"
        ),
        left_out={"DEFAULT_ENTROPY": INTERNAL, "base64 binascii": IMPORTED},
    ),
    "uuid": ModuleTable(
        offered=(
            "NAMESPACE_DNS NAMESPACE_OID NAMESPACE_URL NAMESPACE_X500 RESERVED_FUTURE "
            "RESERVED_MICROSOFT RESERVED_NCS RFC_4122 SafeUUID UUID uuid3 uuid4 uuid5"
        ),
        left_out={
            "getnode uuid1": "it asks the machine for its network address; use uuid4()",
            "main": COMMAND,
            "Enum bytes_ int_ os platform sys": IMPORTED,
        },
    ),
    "zlib": ModuleTable(
        offered=(
            "DEFLATED DEF_BUF_SIZE DEF_MEM_LEVEL MAX_WBITS ZLIB_RUNTIME_VERSION ZLIB_VERSION "
            "Z_BEST_COMPRESSION Z_BEST_SPEED Z_BLOCK Z_DEFAULT_COMPRESSION Z_DEFAULT_STRATEGY "
            "Z_FILTERED Z_FINISH Z_FIXED Z_FULL_FLUSH Z_HUFFMAN_ONLY Z_NO_COMPRESSION Z_NO_FLUSH "
            "Z_PARTIAL_FLUSH Z_RLE Z_SYNC_FLUSH Z_TREES adler32 compress compressobj crc32 "
            "decompress decompressobj error"
        ),
    ),
}

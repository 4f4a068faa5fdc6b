# Which modules of the workspace are imported most, found by reading them all at once.
import asyncio
import re
from collections import Counter

IMPORT = re.compile(r"^\s*(?:from ([\w.]+) import|import ([\w.]+))", re.MULTILINE)


def module_name(path):
    return path.removeprefix("src/").removesuffix(".py").removesuffix("/__init__").replace("/", ".")


async def imports(path):
    """The modules that one file imports. The first 5,000 lines will hold them."""
    page = await tools.read_text(path=path)
    return {first or second for first, second in IMPORT.findall(page["text"])}


page = await tools.list_files(pattern="src/*.py", limit=5000)
found = await asyncio.gather(*(imports(path) for path in page["files"]))

own = {module_name(path) for path in page["files"]}
importers = Counter(name for names in found for name in names & own)
return {
    "modules": len(own),
    "imports": importers.total(),
    "imported_most": dict(sorted(importers.items(), key=lambda item: (-item[1], item[0]))[:5]),
}

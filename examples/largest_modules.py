# The ten largest Python modules of the workspace, each with its longest function.
import asyncio
import re

HEAD = re.compile(r"( *)(?:async )?def (\w+)")
SHOWN = 10


async def list_all(pattern):
    files, start = [], 0
    while start is not None:
        page = await tools.list_files(pattern=pattern, start=start)
        files += page["files"]
        start = page["next"]
    return files


async def read_lines(path):
    text, start = "", 0
    while start is not None:
        page = await tools.read_text(path=path, start=start)
        text += page["text"]
        start = page["next"]
    return text.splitlines()


def functions(lines):
    """Each function's length and name. It ends before the next line that stands as far left."""
    for first, line in enumerate(lines):
        if head := HEAD.match(line):
            indent, last = len(head[1]), first
            for number in range(first + 1, len(lines)):
                text = lines[number].strip()
                left = len(lines[number]) - len(lines[number].lstrip())
                # A closing bracket at the left margin ends the signature, not the function.
                if text and left <= indent and text[0] not in ")]}":
                    break
                if text:
                    last = number
            yield last - first + 1, head[2]


paths = await list_all("*.py")
modules = dict(zip(paths, await asyncio.gather(*map(read_lines, paths))))
largest = sorted(modules, key=lambda path: (-len(modules[path]), path))[:SHOWN]

print(f"{len(modules)} modules, {sum(map(len, modules.values()))} lines")
for path in largest:
    length, name = max(functions(modules[path]), default=(0, "no function"))
    print(f"{len(modules[path]):5}  {path}  ({name}, {length})")

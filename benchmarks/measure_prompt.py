"""What catalogues cost a model to read: as native tool definitions, and as the SDK's text.

    python benchmarks/measure_prompt.py tools_list.json ...

Each file is an answer to MCP's tools/list, or its list of tools. Native is what goes over the
wire: name, description and input schema as compact JSON, without what a call returns; the SDK's
text has the returns as well. Tokens are those of `o200k_base`, from bpe-openai, which carries its
vocabulary. What `run_code` itself says to a model stands in a row of its own.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import bpe_openai

from codemode.bridge.instructions import instructions_for
from codemode.sdk import render_sdk

ENCODING = bpe_openai.get_encoding("o200k_base")


def tools_of(file: Path) -> list[dict[str, object]]:
    """The tools of a catalogue."""
    told = json.loads(file.read_text())
    found: list[dict[str, object]] = told["tools"] if isinstance(told, dict) else told
    return found


def native(tools: list[dict[str, object]]) -> str:
    """What a model is told of tools that it calls by name."""
    wire = [
        {
            "name": tool["name"],
            "description": tool.get("description", ""),
            "input_schema": tool.get("inputSchema", {}),
        }
        for tool in tools
    ]
    return json.dumps(wire, ensure_ascii=False, separators=(",", ":"))


def row(name: str, tools: list[dict[str, object]]) -> str:
    """One line of the table."""
    before, after = native(tools), render_sdk(tools)
    tokens = [len(ENCODING.encode(text)) for text in (before, after)]
    ratios = len(after) / len(before), tokens[1] / tokens[0]
    return (
        f"| {name} | {len(tools)} | {len(before):,} | {len(after):,} | {ratios[0]:.2f} "
        f"| {tokens[0]:,} | {tokens[1]:,} | {ratios[1]:.2f} |"
    )


def main() -> None:
    """Print a table, one row a catalogue and one for all together."""
    catalogues = {Path(name).stem: tools_of(Path(name)) for name in sys.argv[1:]}
    if not catalogues:
        raise SystemExit(__doc__)
    print("| catalogue | tools | native chars | SDK | ratio | native tokens | SDK | ratio |")
    print("|---|---|---|---|---|---|---|---|")
    for name, tools in catalogues.items():
        print(row(name, tools))
    together = [
        tool | {"name": f"{name}_{tool['name']}"}
        for name, tools in catalogues.items()
        for tool in tools
    ]
    print(row("together", together))
    text = instructions_for("python")
    print(f"\n`run_code` itself: {len(text):,} characters, {len(ENCODING.encode(text)):,} tokens")


if __name__ == "__main__":
    main()

"""An agent over any OpenAI-compatible endpoint, whose model writes programs over your tools.

OPENAI_API_KEY=… python examples/agent_loop.py examples/workspace.py "Which module is longest?"
"""

from __future__ import annotations

import json
import os
import runpy
import sys
from urllib.request import Request, urlopen

import anyio

from codemode import CodeMode, ProcessRuntime, ToolRegistry
from codemode.adapters import Dialogue, openai_chat
from codemode.session import LogFile, Session

URL = os.environ.get("OPENAI_BASE_URL", "https://api.openai.com/v1") + "/chat/completions"
HEADERS = {
    "Authorization": f"Bearer {os.environ.get('OPENAI_API_KEY', '')}",
    "Content-Type": "application/json",
}
PARAMETERS = {"model": os.environ.get("OPENAI_MODEL", "gpt-5-mini")}


def post(body: bytes) -> dict[str, object]:
    """Send a request and return the response."""
    with urlopen(Request(URL, body, HEADERS), timeout=600) as response:  # noqa: S310 - ours
        answer: dict[str, object] = json.load(response)
        return answer


async def main(tools_file: str, task: str) -> None:
    """Let the model work on the task until it calls no more tools; print what it says then."""
    registry: ToolRegistry = runpy.run_path(tools_file)["registry"]
    agent = registry.scope("agent")
    agent.present_as("code")
    with LogFile(os.environ.get("SESSION_LOG", "session.jsonl")) as log:
        async with CodeMode(agent, runtime=ProcessRuntime(), session=Session(log)) as codemode:
            dialogue = Dialogue(codemode, openai_chat, PARAMETERS)
            dialogue.say(task)
            while True:
                body = await dialogue.request()
                reply = dialogue.hear(await anyio.to_thread.run_sync(post, body))
                answers = await dialogue.answer(reply.calls)
                if not answers or any(answer.concludes_turn for answer in answers):
                    break
    sys.stdout.write(f"{reply.text}\n")


if __name__ == "__main__":
    anyio.run(main, sys.argv[1], sys.argv[2])

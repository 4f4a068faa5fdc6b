"""What went wrong with a server, in words that give nothing away."""

from __future__ import annotations

import httpx2
import mcp_types
import pydantic
import pytest
from mcp import MCPError

from codemode.adapters.mcp import LaunchedServer, RemoteServer
from codemode.adapters.mcp.words import why_unreachable, words_of

SECRET = "s3cret-s3cret"  # noqa: S105 - of nothing
REMOTE = RemoteServer(
    url=f"https://user:{SECRET}@example.test:8443/{SECRET}?key={SECRET}",
    headers={"Authorization": SECRET},
)
LAUNCHED = LaunchedServer(command=f"/opt/bin/serve-{'x'}", args=(SECRET,), env={"KEY": SECRET})


@pytest.mark.parametrize(
    "error,status,told",
    [
        (httpx2.ConnectError("refused"), None, "nothing answers at example.test:8443: refused"),
        (httpx2.ReadTimeout(""), None, "nothing answers at example.test:8443: ReadTimeout"),
        (MCPError(code=1, message="no"), 401, "answered 401 Unauthorized; send a token"),
        (MCPError(code=1, message="no"), 404, 'answered 404 Not Found; look at the path of its "u'),
        (MCPError(code=1, message="no"), 500, "answered 500 Internal Server Error; its own log"),
        (MCPError(code=1, message="no such version"), 200, "an error: no such version"),
    ],
)
def test_why_a_remote_server_cannot_be_reached_is_said_without_its_secrets(
    error: Exception, status: int | None, told: str
) -> None:
    """Its host and port, what happened, and where to look."""
    words = why_unreachable(ExceptionGroup("", [error]), REMOTE, status)

    assert told in words
    assert SECRET not in words


@pytest.mark.parametrize(
    "error,told",
    [
        (FileNotFoundError(2, "No such file"), "there is no program '/opt/bin/serve-x'"),
        (PermissionError(13, "Permission denied"), "chmod +x it"),
        (
            MCPError(code=mcp_types.CONNECTION_CLOSED, message="closed"),
            "it closed the connection; start 'serve-x' by hand to see why",
        ),
    ],
)
def test_why_a_program_cannot_be_started_is_said_without_its_arguments(
    error: Exception, told: str
) -> None:
    """They may hold a secret, and so may its environment."""
    words = why_unreachable(error, LAUNCHED, None)

    assert told in words
    assert SECRET not in words


def test_a_message_that_is_none_is_not_quoted() -> None:
    """It may be anything, of any size."""
    with pytest.raises(pydantic.ValidationError) as caught:
        mcp_types.CallToolResult.model_validate({"content": [{"type": SECRET * 1_000}]})

    words = words_of(caught.value)
    assert words.startswith("it is no valid message: content.0")
    assert len(words) < 1_000

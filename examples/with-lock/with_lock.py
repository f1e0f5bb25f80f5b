"""Holds a lock of shared memory while a block runs: with lock("progress/plan.md") as fence: ..."""
import contextlib, json, os, urllib.request

URL = os.environ.get("HORACE_URL", "http://127.0.0.1:8004/mcp?project=default&client_id=ann")
HEADERS = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}


def call(tool, **arguments):
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool, "arguments": arguments}}
    request = urllib.request.Request(URL, json.dumps(message).encode(), HEADERS)
    with urllib.request.urlopen(request) as answer:
        result = json.loads(answer.read().decode().split("data: ")[-1])["result"]  # it may come as a stream
    if result.get("isError"):
        raise RuntimeError(result["content"][0]["text"])
    return result["structuredContent"]


@contextlib.contextmanager
def lock(path, hold_s=60, wait_ms=60_000):
    fence = call("document_lock", path=path, hold_s=hold_s, wait_ms=wait_ms)["fence"]
    try:
        yield fence  # which document_write and document_edit need meanwhile
    finally:
        call("document_unlock", path=path, fence=fence)


if __name__ == "__main__":
    with lock("progress/plan.md") as fence:
        print(call("document_edit", path="progress/plan.md", append="- locked\n", fence=fence))

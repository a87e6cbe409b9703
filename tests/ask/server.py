"""An OpenAI-compatible server on 127.0.0.1 that misbehaves as told: the model's name is the script."""

from __future__ import annotations

import contextlib
import json
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

GOOD = "STEP 1: (0,0) → [E] | 확신도: 90% | 길\nFINAL_PATH: (0,0)→(0,1)"


class Scripted:
    """What was asked, and how to answer.

    `answer(body)` gives the text of a good answer; `fails` counts requests by model. Models: "good"; "flaky" (429, then
    500, then good); "limited" (429); "broken" (500); "cut-json"; "html"; "empty"; "length"; "filter"; "hang";
    "echo-answer" and "echo-error" (the key comes back); "gone" (404); "denied" (401); "seedless" (400 for a seed);
    "half" (half a character in the text); "parts" (content as a list); with status 200: "busy-200" (an error that names
    429), "error-200" (one that names no status), "broke-off" (an error beside a text), "nothing" (no choices).
    """

    def __init__(self, answer: Callable[[dict[str, Any]], str] = lambda body: GOOD) -> None:
        self.answer = answer
        self.asked: list[dict[str, Any]] = []
        self.lock = threading.Lock()
        self.url = ""

    def count(self, model: str) -> int:
        """Requests for a model so far."""
        return sum(body["model"] == model for body in self.asked)

    def respond(self, body: dict[str, Any], key: str) -> tuple[int, str, str]:
        """(status, content type, body) for a request."""
        model = body["model"]
        with self.lock:
            self.asked.append(body)
            number = self.count(model)
        if model == "hang":
            time.sleep(20)
        if model == "limited" or (model == "flaky" and number % 3 == 1):
            return _error(429, "Rate limit reached")
        if model == "broken" or (model == "flaky" and number % 3 == 2):
            return _error(500, "The server had an error")
        if model == "gone":
            return _error(404, "The model `gone` does not exist")
        if model == "denied":
            return _error(401, "Incorrect API key provided")
        if model == "echo-error":
            return _error(400, f"Bad request with key {key}")
        if model == "html":
            return 200, "text/html", "<html><body>Bad gateway</body></html>"
        if model == "seedless" and "seed" in body:
            return _error(400, "Unsupported parameter: 'seed' is not supported with this model.")
        if model == "busy-200":
            return 200, *_error(429, "Slow down", 429)[1:]
        if model == "error-200":
            return 200, *_error(500, "The server had an error")[1:]
        if model == "nothing":
            return 200, "application/json", '{"id": "x", "object": "chat.completion", "choices": null}'
        text = "" if model == "empty" else self.answer(body)
        text = f"\ud83d{text}" if model == "half" else text
        if model == "echo-answer":
            text = f"Your key is {key}\n{text}"
        content = [{"type": "text", "text": text[:9]}, {"type": "text", "text": text[9:]}] if model == "parts" else text
        error = {"error": {"code": 502, "message": "upstream"}} if model == "broke-off" else {}
        reason = {"length": "length", "filter": "content_filter"}.get(model, "stop")
        whole = json.dumps(
            {
                "id": "x",
                "object": "chat.completion",
                "created": 1,
                "model": f"{model}-2026",
                "choices": [
                    {"index": 0, "message": {"role": "assistant", "content": content}, "finish_reason": reason} | error
                ],
                "usage": {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15},
            }
        )
        return 200, "application/json", whole[: len(whole) // 2] if model == "cut-json" else whole


def _error(status: int, message: str, code: int | None = None) -> tuple[int, str, str]:
    return status, "application/json", json.dumps({"error": {"message": message, "type": "x", "code": code}})


@contextlib.contextmanager
def serving(scripted: Scripted) -> Iterator[Scripted]:
    """Serve while the block runs; `.url` is the base address."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            key = self.headers.get("Authorization", "").removeprefix("Bearer ")
            status, kind, text = scripted.respond(body, key)
            raw = text.encode()
            with contextlib.suppress(OSError):
                self.send_response(status)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(raw)))
                self.end_headers()
                self.wfile.write(raw)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    scripted.url = f"http://127.0.0.1:{server.server_port}/v1"
    try:
        yield scripted
    finally:
        server.shutdown()
        server.server_close()

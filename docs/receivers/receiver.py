# Receives webhooks: WEBHOOK_SECRET=whsec_… PORT=8000 python3 receiver.py
import base64
import hashlib
import hmac
import json
import os
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

KEY = base64.b64decode(os.environ["WEBHOOK_SECRET"].removeprefix("whsec_"))
TOLERANCE_SECONDS = 300
MOST_BYTES = 1_048_576


def is_genuine(headers, body):
    """Over the bytes as they came, before anything is parsed."""
    event_id = headers.get("webhook-id", "")
    timestamp = headers.get("webhook-timestamp", "")
    if not timestamp.isdigit() or abs(time.time() - int(timestamp)) > TOLERANCE_SECONDS:
        return False
    signed = f"{event_id}.{timestamp}.".encode() + body
    digest = hmac.new(KEY, signed, hashlib.sha256).digest()
    expected = b"v1," + base64.b64encode(digest)
    given = headers.get("webhook-signature", "").encode().split(b" ")
    return any(hmac.compare_digest(expected, signature) for signature in given)


# In earnest: a table with a unique column, written in the same transaction as what the event changes.
seen = set()


def take(event):
    if event["id"] in seen:
        return
    seen.add(event["id"])
    print(event["type"], event["resource"]["id"], f"#{event['sequence']}", flush=True)


class Receiver(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        length = int(self.headers.get("content-length", 0))
        body = self.rfile.read(length) if length <= MOST_BYTES else b""
        if not is_genuine(self.headers, body):
            return self.answer(400)
        take(json.loads(body))
        self.answer(204)

    def answer(self, status):
        self.send_response(status)
        self.send_header("content-length", "0")
        if status != 204:
            self.send_header("connection", "close")
        self.end_headers()

    def log_message(self, *_):
        pass


ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", 8000))), Receiver).serve_forever()

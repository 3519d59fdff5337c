# Receives webhooks: WEBHOOK_SECRET=whsec_… PORT=8000 python3 receiver.py
import base64
import hashlib
import hmac
import json
import os
import re
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

TOLERANCE_SECONDS = 300
MOST_BYTES = 1_048_576


def key_of(secret):
    """Decodes the signing secret. Refuses an empty key, because anybody could sign with it."""
    try:
        key = base64.b64decode(secret[len("whsec_"):], validate=True)
    except ValueError:
        key = b""
    if not secret.startswith("whsec_") or not key:
        sys.exit("WEBHOOK_SECRET must be the signing secret: whsec_ and base64")
    return key


KEY = key_of(os.environ.get("WEBHOOK_SECRET", ""))


def number(text):
    """Returns None unless the text is at most 12 digits 0 to 9. int() and isdigit() also accept other digits."""
    return int(text) if re.fullmatch("[0-9]{1,12}", text) else None


def is_genuine(headers, body):
    """Verifies the signature over the raw bytes of the body, before anything parses them."""
    event_id = headers.get("webhook-id", "")
    timestamp = headers.get("webhook-timestamp", "")
    seconds = number(timestamp)
    if seconds is None or abs(time.time() - seconds) > TOLERANCE_SECONDS:
        return False
    signed = f"{event_id}.{timestamp}.".encode() + body
    digest = hmac.new(KEY, signed, hashlib.sha256).digest()
    expected = b"v1," + base64.b64encode(digest)
    given = headers.get("webhook-signature", "").encode().split(b" ")
    return any(hmac.compare_digest(expected, signature) for signature in given)


# In production, use a table with a unique column, and write to it in the same transaction as the changes of the event.
seen = set()


def take(event):
    if event["id"] in seen:
        return
    seen.add(event["id"])
    print(event["type"], event["resource"]["id"], f"#{event['sequence']}", flush=True)


class Receiver(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 15  # Seconds to wait for the sender.

    def do_POST(self):
        length = number(self.headers.get("content-length", ""))
        if length is None:
            return self.answer(400)
        if length > MOST_BYTES:
            return self.answer(413)
        body = self.rfile.read(length)
        if not is_genuine(self.headers, body):
            return self.answer(400)
        try:
            take(json.loads(body))
        except (ValueError, LookupError, TypeError):
            return self.answer(400)
        self.answer(204)

    def answer(self, status):
        self.send_response(status)
        if status != 204:
            self.send_header("content-length", "0")
            self.send_header("connection", "close")
        self.end_headers()

    def log_message(self, *_):
        pass


ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", 8000))), Receiver).serve_forever()

"""An answer over HTTP: its headers, gzip for who takes it, and 304 for who has it already."""
from __future__ import annotations

import gzip
import hashlib
from typing import Dict, List, NamedTuple, Tuple

PACKED_FROM = 1024  # bytes: what is shorter is not worth it
PACKED_LEVEL = 5    # of gzip
YEAR = b"public, max-age=31536000, immutable"
HEADERS = [
    (b"content-security-policy", b"default-src 'none'; script-src 'self'; style-src 'self'; "
     b"img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; "
     b"frame-ancestors 'none'"),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
]


class Answer(NamedTuple):
    """An answer over HTTP; a document of JSON unless it says otherwise."""
    body: bytes
    status: int = 200
    kind: bytes = b"application/json"
    keep: bytes = b"no-store"  #: for Cache-Control
    tag: bytes = b""           #: of the content, for ETag; empty: there is none
    coding: bytes = b""        #: of the body: gzip or none

    def headers(self) -> List[Tuple[bytes, bytes]]:
        """Its headers."""
        found = [*HEADERS, (b"cache-control", self.keep), (b"vary", b"accept-encoding")]
        if self.tag:
            found.append((b"etag", b'W/"%s"' % self.tag))  # weak: gzip has other bytes
        if self.status in (204, 304):
            return found
        if self.coding:
            found.append((b"content-encoding", self.coding))
        if self.status == 405:
            found.append((b"allow", b"GET, HEAD"))
        return [*found, (b"content-type", self.kind), (b"content-length", b"%d" % len(self.body))]

    def for_client(self, headers: Dict[bytes, bytes]) -> Answer:
        """The same, as the headers of a request want it."""
        known = headers.get(b"if-none-match", b"")
        if self.tag and self.status == 200 and (known.strip() == b"*" or b'"%s"' % self.tag in known):
            return self._replace(body=b"", status=304)
        if len(self.body) >= PACKED_FROM and takes_gzip(headers.get(b"accept-encoding", b"")):
            return self._replace(body=gzip.compress(self.body, PACKED_LEVEL), coding=b"gzip")
        return self


def takes_gzip(wanted: bytes) -> bool:
    """True if an Accept-Encoding header has gzip, with a weight above 0."""
    for part in wanted.lower().split(b","):
        coding, _, weight = part.partition(b";")
        if coding.strip() in (b"gzip", b"*"):
            return weight.replace(b" ", b"").rstrip(b"0.") != b"q="
    return False


def tag_of(content: bytes) -> bytes:
    """A name for this content."""
    return hashlib.sha256(content).hexdigest()[:16].encode()

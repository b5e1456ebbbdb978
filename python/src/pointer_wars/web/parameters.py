"""The parameters of the API: one table per question, for the check of a request and for OpenAPI."""
from __future__ import annotations

import re
import urllib.parse
from typing import Any, Dict, NamedTuple, Sequence

TEXT_MOST = 500  # letters of a title
TEXT: Dict[str, Any] = {"type": "string", "maxLength": TEXT_MOST}
TITLE: Dict[str, Any] = {**TEXT, "minLength": 1, "pattern": r"\S"}


class Refused(Exception):
    """What the API answers in place of an answer: a status, a code and a message."""

    def __init__(self, status: int, code: str, message: str, **more: Any) -> None:
        super().__init__(message)
        self.status = status
        self.error = {"code": code, "message": message, **more}


class Parameter(NamedTuple):
    """One parameter. schema: of JSON; a text, texts, or a whole number."""
    name: str
    about: str
    schema: Dict[str, Any] = TEXT
    required: bool = False

    def wrong(self, why: str) -> Refused:
        """What is answered to a value that breaks the rules."""
        return Refused(422, "malformed", f"{self.name}: {why}", parameter=self.name)

    def value(self, texts: Sequence[str]) -> Any:
        """What was given, as the question takes it."""
        schema = self.schema
        if schema["type"] == "array":
            if len(texts) > schema["maxItems"]:
                raise self.wrong(f"given more than {schema['maxItems']} times")
            return [self.single(text, schema["items"]) for text in texts]
        if len(texts) > 1:
            raise self.wrong("given twice")
        if texts:
            return self.single(texts[0], schema)
        if self.required:
            raise self.wrong("it is missing")
        return schema.get("default")

    def single(self, text: str, schema: Dict[str, Any]) -> Any:
        """One value."""
        if schema["type"] == "integer":
            least, most = schema["minimum"], schema["maximum"]
            number = int(text) if text.isascii() and text.isdigit() and len(text) < 12 else -1
            if not least <= number <= most:
                raise self.wrong(f"expected a whole number from {least} to {most}")
            return number
        if text not in schema.get("enum", [text]):
            raise self.wrong(f"expected {' or '.join(schema['enum'])}")
        if len(text) > TEXT_MOST:
            raise self.wrong(f"longer than {TEXT_MOST} letters")
        if not re.search(schema.get("pattern", ""), text):
            raise self.wrong("it is empty")
        return text


def whole(least: int, most: int, default: int) -> Dict[str, Any]:
    """The schema of a whole number."""
    return {"type": "integer", "minimum": least, "maximum": most, "default": default}


def choice(*words: str) -> Dict[str, Any]:
    """The schema of one of several words, by default the first."""
    return {"type": "string", "enum": list(words), "default": words[0]}


def several(schema: Dict[str, Any], most: int) -> Dict[str, Any]:
    """The schema of texts."""
    return {"type": "array", "items": schema, "maxItems": most}


def parsed(query: bytes, table: Sequence[Parameter]) -> Dict[str, Any]:
    """The values of a request. Refused with 422 for what is missing, unknown, repeated or wrong."""
    # a byte that is not UTF-8 may be part of a name
    fields = urllib.parse.parse_qs(query.decode("utf-8", "surrogateescape"), keep_blank_values=True,
                                   errors="surrogateescape")
    known = [parameter.name for parameter in table]
    for name in fields:
        if name not in known:
            raise Refused(422, "malformed", f"there is no parameter {name[:40]!r}; there are "
                          f"{', '.join(known) or 'none'}")
    return {parameter.name: parameter.value(fields.get(parameter.name, ())) for parameter in table}

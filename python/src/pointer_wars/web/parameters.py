"""The parameters of the API: one table per question, for the check of a request and for OpenAPI."""
from __future__ import annotations

import dataclasses
import urllib.parse
from typing import Any, Dict, Sequence, Tuple

TEXT_MOST = 500   # letters of a title
FIELDS_MOST = 64  # of a request
QUERY_MOST = 8192  # bytes of a request's query


class Refused(Exception):
    """What the API answers in place of an answer: a status, a code and a message."""

    def __init__(self, status: int, code: str, message: str, **more: Any) -> None:
        super().__init__(message)
        self.status = status
        self.error = {"code": code, "message": message, **more}


@dataclasses.dataclass(frozen=True)
class Parameter:
    """One parameter: a text, several texts (kind "texts"), a whole number, or one of `choices`."""
    name: str
    about: str
    kind: str = "text"
    required: bool = False
    default: Any = None
    least: int = 0
    most: int = TEXT_MOST
    choices: Tuple[str, ...] = ()
    blank: bool = True  #: it may be empty, or of blanks

    def value(self, text: str) -> Any:
        """What was given, as the question takes it."""
        if self.kind == "number":
            number = int(text) if text.isascii() and text.isdigit() and len(text) < 12 else -1
            if not self.least <= number <= self.most:
                raise self.wrong(f"expected a whole number from {self.least} to {self.most}")
            return number
        if self.choices and text not in self.choices:
            raise self.wrong(f"expected {' or '.join(self.choices)}")
        if len(text) > TEXT_MOST:
            raise self.wrong(f"longer than {TEXT_MOST} letters")
        if not self.blank and not text.strip():
            raise self.wrong("it is empty")
        return text

    def wrong(self, why: str) -> Refused:
        """What is answered to a value that breaks the rules."""
        return Refused(422, "malformed", f"{self.name}: {why}", parameter=self.name)

    def schema(self) -> Dict[str, Any]:
        """As JSON Schema has it."""
        if self.kind == "number":
            return {"type": "integer", "minimum": self.least, "maximum": self.most,
                    "default": self.default}
        text: Dict[str, Any] = {"type": "string", "maxLength": TEXT_MOST}
        if self.choices:
            text = {"type": "string", "enum": list(self.choices)}
        if self.default:
            text["default"] = self.default
        if not self.blank:
            text.update(minLength=1, pattern=r"\S")
        return {"type": "array", "items": text,
                "maxItems": self.most} if self.kind == "texts" else text


def parsed(query: bytes, table: Sequence[Parameter]) -> Dict[str, Any]:
    """The values of a request. Refused with 422 for what is missing, unknown, repeated or wrong,
    and with 414 for a long query."""
    if len(query) > QUERY_MOST:
        raise Refused(414, "too_long", f"the query is longer than {QUERY_MOST} bytes")
    known = {parameter.name: parameter for parameter in table}
    values: Dict[str, Any] = {parameter.name: [] if parameter.kind == "texts" else parameter.default
                              for parameter in table}
    seen = set()
    try:  # a byte that is not UTF-8 may be part of a name
        fields = urllib.parse.parse_qsl(
            query.decode("utf-8", "surrogateescape"), keep_blank_values=True,
            max_num_fields=FIELDS_MOST, errors="surrogateescape")
    except ValueError:
        raise Refused(422, "malformed", "the query has too many parameters") from None
    for name, text in fields:
        parameter = known.get(name)
        if parameter is None:
            raise Refused(422, "malformed", f"there is no parameter {name[:40]!r}; there are "
                          f"{', '.join(known) or 'none'}")
        value = parameter.value(text)
        if parameter.kind == "texts":
            values[name].append(value)
            if len(values[name]) > parameter.most:
                raise parameter.wrong(f"given more than {parameter.most} times")
        elif name in seen:
            raise parameter.wrong("given twice")
        else:
            values[name] = value
        seen.add(name)
    for parameter in table:
        if parameter.required and parameter.name not in seen:
            raise parameter.wrong("it is missing")
    return values

"""The log of `kg`: one line for each event, with fields, on standard error.

A module logs with `logging.getLogger(__name__)` and passes fields by `extra`:
`log.info("papers read", extra={"papers": 3})`.
"""

from __future__ import annotations

import json
import logging
from datetime import datetime, timezone
from typing import Any, Final

from citekg.messages import one_line

LEVELS: Final = ("debug", "info", "warning", "error")
#: The attributes of every log record; all others are the fields of the event.
_STANDARD: Final = {
    *vars(logging.makeLogRecord({})),
    "message",
    "asctime",
    "taskName",
    "color_message",
}


class _Fields(logging.Formatter):
    """Formats a record as time, level, logger, message, and fields as `name=value`."""

    def format(self, record: logging.LogRecord) -> str:
        fields = " ".join(f"{name}={value!r}" for name, value in fields_of(record).items())
        head = f"{_time(record)} {record.levelname.lower()} {record.name}"
        line = f"{head}: {record.getMessage()} {fields}"
        return one_line(line) + (
            f"\n{self.formatException(record.exc_info)}" if record.exc_info else ""
        )


class _Json(logging.Formatter):
    """Formats a record as one JSON object on a line."""

    def format(self, record: logging.LogRecord) -> str:
        fields = {"time": _time(record), "level": record.levelname.lower(), "logger": record.name}
        fields |= {"message": record.getMessage(), **fields_of(record)}
        if record.exc_info:
            fields["exception"] = self.formatException(record.exc_info)
        return json.dumps(fields, default=str)


def start(level: str, *, as_json: bool = False) -> None:
    """Log events of a level and above to standard error; replaces the handler of an earlier call.

    At the level `warning`, warnings of urllib3 about retries are left out: a failure is reported
    once.
    """
    log = logging.getLogger()
    for handler in [h for h in log.handlers if isinstance(h.formatter, _Fields | _Json)]:
        log.removeHandler(handler)
    handler = logging.StreamHandler()
    handler.setFormatter(_Json() if as_json else _Fields())
    log.addHandler(handler)
    log.setLevel(level.upper())
    logging.getLogger("urllib3").setLevel(logging.ERROR if level == "warning" else logging.NOTSET)


def fields_of(record: logging.LogRecord) -> dict[str, Any]:
    """Return the fields that an event was given by `extra`."""
    return {name: value for name, value in vars(record).items() if name not in _STANDARD}


def _time(record: logging.LogRecord) -> str:
    return datetime.fromtimestamp(record.created, timezone.utc).isoformat(timespec="milliseconds")

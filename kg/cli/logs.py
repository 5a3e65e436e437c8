"""What `kg` writes to its log: a line an event, with fields, on standard error. Quiet unless asked.

A module logs with `logging.getLogger(__name__)` and gives fields by `extra`:
`log.info("papers read", extra={"papers": 3})`.
"""

from __future__ import annotations

import json
import logging
from datetime import datetime, timezone
from typing import Any, Final

from citekg.messages import one_line

LEVELS: Final = ("debug", "info", "warning", "error")
#: What every record carries; the rest are the fields of the event.
_USUAL: Final = {*vars(logging.makeLogRecord({})), "message", "asctime", "taskName", "color_message"}


class _Fields(logging.Formatter):
    """The time, the level, where it comes from, the message, and the fields as `name=value`."""

    def format(self, record: logging.LogRecord) -> str:
        told = " ".join(f"{name}={value!r}" for name, value in fields_of(record).items())
        line = f"{_time(record)} {record.levelname.lower()} {record.name}: {record.getMessage()} {told}"
        return one_line(line) + (f"\n{self.formatException(record.exc_info)}" if record.exc_info else "")


class _Json(logging.Formatter):
    """The same as one JSON object a line."""

    def format(self, record: logging.LogRecord) -> str:
        told = {"time": _time(record), "level": record.levelname.lower(), "logger": record.name}
        told |= {"message": record.getMessage(), **fields_of(record)}
        if record.exc_info:
            told["exception"] = self.formatException(record.exc_info)
        return json.dumps(told, default=str)


def start(level: str, *, as_json: bool = False) -> None:
    """Write events of that level and above to standard error; what was started before is replaced.

    What urllib3 warns of when it tries again is left out, unless more is asked for: a failure is reported once.
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
    """What an event was given by `extra`."""
    return {name: value for name, value in vars(record).items() if name not in _USUAL}


def _time(record: logging.LogRecord) -> str:
    return datetime.fromtimestamp(record.created, timezone.utc).isoformat(timespec="milliseconds")

"""Requests that a page server with a token rejects, with the status of each response."""

from __future__ import annotations

#: The kind of request, its headers, and the status of the response.
REFUSED: list[tuple[str, dict[str, str], int]] = [
    ("without a token", {"Authorization": ""}, 403),
    ("with another token", {"Authorization": "Bearer x"}, 403),
    ("with another scheme", {"Authorization": "Basic {token}"}, 403),
    ("from another site", {"Origin": "https://evil.example"}, 403),
    ("from a page of another port", {"Origin": "http://127.0.0.1:1"}, 403),
    ("from a page of no origin", {"Origin": "null"}, 403),
    ("from a site that the browser names", {"Sec-Fetch-Site": "cross-site"}, 403),
    ("by another name of the host", {"Host": "evil.example", "Origin": "http://evil.example"}, 400),
    ("as a form", {"Content-Type": "text/plain"}, 415),
]


def with_token(headers: dict[str, str], token: str) -> dict[str, str]:
    """Return the headers with the token of the server in place of `{token}`."""
    return {name: value.format(token=token) for name, value in headers.items()}

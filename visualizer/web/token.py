"""The token that a viewer asks for where others on the network can reach it."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from dataclasses import dataclass
from typing import Final

from werkzeug.http import parse_cookie

WITHOUT_TOKEN: Final = (
    "this viewer asks for its token: open the address that plyscope printed, "
    "or send the header `Authorization: Bearer TOKEN`"
)


@dataclass(frozen=True, repr=False)
class Token:
    """A secret that is in the printed address once, then in a cookie; scripts send it as a header.

    >>> token = Token("secret")
    >>> token.is_in("Bearer secret", ""), token.is_in("", f"{token.cookie}=secret"), token.is_in("", "")
    (True, True, False)
    """

    secret: str

    @classmethod
    def drawn(cls) -> Token:
        """A new one, of 192 random bits."""
        return cls(secrets.token_urlsafe(24))

    @property
    def cookie(self) -> str:
        """The name of its cookie, one for each token: the ports of a host share their cookies."""
        return f"plyscope-{hashlib.sha256(self.secret.encode()).hexdigest()[:8]}"

    def is_(self, text: str) -> bool:
        """Whether `text` is the secret, in a time that does not tell how much of it is right."""
        return hmac.compare_digest(text.encode("utf-8", "surrogatepass"), self.secret.encode())

    def is_in(self, authorization: str, cookies: str) -> bool:
        """Whether the headers `Authorization` or `Cookie` of a request show it."""
        scheme, _, shown = authorization.partition(" ")
        if scheme.lower() == "bearer" and self.is_(shown.strip()):
            return True
        return any(self.is_(value) for value in parse_cookie(cookies).getlist(self.cookie))

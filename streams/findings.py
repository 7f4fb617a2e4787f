"""What a look at one thing found: the value that the parts of `pageloom doctor` give."""

from msgspec import Struct


class Finding(Struct, frozen=True, kw_only=True):
    """One thing that was looked at. `needed`: without it nothing runs; else a note."""

    subject: str
    ok: bool
    state: str
    next_step: str = ""
    needed: bool = True

"""Tells, at the speed of the file, whether every quote of a delimited text stands where it may.

Arrow's reader forgives what breaks the rules: `"a" b` becomes `a b`, and a quote that is opened by
oversight swallows every row up to the next one. Nobody is told, so it is looked for here.
"""

import numpy as np
from numpy.typing import NDArray

LINE_ENDS = b"\r\n"


class QuoteCheck:
    """Sees a text go by, from the beginning of a row on, and finds the first misplaced quote."""

    def __init__(self, delimiter: str, quote: str, escape: str | None) -> None:
        """Keeps how the text is written; all three are single ASCII characters."""
        self._quote = ord(quote)
        self._escape = escape.encode() if escape else None
        edges = [ord(delimiter), *LINE_ENDS]
        self._opens = _set_of([*edges, self._quote])
        """What may stand before a quote that opens a cell."""
        self._closes = self._opens
        """What may stand behind a quote that closes one."""
        self._before = ord("\n")
        self._held = b""
        self._inside = False
        self.misplaced = False

    def see(self, chunk: bytes, last: bool = False) -> None:
        """Takes the next bytes; `last` says that none follow.

        Args:
            chunk: Bytes of any length.
            last: Whether none follow.
        """
        whole = self._held + chunk + (b"\n" if last else b"")
        if self._escape and self._escape in whole:
            whole = self._without_escapes(whole)
        if self.misplaced or not whole:
            return
        # A quote is judged by its neighbours, so the last byte waits for the next chunk.
        self._held = whole[-1:]
        if whole.find(self._quote, 0, len(whole) - 1) >= 0:
            self._judge(whole)
        self._before = whole[-2] if len(whole) > 1 else self._before
        if last and self._inside:
            self.misplaced = True

    def _without_escapes(self, text: bytes) -> bytes:
        escape = self._escape or b""
        return text.replace(escape * 2, b"__").replace(escape + bytes([self._quote]), b"__")

    def _judge(self, text: bytes) -> None:
        signs = np.frombuffer(text, np.uint8)
        places = np.flatnonzero(signs[:-1] == self._quote)
        before = signs[places - 1]
        if places[0] == 0:
            before[0] = self._before
        opening, closing = self._opens[before], self._closes[signs[places + 1]]
        turn = (np.arange(len(places)) + self._inside) % 2 == 1
        if np.where(turn, closing, opening).all():
            self._inside ^= bool(len(places) % 2)
        else:
            self._step_by_step(opening, closing)

    def _step_by_step(self, opening: NDArray[np.bool_], closing: NDArray[np.bool_]) -> None:
        """Passes over quotes in the middle of unquoted cells, which are characters like others."""
        for may_open, may_close in zip(opening.tolist(), closing.tolist(), strict=True):
            if not self._inside:
                self._inside = may_open
            elif may_close:
                self._inside = False
            else:
                self.misplaced = True
                return


def _set_of(members: list[int]) -> NDArray[np.bool_]:
    known = np.zeros(256, np.bool_)
    known[members] = True
    return known

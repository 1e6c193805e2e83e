"""What a build and the gateway to other machines say to each other, by a message's first byte."""

HELLO = ord("H")
"""From the gateway: how many fits the other machines run side by side, in four bytes."""
REFUSED = ord("E")
"""From the gateway: why it reaches no machine."""
DATA = ord("D")
"""To the gateway: the name of rows, and the rows. Those of before are no longer needed."""
FIT = ord("F")
"""To the gateway: the number of a fit, the name of its rows, and the fit."""
RESULT = ord("R")
"""From the gateway: the number of a fit, and its outcome."""
LOST = ord("L")
"""From the gateway: the number of a fit whose machine is gone, and why."""
ID_BYTES = 8
"""Bytes of a fit's number."""
NAME_BYTES = 16
"""Bytes of the name of the rows, a digest of them."""

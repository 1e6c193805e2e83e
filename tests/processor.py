"""How matrices are multiplied, chosen before NumPy is loaded; a run's workers inherit it.

One thread, as in jobs: more wait for each other at full speed. And one way on every processor:
OpenBLAS sums in another order where a processor has AVX-512, so that the last bits of an answer
differ. What old models answered was recorded without.
"""

import os
from pathlib import Path

CPU = Path("/proc/cpuinfo")

os.environ["OPENBLAS_NUM_THREADS"] = "1"
if CPU.exists() and "avx512f" in CPU.read_text("utf-8"):
    os.environ.setdefault("OPENBLAS_CORETYPE", "Haswell")

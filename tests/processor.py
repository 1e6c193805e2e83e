"""One way to multiply matrices on every processor, chosen before NumPy is loaded.

OpenBLAS sums in another order where a processor has AVX-512, so that the last bits of an answer
differ. What old models answered was recorded without.
"""

import os
from pathlib import Path

CPU = Path("/proc/cpuinfo")

if CPU.exists() and "avx512f" in CPU.read_text("utf-8"):
    os.environ.setdefault("OPENBLAS_CORETYPE", "Haswell")

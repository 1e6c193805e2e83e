"""Learns the terms of a text column and their dense directions."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from modelwright_runtime.text_features import Vocabulary, terms

MAX_TERMS = 10_000
"""A text column keeps at most this many terms, the most frequent ones."""
N_COMPONENTS = 40
"""Leading directions of the terms, by singular value decomposition."""
MAX_ROWS = 100_000
"""A vocabulary is learnt from at most this many rows."""


def fit_vocabulary(texts: NDArray[Any], seed: int = 0) -> Vocabulary:
    """Learns terms found in two texts or more, and up to 40 leading directions of them.

    Args:
        texts: Texts, shape (n,), empty where missing.
        seed: What the decomposition is begun by.

    Returns:
        Terms with their inverse document frequencies and directions (latent semantic analysis).
    """
    step = max(1, len(texts) // MAX_ROWS)
    seen = texts[::step]
    found: Counter[str] = Counter()
    for text in seen:
        found.update([*dict.fromkeys(terms(text))])
    least = 2 if len(seen) > 20 else 1  # noqa: PLR2004 - a term seen once can't be learnt from
    kept = sorted(term for term, count in found.most_common(MAX_TERMS) if count >= least)
    index = {term: place for place, term in enumerate(kept)}
    counts = np.array([found[term] for term in kept], dtype=np.float64)
    idf = np.log((1 + len(seen)) / (1 + counts)) + 1
    flat = Vocabulary(index, idf, np.zeros((len(kept), 0), np.float32))
    return Vocabulary(index, idf, _directions(weights_of(flat, seen), seed))


def weights_of(words: Vocabulary, texts: Sequence[str] | NDArray[Any]) -> sparse.csr_matrix:
    """Weighs texts as a sparse matrix (texts, terms).

    Args:
        words: The vocabulary.
        texts: Texts, n of them.

    Returns:
        Rows of unit length, shape (n, terms).
    """
    weighed = [words.weigh(text) for text in texts]
    starts = np.cumsum([0, *(len(places) for places, _ in weighed)])
    shape = len(texts), len(words.index)
    if not weighed:
        return sparse.csr_matrix(shape)
    places, weights = map(np.concatenate, zip(*weighed, strict=True))
    return sparse.csr_matrix((weights, places, starts), shape=shape)


def _directions(weights: sparse.csr_matrix, seed: int) -> NDArray[np.float32]:
    most = min(N_COMPONENTS, min(weights.shape) - 1)
    if most < 1:
        return np.zeros((weights.shape[1], 0), dtype=np.float32)
    from sklearn.utils.extmath import randomized_svd  # noqa: PLC0415 - heavy

    _, _, found = randomized_svd(weights, most, random_state=seed)
    return np.asarray(found.T, dtype=np.float32)

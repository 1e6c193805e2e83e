"""The trash of a bucket: what sweeps have taken, by day, under a prefix that no key has."""

from collections.abc import Iterator, Sequence
from datetime import date

from modelwright.storage.errors import ObjectMissing
from modelwright.storage.s3_bucket import S3Bucket

TRASH = "-trash"


class S3Trash:
    """Objects on their way out of a bucket, by their paths in it."""

    def __init__(self, bucket: S3Bucket) -> None:
        self._bucket = bucket

    def discard(self, paths: Sequence[str], day: date) -> None:
        """Moves to the trash what there is of some paths."""
        self._move({path: f"{TRASH}/{day}/{path}" for path in paths})

    def discarded(self) -> Iterator[tuple[str, date]]:
        """Lists what is in the trash: each path, and the day that it was discarded."""
        for meta in self._bucket.list(TRASH):
            _, day, path = meta["path"].split("/", 2)
            yield path, date.fromisoformat(day)

    def recover(self, paths: Sequence[str], day: date) -> bool:
        """Moves back what there is of some paths; tells whether there was any."""
        return self._move({f"{TRASH}/{day}/{path}": path for path in paths})

    def empty_trash(self, before: date) -> int:
        """Removes for good what was discarded before a day; tells how many objects."""
        old = [f"{TRASH}/{day}/{path}" for path, day in self.discarded() if day < before]
        if old:
            self._bucket.delete(old)
        return len(old)

    def _move(self, places: dict[str, str]) -> bool:
        moved = []
        for source, target in places.items():
            try:
                self._bucket.copy(source, target)
            except ObjectMissing:
                continue
            moved.append(source)
        if moved:
            self._bucket.delete(moved)
        return bool(moved)

"""How often an intent's column and task are found: `python -m benchmarks.intents [--misses]`."""

import sys

from tests.questions.intents import NAMES, labelled, measure

from benchmarks import arguments


def main() -> None:
    arguments.told(__doc__, "--misses")
    show = "--misses" in sys.argv
    print(
        "half | intents | target | task | task where the target is right | no-fit refused |"
        " wrong | refused: target first / among candidates"
    )
    for title, names in [*((name, (name,)) for name in NAMES), ("all", NAMES)]:
        for held_out in (False, True):
            half = [table for table in labelled(names) if table["held_out"] == held_out]
            if not half:
                continue
            seen, misses = measure(half)
            if show and not held_out and title != "all":
                print(*misses, sep="\n")
            print(
                f"{title}, {'held out' if held_out else 'tuning'} ({len(half)} tables) |"
                f" {seen['fitting']} | {seen['target'] / seen['fitting']:.1%} |"
                f" {seen['task'] / seen['fitting']:.1%} | {seen['task'] / seen['target']:.1%} |"
                f" {seen['refused']} of {seen['fitting no column']} | {seen['wrong']} |"
                f" {seen['first candidate']} / {seen['among candidates']} of {seen['unclear']}"
            )


if __name__ == "__main__":
    main()

"""One target in a process of its own, driven by atheris: whatever ends it, ends no more than a piece of the run."""

from __future__ import annotations

import argparse
import atexit
import importlib
import sys
from pathlib import Path
from typing import Any

from tests.verification.fuzz.targets import TARGETS, Target

KEPT = Path("build/fuzz")
ONE_INPUT_S = 20
"""Wall time on a busy machine; a reader that needs so long for one input has no bound."""
MEMORY_MB = 1_024


def main() -> None:
    """Fuzzes for a time; libFuzzer ends the process."""
    wanted = argparse.ArgumentParser()
    wanted.add_argument("target", choices=TARGETS)
    wanted.add_argument("--seconds", type=int, required=True)
    wanted.add_argument("--tally", type=Path, required=True)
    options = wanted.parse_args()
    target = TARGETS[options.target]
    # Untyped, and there on Linux x86-64 alone.
    atheris: Any = importlib.import_module("atheris")
    with atheris.instrument_imports(include=list(target.watched)):
        play = target.play()
    from tests.verification.fuzz.playing import Player, lay_seeds

    corpus, kept = KEPT / "corpus" / target.name, KEPT / "failures" / target.name
    for folder in (corpus, kept):
        folder.mkdir(parents=True, exist_ok=True)
    lay_seeds(target, corpus)
    player = Player(target.name, play, kept, options.tally)
    atexit.register(player.save)
    arguments = [
        sys.argv[0],
        str(corpus),
        f"-max_total_time={options.seconds}",
        f"-max_len={target.most_bytes}",
        f"-timeout={ONE_INPUT_S}",
        f"-rss_limit_mb={MEMORY_MB}",
        f"-artifact_prefix={kept}/",
        "-print_final_stats=1",
        *_dictionary(target),
    ]
    mutate = target.mutate()
    if mutate is None:
        atheris.Setup(arguments, player)
    else:
        atheris.Setup(
            arguments,
            player,
            custom_mutator=lambda data, most, seed: mutate(data, most, seed, atheris.Mutate),
        )
    atheris.Fuzz()


def _dictionary(target: Target) -> list[str]:
    words = target.words()
    if not words:
        return []
    file = KEPT / f"{target.name}.dict"
    lines = ('"' + "".join(f"\\x{byte:02x}" for byte in word) + '"' for word in words)
    file.write_text("\n".join(lines), "ascii")
    return [f"-dict={file}"]


if __name__ == "__main__":
    main()

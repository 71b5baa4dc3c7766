"""What was plugged in, as Linux lists it."""

from __future__ import annotations

from pathlib import Path

import pytest

from pos_app.system import sticks


def test_only_what_can_be_taken_away_and_written_is_a_stick(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    media = tmp_path / "media"
    for name in ("MY STICK", "READ-ONLY"):
        (media / name).mkdir(parents=True)
    monkeypatch.setattr(sticks, "_UNDER", (f"{media}/",))
    mounts = tmp_path / "mounts"
    mounts.write_text(
        f"/dev/sda1 / ext4 rw,relatime 0 0\n/dev/sdb1 {media}/MY\\040STICK vfat rw,nosuid 0 0\n"
        f"/dev/sdc1 {media}/READ-ONLY iso9660 ro,nosuid 0 0\n/dev/sdd1 {media}/GONE vfat rw 0 0\nnonsense\n"
    )
    assert sticks.sticks(mounts) == [("MY STICK", media / "MY STICK")]
    assert sticks.sticks(tmp_path / "nothing") == []

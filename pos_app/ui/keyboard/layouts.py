"""What stands on the keys, by script. Plain: one touch, one sign; nothing is guessed or reordered.

Sinhala and Tamil stand in the order of their alphabets, with each vowel sign on the key of its vowel: the layouts of
typists (Wijesekara, Tamil99) are known to few who stand at a till. Arabic stands as on every Arabic keyboard.
"""

from __future__ import annotations

import unicodedata
from typing import NamedTuple

Rows = tuple[tuple[str, ...], ...]

ROWS = 4
"""So many on every page, and one below them: nothing moves when the script changes."""


class Letters(NamedTuple):
    """A script: its name on the key that leads to it, its keys, and those behind Shift."""

    name: str
    plain: Rows
    shifted: Rows


def _rows(text: str) -> Rows:
    return tuple(tuple(line.split()) for line in text.strip().splitlines())


_LATIN = _rows("""
1 2 3 4 5 6 7 8 9 0
q w e r t y u i o p
a s d f g h j k l
z x c v b n m
""")

LETTERS = {
    "en": Letters("ABC", _LATIN, tuple(tuple(sign.upper() for sign in row) for row in _LATIN)),
    "si": Letters(
        "සිංහල",
        _rows("""
ා ැ ෑ ි ී ු ූ ෙ ේ ො ෝ
අ ක ග ච ජ ට ඩ ණ ත ද න
ප බ ම ය ර ල ව ස හ ළ ්
ං ශ ෂ ඟ ඳ ඹ ෆ ්‍ය ්‍ර
"""),
        _rows("""
ආ ඇ ඈ ඉ ඊ උ ඌ එ ඒ ඔ ඕ
අ ඛ ඝ ඡ ඣ ඨ ඪ ඬ ථ ධ ඤ
ඵ භ ඥ ඓ ඖ ඍ ෛ ෞ ෘ ෲ ෟ
ඃ ශ ෂ ඞ ඦ ඎ ෆ ෳ ර්‍
"""),
    ),
    "ta": Letters(
        "தமிழ்",
        _rows("""
ா ி ீ ு ூ ெ ே ை ொ ோ ௌ
அ க ங ச ஞ ட ண த ந ப ம
ய ர ல வ ழ ள ற ன ஃ ்
ஜ ஷ ஸ ஹ க்ஷ ஸ்ரீ
"""),
        _rows("""
ஆ இ ஈ உ ஊ எ ஏ ஐ ஒ ஓ ஔ
அ க ங ச ஞ ட ண த ந ப ம
ய ர ல வ ழ ள ற ன ஃ ்
ஜ ஷ ஸ ஹ ஶ ௹
"""),
    ),
    "ar": Letters(
        "عربي",
        _rows("""
1 2 3 4 5 6 7 8 9 0
ض ص ث ق ف غ ع ه خ ح ج د
ش س ي ب ل ا ت ن م ك ط ذ
ئ ء ؤ ر لا ى ة و ز ظ
"""),
        _rows("""
١ ٢ ٣ ٤ ٥ ٦ ٧ ٨ ٩ ٠
أ إ آ ٱ لأ لإ لآ ّ َ ُ ِ ْ
ً ٌ ٍ ٰ ، ؛ ؟ « » ٪ ـ ذ
ئ ء ؤ ر لا ى ة و ز ظ
"""),
    ),
}
"""By the till's languages. Latin is there for every one of them."""

SIGNS = Letters(
    "?123",
    _rows("""
1 2 3 4 5 6 7 8 9 0
@ # % & * - + = ( )
/ : ; ' " ! ? _ ,
{ } [ ] < > |
"""),
    _rows("""
1 2 3 4 5 6 7 8 9 0
$ € £ ₹ ~ ^ ` \\ § °
« » “ ” ‘ ’ … • –
{ } [ ] < > |
"""),
)

FIGURES = Letters(
    "123",
    _rows("""
1 2 3
4 5 6
7 8 9
+ 0 ,
"""),
    (),
)
"""Where a number is asked for; the signs that a number may have besides stand beside the space."""


def face(sign: str) -> str:
    """How a key shows what it types: a sign that belongs to a letter stands on an empty one."""
    return f"\u25cc{sign}" if unicodedata.category(sign[0]).startswith("M") else sign

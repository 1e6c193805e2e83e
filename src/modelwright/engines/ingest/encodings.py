"""In which encoding a text is that is no Unicode, by what its letters make of words.

All single-byte encodings decode anything, so the one is sought in which words look like words: of
one script, capitals at their beginning, without signs inside them, of letters that the languages of
the encoding use. Where two do nearly as well and differ, both are told.
"""

import codecs
import re
import unicodedata
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from charset_normalizer import from_bytes

from modelwright.engines.ingest.encoding_names import LABELS, extends_ascii
from modelwright.engines.ingest.streaming import CHUNK_BYTES, PackedBytes, to_utf8
from modelwright.engines.ingest.table import BrokenFile

SAMPLE_BYTES = 65_536
"""So many bytes of lines with other characters than ASCII are looked at."""
RIVAL_SCORE_DISTANCE = 0.08
"""An encoding whose score is this close to the best one is told beside it."""
UTF8_SHARE = 0.5
"""Text is damaged UTF-8 where so large a share of its lines with other characters is sound."""
QUOTED_LENGTH = 30
"""Characters of the text that a notice quotes."""
USUAL = "cp1252"
"""The encoding that is taken where next to nothing tells."""
MOST_LEAD = 0.5
"""By how much its weight leads then."""
LAST_ASCII = 127
"""The last byte that all encodings looked for have in common."""
HANGUL = range(0xAC00, 0xD7A4)
"""Code points of Korean syllables."""
KANA = range(0x3041, 0x3100)
"""Code points of Japanese syllables."""
IDEOGRAPHS = range(0x4E00, 0xA000)
"""Code points of the ideographs that Chinese and Japanese share."""
PUNCTUATION = (*range(0x3000, 0x3040), *range(0xFF01, 0xFF5F))
"""Code points; punctuation is as wide as ideographs."""
FIRST_GB = range(0xB0, 0xD8)
"""Leading bytes of the characters that GB 2312 holds for usual (level 1)."""
FIRST_BIG5 = range(0xA4, 0xC7)
"""Leading bytes of the characters that Big5 holds for usual (level 1)."""
FIRST_JIS = range(0xB0, 0xD0)
"""Leading bytes of the characters that JIS X 0208 holds for usual (level 1)."""
SHORT_WORD = 2
"""Letters up to which a word tells little of its language."""
MISREAD_SHARE = 0.5
"""Texts were misread before where so large a share of the words beyond ASCII looks like that."""
LOST = "\ufffd"
"""What stands in place of a letter that could not be read."""
_TYPOGRAPHY = frozenset("€‚„…‘’“”•–—«»\u00a0·°")
MOST_ACCENTS = 0.8
"""More letters of a Latin word than this share do not have accents."""
LEAST_EBCDIC = 8
"""So many bytes tell EBCDIC."""
MOST_PLAIN = 0.95
"""The share of characters of such a text that are plain letters, digits and signs."""
MOST_OTHERS = 4
"""So many other encodings are told beside a guess."""
DETECTOR_WEIGHT = 0.05
"""What the opinion of the detector counts beside the score of the words."""


@dataclass(frozen=True, slots=True)
class Encoding:
    """An encoding that tables come in."""

    name: str
    """As Python calls it."""
    letters: str = ""
    """The letters beyond ASCII that the languages use which are written in it."""
    script: str = "LATIN"
    weight: float = 0.0
    """How much more usual than others it is."""

    @property
    def label(self) -> str:
        """As people call it."""
        return LABELS[self.name]


_WEST = "àâäáãåæçéèêëíìîïñóòôöõøœúùûüýÿßÀÂÄÁÃÅÆÇÉÈÊËÍÌÎÏÑÓÒÔÖÕØŒÚÙÛÜÝŸ"
_CENTRAL = "ąćčďđęěéëíłľĺńňóôöőřŕśšşťţúůüűýźžżáâäăîçßĄĆČĎĐĘĚÉËÍŁĽŃŇÓÔÖŐŘŔŚŠŞŤŢÚŮÜŰÝŹŽŻÁÂÄĂÎÇ"
_TURKISH = "çğıİöşüâîûÇĞÖŞÜÂÎÛ"
_BALTIC = "āčēģīķļņšūžąęėįųõäöüĀČĒĢĪĶĻŅŠŪŽĄĘĖĮŲÕÄÖÜ"
ENCODINGS = (
    Encoding("cp1252", _WEST, weight=0.06),
    Encoding("cp1250", _CENTRAL, weight=0.03),
    Encoding("cp1254", _TURKISH, weight=0.01),
    Encoding("cp1257", _BALTIC),
    Encoding("cp857", _TURKISH),
    Encoding("iso8859_2", _CENTRAL, weight=0.02),
    Encoding("iso8859_15", _WEST),
    Encoding("mac_roman", _WEST),
    Encoding("cp850", _WEST),
    Encoding("cp852", _CENTRAL),
    Encoding("cp1251", script="CYRILLIC", weight=0.03),
    Encoding("koi8_r", script="CYRILLIC", weight=0.01),
    Encoding("koi8_u", script="CYRILLIC"),
    Encoding("cp866", script="CYRILLIC"),
    Encoding("mac_cyrillic", script="CYRILLIC"),
    Encoding("iso8859_5", script="CYRILLIC"),
    Encoding("cp1253", script="GREEK", weight=0.02),
    Encoding("cp737", script="GREEK"),
    Encoding("cp1255", script="HEBREW"),
    Encoding("cp862", script="HEBREW"),
    Encoding("cp1256", script="ARABIC"),
    Encoding("iso8859_6", script="ARABIC"),
    Encoding("cp874", script="THAI"),
    Encoding("gb18030", script="HAN", weight=0.02),
    Encoding("big5", script="HAN"),
    Encoding("cp932", script="KANA", weight=0.01),
    Encoding("euc_jp", script="KANA"),
    Encoding("cp949", script="HANGUL"),
)
RARE_LETTER_SCORE = 0.6
"""What a letter counts that few words of its languages have."""
_SELDOM: dict[str, str] = {
    **dict.fromkeys((one.name for one in ENCODINGS), ""),
    "cp1252": "òìõûùëðÿÒÌÕÛÙËÈÝ",
    "mac_roman": "òìõûùëÿÒÌÕÛÙËÈ",
    "cp850": "òìõûùëÿÒÌÕÛÙËÈ",
    "cp1250": "ăĂĎŤĹĺŔŕđĐţŢëËîÎôÔ",
    "iso8859_2": "ăĂĎŤĹĺŔŕđĐţŢëËîÎôÔ",
    "cp852": "ăĂĎŤĹĺŔŕđĐţŢëËîÎôÔ",
    "cp1254": "âîûÂÎÛ",
    "cp857": "âîûÂÎÛ",
    "cp1257": "õÕģĢķĶļĻņŅ",
}
_CHINESE = frozenset(
    "的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里用道行所然家种"
    "事成方多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心本前开但因只从想实日军者意无力它与长把机十民第公此"
    "已工使情明性知全三又关点正业外将两高间由问很最重并物手应战向头文体政美相见被利什二等产或新己制身果加西斯月话合回特代"
    "内信表化老给世位次度门任常先海通教儿原东声提立及比员解水名真论处走义各入几口认条平系气题活更别打女变四神总何电数安少"
    "报才结反受目太量再感建务做接必场件计管期市直德资命山金指克许统区保至队形社便空决治展马科司五基眼书非则听白却界达光放"
    "京北南州广沪津省县城销售价格数量单位姓名地址电话日期类别产品公司否號東臺灣國際業務會開發學區縣鄉鎮路街號價數電車門"
)
_JAPANESE = frozenset(
    "日一国人年大十二本中長出三時行見月後前生五間上東四今金九入学高円子外八六下来気小七山話女北午百書先名川千水半男西電"
    "校語土木聞食車何南万毎白天母火右読友左休父雨会社県市区町村京都府道阪海神奈埼玉愛知福岡静岡兵庫札幌仙台横浜価格数量単"
    "位氏住所番号商品売上合計店舗株式在庫部品種別"
)
_SIGNS = "€£§°²³½«»„“”‘’–—…№©®\u00a0µ"
"""What may stand before and behind a word in any table."""
_NO_CURRENCY = str.maketrans("", "", "£§½")
"""What does not stand beside a letter."""
UNUSED = "\x81\x8d\x8f\x90\x9d"
"""Bytes that Windows-1252 does not use."""
_ESCAPES = {
    b"\x1b$B": "iso2022_jp_2",
    b"\x1b$@": "iso2022_jp_2",
    b"\x1b$A": "iso2022_jp_2",
    b"\x1b$(D": "iso2022_jp_2",
    b"\x1b$)C": "iso2022_kr",
}
"""Escapes that stand in no other text, with the encoding that has them."""
_ESCAPED = {"iso2022_jp_2": "ISO-2022-JP", "iso2022_kr": "ISO-2022-KR"}
_SHIFTS = (
    ("utf-7", "UTF-7", re.compile(rb"\+[A-Za-z0-9+/]{3,}-?")),
    ("hz", "HZ", re.compile(rb"~\{(?:[!-w][!-~])+~\}")),
)
"""Encodings that write all letters in ASCII: their names, labels and what they write letters as."""
MOST_RUNS = 20
"""So many different runs of letters are looked at."""
_VOWEL = re.compile("[aeiouyæøœı]")
_CYRILLIC_VOWEL = re.compile("[аеёиоуыэюяєії]")
_WORD = re.compile(r"[^\W\d_]+")
_OF_TWO_BYTES = {"HAN", "KANA", "HANGUL"}
"""The scripts of encodings that write a character in two bytes."""
_LONE = re.compile(rb"(?<![A-Za-z\x80-\xff])[\x80-\xff](?![A-Za-z\x80-\xff])")
"""A byte without a letter beside it, such as the sign of a currency: in some encoding a letter."""


class TextEncoding:
    """The encoding of one file, found when it is first asked for, the same for every reading."""

    def __init__(self, opened: Callable[[], PackedBytes], said: str | None = None) -> None:
        """Keeps how the file is opened, and the encoding where its owner said it."""
        self._opened = opened
        self._said = said
        self.marked: str | None = None
        """The encoding that the first bytes tell."""
        self._shifted: list[str] = []
        """What is to be said of escapes in ASCII."""

    @property
    def is_said(self) -> bool:
        """Whether the owner of the file said it."""
        return self._said is not None

    @property
    def name(self) -> str:
        """Python's name of it, `utf-8` where the text is that."""
        return self.marked or self._said or self._found[0]

    @property
    def notices(self) -> list[str]:
        """What is to be said of a guess; nothing before one was needed."""
        if self.is_said:
            return []
        return [*self._shifted, *(self._found[1] if "_found" in self.__dict__ else [])]

    def of_start(self, first: bytes) -> str | None:
        """Names the encoding of a text in which ASCII is something else, by its first bytes.

        Args:
            first: The first bytes of the file.

        Returns:
            The name of an encoding such as ISO-2022-JP; None where bytes of ASCII are ASCII.
        """
        if self._said is not None:
            return None if extends_ascii(self._said) else self._said
        found = next((name for sign, name in _ESCAPES.items() if sign in first), None)
        if found is not None:
            self.marked = found
            self._shifted = [f"The text is read as {_ESCAPED[found]}, by the escapes in it."]
        elif first.isascii():
            self._shifted = _said_of_shifts(first)
        else:
            _refuse_ebcdic(first)
        return found

    @cached_property
    def _found(self) -> tuple[str, list[str]]:
        lines = _lines_beyond_ascii(self._opened)
        sound = sum(map(_is_utf8, lines))
        if not lines or sound >= UTF8_SHARE * len(lines):
            return "utf-8", _said_of_damage(b"\n".join(lines).decode("utf-8", "replace"))
        return _best(b"\n".join(lines))


def _said_of_shifts(first: bytes) -> list[str]:
    """Says that ASCII looks like an encoding that writes all letters in it; nobody guesses it."""
    for name, label, pattern in _SHIFTS:
        runs = list(dict.fromkeys(pattern.findall(first)))[:MOST_RUNS]
        words = [word for run in runs if (word := _unshifted(run, name))]
        if words and len(words) == len(runs):
            run, word = runs[0].decode()[:QUOTED_LENGTH], words[0][:QUOTED_LENGTH]
            said = f"The text may be {label} ({run!r} is {word!r} then) and is read as it stands"
            return [f"{said}: name the encoding {label.lower()} if it is."]
    return []


def _refuse_ebcdic(first: bytes) -> None:
    """Refuses a text of mainframes, which no single line end of ASCII parts into lines."""
    some = first[:SAMPLE_BYTES]
    if b"\n" in some or b"\r" in some or len(some) < LEAST_EBCDIC:
        return
    text = some.decode("cp500")
    plain = sum(one.isascii() and (one.isprintable() or one.isspace()) for one in text)
    lines = text.replace("\x85", "\n").splitlines()
    if plain >= MOST_PLAIN * len(text) and len(lines) > 1:
        raise BrokenFile(
            f"The text looks like EBCDIC ({lines[0][:QUOTED_LENGTH]!r}): name its encoding, such"
            " as cp500, or save it as UTF-8.",
            expected="UTF-8",
        )


def _unshifted(run: bytes, name: str) -> str | None:
    try:
        word = run.decode(name)
    except UnicodeError:
        return None
    scripts = {_script(one) for one in word}
    sound = all(one.isalpha() and not one.isascii() for one in word) and len(scripts) == 1
    return word if sound else None


def _lines_beyond_ascii(opened: Callable[[], PackedBytes]) -> list[bytes]:
    found: list[bytes] = []
    size, held = 0, b""
    with closing(opened()) as source:
        while size < SAMPLE_BYTES and (chunk := source.read(CHUNK_BYTES)):
            *lines, held = re.split(rb"[\r\n]+", held + chunk)
            for line in lines:
                if not line.isascii() and size < SAMPLE_BYTES:
                    found.append(line)
                    size += len(line)
    if not held.isascii() and size < SAMPLE_BYTES:
        found.append(held)
    return found


def _is_utf8(line: bytes) -> bool:
    try:
        line.decode()
    except UnicodeDecodeError:
        return False
    return True


def _said_of_damage(text: str) -> list[str]:
    """Says of letters that were lost or misread before the file was written."""
    told = []
    words = list(dict.fromkeys(word for word in text.split() if not word.isascii()))
    misread = {word: _repaired(word) for word in words}
    found = {word: sound for word, sound in misread.items() if sound}
    if len(found) > 1 and len(found) >= MISREAD_SHARE * len(words):
        word, sound = next(iter(found.items()))
        told.append(
            f"The text looks like UTF-8 that was read as Windows-1252 when it was written"
            f" ({word[:QUOTED_LENGTH]!r} for {sound[:QUOTED_LENGTH]!r}): export it again in UTF-8."
        )
    if LOST in text:
        word = next((one for one in words if LOST in one), LOST)
        told.append(
            f"Letters were lost before the file was written ({word[:QUOTED_LENGTH]!r}): export it"
            " again in UTF-8 if they matter."
        )
    return told


def _repaired(word: str) -> str | None:
    """Reads a word as UTF-8 that was taken for Windows-1252; None where it cannot be that."""
    try:
        sound = word.encode("cp1252").decode()
    except UnicodeError:
        return None
    return sound if len(sound) < len(word) else None


def _holds_only_signs(sample: bytes) -> bool:
    """Returns whether all beyond ASCII are signs of Windows-1252 that stand outside of words."""
    text = sample.decode("cp1252", "replace")
    beyond = {one for one in text if not one.isascii()}
    return beyond <= _TYPOGRAPHY and not re.search(r"(?i)[a-z][^\x00-\x7f’][a-z]", text)


def _best(sample: bytes) -> tuple[str, list[str]]:
    """Returns the encoding that fits best, and what is to be said of it."""
    preferred = {
        codecs.lookup(match.encoding).name: place
        for place, match in enumerate(list(from_bytes(sample))[:5])
    }
    scored = []
    without = _LONE.sub(b"", sample)
    judged = sample if without.isascii() else without
    for encoding in ENCODINGS:
        text = _decoded(sample if encoding.script in _OF_TWO_BYTES else judged, encoding)
        if text is None:
            continue
        place = preferred.get(codecs.lookup(encoding.name).name)
        liked = DETECTOR_WEIGHT / (place + 1) if place is not None else 0.0
        weight = encoding.weight
        if encoding.name == USUAL:
            # A few letters tell little, so the usual encoding has to be beaten clearly.
            weight += MOST_LEAD / max(sum(byte > LAST_ASCII for byte in judged) - 1, 1)
            weight += _holds_only_signs(sample)
        scored.append((_score(text, encoding) + weight + liked, encoding, text))
    scored.sort(key=lambda one: -one[0])
    score, best, text = scored[0]
    # Encodings that read all alike differ in what stands further down: the more usual one is taken.
    best = max((one for _, one, same in scored if same == text), key=lambda one: one.weight)
    others: dict[str, str] = {}
    for worse, other, decoded in scored[1:]:
        words = _example(decoded)
        if worse > score - RIVAL_SCORE_DISTANCE and words not in {_example(text), *others.values()}:
            others[other.label] = words
    said = f"The text is not UTF-8 and is read as {best.label} ({_example(text)})"
    if others:
        listed = ", ".join(
            f"{label} ({words})" for label, words in list(others.items())[:MOST_OTHERS]
        )
        said += f"; it may also be {listed}: name the encoding if that is right"
    return best.name, [f"{said}."]


def _decoded(sample: bytes, encoding: Encoding) -> str | None:
    if encoding.name == "cp1252":
        # Five of its bytes are unused; browsers read them as control characters.
        return sample.decode("cp1252", "replace").replace("\ufffd", "\x81")
    try:
        return sample.decode(encoding.name)
    except UnicodeDecodeError:
        return None


def _example(text: str) -> str:
    words = (word for word in _WORD.findall(text) if not word.isascii())
    signs = (sign for sign in text if not sign.isascii())
    return (" ".join(dict.fromkeys(words)) or " ".join(dict.fromkeys(signs)))[:QUOTED_LENGTH]


def _score(text: str, encoding: Encoding) -> float:
    """Tells from 0 to 1 how much a text looks like one of the encoding's languages."""
    beyond = [letter for letter in text if not letter.isascii()]
    if not beyond:
        return 0.0
    if encoding.script in _OF_TWO_BYTES:
        return sum(_east_asian(letter, encoding.script) for letter in beyond) / len(beyond)
    right = sum(_fits(letter, encoding) for letter in beyond)
    tokens = re.findall(r"[^\s\x00-\x40\x5b-\x60\x7b-\x7f]+", text)
    odd = [token for token in tokens if not token.isascii()]
    wrong = sum(_is_odd(token, encoding) for token in odd)
    return max(right / len(beyond) - wrong / max(len(odd), 1), 0.0)


def _fits(letter: str, encoding: Encoding) -> float:
    """Scores how well a letter fits the languages of an encoding, -1 to 1."""
    if encoding.letters:
        known = letter in encoding.letters
        return (
            (RARE_LETTER_SCORE if letter in _SELDOM[encoding.name] else 1.0)
            if known
            else _sign(letter)
        )
    if not unicodedata.name(letter, "").startswith(encoding.script):
        return _sign(letter)
    folded = letter.lower()
    if encoding.script == "CYRILLIC":
        return 1.0 if folded in "оеаинтсрвлкмдпу" else (0.95 if "а" <= folded <= "я" else 0.4)
    if encoding.script == "GREEK":
        return (
            1.0
            if folded in "αοιετσνηυρπκλμςάέίόύήώ"
            else (RARE_LETTER_SCORE if folded in "ΰΐϊϋψξζ" else 0.9)
        )
    return 1.0


def _sign(letter: str) -> float:
    """Counts signs that stand in any table as neither right nor wrong."""
    if letter in _SIGNS:
        return 0.5
    return (
        -1.0 if letter not in UNUSED and unicodedata.category(letter) in {"Cc", "Co", "Cn"} else 0.0
    )


def _is_odd(token: str, encoding: Encoding) -> bool:
    """Returns whether a word is none: signs or odd capitals inside it, letters of two scripts."""
    core = token.strip(_SIGNS.translate(_NO_CURRENCY) + UNUSED)
    letters = [one for one in core if one.isalpha()]
    if len(core) < SHORT_WORD:  # a single letter tells nothing
        return bool(core) and not letters
    marks = sum(bool(unicodedata.combining(one)) or one in "\u2019-" for one in core)
    if len(letters) + marks < len(core) or _has_odd_capitals(core):
        return True
    scripts = set(map(_script, letters)) | {
        _script(one) for one in core if unicodedata.combining(one)
    }
    scripts.discard("COMBINING")
    if len(scripts) > 1:
        return True
    if len(core) <= SHORT_WORD:
        return False
    if encoding.script == "CYRILLIC":
        return not _CYRILLIC_VOWEL.search(core.lower())
    return encoding.script == "LATIN" and not _is_latin_word(core)


def _script(letter: str) -> str:
    return unicodedata.name(letter, "?").partition(" ")[0]


def _has_odd_capitals(word: str) -> bool:
    """Returns whether a capital with an accent stands inside a word of small letters.

    "McDonald" is a word, but nobody writes "éÀ" or "DÅs".
    """
    inside = any(
        first.islower() and second.isupper() and not (first + second).isascii()
        for first, second in pairwise(word)
    )
    return inside or any(
        not first.isascii() and first.isupper() and second.islower()
        for first, second in pairwise(word[1:])
    )


def _is_latin_word(word: str) -> bool:
    """Returns whether a word has a vowel, and not nearly all its letters have accents."""
    plain = unicodedata.normalize("NFD", word.lower())
    accents = sum(not one.isascii() for one in word)
    return bool(_VOWEL.search(plain)) and accents <= MOST_ACCENTS * len(word)


def _east_asian(letter: str, script: str) -> float:
    """Tells how usual a character is: kana and Hangul, then the first level of the standards."""
    code = ord(letter)
    if script == "HANGUL":
        return (0.9 if _lead(letter, "euc_kr") else 0.2) if code in HANGUL else -0.5
    if script == "KANA":
        if code in KANA:
            return 1.0
        first, usual = _lead(letter, "euc_jp") in FIRST_JIS, letter in _JAPANESE
    else:
        usual = letter in _CHINESE
        first = _lead(letter, "gb2312") in FIRST_GB or _lead(letter, "big5") in FIRST_BIG5
    if usual or code in PUNCTUATION:
        return 0.95
    return 0.8 if first else (0.3 if code in IDEOGRAPHS else 0.0)


def _lead(letter: str, encoding: str) -> int:
    """Returns the first byte of a character in an encoding, 0 where it has none."""
    try:
        return letter.encode(encoding)[0]
    except UnicodeEncodeError:
        return 0


def decoder_of(name: str) -> Callable[[bytes, bool], bytes]:
    """Makes a function that turns chunks of an encoding into UTF-8.

    Args:
        name: Python's name of the encoding.

    Returns:
        The function; it takes a chunk and whether that is the last one.
    """
    label = LABELS.get(name, name)
    said = f"The text is not {label} throughout: save it as UTF-8, or name its encoding."
    return to_utf8(name, BrokenFile(said, expected=label))


def names() -> Iterator[str]:
    """Returns the labels of the encodings that are looked for.

    Yields:
        Labels, such as `Windows-1250`.
    """
    return (one.label for one in ENCODINGS)

"""Which columns an intent wants to be learnt from, or left out: read, or refused by their words."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from modelwright.engines.facts import ColumnFacts
from modelwright.engines.language.rules.columns.linking import BOTH, PREFIX, Name, Term, alike
from modelwright.engines.language.rules.columns.name_terms import column_names
from modelwright.engines.language.rules.text.lexicon import lexicon
from modelwright.engines.language.rules.text.roots import root
from modelwright.engines.language.rules.text.sentences import PLAIN
from modelwright.engines.language.rules.text.targets import identifies, is_thing, meanings
from modelwright.engines.language.rules.text.words import Word, name_parts, squeezed, words
from modelwright.engines.language.vocabulary import word_set

_INPUTS = r"(?:columns?|features?|fields?|variables?|inputs?|attributes?|predictors?)"
_ALL = (
    rf"(?:all|every|everything|anything)(?: (?:of )?(?:the )?(?:other )?(?:{_INPUTS}|data|else))?"
)
_EXCEPT = (
    r"(?:except(?: for)?|apart from|aside from|other than|(?<!\bto )save(?: for)?|besides|minus)"
)
_ONLY = (
    r"(?:only|just|solely|exclusively|purely|merely"
    rf"|nothing(?: else| more)?,? (?:but|than|except)|no(?: other)? {_INPUTS} (?:but|than|except))"
)
_USE = (
    r"(?:using|based (?:up)?on|on the basis of|by looking at|looking at|learn(?:ing)? from"
    r"|rel(?:y|ies|ying) on)"
)
_WITH = r"(?:from|with|by|given|considering|knowing|on|use)"
_NOT = r"(?:not|n't|never)"
_SEE = r"(?:use|consider|include|look at|rely on|take into account|learn from)"
_SEEING = (
    r"(?:using|making use of|based on|looking at|knowing|considering|relying on|access to|regard to"
    r"|including|peeking at|seeing|taking into account|learning from)"
)
_ASKED = r"(?:^|[.,;:!?] |\b(?:and|but|please|then|to|we|i|you|should|must|may) )"
"""Where a verb in its plain form is a request: not in `customers who ignore mails`."""
_GERUND = r"(?<!\bwithout )(?<!\bnot )(?<!\bnever )"
_SUBJECT = r"(?<!\bis )(?<!\bare )(?<!\bwas )(?<!\bwere )(?<!\bwho )(?<!\bthat )(?<!\bbe )"
_LIST = (
    r"(?P<list>[^.;:?!]{1,400}?(?:[.](?=\w)[^.;:?!]{0,99}?){0,9}?)"
    rf"(?=,? (?:please |to |so as to )?(?:{PLAIN})\b"
    r"|,? (?:since|because|as (?:it|they|we|that|these|those)|which|so that|but|when|while)\b"
    r"|[.;:?!)](?:\s|$)|\s*$)"
)
_SHORT = r"(?P<list>(?:(?! (?:using|from|with|given|on|by) )[^.;:?!]){1,200}?)"
_BRIEF = r"(?P<list>[^.,;:?!]{1,200}?)"
_MERELY = r"(?:only|solely|exclusively|purely|merely)"
_ALONE = (
    r",? (?:only|alone|exclusively|solely|(?:and )?nothing (?:else|more))"
    rf"(?=,? (?:{PLAIN})\b|[.,;:?!]|\s*$)"
)
_LEAVE = r"(?:exclude|ignore|omit|disregard|leave out|leave aside|drop(?! out\b)|remove|skip)"
_LEAVING = r"(?:excluding|ignoring|omitting|disregarding|leaving out|leaving aside)"
_KEEP = r"(?:leave|keep)"
_KEEPING = r"(?:leaving|keeping)"
_LACKING = r"without|with (?:no|neither)"
_BLIND = r"(?:(?:independent(?:ly)?|regardless|irrespective) of|blind to|unaware of)"
_LEFT = (
    r"(?:excluded|(?:left|kept) out|left aside|omitted|ignored|dropped|removed"
    r"|not (?:used|included|counted))"
)
_BEGIN = (
    r"(?:^|(?:[.,;:?!]| [-\N{EN DASH}\N{EM DASH}]) (?:(?:and|but|also|please) )*|\b(?:and|but) )"
)
"""Where a clause begins that tells of columns."""
_KEPT = r"(?P<kept>[^.;:?!]{1,200}?)"
_MUST = r"(?:must|should|may|can|could|shall)"
_USED = r"(?:used|included|considered|looked at|learn(?:t|ed) from|(?:an? )?(?:inputs?|features?))"
_MODEL_ITSELF = rf"(?:it|there|here|this|the (?:model|data|list|{_INPUTS}))"
_TAKES_PART = (
    rf"(?:(?:be )?{_USED}|be (?:in|part of|among|within) {_MODEL_ITSELF}"
    rf"|go in(?:to {_MODEL_ITSELF})?|enter(?: {_MODEL_ITSELF})?|count|play (?:a|any) (?:role|part))"
)
_NOT_USED = rf"(?:(?:{_MUST} ?{_NOT} {_TAKES_PART}|(?:is|are) ?{_NOT} (?:to )?(?:be )?{_USED})\b"
_NOT_USED += r"|(?:is|are) (?:off[ -]limits|taboo|forbidden|banned|not (?:allowed|permitted))\b)"
_TO_BE_LEFT = rf"(?:{_MUST}|(?:is|are|has|have|needs?|ought) to) be {_LEFT}(?: of {_MODEL_ITSELF})?"
_TELLS = (
    r"(?:is|are|was|were|means?|comes?|has|have|does|do|only|just|tells?|says?|gets?|will|would"
    r"|must|should|may|can|cannot|gives?|leaks?|reveals?|betrays?|knows?|contains?|follows?)"
)
_LOOSELY = r"[,;]?(?: (?:so|and|please|but|therefore|better|just))*"
_THEM = r"(?:it|them|both|these|those)"
_SKIP_IT = (
    rf"(?:(?:do|{_MUST}) ?{_NOT} {_SEE} {_THEM}|{_LEAVE} {_THEM}"
    rf"|(?:leave|keep) {_THEM} (?:out|aside))"
)
"""What is asked of a column that was told of before: `the number is only a label, skip it`."""
_ONLY_SAID = tuple(
    re.compile(said, re.IGNORECASE)
    for said in (
        rf"{_SUBJECT}\b{_USE} {_ONLY} {_LIST}",
        rf"(?P<aside>(?:\b{_WITH}|(?:(?<=is )|(?<=are )|(?<=who )){_USE})) {_ONLY} {_LIST}",
        rf"{_ASKED}(?:only use|use {_ONLY}) {_LIST}",
        rf"\b(?:looking|relying|rel(?:y|ies)|learning|based) {_ONLY} (?:at|on|upon|from) {_LIST}",
        rf"\b(?:based )?{_MERELY} (?:{_USE}) {_LIST}",
        rf"(?P<aside>\b(?:based )?(?:just|{_MERELY}) {_WITH}) {_LIST}",
        rf"{_SUBJECT}\b{_USE} {_SHORT}{_ALONE}",
        rf"(?P<aside>\b{_WITH}) {_SHORT}{_ALONE}",
        rf"(?P<aside>(?:^|[.,;:] |\b(?:and|but) )only) {_BRIEF} {_MUST} be {_USED}\b",
        rf"\b(?:limit|restrict|confin)\w* (?:the |its |all )?{_INPUTS} to {_LIST}",
    )
)
"""Where `aside` stands it is said only if columns are recognised: `customers with only one car`."""
_WITHOUT_SAID = tuple(
    re.compile(said, re.IGNORECASE)
    for said in (
        rf"(?:\b{_USE}|\b{_WITH}|\bof) (?:just )?{_ALL},? (?:but|bar|{_EXCEPT}) {_LIST}",
        rf"[,;] {_ALL},? (?:but|{_EXCEPT}) {_LIST}",
        rf"\b(?:all|every) (?:of )?(?:the )?(?:other )?{_INPUTS},? (?:but|{_EXCEPT}) {_LIST}",
        rf"\bwithout (?:(?:the |any )?(?:use|knowledge) of|{_SEEING}) {_LIST}",
        rf"\b(?:do|{_MUST}) ?{_NOT} take (?P<list>[^.;:?!]{{1,200}}?) into (?:ac|con)\w+",
        rf"\b(?:with no|without) regard (?:to|for) {_LIST}",
        rf"(?:{_ASKED}(?:(?:do|{_MUST}) ?)?{_NOT}|\b{_MUST} ?{_NOT}) {_SEE} {_LIST}",
        rf"(?<!\bis )(?<!\bare )(?<!\bwho )\b{_NOT} {_SEEING} {_LIST}",
        rf"{_ASKED}{_LEAVE} {_LIST}",
        rf"(?:^|[.,;:] |\b(?:while|but|by) ){_GERUND}(?:{_LEAVING}|dropping|removing) {_LIST}",
        rf"(?P<aside>{_GERUND}\b{_LEAVING}) {_LIST}",
        rf"(?P<aside>{_ASKED}{_KEEP}|\b{_KEEPING}) (?P<list>[^.;:?!]{{1,200}}?) (?:out|aside)\b",
        rf"(?P<aside>(?P<bare>\b(?:{_LACKING}|{_NOT} with))) {_LIST}",
        rf"(?P<aside>\b(?:{_NOT} (?:from|by)|{_EXCEPT}|{_BLIND})) {_LIST}",
        rf"(?P<aside>\b(?:{_USE}|{_WITH}|using|{_SEE}) ){_KEPT},? (?:but|and) {_NOT} {_LIST}",
        rf"(?P<aside>{_BEGIN})(?:neither|nor) (?:{_MUST}|is|are|do|does) {_BRIEF}(?=[.,;:?!]|\s*$)",
        rf"(?P<aside>{_BEGIN})neither {_BRIEF} {_MUST} {_TAKES_PART}\b",
        rf"(?P<aside>{_BEGIN}){_BRIEF} {_TO_BE_LEFT}\b",
        rf"(?P<aside>(?:{_BEGIN}|\bwith )){_BRIEF} {_NOT_USED}",
        rf"(?P<aside>{_BEGIN}){_BRIEF} {_TELLS}\b[^.;:?!]{{0,160}}?{_LOOSELY} {_SKIP_IT}\b",
        rf"(?P<aside>, ){_BRIEF} aside\W*$",
        rf"(?P<aside>\bwith |, )(?P<list>[^.;:?!]{{1,200}}?) {_LEFT}(?=[.,;:?!]|\s*$)",
    )
)
"""Where `bare` stands, rows may lack what is named; where `kept`, columns are used before it."""
_MOST_SAID = 12
"""How often one construction is looked for."""
_JOINT = re.compile(r",? (?:and|or|nor|&|plus|as well as) |, ?|/| [-\N{EN DASH}\N{EM DASH}]+ ")
_AGAIN = re.compile(r"(?:but )?(?:also )?(?:without|not|no)\b(?: using)? ", re.IGNORECASE)
"""Said anew before another column to leave out: `without the date and without the route`."""
_AUX = r"(?:will|would|is|are|was|were|does|do|did|has|have|had|can|could|must|should|may|might)"
_REQUEST = re.compile(
    rf"(?:{_AUX}|which|who|whom|whose|what|how|whether|if|when|where|why)\b"
    r"|(?:i|we|you|they) (?:\w+ )?(?:want|need|wish|like|have to)\b"
    r"|(?:i|we)['\u2019]d (?:like|love|want|need)\b",
    re.IGNORECASE,
)
_OF_THEM = re.compile(
    r"(?:for )?(?:it|they|we|i|you|he|she|there|nobody|everybody|somebody|that['\u2019]s)\b"
    r"(?! (?:want|need|wish|like|have to)\b)",
    re.IGNORECASE,
)
_STATEMENT = re.compile(
    rf"{_OF_THEM.pattern}|\w+(?:['\u2019]\w+)?(?: [\w-]+){{0,6}} (?:{_AUX}|[\w]+n['\u2019]t)\b"
    r"|\w+(?: [\w-]+){1,6} (?:it|them|that|this|us|so)(?=[.;!]|\s*$)",
    re.IGNORECASE,
)
"""A clause behind a list that says why: `ignore gender, it is private`."""
_CLAUSE_END = re.compile(
    rf"[.;:?!](?:\s|$)|(?:,|,? (?:and|but|so)|[ ,]+[-\N{{EN DASH}}\N{{EM DASH}}]+(?: and)?)"
    rf" (?:(?:please|to|then) )*(?:{PLAIN})\b",
    re.IGNORECASE,
)
_SUCH_AS = re.compile(r"^.*\b(?:such as|like|e\.?g\.?|namely|for example) ", re.IGNORECASE)
_BEFORE = re.compile(
    r"^(?:(?:both|either|any|all|the|an?|its|his|her|their|our|my|your|this|that|these|those|only"
    rf"|just|of|at|on|in|from|using|with|by|also|about|{_INPUTS}"
    r"|(?:data|information|details|anything|knowledge)(?= (?:on|about|of|for)\b))\b[ :]*)+",
    re.IGNORECASE,
)
_AFTER = re.compile(
    rf"(?: (?:{_INPUTS}|data|information|itself|alone|only|too|either|at all|please|any ?more))+$",
    re.IGNORECASE,
)
_QUANTITY = re.compile(
    r"(?:numbers?|amounts?|counts?|quantity|levels?|values?|names?|sizes?) of ", re.IGNORECASE
)
"""Said before what a column is called by: `the number of passengers`."""
_ASIDE = re.compile(
    r" (?:for|in|on|at|with|to|from|by|of|until|as|among|during|within|that|who|whose"
    r"|is|are|was|were|will)\b",
    re.IGNORECASE,
)
_WHY = re.compile(
    r"^,? (?:since|because|as (?:it|they|we|that|these|those)|so that)\b[^.;?!]*", re.IGNORECASE
)
_OF_SOME = re.compile(
    r"\b(?!model|classifier|predictor|predict|estimate|classify|find|tell|know|guess|detect|identify|out|and|or|is|so)\w+"
    r" (?:who|whose|that|which)\b[^.;?!]*$|\b(?:whether|if|who|which) [^.;?!]*\bwithout knowing $",
    re.IGNORECASE,
)
"""Where a verb tells what some rows do."""
_THEIRS = re.compile(r"(?:an?|their|his|her) ", re.IGNORECASE)
"""What a row has or lacks is no column."""
_LACKS = re.compile(r"(?:without|not|never|.*\buse\b)")
_OF_THINGS = ("not ", "never ", "without ", "with ", "except", "minus", "besides")
"""Cues that tell of a thing right before them, as `customers with only one car`."""
_TURNS = {
    True: re.compile(
        r"(?:with no|with neither|not|without|never|no|ignoring|excluding)\b", re.IGNORECASE
    ),
    False: re.compile(r"(?:with|using|use|keep|keeping|include|including)\b", re.IGNORECASE),
}
"""What turns a list of columns to learn from into one of others, and the other way round."""
_GROUP = re.compile(
    r"\b(?:any|all|every)\b|\b(?:data|information|details|anything) (?:on|about|of|for)\b",
    re.IGNORECASE,
)
_OF_ALL = re.compile(
    r" (?:columns|features|fields|variables|inputs|data|information)$", re.IGNORECASE
)
"""Words that ask for each of the columns that are called so."""
_SEVERAL = re.compile(r"\w+[^\Ws]s|people|(?:wo)?men|children|staff", re.IGNORECASE)
"""Nouns for several rows; other words that end so are verbs of one."""
_A_ROW = re.compile(r"\b(?:an?|each|every) (?:[\w-]+ )?[\w-]+$", re.IGNORECASE)
_DOING = re.compile(r"(?:the |any )?(\w+ing)\b", re.IGNORECASE)
_MODEL = re.compile(r"model|classifier|predictor|prediction|estimate|forecast", re.IGNORECASE)
_ASKING = re.compile(r"\b(?:whether|if|who|which|what|whose)\b[^.,;:?!]*$", re.IGNORECASE)
_LACKED = re.compile(r"(?:no|none|n|not|false|without|0)\b", re.IGNORECASE)
_EXPLICIT = re.compile(r"without (?:\w+ )*(?:using|use|regard|looking|considering)\b")
"""Cues that tell of learning, whatever stands before them."""
_NOTHING = frozenset({"nothing", "none", "it", "them", "this", "that", "anything", "one"})
_UNITS = word_set("grammar.currencies")
_LOOSE = re.compile(r"(?:,? (?:and|but|please|also|then))*[ ,;:(]*$", re.IGNORECASE)
_WORD_BEFORE = re.compile(r"([\w-]+)[^\w.;:?!]*$")


@dataclass(frozen=True, slots=True)
class ColumnWish:
    """What an intent says of the columns to learn from."""

    plain: str
    """The intent without the words that say it."""
    only: tuple[str, ...] = ()
    """The columns that alone are to be learnt from; none where all may be."""
    without: tuple[str, ...] = ()
    """The columns that are not to be learnt from."""
    unknown: tuple[str, ...] = ()
    """Words for columns that none is recognised by."""
    several: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """Words that may mean one of several columns, with these."""
    lacking: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """Words for what rows lack, or for columns to leave out, with these columns."""
    reasons: tuple[str, ...] = ()
    """The clauses that say why."""


def column_wish(intent: str, columns: Sequence[ColumnFacts]) -> ColumnWish:
    """Reads which columns alone an intent lets a model learn from, and which it leaves out.

    Args:
        intent: What a user wants to predict, in words.
        columns: What is known of the table's columns.

    Returns:
        The columns by their names, in the table's order, and the intent without what was read.
    """
    reader = _Reader(columns)
    plain, only = reader.read(intent, _ONLY_SAID, is_only=True)
    plain, without = reader.read(plain, _WITHOUT_SAID, is_only=False)
    names = [one.name for one in columns]
    return ColumnWish(
        plain,
        tuple(name for name in names if name in only),
        tuple(name for name in names if name in without),
        tuple(reader.unknown),
        tuple(reader.several.items()),
        tuple(reader.lacking.items()),
        tuple(reader.reasons),
    )


@dataclass(slots=True)
class _Listed:
    """The columns of a list."""

    end: int
    """Where the last word for a column ends in the intent."""
    meant: set[str] = field(default_factory=set)
    unknown: list[str] = field(default_factory=list)
    several: dict[str, tuple[str, ...]] = field(default_factory=dict)
    reason: str = ""
    """The clause behind the list that says why."""

    def add(self, said: str, columns: Sequence[str], *, is_clear: bool) -> "_Listed":
        if is_clear:
            self.meant |= set(columns)
        else:
            self.several[said] = tuple(columns)
        return self


class _Reader:
    """Recognises columns in lists of words."""

    def __init__(self, columns: Sequence[ColumnFacts]) -> None:
        self._columns = columns
        self._names = column_names(columns)
        self._roots = [tuple(map(root, name_parts(one.name))) for one in columns]
        self.unknown: list[str] = []
        self.several: dict[str, tuple[str, ...]] = {}
        self.lacking: dict[str, tuple[str, ...]] = {}
        self.reasons: list[str] = []

    def read(
        self, intent: str, said: Sequence[re.Pattern[str]], *, is_only: bool
    ) -> tuple[str, set[str]]:
        """Returns the intent without what one of the constructions says, and the columns meant."""
        found: set[str] = set()
        for one in said:
            match = one.search(intent)
            for _ in range(_MOST_SAID):
                if match is None:
                    break
                listed = self._listed(match, is_only=is_only)
                if not self._tells_columns(intent, match, listed):
                    match = one.search(intent, match.start() + 1)
                    continue
                found |= listed.meant
                self.unknown += listed.unknown
                self.several |= listed.several
                self.reasons += filter(None, (listed.reason, _why(intent, match)))
                intent = _cut(intent, match, listed.end)
                match = one.search(intent)
        return intent, found

    def _tells_columns(self, intent: str, match: re.Match[str], listed: _Listed) -> bool:
        """Whether a construction lists columns; those that rows may lack as well are kept apart."""
        groups = match.re.groupindex
        if not (listed.meant or listed.several or (listed.unknown and "aside" not in groups)):
            return False
        if "kept" in groups:
            start, stop = list(_items(match["kept"]))[-1]
            if not self._item(match["kept"][start:stop])[0]:
                return False
        if "bare" in groups and self._is_done(match["list"]):
            return False
        if "bare" in groups and self._may_lack(intent, match, listed):
            self.lacking[intent[match.start() : listed.end]] = tuple(
                sorted(listed.meant.union(*listed.several.values()))
            )
            return False
        return not self._tells_rows(intent, match)

    def _tells_rows(self, intent: str, match: re.Match[str]) -> bool:
        """Returns whether it tells what rows do or lack: `a house without a pool`, `who ignore`."""
        cue, before = match.group().casefold(), intent[: match.start("list")]
        is_lack = _LACKS.match(cue) and _THEIRS.match(match["list"])
        if _OF_SOME.search(before) or is_lack:
            return True
        noun = _WORD_BEFORE.search(intent, 0, match.start())
        is_of_thing = noun is not None and is_thing(noun[1].casefold())
        is_bare = "bare" not in match.re.groupindex or match["bare"] is not None
        return is_of_thing and is_bare and cue.startswith(_OF_THINGS) and not _EXPLICIT.match(cue)

    def _is_done(self, said: str) -> bool:
        """Returns whether what is lacked is an act (`without calling`), not a column's word."""
        first = _DOING.match(said)
        held = {part for one in self._columns for part in name_parts(one.name)}
        return first is not None and first[1].casefold() not in held

    def _may_lack(self, intent: str, match: re.Match[str], listed: "_Listed") -> bool:
        """Returns whether rows may be told by what they lack: `recipes without sugar`."""
        if match["bare"] is None:
            return False
        before = intent[: match.start()].rstrip(" (")
        noun = _WORD_BEFORE.search(before)
        if noun is None or before.endswith((",", ";", ":", ".")):
            return False
        is_column = not is_thing(noun[1].casefold()) and root(noun[1].casefold()) in {
            part
            for one, parts in zip(self._columns, self._roots, strict=True)
            if not identifies(one)
            for part in parts
        }
        is_several = _SEVERAL.fullmatch(noun[1]) or _A_ROW.search(before)
        is_definite = match["list"].casefold().startswith("the ")
        is_row = not is_column and _MODEL.fullmatch(noun[1]) is None
        if is_several and is_row and not (is_definite and noun[1].casefold() in _UNITS):
            return True
        if not _ASKING.search(before) or match["list"].casefold().startswith("the "):
            return False
        meant = listed.meant.union(*listed.several.values())
        return any(_lacked(one, match["list"]) for one in self._columns if one.name in meant)

    def _listed(self, match: re.Match[str], *, is_only: bool) -> "_Listed":
        """Returns the columns of a list, where the last word for one ends, and words for none."""
        text, at = match["list"], match.start("list")
        if _JOINT.search(text) is None or self._called(_bare(text)):
            whole, is_clear = self._meant(text)
            if whole:
                return _Listed(match.end("list")).add(_bare(text), whole, is_clear=is_clear)
        listed, is_turned = _Listed(at), False
        for begin, stop in _items(text):
            again = None if is_only or not begin else _AGAIN.match(text, begin, stop)
            start = again.end() if again else begin
            item = text[start:stop]
            is_turned = is_turned or (start > 0 and _TURNS[is_only].match(item) is not None)
            is_reason = start > 0 and _OF_THEM.match(item) is not None
            found, is_clear, length = ([], True, 0) if is_reason else self._item(item)
            if found:
                if not is_turned:
                    listed.add(_bare(item), found, is_clear=is_clear)
                listed.end = at + start + length
            elif is_turned or (start and _REQUEST.match(item)):
                break
            elif start and _STATEMENT.match(item):
                listed.end = _end_of_clause(match.string, at + start)
                listed.reason = match.string[at + start : listed.end]
                break
            elif _bare(item).casefold() not in _NOTHING | {""}:
                listed.unknown.append(_bare(item))
                listed.end = at + stop
            if found and length < len(item):
                break  # what follows a column tells of something else
        return listed

    def _item(self, item: str) -> tuple[list[str], bool, int]:
        """Returns the columns that an item of a list means, and how much of it says so."""
        for text in (item, such.string[such.end() :] if (such := _SUCH_AS.match(item)) else item):
            found, is_clear = self._meant(text)
            if found:
                return found, is_clear, len(item)
        for aside in _ASIDE.finditer(item):
            found, is_clear = self._meant(item[: aside.start()])
            if found:
                return found, is_clear, aside.start()
        return [], True, 0

    def _meant(self, raw: str) -> tuple[list[str], bool]:
        """Returns the columns that are called so, and whether no other could be meant.

        They are called by the whole name, else by each of the words.
        """
        item = _bare(raw)
        if called := self._called(item):
            return called, True
        found = words(item)
        told = [one for one in found if one.text not in lexicon().stop]
        is_group = _GROUP.search(raw) is not None
        if literal := self._holding(told or found):
            is_plural = _SEVERAL.fullmatch((told or found)[-1].raw) is not None
            return literal, len(literal) == 1 or is_plural or is_group or bool(_OF_ALL.search(raw))
        alike = self._likest(found, told)
        quantity = _QUANTITY.match(item)
        if quantity and not alike:
            return self._meant(item[quantity.end() :])
        return alike, not alike or (len(alike) == 1 and not is_group)

    def _holding(self, told: Sequence[Word]) -> list[str]:
        """Returns the columns whose names hold all of some words."""
        roots = {root(one.text) for one in told}
        own = zip(self._columns, self._roots, strict=True)
        return [one.name for one, parts in own if roots and roots <= set(parts)]

    def _likest(self, found: Sequence[Word], told: Sequence[Word]) -> list[str]:
        """Returns the columns that the telling words of a phrase mean most surely, if any."""
        terms = [
            Term(word.text, root(word.text), about.concepts, 1.0, about.weak, about.phrase)
            for word, about in zip(found, meanings(found), strict=True)
            if word in told
        ]
        likely = [(self._likeness(terms, name), name.written) for name in self._names]
        best = max(likely, default=((0.0, 0.0), ""))[0]
        return [name for sure, name in likely if sure == best] if best[0] >= PREFIX else []

    def _called(self, item: str) -> list[str]:
        """Returns the columns whose whole name an item is."""
        said = tuple(root(word.text) for word in words(item))
        same = [one.name for one in self._columns if squeezed(one.name) == squeezed(item)]
        own = zip(self._columns, self._roots, strict=True)
        return same or [one.name for one, parts in own if item and parts == said]

    def _likeness(self, terms: Sequence[Term], name: Name) -> tuple[float, float]:
        """Says how surely the least of the words means a part of the name, and how much of it."""
        if not terms:
            return 0.0, 0.0
        sure = min(max((alike(term, part) for part in name.terms), default=0.0) for term in terms)
        held = sum(any(alike(term, part) >= BOTH for term in terms) for part in name.terms)
        return round(sure, 2), held / max(1, len(name.terms)) if sure >= BOTH else 0.0


def _items(text: str) -> Iterator[tuple[int, int]]:
    """Yields where each of the things that a list names starts and ends."""
    start = 0
    for joint in _JOINT.finditer(text):
        yield start, joint.start()
        start = joint.end()
    yield start, len(text)


def _bare(item: str) -> str:
    """Takes articles and words for a column from around an item."""
    return _AFTER.sub("", _BEFORE.sub("", item.strip(" \t\"'`()"))).strip(" \t\"'`()")


def _lacked(one: ColumnFacts, said: str) -> bool:
    """Returns whether rows may lack what a column tells of, or a value of it is what is said."""
    values = [str(value) for value, _ in one.top]
    is_none = isinstance(one.minimum, (int, float)) and one.minimum <= 0
    spoken = {squeezed(word.text) for word in words(said)}
    return (
        one.type == "boolean"
        or one.missing > 0
        or is_none
        or any(_LACKED.match(value) or squeezed(value) in spoken for value in values)
    )


def _why(intent: str, match: re.Match[str]) -> str:
    """Returns the clause behind a wish that says why."""
    why = _WHY.match(intent[match.end() :])
    if why:
        return why.group()
    joint = _JOINT.match(intent, match.end())
    if joint is None or _REQUEST.match(intent, joint.end()):
        return ""
    is_told = _STATEMENT.match(intent, joint.end())
    return intent[match.end() : _end_of_clause(intent, joint.end())] if is_told else ""


def _end_of_clause(intent: str, start: int) -> int:
    """Returns where a clause ends: with its sentence, or where a request is joined to it."""
    end = _CLAUSE_END.search(intent, start)
    return end.start() if end else len(intent)


def _cut(intent: str, match: re.Match[str], end: int) -> str:
    """Takes a wish out, with the words that lead to it and why; what a list goes on with stays."""
    start = match.end("kept") if "kept" in match.re.groupindex else match.start()
    start += intent[start] in ".?!;"
    before = _LOOSE.sub("", intent[:start])
    after = intent[max(end, match.end()) :].removeprefix(_why(intent, match))
    rest = intent[end : match.end("list")] + after
    if before.endswith((".", "?", "!", ";")):
        rest = rest.lstrip(".?!;")
    joint = "" if not rest or rest[0] in ".;:?!, " else " "
    return f"{before}{joint}{rest}".strip(" ,;:-\N{EN DASH}\N{EM DASH}")

r"""Values: numbers with their units, which a grammar of regular expressions finds.

>>> [v.text for v in find_values("It needs 2-3x less memory, scores 47.3\\% and is twice as fast.")]
['2-3x', '47.3\\%', 'twice']
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from citekg.extractors.prefiltered_pattern import PrefilteredPattern

#: A text with a value contains a digit or one of these words.
_DIGIT: Final = re.compile(r"\d")
_VALUE_WORD: Final = PrefilteredPattern(
    r"\b(?:orders? of magnitude|twice|doubl|tripl|quadrupl|halv|half|fold|times"
    r"|(?:one|two|three|four|five|six|seven|eight|nine|ten)"
    r" (?:seconds|minutes|hours|days|weeks|million|points|percent))",
    (
        *("magnitude", "twice", "doubl", "tripl", "quadrupl", "hal", "fold", "times"),
        *(" seconds", " minutes", " hours", " days", " weeks", " million", " points", " percent"),
    ),
    re.IGNORECASE,
)
_DIGITS: Final = r"(?:(?:\d{1,3}(?:,\d{3})+(?!\d)|\d+)(?:\.\d+)?|\.\d+)"
_POWER: Final = r"(?:\s?(?:×|x|\\times|\\cdot)\s?10\s?(?:\^|ˆ|\*\*)\s?\{?-?\d+\}?)"
_SCALE: Final = r"(?:(?:[kKMB]|\s?(?:million|billion|thousand|hundred|trillion))(?![A-Za-z]))"
_SIGN: Final = r"(?:(?<![A-Za-z0-9])[-+−±]\s?|±|plusmn)"
_NUMBER: Final = rf"{_SIGN}?{_DIGITS}{_POWER}?{_SCALE}?"
_WORD: Final = (
    r"(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|fifty"
    r"|several|hundred)"
)
_PERCENT: Final = (
    r"\\?%(?:\s?(?:percentage\s)?-?points?|p\.?p\.?)?|percentage[- ]points?|percents?|per[- ]cent"
    r"|pp"
)
_POINTS: Final = (
    r"(?:absolute |F1 |AP |mAP |BLEU |ROUGE |accuracy )?(?:points?|pts?)(?: (?:F1|AP|mAP|BLEU"
    r"|mIoU|accuracy))?"
)
_FACTOR: Final = r"\\times|times|[xX×](?!\s?\d)|folds?|orders? of (?:magnitudes?)"
_TIME: Final = (
    r"(?:ms|msec|milliseconds?|µs|μs|us|ns|microseconds?|secs?|seconds?|s|mins?|minutes?|hrs?"
    r"|hours?|h|days?|weeks?)"
)
_PHYSICAL: Final = (
    r"(?:[cmkµμn]?m|inch(?:es)?|(?:centi|milli|kilo)?met(?:er|re)s?|degrees?(?![- ]of[- ]freedom)"
    r"|degs?|°C?|radians?|rad|[kMG]?Hz|hz|[kmM]?W|kWh|m?J|[mkµμ]?N|Nm"
    r"|N·m|[kM]?Pa|psi|[mkµ]?g|kg|m?V|m?A|dB[mA]?|[KMGTk]i?B[s]?|[kMG]?bits?|bytes?|bpp|bps"
    r"|[kMG]bps|pixels?|px"
    r"|tons?|[GTM]?FLOPs?|[GT]?FLOPS|TOPS|GMACs?|SD|iterations?|epochs?|steps|sigma|σ)"
)
_SPEED: Final = (
    r"fps|FPS|[A-Za-z]+(?: [a-z]+)? per (?:second|sec|minute|hour|day|image|frame|token|step|watt)"
)
_PER: Final = r"\s?/\s?(?:km|frame|image|s²|sec(?:ond)?|s|min|h|decade|W|m)(?:\^?2)?"
_RATE: Final = rf"(?:{_SPEED}|(?:{_PHYSICAL}|{_TIME}|[a-z]+){_PER})"
_MEASURE: Final = (
    r"(?:mAP(?:@\d*\.?\d+)?|AP(?:50|75)?|m?IoU|BLEU(?:-\d)?|ROUGE-\w+|F1|AUC|AUROC|PSNR|SSIM|FID"
    r"|MOTA|HOTA|IDF1|NDS|PQ"
    r"|WER|CIDEr|METEOR|Elo|ELO|PESQ|MOS|nDCG|NDCG|MRR|Dice)"
)
_GAP: Final = r"(?:\s{1,3}|[~-]|\\,|\\ |\$\s?)?"
#: Physical units occur once, with or without a divisor, because the pattern repeats all units and
#: takes long to compile.
_UNIT: Final = (
    rf"(?:{_PERCENT}|{_POINTS}|{_FACTOR}|{_SPEED}|(?:{_TIME}|{_PHYSICAL})(?:{_PER})?|[a-z]+{_PER}"
    rf"|{_MEASURE})(?![A-Za-z0-9])"
)
_TO: Final = (
    r"\$?\s?(?:---?|-|–|—|−|∼|~|\\sim|to(?: (?:only|just|about|approximately|around|over|nearly"
    r"|almost))?)\s?[~∼]?\$?"
)
_ERROR: Final = rf"(?:\s?\$?(?:±|\\pm)\s?{_DIGITS}(?:{_GAP}(?:{_UNIT}))?)"
#: The first characters of a value: of a number, or of a word.
_START: Final = (
    r"[\d.+\-−±]|plusmn"
    r"|(?i:one|order|t(?:w[eio]|en|h(?:irt|re)|ri)|f(?:i[fv]|our)|s(?:ev|ix)|e(?:igh|lev)|nine"
    r"|hund|hal|doub|quad)"
)
_PATTERN: Final = re.compile(
    # Ranges ("60-80 x"), fractions ("9 out of 10"), ratios, numbers, number words. The second test
    # fails fast at most positions.
    rf"(?<![A-Za-z0-9_@^.#\[])(?={_START})(?<![A-Za-z]\()(?<![A-Za-z]\^\{{)(?<![A-Za-z0-9\]][-–‐:])(?<![A-Za-z\]]/)(?<!\d,)(?<![A-Za-z]\$)"
    rf"(?:(?P<low>{_NUMBER})(?:{_GAP}(?P<low_unit>{_UNIT}))?"
    rf"(?P<to>{_TO}|(?<=between )\b|\s(?:and)\s(?={_NUMBER}{_GAP}(?:times|x\b"
    rf"|×)))(?P<high>{_NUMBER})"
    rf"(?:{_GAP}(?P<high_unit>{_UNIT}))?(?P<suffix> absolute)?(?![A-Za-z0-9])"
    rf"|(?P<part>\d+)(?:\s?/\s?|\s(?:out\s)?of\s(?:the\s)?)(?P<whole>\d+)(?![\d.]|\s?\\?%|[A-Za-z])"
    rf"|(?P<ratio>\d+[:∶]\d+)(?!\d)"
    rf"|(?P<number>{_NUMBER})(?:{_GAP}(?P<unit>{_UNIT}))?{_ERROR}{{0,2}}"
    r"(?![A-Za-z0-9]|\.\d|-[dD]\b)"
    rf"|(?P<word>{_WORD})(?:[- ](?:to|or)[- ]{_WORD})?[- ]"
    rf"(?P<word_unit>{_FACTOR}|million(?: \w+ per second)?|{_PERCENT}|points|(?:GPU )?{_TIME}"
    rf"|{_RATE})(?![A-Za-z0-9])"
    r"|(?P<bare>(?i:twice|twofold|threefold|fourfold|fivefold|tenfold|doubl(?:e|es|ed|ing)"
    r"|tripl(?:e|es|ed|ing)"
    r"|quadrupl(?:e|es|ed|ing)|halv(?:e|es|ed|ing)|half)(?![A-Za-z0-9-])|orders? of magnitude))"
)
_IN_UNIT: Final = re.compile(rf"\b(?:{_MEASURE}|accuracy)\b")
_FROM: Final = re.compile(
    r"(?<!ranging )(?<!ranges )(?<!varying )from(?: (?:about|around|only|approximately))?\W*\Z"
)
_BEFORE_LEVEL: Final = re.compile(
    r"(?:\b(?:of|by|scores?|achiev\w+|reach\w+|attain\w+|obtain\w+|and|from|to|than|over|only|is|are"
    r"|was) |[(,=] ?)(?:up to |about |around |over |nearly |almost |a )*\$?\Z"
)
_YEAR: Final = re.compile(r"(?:19|20)\d\d")
_UNIT_CLASSES: Final = tuple(
    (kind, re.compile(rf"(?:{pattern})\Z"))
    for kind, pattern in (
        ("%", r"\\?%|percents?|per[- ]cent"),
        ("points", f"{_PERCENT}|{_POINTS}"),
        ("x", _FACTOR),
        ("rate", _RATE),
        ("time", _TIME),
        ("measure", _MEASURE),
        ("physical", _PHYSICAL),
    )
)


class Value(NamedTuple):
    """A value of a text: its span, its text, the kind of its unit, and its unit.

    `previous` is the span of the earlier level of "from 82% to 97%", whose value is "97%".
    """

    start: int
    end: int
    text: str
    kind: str
    unit: str
    shape: str
    previous: tuple[int, int] | None = None


def has_values(text: str) -> bool:
    """Return whether a text may contain a value."""
    return _DIGIT.search(text) is not None or _VALUE_WORD.search(text) is not None


def find_values(text: str) -> list[Value]:
    """Return the values of a text in order; they do not overlap."""
    return [*_values(text)] if has_values(text) else []


def _values(text: str) -> Iterator[Value]:
    for found in _PATTERN.finditer(text):
        if found["low"] is not None:
            yield from _range(text, found)
        elif found["part"] is not None:
            if not (_YEAR.fullmatch(found["part"]) and _YEAR.fullmatch(found["whole"])):
                yield Value(*found.span(), found[0], "fraction", "", "int")
        elif found["ratio"] is not None:
            yield Value(*found.span(), found[0], "x", "", "int")
        elif found["number"] is not None:
            unit = found["unit"] or ""
            if unit or _may_be_level(text, found):
                yield Value(
                    *found.span(), found[0], unit_class(unit), unit, _shape(found["number"])
                )
        elif found["word"] is not None:
            unit = found["word_unit"]
            yield Value(*found.span(), found[0], unit_class(unit), unit, "word")
        else:
            yield Value(*found.span(), found[0], "x", "", "word")


def _may_be_level(text: str, found: re.Match[str]) -> bool:
    """Return whether a number without a unit may be a level that was reached.

    An integer may if its context is that of a level: "a score of 83", not "on 12 data sets". The
    items of an enumeration, "1) fast, 2) robust", and years are not levels.
    """
    number = found[0]
    if not number.isdigit():
        return True
    is_item = len(number) == 1 and text[found.end() : found.end() + 1] == ")"
    before = text[max(0, found.start() - 32) : found.start()]
    return not is_item and not _YEAR.fullmatch(number) and _BEFORE_LEVEL.search(before) is not None


def _range(text: str, found: re.Match[str]) -> Iterator[Value]:
    """Yield a range as one value; "from 82% to 97%" is one value, too, with an earlier level."""
    unit = found["high_unit"] or found["low_unit"] or ""
    kind, shape = unit_class(unit), _shape(found["high"])
    before = text[max(0, found.start() - 24) : found.start()].casefold()
    sign = found["to"].strip(" $~∼").partition(" ")[0]
    if sign == "to" and _FROM.search(before):
        start, end = found.span("high")
        end = found.end()
        low_end = found.end("low_unit") if found["low_unit"] else found.end("low")
        earlier = (found.start(), low_end)
        yield Value(start, end, text[start:end], kind, unit, shape, earlier)
    elif _YEAR.fullmatch(found["low"]) and _YEAR.fullmatch(found["high"]):
        return
    elif sign == "and" and "between" not in before:
        for low in ("low", "high"):
            start = found.start(low)
            end = max(found.end("low"), found.end("low_unit")) if low == "low" else found.end()
            yield Value(start, end, text[start:end], kind, unit, _shape(found[low]))
    else:
        yield Value(*found.span(), found[0], kind, unit, "range")


def unit_class(unit: str) -> str:
    """Return the class of a unit: %, points, x, rate, time, measure, physical, or an empty text."""
    return (
        next((kind for kind, pattern in _UNIT_CLASSES if pattern.match(unit)), "") if unit else ""
    )


def measure_of(unit: str) -> str:
    """Return the measure in a unit: the F1 of "F1 points"; empty if there is none."""
    found = _IN_UNIT.search(unit)
    return found[0] if found else ""


def _shape(number: str) -> str:
    """Return the shape of a number: signed, decimal, scaled, or an integer by its digits."""
    if number[:1] in "+-−±p":
        return "signed"
    if number[-1:].isalpha():
        return "scaled"
    digits = number.replace(",", "")
    if "." in digits:
        return "decimal"
    return "int" if len(digits) <= 2 else "long"

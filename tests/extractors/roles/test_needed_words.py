"""Every text that a rule matches contains a word that the rule needs."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from citekg.extractors import markup
from citekg.extractors.prefiltered_pattern import PrefilteredPattern
from citekg.extractors.results import values
from citekg.extractors.roles import introduction_claims, joint, patterns
from citekg.extractors.roles.needed_words import Rule, RuleIndex
from citekg.extractors.wording import context

_RULES = (*patterns.INDEX.rules, *introduction_claims.CLAIMS.rules)
_PATTERNS = [
    pattern
    for module in (context, introduction_claims, joint, markup, patterns, values)
    for value in vars(module).values()
    for pattern in (value if isinstance(value, tuple) else (value,))
    if isinstance(pattern, PrefilteredPattern)
]
#: A text of such a pattern takes 30 ms to make, and there are 58 rules.
_EXAMPLES = max(10, settings().max_examples // 4)


@pytest.mark.parametrize("rule", _RULES, ids=lambda rule: rule.words.pattern[:40])
@settings(max_examples=_EXAMPLES, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_the_index_returns_each_rule_for_the_texts_that_it_matches(
    rule: Rule, data: st.DataObject
) -> None:
    text = data.draw(st.from_regex(rule.words))
    assert rule in RuleIndex([rule]).possible(text), text


@pytest.mark.parametrize("pattern", _PATTERNS, ids=lambda one: one.pattern.pattern[:40])
@settings(max_examples=_EXAMPLES, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_a_prefiltered_pattern_finds_each_text_that_it_matches(
    pattern: PrefilteredPattern, data: st.DataObject
) -> None:
    text = data.draw(st.from_regex(pattern.pattern))
    assert pattern.search(text), text


def test_a_prefiltered_pattern_is_searched_only_in_texts_with_a_needed_part() -> None:
    pattern = PrefilteredPattern("kite|heron", ("kite",))
    assert pattern.search("a kite")
    assert not pattern.search("a heron")


def test_the_index_leaves_out_other_rules_and_keeps_their_order() -> None:
    index = patterns.INDEX
    assert not index.possible("the kite and the heron ")
    found = index.possible("we extend and evaluate ")
    assert 0 < len(found) < len(index.rules) / 3
    assert [*found] == [rule for rule in index.rules if rule in found]

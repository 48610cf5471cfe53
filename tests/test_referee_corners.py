"""The corner cases of RULES.md, written out by hand, held against the referee."""

from __future__ import annotations

import copy

import pytest

from referee import Fault, replay
from referee_corners import CORNERS, REFUSED, Record, without_consequences


@pytest.mark.parametrize("name", CORNERS)
def test_a_corner_case_goes_as_written(name: str) -> None:
    assert replay(copy.deepcopy(CORNERS[name])) == CORNERS[name]


@pytest.mark.parametrize("name", CORNERS)
def test_the_consequences_of_a_corner_case_are_the_rules_own(name: str) -> None:
    assert replay(without_consequences(CORNERS[name])) == CORNERS[name]


@pytest.mark.parametrize("name", REFUSED)
def test_what_a_rule_forbids_is_refused_where_it_stands(name: str) -> None:
    record, message = REFUSED[name]
    events = record["deals"][0]["events"]
    before: Record = copy.deepcopy(record)
    before["deals"][0]["events"].pop()
    replay(before)  # fine so far
    with pytest.raises(Fault) as caught:
        replay(copy.deepcopy(record))
    assert (caught.value.deal, caught.value.event) == (0, len(events) - 1)
    assert message in caught.value.message


@pytest.mark.parametrize("name", CORNERS)
def test_a_corner_case_cut_short_is_a_position(name: str) -> None:
    for length in range(len(CORNERS[name]["deals"][-1]["events"])):
        record = copy.deepcopy(CORNERS[name])
        cut = record["deals"][-1]
        cut["events"] = cut["events"][:length]
        cut.pop("end", None)
        del record["result"]
        filled = replay(record)
        # Only a start card that nobody is asked about, a cleared pile and a certain alarm come by themselves.
        came = filled["deals"][-1]["events"][length:]
        assert filled["deals"][-1]["events"][:length] == cut["events"]
        assert len(came) <= 1
        assert all({"start", "cleared", "alarm"} & set(event) for event in came)
        assert replay(filled) == filled

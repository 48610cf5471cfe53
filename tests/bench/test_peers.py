"""Other libraries beside ours, played by stand-ins: none of them need be installed."""

from __future__ import annotations

import pytest

from bluff_agents.bench import peers
from bluff_agents.bench.measuring import run
from bluff_agents.bench.peers import PEERS, Peer


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ours makes 100 decisions a second, by a clock that nobody has to wait for."""
    monkeypatch.setattr(peers, "OURS", {"one": lambda: lambda: 100, "game": lambda: lambda: 10})
    monkeypatch.setattr(peers, "per_second", lambda loop, seconds: float(loop()))


def peer(prepare=lambda: lambda: 50, modules=("json",), **more) -> Peer:
    return Peer("peer_kite", "Kite, one game", modules, ("kite", "string"), 1, prepare, ("one", "game"), **more)


def told(one: Peer, repeats: int = 2) -> dict:
    return one.told(run(one.benchmark(), repeats, 0))


def test_theirs_is_told_with_each_of_ours_and_the_ratios() -> None:
    found = told(peer())
    assert (found["name"], found["unit"], found["games"]) == ("peer_kite", "decisions/s", 1)
    assert (found["median"], found["values"]) == (50, [50, 50])
    one, game = found["ours"]
    assert (one["name"], one["median"], one["ratio"]["median"]) == ("one", 100, 2.0)
    assert (game["name"], game["ratio"]["values"]) == ("game", [0.2, 0.2])


def test_ours_and_theirs_take_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    order = []

    def loop(name: str):
        def play() -> int:
            order.append(name)
            return 1

        return play

    monkeypatch.setattr(peers, "OURS", {"one": lambda: loop("one"), "game": lambda: loop("game")})
    told(peer(lambda: loop("theirs")))
    assert order == ["one", "game", "theirs"] * 2


def test_a_peer_that_is_not_installed_is_skipped_with_the_command_that_installs_it() -> None:
    found = told(peer(modules=("json", "no_such_library.at_all")))
    assert found["skipped"] == "no_such_library.at_all is not installed: pip install kite string"
    assert "ours" not in found


@pytest.mark.parametrize("when", ["preparing", "measuring"])
@pytest.mark.parametrize("pinned", [False, True])
def test_a_peer_that_fails_is_skipped_and_says_how(when: str, pinned: bool) -> None:
    def fail() -> int:
        raise AttributeError("no wind\nany more")

    found = told(peer((lambda: fail()) if when == "preparing" else (lambda: fail), pinned=pinned))
    assert found["skipped"] == "failed: AttributeError: no wind any more"


def test_every_peer_is_compared_with_forms_that_there_are() -> None:
    monkey = {name for one in PEERS for name in one.ours}
    assert monkey <= {"batch", "one", "game", "raw_env", "env"}
    assert {one.games for one in PEERS} == {1, 1024}


@pytest.mark.slow
@pytest.mark.parametrize("one", PEERS, ids=lambda one: one.name)
def test_every_peer_that_is_installed_plays(one: Peer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(peers, "OURS", {name: lambda: lambda: 1 for name in one.ours})
    found = told(one, repeats=1)
    if "is not installed" in found.get("skipped", ""):
        pytest.skip(found["skipped"])
    assert found["median"] > 0, found

"""Errors that are the user's to mend: each message is one line naming the thing, what was found and what is allowed."""

from __future__ import annotations


class BluffError(ValueError):
    """Base of every error this project raises about its input. Commands print its text as one line."""


class RulesError(BluffError):
    """A rules object that RULES section 2 does not allow, or a rule set that cannot be found or read."""


class DealError(BluffError):
    """A given deal that the rules could not have dealt."""


class MoveError(BluffError):
    """A move that is not legal where it stands, or that cannot be read."""


class RecordError(BluffError):
    """A faulty game record: names the deal, the event and what was expected."""


class ConfigError(BluffError):
    """A YAML file that cannot be read, or one of its keys: names file, line and field."""

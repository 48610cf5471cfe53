"""The engine: the rules executed in one place, as compiled functions over rows of games. No text, no API."""

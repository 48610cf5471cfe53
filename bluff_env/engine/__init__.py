"""The engine: the rules executed in one place, as compiled functions over rows of games. It knows no text and no API."""

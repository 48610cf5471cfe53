"""Pictures of a game, drawn by pygame-ce (the extra `render`) on surfaces, without a display.

Imported only when a picture is asked for.
"""

import os

os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")  # pygame greets on standard output otherwise

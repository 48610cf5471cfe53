"""Pictures of a game, drawn with pygame-ce (the extra `render`) on surfaces, without a display. Imported when asked for."""

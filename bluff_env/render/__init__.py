"""Pictures of a game, as text. Each shows what one seat may see."""

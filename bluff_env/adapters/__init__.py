"""Adapters to other libraries, each imported only when asked for."""

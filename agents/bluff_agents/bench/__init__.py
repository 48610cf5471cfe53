"""Speeds: what `bluff bench` measures, beside other libraries, as curves, and the guard against getting slower.

`catalogue` lists the benchmarks, `measuring` takes their median and spread, `peers` sets them beside other libraries,
`curves` goes through numbers of games and seats, `perfdoc` writes the documentation's page, `guard` is CI's check.
"""

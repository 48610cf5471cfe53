"""Games in a browser on this machine: a small server for one person, its pages among these files."""

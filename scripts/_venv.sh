# Sourced by the scripts beside it: makes the checkout's virtual environment, .venv, and keeps it up to date.
#
#   venv_ready EXTRA    afterwards .venv holds bluff-env, editable, with that extra, in the versions of constraints.txt
#   other_gymnasium     afterwards $other_python has the Gymnasium of constraints-gymnasium.txt and all else of .venv;
#                       status 1, and one line on stderr, where that Gymnasium cannot be installed
#
# Sets: root (the checkout), python (the interpreter in .venv). PYTHON names another interpreter to make it with;
# venv_folder, set before, another folder than .venv.
# shellcheck shell=bash

root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)
venv_folder=${venv_folder:-.venv}
python=$root/$venv_folder/bin/python

say() { printf '== %s\n' "$*"; }

# The interpreter named in PYTHON, or the first one that is new enough.
find_python() {
    local candidate
    local candidates=(python3 python python3.13 python3.12 python3.11)
    [ -z "${PYTHON-}" ] || candidates=("$PYTHON")
    for candidate in "${candidates[@]}"; do
        if "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; then
            printf '%s\n' "$candidate"
            return
        fi
    done
    echo "bluff-env needs Python 3.11 or newer; name one with PYTHON=/path/to/python" >&2
    return 1
}

# What the environment was made from: another place, interpreter, requirement or version is a reason to install again.
venv_stamp() {
    "$python" - "$root" pyproject.toml constraints.txt <<'END'
import hashlib, pathlib, sys
root, *names = sys.argv[1:]
parts = [root.encode(), sys.version.encode()] + [pathlib.Path(root, name).read_bytes() for name in names]
print(hashlib.sha256(b"\0".join(parts)).hexdigest())
END
}

venv_ready() {
    local extra=$1 stamp base has
    # Missing, cut off while being made, its interpreter gone, or moved along with the checkout: from the beginning.
    if ! "$python" -m pip --version >/dev/null 2>&1 ||
        [ "$(cat "$root/$venv_folder/made-in" 2>/dev/null || echo "$root")" != "$root" ]; then
        base=$(find_python)
        say "virtual environment: making $venv_folder with $("$base" --version)"
        "$base" -m venv --clear "$root/$venv_folder"
        printf '%s\n' "$root" >"$root/$venv_folder/made-in"
    fi
    stamp=$(venv_stamp)
    for has in "$extra" dev; do # dev holds everything that the other extras do, but peers and video, which no script puts here
        if [ "$(cat "$root/$venv_folder/installed-$has" 2>/dev/null)" = "$stamp" ]; then
            say "virtual environment: $venv_folder is up to date"
            return
        fi
    done
    say "virtual environment: installing bluff-env[$extra] into $venv_folder (the first time takes a few minutes)"
    # The build backend is installed first and used as it is, so that its version is pinned too.
    venv_pip hatchling editables
    (cd -- "$root" && venv_pip --no-build-isolation --editable ".[$extra]")
    printf '%s\n' "$stamp" >"$root/$venv_folder/installed-$extra"
}

venv_pip() {
    "$python" -m pip install --quiet --disable-pip-version-check --constraint "$root/constraints.txt" "$@"
}

# A second virtual environment, .venv-gymnasium, that holds nothing but another Gymnasium. It looks into .venv for the
# rest, so it takes seconds and some megabytes, and torch is not installed twice. Ray, which asks for the Gymnasium of
# .venv, cannot be imported there.
other_gymnasium() {
    local folder=$root/.venv-gymnasium wanted stamp
    other_python=$folder/bin/python
    wanted=$(grep -v '^#' "$root/constraints-gymnasium.txt")
    stamp="$wanted, $(venv_stamp)"
    if [ "$(cat "$folder/installed" 2>/dev/null)" = "$stamp" ]; then
        say "virtual environment: .venv-gymnasium is up to date"
        return
    fi
    say "virtual environment: making .venv-gymnasium with $wanted"
    "$python" -m venv --clear --without-pip "$folder" || return
    if ! "$python" -m pip --python "$other_python" install --disable-pip-version-check --no-deps "$wanted" \
        >"$folder/pip.log" 2>&1; then
        echo "$wanted cannot be installed: $(grep ERROR "$folder/pip.log" | tail -n 1)" >&2
        return 1
    fi
    # Behind its own packages on the path comes .venv, with its .pth files: one of them leads to this checkout.
    "$python" - "$other_python" <<'END' || return
import pathlib, subprocess, sys, sysconfig
ask = "import sysconfig; print(sysconfig.get_path('purelib'))"
theirs = subprocess.run([sys.argv[1], "-c", ask], capture_output=True, text=True, check=True).stdout.strip()
line = f"import site; site.addsitedir({sysconfig.get_path('purelib')!r})\n"
pathlib.Path(theirs, "behind.pth").write_text(line)
pathlib.Path(theirs, "ray.py").write_text('raise ImportError("Ray asks for another Gymnasium")\n')
END
    "$other_python" -c 'import gymnasium, pytest, sys; sys.exit(gymnasium.__version__ != sys.argv[1].split("==")[1])' \
        "$wanted" || return
    ! "$other_python" -c 'import ray' 2>/dev/null || return
    printf '%s\n' "$stamp" >"$folder/installed"
}

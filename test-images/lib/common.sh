# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Shared by the scripts of this directory: messages, logged commands, stamps,
# scratch directories. Source it; it sets shell options for its user.

set -euo pipefail

# Used by the scripts that source this.
# shellcheck disable=SC2034
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=$top/build
logs=$build/log
mkdir -p "$logs" "$build/stamp" "$build/tmp"

say() { printf '%s\n' "$*"; }

die() {
	printf 'error: %s\n' "$*" >&2
	exit 1
}

# Scratch directories made with scratch() vanish on any exit. Work is done
# there and renamed into place, so an interrupted step leaves nothing half-done.
scratch_dirs=()
job=
scratch() {
	scratch_dir=$(mktemp -d "$build/tmp/$1.XXXXXX")
	scratch_dirs+=("$scratch_dir")
}

# shellcheck disable=SC2317 # called by the traps
leave() {
	if [ -n "$job" ]; then
		kill -TERM -- "-$job" 2>/dev/null || true
		wait "$job" 2>/dev/null || true
	fi
	if [ ${#scratch_dirs[@]} -gt 0 ]; then
		rm -rf -- "${scratch_dirs[@]}"
	fi
}
trap leave EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
trap 'exit 129' HUP

# logged NAME TEXT COMMAND...: run COMMAND with its output in build/log/NAME.log.
# Says TEXT, then a sign of life every five seconds; on failure shows the end of
# the log and fails.
logged() {
	local text=$2 log=$logs/$1.log start=$SECONDS ticks=0 rc=0
	shift 2
	say "  $text"
	set -m # a process group of its own, so that leave() can stop all of it
	"$@" >"$log" 2>&1 </dev/null &
	job=$!
	set +m
	while kill -0 "$job" 2>/dev/null; do
		sleep 0.2
		ticks=$((ticks + 1))
		if [ $((ticks % 25)) -eq 0 ]; then
			printf '    %3d s  %s\n' "$((SECONDS - start))" \
				"$(tail -n 1 "$log" | tr -d '\r' | cut -c 1-100)"
		fi
	done
	wait "$job" || rc=$?
	job=
	if [ "$rc" -ne 0 ]; then
		say "    failed ($rc); the end of $log:" >&2
		tail -n 25 "$log" | sed 's/^/    | /' >&2
		return "$rc"
	fi
}

# Stamps say what a finished step was made from. step_done NAME KEY succeeds if
# the step was last finished with the same KEY.
step_done() { [ "$(cat "$build/stamp/$1" 2>/dev/null)" = "$2" ]; }
finish_step() {
	printf '%s\n' "$2" >"$build/stamp/$1.new"
	mv "$build/stamp/$1.new" "$build/stamp/$1"
}

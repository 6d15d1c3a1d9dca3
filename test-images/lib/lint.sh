# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What `make lint` needs beyond the build: checkers of the host's release, and
# ruff and the kernel's own scripts unpacked under build/lint. Needs common.sh,
# host.sh, apt.sh, linux-source.sh, fetch.sh and setup's install_packages.
#
# shellcheck disable=SC2154,SC2034 # variables of those, variables for those
# shellcheck disable=SC2016 # scripts for sh -c

lint_packages=(clang-format clang-tidy shellcheck sparse coccinelle device-tree-compiler perl)
lint_suite=forky

# fetch_lint: build/lint/ruff, and build/lint/linux/scripts with checkpatch and
# the Coccinelle checks of the kernel the driver is built for.
fetch_lint() {
	local arch key
	arch=$(dpkg --print-architecture)
	key="$recipe $lint_suite $(readlink "$build/linux/current")"
	if step_done lint "$key" && [ -x "$build/lint/ruff" ]; then
		return
	fi
	fetch_source
	scratch lint
	say "lint: ruff from $lint_suite, scripts of the kernel's source from $new_suite, unpacked in build/lint"
	apt_root lint "$arch" "$lint_suite" </dev/null
	logged lint-download "downloading ruff" in_root lint apt-get install -y -q --download-only \
		--no-install-recommends -o "Dir::Cache::Archives=$scratch_dir/" ruff
	logged lint-unpack "unpacking" unpack_debs "$scratch_dir/new/root" "$scratch_dir"/*.deb
	logged lint-scripts "unpacking its scripts" lint_scripts "$scratch_dir/new"
	write_loader "$scratch_dir/new/ruff" usr/bin/ruff
	rm -rf "$build/lint"
	mv "$scratch_dir/new" "$build/lint"
	"$build/lint/ruff" --version >"$logs/lint-ruff.log" 2>&1 ||
		die "ruff does not run: see build/log/lint-ruff.log"
	finish_step lint "$key"
}

# lint_scripts DIRECTORY: only scripts/ leaves the archive.
lint_scripts() {
	local name=linux-source-$linux_series
	mkdir -p "$1/linux"
	tar -x -J -f "$linux_tarball" -C "$1/linux" --strip-components=1 --wildcards \
		"$name/scripts/checkpatch.pl" "$name/scripts/spelling.txt" \
		"$name/scripts/const_structs.checkpatch" "$name/scripts/coccinelle/*"
}

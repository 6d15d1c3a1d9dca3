# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The source of the guest's kernel series, as Debian packs it. Needs common.sh,
# host.sh and apt.sh.
#
# shellcheck disable=SC2154 # variables of those

# fetch_source: sets linux_series and linux_tarball (1.5 GB when unpacked;
# everything in it is below linux-source-SERIES/).
fetch_source() {
	linux_series=$(basename "$(readlink "$build/linux/current")" | cut -d . -f 1-2)
	linux_tarball=$build/linux/linux-source-$linux_series.tar.xz
	[ ! -e "$linux_tarball" ] || return 0
	apt_root source arm64 "$new_suite" </dev/null
	scratch source
	logged linux-source "downloading linux-source-$linux_series (140 MB)" source_package "$scratch_dir"
	mv "$scratch_dir/source.tar.xz" "$linux_tarball"
}

# shellcheck disable=SC2317 # called through logged
source_package() {
	cd "$1" || return
	in_root source apt-get download "linux-source-$linux_series" &&
		dpkg-deb --fsys-tarfile linux-source-*.deb |
		tar -x --to-stdout "./usr/src/linux-source-$linux_series.tar.xz" >source.tar.xz
}

# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What the host must be and have. Needs common.sh.
#
# shellcheck disable=SC2034 # variables for the scripts that source this

# Which release of Debian this is; empty on any other system.
host_codename=
if [ -r /etc/os-release ]; then
	host_codename=$(
		# shellcheck source=/dev/null
		. /etc/os-release
		[ "${ID:-}" = debian ] && printf '%s' "${VERSION_CODENAME:-}"
	) || true
fi

# host_suites: suite for QEMU, meson and the kernel; the kernel's own compiler.
case $host_codename in
bookworm) new_suite=bookworm-backports kernel_gcc=12 ;;
trixie) new_suite=trixie kernel_gcc=14 ;;
*) new_suite='' kernel_gcc='' ;;
esac

# Packages that must come from $new_suite ...
new_packages=(qemu-system-arm qemu-system-common meson ninja-build)
# ... and those of the release itself: to build the device and QEMU's headers,
packages=(make gcc g++ pkg-config flex bison xz-utils bzip2 python3 python3-venv
	libglib2.0-dev libpixman-1-dev libfdt-dev libslirp-dev zlib1g-dev
	# the driver, the device tree and the guest image,
	"gcc-$kernel_gcc-aarch64-linux-gnu" dwarves bc kmod cpio device-tree-compiler
	# and to run and test it all.
	iproute2 iputils-ping ethtool tcpdump procps
	libcmocka-dev python3-pytest python3-scapy)
# For `make fuzz` and `make coverage`.
clang_packages=(clang libclang-rt-dev llvm)

# Prints those of its arguments that are not installed.
missing_packages() {
	local have
	have=$(dpkg-query -W -f '${db:Status-Status} ${Package}\n' 2>/dev/null |
		awk '$1 == "installed" { print $2 }')
	comm -23 <(printf '%s\n' "$@" | sort -u) <(sort -u <<<"$have")
}

# The version of the QEMU in use, as in 10.0.2; empty if there is none.
qemu_version() {
	"${QEMU:-qemu-system-aarch64}" --version 2>/dev/null |
		sed -n 's/^QEMU emulator version \([0-9.]*\).*/\1/p'
}

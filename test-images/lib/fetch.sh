# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The parts that are downloaded and unpacked under build/, never installed:
# QEMU's headers, the guest's kernel, packages for the guest and the peer.
# Needs common.sh, host.sh, apt.sh and setup's host_root.
#
# shellcheck disable=SC2154 # variables of those
# shellcheck disable=SC2016 # scripts for sh -c
# shellcheck disable=SC2164 # set -e is on

# Part of every stamp's key: to be raised when a step below makes something else.
recipe=1

# fetch_qemu VERSION: build/qemu/VERSION/src, configured in .../build as far as
# its generated headers; build/qemu/current points to it.
fetch_qemu() {
	local version=$1 dir=$build/qemu/$1 key package
	package=$(dpkg-query -W -f '${Version}' qemu-system-arm 2>/dev/null) || package=$version
	package=${package%+b[0-9]*}
	key="$recipe $version"
	if ! step_done qemu "$key" || [ ! -e "$dir/build/config-host.h" ]; then
		host_root
		scratch qemu
		say "QEMU headers: source of $package from $new_suite, configured in build/qemu/$version"
		logged qemu-source "downloading (39 MB)" in_root host \
			sh -c 'cd "$1" && apt-get source --download-only --tar-only "qemu=$2"' - "$scratch_dir" "$package"
		logged qemu-unpack "unpacking" sh -c 'cd "$1" && mkdir src && tar -C src --strip-components=1 -xf qemu_*.orig.tar.*' - "$scratch_dir"
		rm -rf "$dir"
		mkdir -p "$dir"
		mv "$scratch_dir/src" "$dir/src"
		prepare_source "$dir/src"
		logged qemu-configure "configuring" qemu_configure "$dir"
		logged qemu-headers "generating headers" qemu_headers "$dir/build"
		finish_step qemu "$key"
	fi
	ln -sfn "$version" "$build/qemu/current"
}

# prepare_source DIRECTORY: make Debian's tarball fit for configure.
prepare_source() {
	# It has no bundled wheel for this test helper.
	sed -i '/^pycotap/d' "$1/pythondeps.toml"
	# Nor the firmware images, which its build looks for and we never install.
	sed -n "s/^ *'\(edk2-.*\.fd\)',/\1.bz2/p" "$1/pc-bios/meson.build" |
		(cd "$1/pc-bios" && xargs touch)
}

# Only headers are wanted of this build, so every optional feature stays out;
# modules and plugins are in because they change what headers declare.
qemu_configure() {
	mkdir -p "$1/build"
	cd "$1/build"
	../src/configure --python=/usr/bin/python3 --target-list=aarch64-softmmu \
		--without-default-features --enable-modules --enable-tcg --enable-plugins \
		--enable-slirp --enable-fdt=system --disable-docs --disable-install-blobs
}

qemu_headers() {
	cd "$1"
	ninja -t targets all | sed -n 's/^\(config-poison\.h\|qapi\/qapi-.*\.h\): .*/\1/p' | xargs ninja
}

# fetch_kernel: build/linux/VERSION with boot/, the modules and the headers, and
# a script-ready tree for out-of-tree modules; build/linux/current points to it.
fetch_kernel() {
	local key kernel abi dir tree host_arch
	# The kernel only changes when asked to ('make clean', or a new day's setup
	# after removing build/linux): a loop of edits wants the same one each time.
	key="$recipe $new_suite"
	if step_done kernel "$key" && [ -e "$build/linux/current/Image" ]; then
		return
	fi
	host_arch=$(dpkg --print-architecture)
	host_root
	apt_root kernel arm64 "$new_suite" </dev/null
	kernel=$(in_root kernel apt-cache show linux-image-arm64 |
		sed -n 's/^Depends: .*\(linux-image-[^ ]*-arm64\).*/\1/p' | head -n 1)
	[ -n "$kernel" ] || die "no linux-image-arm64 in $new_suite"
	kernel=${kernel#linux-image-}
	abi=${kernel%-arm64}
	scratch linux
	say "kernel: linux-image-$kernel and its headers from $new_suite, unpacked in build/linux/$kernel"
	logged kernel-download "downloading (100 MB)" kernel_download "$scratch_dir" "$abi"
	logged kernel-unpack "unpacking" unpack_debs "$scratch_dir/root" "$scratch_dir"/*.deb
	tree=usr/src/linux-headers-$kernel
	dir=$build/linux/$kernel
	# The one absolute path in Debian's header packages.
	sed -i "s|^include /usr/src/|include $dir/usr/src/|" "$scratch_dir/root/$tree/Makefile"
	ln -s "$tree" "$scratch_dir/root/headers"
	ln -s "boot/vmlinuz-$kernel" "$scratch_dir/root/Image"
	rm -rf "$dir"
	mkdir -p "$build/linux"
	mv "$scratch_dir/root" "$dir"
	ln -sfn "$kernel" "$build/linux/current"
	finish_step kernel "$key"
	[ "$host_arch" = amd64 ] || say "  note: only amd64 hosts are tested; this is $host_arch"
}

# linux-kbuild holds programs that run while a module is built, so it is the host's.
kernel_download() {
	cd "$1"
	in_root kernel apt-get download "linux-image-$2-arm64" "linux-headers-$2-arm64" "linux-headers-$2-common"
	in_root host apt-get download "linux-kbuild-$2"
}

# The guest's user space is Debian 13's; iperf3 has UDP GSO and GRO only from
# 3.19 on, which is in its successor.
guest_suite=trixie
iperf_suite=forky
guest_packages=(busybox ethtool iproute2 iputils-ping iperf3 tcpdump sysstat util-linux kmod
	procps net-tools strace socat python3-minimal libpython3-stdlib libgcc-s1)

# fetch_guest: build/guest/root, everything unpacked that the image may take
# from; build/tools, the same iperf3 for the host's end of the cable.
fetch_guest() {
	local key arch
	arch=$(dpkg --print-architecture)
	key="$recipe $guest_suite $iperf_suite ${guest_packages[*]}"
	if step_done guest "$key" && [ -d "$build/guest/root" ] && [ -x "$build/tools/iperf3" ]; then
		return
	fi
	say "guest packages: from $guest_suite, iperf3 from $iperf_suite (arm64), unpacked in build/guest/root"
	fetch_closure guest arm64 "$build/guest" "${guest_packages[@]}"
	say "peer's iperf3: from $iperf_suite ($arch), unpacked in build/tools"
	fetch_closure tools "$arch" "$build/tools" iperf3 libgcc-s1
	write_loader "$build/tools/iperf3" usr/bin/iperf3
	"$build/tools/iperf3" --version >"$logs/tools-iperf3.log" 2>&1 ||
		die "the peer's iperf3 does not run: see build/log/tools-iperf3.log"
	finish_step guest "$key"
}

# write_loader FILE PROGRAM: a script that runs PROGRAM of the root/ beside it
# with the C library it was built for, whatever the host has.
write_loader() {
	cat >"$1.new" <<-END
		#!/bin/sh
		root=\$(dirname "\$(readlink -f "\$0")")/root
		lib=\$(dirname "\$(ls "\$root"/usr/lib/*-linux-gnu/libc.so.6)")
		loader=\$(ls "\$lib"/ld-linux-*.so.*)
		exec "\$loader" --library-path "\$lib" "\$root/$2" "\$@"
	END
	chmod +x "$1.new"
	mv "$1.new" "$1"
}

# fetch_closure ROOT ARCH DIRECTORY PACKAGE...: PACKAGEs with all they depend on,
# downloaded as for an empty system and unpacked in DIRECTORY/root.
fetch_closure() {
	local name=$1 arch=$2 dir=$3
	shift 3
	apt_root "$name" "$arch" "$guest_suite" "$iperf_suite" <<-END
		Package: *
		Pin: release n=$iperf_suite
		Pin-Priority: 100

		Package: iperf3 libiperf0
		Pin: release n=$iperf_suite
		Pin-Priority: 900
	END
	scratch "$name"
	logged "$name-download" "downloading" in_root "$name" apt-get install -y -q --download-only \
		--no-install-recommends -o "Dir::Cache::Archives=$scratch_dir/" "$@"
	logged "$name-unpack" "unpacking $(find "$scratch_dir" -maxdepth 1 -name '*.deb' | wc -l) packages" \
		unpack_debs "$scratch_dir/root" "$scratch_dir"/*.deb
	mkdir -p "$dir"
	rm -rf "$dir/root"
	mv "$scratch_dir/root" "$dir/root"
}

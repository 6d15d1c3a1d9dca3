# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Private apt roots: package lists, sources and preferences under build/apt, so
# that suites and architectures the host does not have can be used without a
# change to the host's configuration. Proxies, credentials and the mirror come
# from the host's own apt configuration. Needs common.sh and host.sh.
#
# shellcheck disable=SC2154 # variables of common.sh and host.sh

# Prints "suite URI keyring" for each Debian index of the host's own sources
# (the release, its updates, its security suite), whichever of the two source formats they are in; the keyring is "-" if none is named.
host_indexes() {
	# shellcheck disable=SC2016 # apt's own variables
	local format='$(CODENAME) $(REPO_URI) $(SIGNED_BY)|$(LABEL)|$(COMPONENT)' lists
	list_them() {
		apt-get "$@" indextargets --format "$format" 'Identifier: Packages' |
			awk -F'|' '$2 ~ /^Debian(-Security)?$/ && $3 == "main" { n = split($1, f, " ");
				print f[1], f[2], (n > 2 ? f[3] : "-") }' | sort -u
	}
	local found
	found=$(list_them)
	if [ -z "$found" ]; then
		# Nothing downloaded yet on a fresh system: fill lists of our own.
		lists=$build/apt/probe
		mkdir -p "$lists/partial"
		apt-get -qq -o Dir::State::Lists="$lists" update >"$logs/apt-probe.log" 2>&1 || true
		found=$(list_them -o Dir::State::Lists="$lists")
	fi
	printf '%s\n' "$found"
}

# Keeps host_indexes' answer in build/apt/mirrors.
find_mirrors() {
	mkdir -p "$build/apt"
	if [ ! -s "$build/apt/mirrors" ]; then
		if [ -n "${DEBIAN_MIRROR:-}" ]; then
			printf '%s %s -\n' "$host_codename" "$DEBIAN_MIRROR"
		else
			host_indexes
		fi >"$build/apt/mirrors.new"
		mv "$build/apt/mirrors.new" "$build/apt/mirrors"
	fi
}

# mirror_of SUITE: "URI keyring" to fetch SUITE from.
mirror_of() {
	local suite=$1 line
	find_mirrors
	line=$(awk -v s="$suite" '$1 == s { print $2, $3; exit }' "$build/apt/mirrors")
	# A suite the host does not use comes from the mirror of its main suite.
	[ -n "$line" ] || line=$(awk -v c="$host_codename" '$1 == c { print $2, $3; exit }' "$build/apt/mirrors")
	[ -n "$line" ] || die "no Debian mirror in this system's apt configuration: run 'apt-get update' and look at /etc/apt, or set DEBIAN_MIRROR=URI"
	printf '%s\n' "$line"
}

# apt_root NAME ARCHITECTURE SUITE...: make or refresh a private root. A suite
# written src:SUITE has its source index, too. The root named "host" shares the
# host's package state; every other starts from nothing installed. Preferences
# are read from standard input.
apt_root() {
	local name=$1 arch=$2 root=$build/apt/$1 suite type mirror uri keyring option
	shift 2
	mkdir -p "$root"/{lists/partial,cache/archives/partial,preferences.d}
	: >"$root/sources.list.new"
	for suite in "$@"; do
		type=deb
		case $suite in src:*) type=deb-src suite=${suite#src:} ;; esac
		mirror=$(mirror_of "$suite") || exit
		read -r uri keyring <<<"$mirror"
		option=
		case $keyring in /*) option="[signed-by=$keyring] " ;; esac
		printf '%s %s%s %s main\n' "$type" "$option" "$uri" "$suite" >>"$root/sources.list.new"
	done
	cat >"$root/preferences.d/pins"
	{
		printf 'Dir::State::Lists "%s/lists";\n' "$root"
		printf 'Dir::Cache "%s/cache";\n' "$root"
		printf 'Dir::Etc::SourceList "%s/sources.list";\n' "$root"
		printf 'Dir::Etc::SourceParts "/dev/null";\n'
		printf 'Dir::Etc::Preferences "/dev/null";\n'
		printf 'Dir::Etc::PreferencesParts "%s/preferences.d";\n' "$root"
		printf 'Acquire::Languages "none";\n'
		# The scripts are root's own, and the download user need not reach build/.
		printf 'APT::Sandbox::User "root";\n'
		if [ "$name" != host ]; then
			touch "$root/status"
			printf 'Dir::State::status "%s/status";\n' "$root"
			printf 'APT::Architecture "%s";\nAPT::Architectures { "%s"; };\n' "$arch" "$arch"
		fi
	} >"$root/apt.conf"
	if ! cmp -s "$root/sources.list.new" "$root/sources.list"; then
		rm -f "$root/updated"
		mv "$root/sources.list.new" "$root/sources.list"
	fi
	rm -f "$root/sources.list.new"
	# Lists older than a day may name packages the mirror no longer has.
	if [ -z "$(find "$root/updated" -mmin -1440 2>/dev/null)" ]; then
		logged "apt-$name-update" "reading package lists: $(awk '{ print $(NF-1) }' "$root/sources.list" | sort -u | tr '\n' ' ')($arch)" \
			env APT_CONFIG="$root/apt.conf" apt-get update -q --error-on=any
		touch "$root/updated"
	fi
}

# in_root NAME COMMAND...: run an apt command in a private root.
in_root() {
	local name=$1
	shift
	env DEBIAN_FRONTEND=noninteractive APT_CONFIG="$build/apt/$name/apt.conf" "$@"
}

# unpack_debs DIRECTORY FILE...: unpack packages without installing them.
unpack_debs() {
	local dir=$1 deb
	shift
	mkdir -p "$dir"
	for deb in "$@"; do
		dpkg-deb -x "$deb" "$dir"
	done
}

# SPDX-License-Identifier: GPL-2.0-or-later
#
# The whole stack from one place; `make help` lists what there is. Everything
# made goes under build/.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
MAKEFLAGS += --no-print-directory
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help

top := $(CURDIR)
build := $(top)/build
python := /usr/bin/python3

# The user's own parts; empty means the ones built here.
KERNEL ?=
INITRD ?=
DTB ?=
QEMU ?=
# Debian names its cross compilers with their version, the one the kernel was built with.
GUEST_CC ?= $(firstword $(wildcard /usr/bin/aarch64-linux-gnu-gcc-1[0-9] /usr/bin/aarch64-linux-gnu-gcc))
KDIR ?= $(build)/linux/current/headers
# tap (a network namespace; root) or user (QEMU's own network); empty picks.
NET ?=
# Seconds each row of the table is measured for.
TIME ?= 1
# How long `make stress` goes on, and what repeats a run of it.
MINUTES ?= 10
SEED ?=
# Seconds each fuzz target runs for with `make fuzz`.
SECONDS ?= 600
export KERNEL INITRD DTB QEMU NET TIME

ARCH := arm64
CROSS_COMPILE ?= $(if $(filter aarch64,$(shell uname -m)),,aarch64-linux-gnu-)

.PHONY: help setup device qemu-tree test-tree qemu-matrix driver failing-driver matrix dtb image all run shell test test-boot test-debug stress lint fuzz coverage clean distclean

help:
	@echo 'make run       build everything, boot, move traffic, print a table (build/run.json)'
	@echo 'make shell     build everything, boot, and give the guest'\''s console'
	@echo 'make test      all tests; T=PATTERN for some by name, SUITE=lint|unit|fuzz|qtest|guest for one suite'
	@echo 'make lint      the checkers alone: formats, styles, static analysis, links, licenses'
	@echo 'make test-boot  trees of other boards, twenty warm reboots (7 minutes)'
	@echo 'make test-debug  the guest tests and a stress run on a kernel with KASAN, lockdep, kmemleak and more'
	@echo 'make stress    everything at once, in both directions, for ten minutes (MINUTES=, SEED= to repeat)'
	@echo 'make fuzz      the fuzz targets alone, for ten minutes each (SECONDS=)'
	@echo 'make coverage  how many lines and branches of the model the unit tests run'
	@echo 'make setup     install and fetch what the build needs (others do this by themselves)'
	@echo 'make device    build/device/xlnx-eoe.so, the emulated port'
	@echo 'make qemu-tree a QEMU with the machine built in, no module (QEMU_SRC=DIR: your source tree)'
	@echo 'make test-tree the qtest suite and a guest in that emulator (QEMU_SRC=DIR)'
	@echo 'make qemu-matrix  build the module for each QEMU the archive has, and test it there'
	@echo 'make driver    build/driver/xilinx_axienet_eoe.ko (KDIR=DIR: another kernel'\''s headers)'
	@echo 'make matrix    compile the driver for each kernel the archive has (3 GB, ten minutes the first time)'
	@echo 'make dtb       build/dtb/zcu102-eoe.dtb'
	@echo 'make image     build/image/Image and initrd.cpio.gz, the guest'
	@echo 'make clean     remove what was built; distclean: what was fetched, too'
	@echo
	@echo 'Your own parts: KERNEL= INITRD= DTB= QEMU= for run and shell; NET=user without root;'
	@echo 'TIME=SECONDS to measure each row of the table for longer than one second;'
	@echo 'SETUP=no on a system that is not Debian 12 or 13 (see make setup for what it needs).'

setup:
	@$(if $(filter no,$(SETUP)),:,test-images/setup)

all: device driver dtb image

# ---- device: meson decides what is stale ----------------------------------
qemu_options = -Dqemu_src=$(build)/qemu/current/src -Dqemu_build=$(build)/qemu/current/build

device: setup
	@test -e build/device/build.ninja || meson setup build/device qemu-device $(qemu_options) >build/log/device-setup.log || \
		{ tail -n 20 build/log/device-setup.log; rm -rf build/device; exit 1; }
	@ninja -C build/device xlnx-eoe.so >build/log/device.log || { tail -n 40 build/log/device.log; exit 1; }

# A QEMU source tree to put the device into; empty takes a copy of the distribution's.
QEMU_SRC ?=
qemu-tree: setup
	@test-images/qemu-tree $(QEMU_SRC)

test-tree: all qemu-tree
	@QEMU=$(build)/qemu-tree/current/qemu-system-aarch64 tests/run-tests --suite qtest
	@$(python) -m pytest -v -p no:cacheprovider --rootdir $(top) tests/tree

qemu-matrix: setup
	@test-images/qemu-matrix

# ---- driver: built on a copy, so that the sources stay clean --------------
driver: setup
	@mkdir -p build/driver
	@cd build/driver && for f in *; do \
		case $$f in *.[ch]|Kbuild|Makefile) \
			[ -e $(top)/kernel-driver/$$f ] || case $$f in *.mod.c) ;; *) rm -f "$$f" ;; esac ;; esac; done
	@cp -u $(wildcard kernel-driver/*.[ch] kernel-driver/Kbuild kernel-driver/Makefile) build/driver/
	@flock build/stamp/driver.lock $(MAKE) -C $(KDIR) M=$(build)/driver ARCH=$(ARCH) CROSS_COMPILE=$(CROSS_COMPILE) modules >build/log/driver.log 2>&1 || \
		{ grep -vE '^(make|  (CC|LD|MODPOST|BTF))' build/log/driver.log; exit 1; }
	@grep -B1 -A6 'warning:' build/log/driver.log || true
	@mkdir -p build/image
	@# What the guest loads: debug information makes it seventy times as large.
	@[ build/image/xilinx_axienet_eoe.ko -nt build/driver/xilinx_axienet_eoe.ko ] || \
		$(CROSS_COMPILE)strip --strip-debug -o build/image/xilinx_axienet_eoe.ko build/driver/xilinx_axienet_eoe.ko

# The same with calls for memory, mappings and the like that can be made to fail; for tests.
failing-driver: setup
	@mkdir -p build/failing-driver
	@cp -u $(wildcard kernel-driver/*.[ch] tests/guest/failing_driver/*.[ch]) build/failing-driver/
	@{ cat kernel-driver/Kbuild; echo 'xilinx_axienet_eoe-y += fail_points.o'; \
		echo 'ccflags-y += -include $$(src)/fail_points.h'; } >build/failing-driver/Kbuild
	@flock build/stamp/driver.lock $(MAKE) -C $(KDIR) M=$(build)/failing-driver ARCH=$(ARCH) CROSS_COMPILE=$(CROSS_COMPILE) $(if $(KERNEL_CC),CC=$(KERNEL_CC)) modules >build/log/failing-driver.log 2>&1 || \
		{ tail -n 30 build/log/failing-driver.log; exit 1; }
	@$(CROSS_COMPILE)strip --strip-debug build/failing-driver/xilinx_axienet_eoe.ko

matrix: image
	@test-images/kernel-matrix

# ---- device tree ----------------------------------------------------------
dtb: build/dtb/zcu102-eoe.dtb

build/dtb/%.dtb: dts/%.dts $(wildcard dts/*.h dts/*.dtsi) | setup
	@mkdir -p build/dtb
	@cpp -nostdinc -undef -D__DTS__ -x assembler-with-cpp -I dts $< -o build/dtb/$*.dts
	@dtc -@ -I dts -O dtb -o $@ build/dtb/$*.dts

# ---- guest ----------------------------------------------------------------
image: build/image/initrd.cpio.gz build/image/Image

# The stamps are older than their trees; a tree made anew has a new stamp.
build/stamp/guest build/stamp/kernel: setup ;

build/image/initrd.cpio.gz: test-images/build-image test-images/newc.py $(wildcard test-images/guest/*) build/image/recvmsg_wait.so build/stamp/guest build/stamp/kernel
	@mkdir -p build/image
	@test-images/build-image --packages build/guest/root --kernel build/linux/current \
		--scripts test-images/guest --shim build/image/recvmsg_wait.so --output $@

build/image/recvmsg_wait.so: test-images/guest/recvmsg_wait.c | setup
	@mkdir -p build/image
	@$(GUEST_CC) -O2 -Wall -Wextra -fPIC -ffreestanding -shared -nostdlib $< -o $@

build/image/Image: build/stamp/kernel
	@mkdir -p build/image
	@ln -sfn ../linux/current/Image $@

# ---- use ------------------------------------------------------------------
run: all
	@$(python) -m tests.rig.run

shell: all
	@$(python) -m tests.rig.shell

test: all
	@tests/run-tests $(if $(SUITE),--suite $(SUITE)) $(if $(T),-- '$(T)')

# What takes too long for every run: the trees of other boards, twenty reboots.
test-boot: all
	@$(python) -m pytest -v -p no:cacheprovider --rootdir $(top) tests/boot

# Tests that need no guest, or bring a kernel of their own, find nothing new on a debug kernel.
not_debug := bare binding images in_tree interop kernel_log kernels packaging stress takeover
test-debug: export EOE_IMAGE := debug-kernel/image
test-debug: export EOE_PATIENCE := 5
test-debug: all
	@test-images/debug-kernel
	@mkdir -p build/results
	@rc=0; export KDIR=$(build)/debug-kernel/build KERNEL_CC=$(GUEST_CC); \
		$(python) -m pytest -v -p no:cacheprovider --rootdir $(top) --junitxml build/results/debug.xml \
			$(not_debug:%=--ignore tests/guest/test_%.py) $(if $(T),-k '$(T)') tests/guest || rc=$$?; \
		[ -n '$(T)' ] || $(python) -m tests.guest.stress --minutes $(MINUTES) $(if $(SEED),--seed $(SEED)) || rc=$$?; \
		exit $$rc

stress: all
	@$(python) -m tests.guest.stress --minutes $(MINUTES) $(if $(SEED),--seed $(SEED))

lint: setup
	@test-images/setup lint
	@$(python) tests/lint

fuzz: dtb
	@test-images/setup fuzz
	@$(python) tests/fuzz/run --seconds $(SECONDS) --seed $(or $(EOE_SEED),$(shell date +%s))

coverage: setup
	@test-images/setup coverage
	@$(python) tests/coverage

clean:
	@rm -rf build/{coverage,device,driver,failing-driver,dtb,fuzz,image,newest,matrix,unit,qtest,results,artifacts,run.json,tmp}

distclean:
	@rm -rf build

# SPDX-License-Identifier: GPL-2.0-only
#
# For a Yocto layer: put this directory, as it is, into the layer as
# recipes-kernel/xilinx-axienet-eoe.
SUMMARY = "XXV Ethernet with AXI MCDMA and Ethernet Offload Engine"
LICENSE = "GPL-2.0-only"
LIC_FILES_CHKSUM = "file://main.c;beginline=1;endline=1;md5=fcab174c20ea2e2bc0be64b493708266"

inherit module externalsrc

EXTERNALSRC = "${THISDIR}"
EXTERNALSRC_BUILD = "${THISDIR}"

KERNEL_MODULE_AUTOLOAD += "xilinx_axienet_eoe"
RPROVIDES:${PN} += "kernel-module-xilinx-axienet-eoe"

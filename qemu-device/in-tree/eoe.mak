# SPDX-License-Identifier: GPL-2.0-or-later
# Only the machine of this device: configure --with-devices-aarch64=eoe
CONFIG_XLNX_ZYNQMP_ARM=y
CONFIG_XLNX_ZCU102_EOE=y

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The sixteen AXI MCDMA channels of one port, as lists for its device node.
 * dtc has no loops, so the lists are written once here.
 */
#ifndef EOE_CHANNELS_H
#define EOE_CHANNELS_H

/* SPI cells: type 0 is a shared peripheral interrupt, 4 is level high. */
#define EOE_IRQ(spi) 0 spi 4
#define EOE_IRQ4(spi) EOE_IRQ(spi) EOE_IRQ(spi) EOE_IRQ(spi) EOE_IRQ(spi)
#define EOE_IRQ16(spi) EOE_IRQ4(spi) EOE_IRQ4(spi) EOE_IRQ4(spi) EOE_IRQ4(spi)

#define EOE_STRING(x) #x
#define EOE_NAME(dir, n) EOE_STRING(dir##_ch##n##_introut)
#define EOE_NAMES16(dir) \
	EOE_NAME(dir, 1), EOE_NAME(dir, 2), EOE_NAME(dir, 3), EOE_NAME(dir, 4), \
	EOE_NAME(dir, 5), EOE_NAME(dir, 6), EOE_NAME(dir, 7), EOE_NAME(dir, 8), \
	EOE_NAME(dir, 9), EOE_NAME(dir, 10), EOE_NAME(dir, 11), EOE_NAME(dir, 12), \
	EOE_NAME(dir, 13), EOE_NAME(dir, 14), EOE_NAME(dir, 15), EOE_NAME(dir, 16)

/* The binding writes channel numbers as hexadecimal strings. */
#define EOE_IDS16 \
	"1", "2", "3", "4", "5", "6", "7", "8", \
	"9", "a", "b", "c", "d", "e", "f", "10"

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Words of the XXV registers for pause and autonegotiation (PG210). No hardware
 * access: link_words.c is also compiled in user space, for its tests.
 */
#ifndef _EOE_LINK_H
#define _EOE_LINK_H

#include <linux/types.h>

/**
 * struct eoe_an_state - what negotiation has come to
 * @complete: both ends agree
 * @tx_pause: send pause frames
 * @rx_pause: obey pause frames
 * @lp_able: the partner negotiates
 * @lp_pause: it offers symmetric pause
 * @lp_asym: it offers asymmetric pause
 */
struct eoe_an_state {
	bool complete;
	bool tx_pause;
	bool rx_pause;
	bool lp_able;
	bool lp_pause;
	bool lp_asym;
};

u32 eoe_an_control(u8 seed, bool restart);
u32 eoe_an_advertise(bool pause, bool asym);
u32 eoe_an_ability(bool is_10g);
struct eoe_an_state eoe_an_decode(u32 status);

u32 eoe_pause_tx_word(bool on);
u32 eoe_pause_rx_word(bool on);
u32 eoe_pause_rx_checks(bool on);
void eoe_mac_words(const u8 *addr, u32 words[2]);

#endif /* _EOE_LINK_H */

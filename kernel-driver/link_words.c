// SPDX-License-Identifier: GPL-2.0-only
/*
 * XXV register words for pause and autonegotiation.
 */
#include "eoe_hw.h"
#include "eoe_link.h"

/**
 * eoe_an_control() - word that lets the core negotiate
 * @seed: of the nonce; never 0, and different at the two ends of a link
 * @restart: begin anew
 *
 * Return: AN_CONTROL_REG1
 */
u32 eoe_an_control(u8 seed, bool restart)
{
	return XXV_AN_ENABLE | FIELD_PREP(XXV_AN_NONCE_SEED, seed) |
	       (restart ? XXV_AN_RESTART : 0);
}

/**
 * eoe_an_advertise() - pause abilities to offer
 * @pause: symmetric
 * @asym: asymmetric
 *
 * Return: AN_CONTROL_REG2
 */
u32 eoe_an_advertise(bool pause, bool asym)
{
	return (pause ? XXV_AN_ADV_PAUSE : 0) | (asym ? XXV_AN_ADV_ASYM : 0);
}

/**
 * eoe_an_ability() - technologies to offer
 * @is_10g: the core runs at 10 Gbit/s, else at 25
 *
 * Return: AN_ABILITY
 */
u32 eoe_an_ability(bool is_10g)
{
	return is_10g ? XXV_AN_10G_KR : XXV_AN_25G_KRCR | XXV_AN_25G_KRCR_S;
}

/**
 * eoe_an_decode() - take a status word of negotiation apart
 * @status: STAT_AN_STATUS
 *
 * Return: the state; everything but @lp_able is false until it is complete
 */
struct eoe_an_state eoe_an_decode(u32 status)
{
	struct eoe_an_state an = {};

	an.lp_able = status & XXV_AN_LP_ABLE;
	an.complete = status & XXV_AN_COMPLETE;
	if (!an.complete)
		return an;
	an.tx_pause = status & XXV_AN_TX_PAUSE;
	an.rx_pause = status & XXV_AN_RX_PAUSE;
	an.lp_pause = status & XXV_AN_LP_PAUSE;
	an.lp_asym = status & XXV_AN_LP_ASYM;
	return an;
}

/**
 * eoe_pause_tx_word() - enables of sent pause frames
 * @on: send them; priority pause stays off
 *
 * Return: TX_FLOW_CONTROL_REG1
 */
u32 eoe_pause_tx_word(bool on)
{
	return on ? XXV_PAUSE_GLOBAL : 0;
}

/**
 * eoe_pause_rx_word() - enables of received pause frames
 * @on: obey them; they are not passed on to the stream
 *
 * Return: RX_FLOW_CONTROL_REG1
 */
u32 eoe_pause_rx_word(bool on)
{
	return on ? XXV_PAUSE_GLOBAL | XXV_PAUSE_RX_GPP : 0;
}

/**
 * eoe_pause_rx_checks() - what makes a frame a pause frame
 * @on: pause frames are obeyed
 *
 * The source address is the partner's own business.
 *
 * Return: RX_FLOW_CONTROL_REG2
 */
u32 eoe_pause_rx_checks(bool on)
{
	return on ? XXV_PAUSE_CHECK_MCAST | XXV_PAUSE_CHECK_TYPE |
		    XXV_PAUSE_CHECK_OPCODE : 0;
}

/**
 * eoe_mac_words() - an address as the pause registers hold it
 * @addr: six bytes, as on the wire
 * @words: the low 32 bits, and the high 16
 */
void eoe_mac_words(const u8 *addr, u32 words[2])
{
	words[0] = (u32)addr[2] << 24 | addr[3] << 16 | addr[4] << 8 | addr[5];
	words[1] = addr[0] << 8 | addr[1];
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Link state: phylink with the PCS that is part of XXV. The core raises no
 * interrupt on link changes, so phylink polls.
 */
#include <linux/property.h>
#include <linux/random.h>

#include "eoe.h"

static struct eoe *eoe_of_pcs(struct phylink_pcs *pcs)
{
	return container_of(pcs, struct eoe, pcs);
}

static bool eoe_negotiates(const struct eoe *eoe, const unsigned long *modes)
{
	return eoe->cfg.autoneg &&
	       linkmode_test_bit(ETHTOOL_LINK_MODE_Autoneg_BIT, modes);
}

static void EOE_PCS_GET_STATE(eoe_pcs_get_state)
{
	struct eoe *eoe = eoe_of_pcs(pcs);
	struct eoe_an_state an;

	state->link = eoe_mac_link(eoe);
	state->an_complete = state->link;
	state->speed = eoe_mac_speed(eoe);
	state->duplex = DUPLEX_FULL;
	state->pause = MLO_PAUSE_NONE;

	if (!eoe_negotiates(eoe, state->advertising))
		return;
	an = eoe_mac_an_state(eoe);
	state->an_complete = an.complete;
	linkmode_mod_bit(ETHTOOL_LINK_MODE_Autoneg_BIT, state->lp_advertising,
			 an.lp_able);
	linkmode_mod_bit(ETHTOOL_LINK_MODE_Pause_BIT, state->lp_advertising,
			 an.lp_pause);
	linkmode_mod_bit(ETHTOOL_LINK_MODE_Asym_Pause_BIT,
			 state->lp_advertising, an.lp_asym);
	if (an.tx_pause)
		state->pause |= MLO_PAUSE_TX;
	if (an.rx_pause)
		state->pause |= MLO_PAUSE_RX;
}

static int eoe_pcs_config(struct phylink_pcs *pcs, unsigned int neg_mode,
			  phy_interface_t interface,
			  const unsigned long *advertising,
			  bool permit_pause_to_mac)
{
	struct eoe *eoe = eoe_of_pcs(pcs);

	/* Without negotiation the PCS has nothing to configure. */
	if (!eoe->cfg.autoneg)
		return 0;
	eoe_mac_an_config(eoe, eoe_negotiates(eoe, advertising),
			  linkmode_test_bit(ETHTOOL_LINK_MODE_Pause_BIT,
					    advertising),
			  linkmode_test_bit(ETHTOOL_LINK_MODE_Asym_Pause_BIT,
					    advertising));
	return 0;
}

static void eoe_pcs_an_restart(struct phylink_pcs *pcs)
{
	struct eoe *eoe = eoe_of_pcs(pcs);

	if (eoe->cfg.autoneg)
		eoe_mac_an_restart(eoe);
}

static const struct phylink_pcs_ops eoe_pcs_ops = {
	.pcs_get_state = eoe_pcs_get_state,
	.pcs_config = eoe_pcs_config,
	.pcs_an_restart = eoe_pcs_an_restart,
};

static struct eoe *eoe_of_config(struct phylink_config *config)
{
	return netdev_priv(to_net_dev(config->dev));
}

static struct phylink_pcs *eoe_mac_select_pcs(struct phylink_config *config,
					      phy_interface_t interface)
{
	return &eoe_of_config(config)->pcs;
}

static void eoe_mac_config(struct phylink_config *config, unsigned int mode,
			   const struct phylink_link_state *state)
{
}

/*
 * The MAC runs for as long as the interface is up. Switched off with the link it
 * would stall queued frames in the engine; left on, they go into the void, as on
 * any unplugged port. The stack stops sending when the carrier goes.
 */
static void eoe_mac_link_down(struct phylink_config *config, unsigned int mode,
			      phy_interface_t interface)
{
}

static void eoe_mac_link_up(struct phylink_config *config,
			    struct phy_device *phy, unsigned int mode,
			    phy_interface_t interface, int speed, int duplex,
			    bool tx_pause, bool rx_pause)
{
	eoe_mac_set_pause(eoe_of_config(config), tx_pause, rx_pause);
}

static const struct phylink_mac_ops eoe_phylink_ops = {
	.mac_select_pcs = eoe_mac_select_pcs,
	.mac_config = eoe_mac_config,
	.mac_link_down = eoe_mac_link_down,
	.mac_link_up = eoe_mac_link_up,
};

/**
 * eoe_link_init() - create the link state machine
 * @eoe: the port
 *
 * Return: 0 or a negative error
 */
int eoe_link_init(struct eoe *eoe)
{
	struct phylink_config *config = &eoe->phylink_config;

	/* Never 0, and not what the other end of the cable has. */
	eoe->an_seed = get_random_u32_inclusive(1, U8_MAX);
	spin_lock_init(&eoe->pause_lock);
	eoe->pcs.ops = &eoe_pcs_ops;
	eoe->pcs.poll = true;

	config->dev = &eoe->ndev->dev;
	config->type = PHYLINK_NETDEV;
	config->mac_capabilities = MAC_SYM_PAUSE | MAC_ASYM_PAUSE |
				   MAC_10000FD | MAC_25000FD;
	__set_bit(eoe->cfg.phy_mode, config->supported_interfaces);

	eoe->phylink = phylink_create(config, dev_fwnode(eoe->dev),
				      eoe->cfg.phy_mode, &eoe_phylink_ops);
	if (IS_ERR(eoe->phylink))
		return dev_err_probe(eoe->dev, PTR_ERR(eoe->phylink),
				     "link description is not usable\n");
	return 0;
}

/**
 * eoe_link_exit() - destroy the link state machine
 * @eoe: the port, unregistered
 */
void eoe_link_exit(struct eoe *eoe)
{
	phylink_destroy(eoe->phylink);
}

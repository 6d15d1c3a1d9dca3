// SPDX-License-Identifier: GPL-2.0-only
/*
 * Link state: phylink with the PCS that is part of XXV. The core raises no
 * interrupt on link changes, so phylink polls.
 */
#include <linux/property.h>

#include "eoe.h"

static struct eoe *eoe_of_pcs(struct phylink_pcs *pcs)
{
	return container_of(pcs, struct eoe, pcs);
}

static void EOE_PCS_GET_STATE(eoe_pcs_get_state)
{
	struct eoe *eoe = eoe_of_pcs(pcs);

	state->link = eoe_mac_link(eoe);
	state->an_complete = state->link;
	state->speed = eoe_mac_speed(eoe);
	state->duplex = DUPLEX_FULL;
	state->pause = MLO_PAUSE_NONE;
}

static int eoe_pcs_config(struct phylink_pcs *pcs, unsigned int neg_mode,
			  phy_interface_t interface,
			  const unsigned long *advertising,
			  bool permit_pause_to_mac)
{
	/* Fixed function: nothing to configure, nothing to restart. */
	return 0;
}

static void eoe_pcs_an_restart(struct phylink_pcs *pcs)
{
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

	eoe->pcs.ops = &eoe_pcs_ops;
	eoe->pcs.poll = true;

	config->dev = &eoe->ndev->dev;
	config->type = PHYLINK_NETDEV;
	config->mac_capabilities = MAC_10000FD | MAC_25000FD;
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

// SPDX-License-Identifier: GPL-2.0-or-later
/* Stands in for another driver that has the port: binds to it and does nothing. */
#include <linux/module.h>
#include <linux/of.h>
#include <linux/platform_device.h>

static int standin_probe(struct platform_device *pdev)
{
	return 0;
}

static const struct of_device_id standin_match[] = {
	{ .compatible = "xlnx,xxv-ethernet-1.0" },
	{}
};
MODULE_DEVICE_TABLE(of, standin_match);

static struct platform_driver standin_driver = {
	.probe = standin_probe,
	.driver = {
		.name = "standin",
		.of_match_table = standin_match,
	},
};
module_platform_driver(standin_driver);

MODULE_DESCRIPTION("Stand-in for another Ethernet driver");
MODULE_LICENSE("GPL");

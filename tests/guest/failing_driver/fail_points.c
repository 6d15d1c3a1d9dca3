// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Decides which calls fail. Parameters of the module:
 *
 *   fail_at     the call of that number fails, counted from the writing on; 0 none
 *   fail_every  one in so many fails; 0 none
 *   fail_only   only calls of this name count; empty: all
 *   fail_points every name seen so far, its calls and how many have failed
 *   fail_held   what the driver holds: memory, coherent, mapping, pool, irq
 */
#include <linux/moduleparam.h>
#include <linux/spinlock.h>
#include <linux/string.h>

#include "fail_points.h"

#define FAIL_NAMES_MAX	48

struct fail_name {
	const char *name;
	unsigned int calls;
	unsigned int failed;
};

static DEFINE_SPINLOCK(fail_lock);
static struct fail_name fail_names[FAIL_NAMES_MAX];
static unsigned int fail_calls;
static unsigned int fail_at;
static unsigned int fail_every;
static char fail_only[40];
static atomic_t fail_holds[FAIL_HELD];

static struct fail_name *fail_find(const char *name)
{
	unsigned int i;

	for (i = 0; i < FAIL_NAMES_MAX - 1 && fail_names[i].name; i++)
		if (!strcmp(fail_names[i].name, name))
			break;
	fail_names[i].name = name;
	return &fail_names[i];
}

bool fail_point(const char *name)
{
	struct fail_name *entry;
	unsigned long flags;
	bool fails = false;

	spin_lock_irqsave(&fail_lock, flags);
	entry = fail_find(name);
	entry->calls++;
	if (!fail_only[0] || !strcmp(fail_only, name)) {
		fail_calls++;
		fails = fail_calls == fail_at ||
			(fail_every && fail_calls % fail_every == 0);
		entry->failed += fails;
	}
	spin_unlock_irqrestore(&fail_lock, flags);
	return fails;
}

void fail_hold(enum fail_held what, int change)
{
	atomic_add(change, &fail_holds[what]);
}

/* A new number begins to count at the next call. */
static int fail_set(const char *text, const struct kernel_param *kp)
{
	unsigned long flags;
	unsigned int value;
	int ret = kstrtouint(text, 0, &value);

	if (ret)
		return ret;
	spin_lock_irqsave(&fail_lock, flags);
	*(unsigned int *)kp->arg = value;
	fail_calls = 0;
	spin_unlock_irqrestore(&fail_lock, flags);
	return 0;
}

static const struct kernel_param_ops fail_number = {
	.set = fail_set,
	.get = param_get_uint,
};
module_param_cb(fail_at, &fail_number, &fail_at, 0600);
module_param_cb(fail_every, &fail_number, &fail_every, 0600);

static int fail_set_only(const char *text, const struct kernel_param *kp)
{
	unsigned long flags;

	if (strlen(text) >= sizeof(fail_only))
		return -EINVAL;
	spin_lock_irqsave(&fail_lock, flags);
	strscpy(fail_only, text, sizeof(fail_only));
	strim(fail_only);
	spin_unlock_irqrestore(&fail_lock, flags);
	return 0;
}

static int fail_get_only(char *to, const struct kernel_param *kp)
{
	return sysfs_emit(to, "%s\n", fail_only);
}

static const struct kernel_param_ops fail_text = {
	.set = fail_set_only,
	.get = fail_get_only,
};
module_param_cb(fail_only, &fail_text, NULL, 0600);

static int fail_get_points(char *to, const struct kernel_param *kp)
{
	unsigned int i;
	int used = 0;

	for (i = 0; i < FAIL_NAMES_MAX && fail_names[i].name; i++)
		used += sysfs_emit_at(to, used, "%s %u %u\n", fail_names[i].name,
				      fail_names[i].calls, fail_names[i].failed);
	return used;
}

static const struct kernel_param_ops fail_list = {
	.get = fail_get_points,
};
module_param_cb(fail_points, &fail_list, NULL, 0400);

static int fail_get_held(char *to, const struct kernel_param *kp)
{
	unsigned int i;
	int used = 0;

	for (i = 0; i < FAIL_HELD; i++)
		used += sysfs_emit_at(to, used, "%d%s",
				      atomic_read(&fail_holds[i]),
				      i + 1 < FAIL_HELD ? " " : "\n");
	return used;
}

static const struct kernel_param_ops fail_holding = {
	.get = fail_get_held,
};
module_param_cb(fail_held, &fail_holding, NULL, 0400);

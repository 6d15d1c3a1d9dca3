/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The one door between the C++ model of the ZynqMP platform firmware and
 * whatever hosts it.
 *
 * Threading: a firmware is not locked. The host calls it from one thread at a
 * time; in QEMU that is whoever holds the big lock.
 *
 * Reentrancy: no function may be called from inside a host callback.
 */
#ifndef XFW_CAPI_H
#define XFW_CAPI_H

/* This is a C header. NOLINTBEGIN(modernize-*) */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Bytes that xfw_save() writes. */
enum { XFW_SAVED_SIZE = 1647 };

/* Registers of a secure monitor call: x0..x7 in, x0..x3 out. */
enum { XFW_SMC_ARGS = 8, XFW_SMC_RESULTS = 4 };

typedef enum XfwShutdown { XFW_POWER_OFF, XFW_RESTART } XfwShutdown;

/* Parts of the state that can be shown as text. */
typedef enum XfwPart { XFW_CLOCKS, XFW_NODES, XFW_RESETS, XFW_PINS } XfwPart;

typedef struct XfwIdentity {
    uint32_t idcode;    /* IDCODE register of the CSU (UG1087) */
    uint32_t version;   /* VERSION register: bits 3..0 silicon, 15..12 platform, 3 is QEMU */
    uint32_t boot_mode; /* BOOT_MODE_USER, 0..15; 14 is the SD card on the second controller */
} XfwIdentity;

/* What a firmware asks of its host. Every pointer must be set; opaque is passed through. */
typedef struct XfwHostOps {
    /* Switch the machine off or restart it; it may happen after the call has returned. */
    void (*shutdown)(void *opaque, XfwShutdown what);

    /* The guest broke a rule of the interface; text is one line without newline. */
    void (*guest_error)(void *opaque, const char *text);

    /* Whether changed() is wanted; asked before every text is made. */
    bool (*wants_changes)(void *opaque);

    /* A clock, node, reset or pin changed; text is one line without newline. */
    void (*changed)(void *opaque, const char *text);
} XfwHostOps;

typedef struct XfwFirmware XfwFirmware;

/* An XCZU9EG, as on the ZCU102, booted from the SD card. */
XfwIdentity xfw_identity_default(void);

/* A firmware in the state the boot loader leaves. NULL if memory or a callback is missing. */
XfwFirmware *xfw_new(const XfwIdentity *identity, const XfwHostOps *ops, void *opaque);
void xfw_free(XfwFirmware *firmware);

/* Back to that state; persistent storage is only cleared by a power-on reset. */
void xfw_reset(XfwFirmware *firmware, bool power_on);

/* Whether a secure monitor call with this x0 is one that xfw_smc() answers (SMC Calling
 * Convention: owner 2, silicon partner; fast calls only). */
bool xfw_owns(uint64_t x0);

/* Answer a call. Work is bounded whatever the arguments are. */
void xfw_smc(XfwFirmware *firmware, const uint64_t args[XFW_SMC_ARGS],
             uint64_t results[XFW_SMC_RESULTS]);

/*
 * Write a part of the state as lines of text, cut to fit and terminated; text may be
 * NULL if size is 0. Returns the length of the whole text.
 */
size_t xfw_describe(const XfwFirmware *firmware, XfwPart part, char *text, size_t size);

/* State for migration. xfw_load() returns false, and changes nothing, on bytes that are no
 * saved state. */
void xfw_save(const XfwFirmware *firmware, uint8_t to[XFW_SAVED_SIZE]);
bool xfw_load(XfwFirmware *firmware, const uint8_t from[XFW_SAVED_SIZE]);

#ifdef __cplusplus
}
#endif

/* NOLINTEND(modernize-*) */

#endif /* XFW_CAPI_H */

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One QEMU under test: started through the launcher with no guest, driven over
 * the qtest protocol (memory, virtual clock, interrupt lines) and QMP, with one
 * end of a socket pair per port as the wire.
 *
 * Every wait is bounded; what goes wrong fails the running CMocka test with a
 * sentence. QEMU dies with the test program.
 */
#ifndef XEOE_QTEST_VM_H
#define XEOE_QTEST_VM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { VM_MAX_WIRES = 2, VM_MAX_LINES = 32 };

typedef struct Vm Vm;

typedef struct VmOptions {
    const char *machine;     /* -M; NULL is xlnx-zcu102-eoe */
    unsigned wires;          /* ports with a wire, 0..2 */
    bool device_style;       /* -device instead of -net nic,model=xlnx-eoe-port */
    const char *const *args; /* further options, NULL ends the list; may be NULL */
} VmOptions;

/* Start QEMU; its output goes to the file <log directory>/<name>.log. */
Vm *vm_start(const char *name, const VmOptions *options);
void vm_stop(Vm *vm);

/* Guest physical memory. A 64-bit store is one access. */
uint32_t vm_readl(Vm *vm, uint64_t addr);
uint64_t vm_readq(Vm *vm, uint64_t addr);
void vm_writel(Vm *vm, uint64_t addr, uint32_t value);
void vm_writeq(Vm *vm, uint64_t addr, uint64_t value);
void vm_read(Vm *vm, uint64_t addr, void *buf, size_t len);
void vm_write(Vm *vm, uint64_t addr, const void *buf, size_t len);
void vm_fill(Vm *vm, uint64_t addr, uint8_t value, size_t len);

/* Advance the virtual clock, running what falls due; returns the new time in ns. */
int64_t vm_clock_step(Vm *vm, int64_t ns);

/* Interrupt output of the first port: MM2S channels 0..15, then S2MM ones 16..31. */
bool vm_irq_level(Vm *vm, unsigned line);
/* How often it rose since the start. */
unsigned vm_irq_raises(Vm *vm, unsigned line);
/* Whether the interrupt controller sees a shared peripheral interrupt pending. */
bool vm_spi_pending(Vm *vm, unsigned spi);

/* Send one QMP command and return its answer (one line, valid until the next call). */
const char *vm_qmp(Vm *vm, const char *json);
/* system_reset, returning when it is done. */
void vm_reset(Vm *vm);

/* Hand a frame (no FCS) to the port; true when QEMU has taken it off the wire. */
bool vm_wire_send(Vm *vm, unsigned wire, const void *frame, size_t len);
/* As vm_wire_send(), in two steps: false when the wire is full ... */
bool vm_wire_try(Vm *vm, unsigned wire, const void *frame, size_t len);
/* ... and true when QEMU has taken everything off it, within 5 s. */
bool vm_wire_drained(Vm *vm, unsigned wire);
/* Wait for the next frame from the port, at most 5 s; 0 when there is none. */
size_t vm_wire_recv(Vm *vm, unsigned wire, void *buf, size_t size);
/* As vm_wire_recv(), but only what has been sent already. */
size_t vm_wire_poll(Vm *vm, unsigned wire, void *buf, size_t size);

/* What QEMU has written to its log so far; free with g_free(). */
char *vm_log(Vm *vm);

/* Run the launcher to its end (at most 20 s) and collect what it prints on both
 * channels; returns its exit status. Free *output with g_free(). */
int vm_run_launcher(const char *const *args, const char *const *env, char **output);

#endif /* XEOE_QTEST_VM_H */

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "vm.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <glib/gstdio.h>
#include <inttypes.h>
#include <linux/sockios.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

/* Where the build put things; the environment can name others. */
#ifndef XEOE_LAUNCHER
#error "the build names the launcher"
#endif

enum { ANSWER_TIMEOUT_MS = 20000, FRAME_TIMEOUT_MS = 5000, MAX_MESSAGE = 2048 };

/* A line-based connection. */
typedef struct Channel {
    int fd;
    GString *input;
    char *line;
} Channel;

struct Vm {
    GPid pid;
    Channel qtest;
    Channel qmp;
    int wires[VM_MAX_WIRES];
    char *log_path;
    const char *port; /* QOM path */
    bool irq_level[VM_MAX_LINES];
    unsigned irq_raises[VM_MAX_LINES];
};

/* Starting and stopping */

static void watch_irqs(Vm *vm);

static void die_with_parent(gpointer data G_GNUC_UNUSED) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
}

static void make_pair(int type, int *ours, int *theirs) {
    int pair[2];

    if (socketpair(AF_UNIX, type | SOCK_CLOEXEC, 0, pair)) {
        fail_msg("socketpair: %s", g_strerror(errno));
    }
    *ours = pair[0];
    *theirs = pair[1];
}

static const char *launcher(void) {
    const char *path = g_getenv("XEOE_LAUNCHER");

    return path ? path : XEOE_LAUNCHER;
}

static char *log_file(const char *name) {
    const char *dir = g_getenv("XEOE_QTEST_LOGS");
    g_autofree char *file = g_strconcat(name, ".log", NULL);

    if (!dir) {
        dir = "qtest-logs";
    }
    if (g_mkdir_with_parents(dir, 0755)) {
        fail_msg("cannot make directory %s: %s", dir, g_strerror(errno));
    }
    return g_build_filename(dir, file, NULL);
}

static void add_wire(GPtrArray *argv, unsigned wire, int fd, bool device_style) {
    g_ptr_array_add(argv, g_strdup("-netdev"));
    g_ptr_array_add(argv, g_strdup_printf("dgram,id=wire%u,local.type=fd,local.str=%d", wire, fd));
    if (device_style) {
        g_ptr_array_add(argv, g_strdup("-device"));
        g_ptr_array_add(argv, g_strdup_printf("xlnx-eoe-port,netdev=wire%u", wire));
    } else {
        /* What -nic comes to; -nic itself does not take this kind of backend. */
        g_ptr_array_add(argv, g_strdup("-net"));
        g_ptr_array_add(argv, g_strdup_printf("nic,netdev=wire%u,model=xlnx-eoe-port", wire));
    }
}

Vm *vm_start(const char *name, const VmOptions *options) {
    enum { FIRST_FD = 10, QTEST_FD = FIRST_FD, QMP_FD, WIRE_FD };
    int source[2 + VM_MAX_WIRES], target[2 + VM_MAX_WIRES];
    unsigned fds = 2 + options->wires;
    g_autoptr(GPtrArray) argv = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GError) error = NULL;
    Vm *vm = g_new0(Vm, 1);
    int log_fd;
    bool started;

    const char *fixed[] = {
        launcher(),
        "-M",
        options->machine ? options->machine : "xlnx-zcu102-eoe",
        "-m",
        "256M",
        "-accel",
        "qtest",
        "-nodefaults",
        "-display",
        "none",
        "-audio",
        "none",
        "-d",
        "guest_errors",
        "-chardev",
        "socket,id=qtest,fd=10",
        "-qtest",
        "chardev:qtest",
        "-chardev",
        "socket,id=qmp,fd=11",
        "-mon",
        "chardev=qmp,mode=control",
    };

    for (size_t i = 0; i < G_N_ELEMENTS(fixed); i++) {
        g_ptr_array_add(argv, g_strdup(fixed[i]));
    }
    make_pair(SOCK_STREAM, &vm->qtest.fd, &source[0]);
    make_pair(SOCK_STREAM, &vm->qmp.fd, &source[1]);
    for (unsigned i = 0; i < options->wires; i++) {
        make_pair(SOCK_DGRAM, &vm->wires[i], &source[2 + i]);
        add_wire(argv, i, WIRE_FD + (int)i, options->device_style);
    }
    for (unsigned i = 0; i < fds; i++) {
        target[i] = FIRST_FD + (int)i;
    }
    for (const char *const *arg = options->args; arg && *arg; arg++) {
        g_ptr_array_add(argv, g_strdup(*arg));
    }
    if (!g_getenv("XEOE_QTEST_TRACE")) {
        g_ptr_array_add(argv, g_strdup("-qtest-log"));
        g_ptr_array_add(argv, g_strdup("/dev/null"));
    }
    g_ptr_array_add(argv, NULL);

    vm->qtest.input = g_string_new(NULL);
    vm->qmp.input = g_string_new(NULL);
    vm->log_path = log_file(name);
    log_fd = g_open(vm->log_path, O_CREAT | O_TRUNC | O_RDWR | O_CLOEXEC, 0644);
    if (log_fd < 0) {
        fail_msg("cannot write %s: %s", vm->log_path, g_strerror(errno));
    }
    started = g_spawn_async_with_pipes_and_fds(
        NULL, (const char *const *)argv->pdata, NULL, G_SPAWN_DO_NOT_REAP_CHILD, die_with_parent,
        NULL, -1, log_fd, log_fd, source, target, fds, &vm->pid, NULL, NULL, NULL, &error);
    close(log_fd);
    for (unsigned i = 0; i < fds; i++) {
        close(source[i]);
    }
    if (!started) {
        fail_msg("cannot start %s: %s", launcher(), error->message);
    }
    vm->port = options->device_style ? "/machine/peripheral-anon/device[0]" : "/machine/eoe-port0";
    vm_qmp(vm, "{'execute': 'qmp_capabilities'}");
    watch_irqs(vm);
    return vm;
}

static void channel_close(Channel *c) {
    close(c->fd);
    g_string_free(c->input, TRUE);
    g_free(c->line);
}

void vm_stop(Vm *vm) {
    if (!vm) {
        return;
    }
    kill(vm->pid, SIGKILL);
    waitpid(vm->pid, NULL, 0);
    g_spawn_close_pid(vm->pid);
    channel_close(&vm->qtest);
    channel_close(&vm->qmp);
    for (unsigned i = 0; i < VM_MAX_WIRES; i++) {
        if (vm->wires[i]) {
            close(vm->wires[i]);
        }
    }
    g_free(vm->log_path);
    g_free(vm);
}

char *vm_log(Vm *vm) {
    char *text = NULL;

    if (!g_file_get_contents(vm->log_path, &text, NULL, NULL)) {
        fail_msg("cannot read %s", vm->log_path);
    }
    return text;
}

/* Lines */

static void channel_send(Vm *vm, Channel *c, const char *text) {
    size_t len = strlen(text);

    while (len) {
        ssize_t sent = send(c->fd, text, len, MSG_NOSIGNAL);

        if (sent < 0 && errno != EINTR) {
            fail_msg("QEMU is gone (%s); see %s", g_strerror(errno), vm->log_path);
        }
        if (sent > 0) {
            text += sent;
            len -= (size_t)sent;
        }
    }
}

/* The next line without its end; valid until the next call on this channel. */
static const char *channel_line(Vm *vm, Channel *c) {
    int64_t end = g_get_monotonic_time() + (int64_t)ANSWER_TIMEOUT_MS * 1000;
    char *newline;

    while (!(newline = memchr(c->input->str, '\n', c->input->len))) {
        struct pollfd pfd = {.fd = c->fd, .events = POLLIN};
        int64_t left = (end - g_get_monotonic_time()) / 1000;
        char buf[4096];
        ssize_t got;

        if (left <= 0 || poll(&pfd, 1, (int)left) == 0) {
            fail_msg("QEMU did not answer within %d s; see %s", ANSWER_TIMEOUT_MS / 1000,
                     vm->log_path);
        }
        got = recv(c->fd, buf, sizeof(buf), 0);
        if (got == 0 || (got < 0 && errno != EINTR)) {
            g_autofree char *log = vm_log(vm);

            fail_msg("QEMU has ended; it said (%s):\n%s", vm->log_path, log);
        }
        if (got > 0) {
            g_string_append_len(c->input, buf, got);
        }
    }
    g_free(c->line);
    c->line = g_strndup(c->input->str, (size_t)(newline - c->input->str));
    g_string_erase(c->input, 0, newline + 1 - c->input->str);
    g_strchomp(c->line);
    return c->line;
}

/* qtest */

static void note_irq(Vm *vm, const char *event) {
    bool raise = g_str_has_prefix(event, "raise ");
    unsigned long irq = strtoul(event + strlen(raise ? "raise " : "lower "), NULL, 10);

    if (irq >= VM_MAX_LINES) {
        fail_msg("QEMU speaks of interrupt %lu", irq);
    }
    vm->irq_level[irq] = raise;
    vm->irq_raises[irq] += raise;
}

/* Send one command; returns what follows OK. */
static const char *command(Vm *vm, const char *format, ...) G_GNUC_PRINTF(2, 3);

static const char *command(Vm *vm, const char *format, ...) {
    g_autofree char *text = NULL;
    const char *line;
    va_list args;

    va_start(args, format);
    text = g_strdup_vprintf(format, args);
    va_end(args);
    channel_send(vm, &vm->qtest, text);

    while (g_str_has_prefix(line = channel_line(vm, &vm->qtest), "IRQ ")) {
        note_irq(vm, line + strlen("IRQ "));
    }
    if (!g_str_has_prefix(line, "OK")) {
        fail_msg("qtest answered '%s' to '%.60s'", line, text);
    }
    return line + strlen(line[2] ? "OK " : "OK");
}

uint32_t vm_readl(Vm *vm, uint64_t addr) {
    return (uint32_t)strtoul(command(vm, "readl 0x%" PRIx64 "\n", addr), NULL, 0);
}

uint64_t vm_readq(Vm *vm, uint64_t addr) {
    return strtoull(command(vm, "readq 0x%" PRIx64 "\n", addr), NULL, 0);
}

void vm_writel(Vm *vm, uint64_t addr, uint32_t value) {
    command(vm, "writel 0x%" PRIx64 " 0x%x\n", addr, value);
}

void vm_writeq(Vm *vm, uint64_t addr, uint64_t value) {
    command(vm, "writeq 0x%" PRIx64 " 0x%" PRIx64 "\n", addr, value);
}

void vm_read(Vm *vm, uint64_t addr, void *buf, size_t len) {
    const char *base64 = command(vm, "b64read 0x%" PRIx64 " 0x%zx\n", addr, len);
    size_t got;
    g_autofree guchar *data = g_base64_decode(base64, &got);

    if (got != len) {
        fail_msg("asked for %zu bytes of memory, got %zu", len, got);
    }
    memcpy(buf, data, len);
}

void vm_write(Vm *vm, uint64_t addr, const void *buf, size_t len) {
    g_autofree char *base64 = g_base64_encode(buf, len);

    command(vm, "b64write 0x%" PRIx64 " 0x%zx %s\n", addr, len, base64);
}

void vm_fill(Vm *vm, uint64_t addr, uint8_t value, size_t len) {
    command(vm, "memset 0x%" PRIx64 " 0x%zx 0x%x\n", addr, len, value);
}

int64_t vm_clock_step(Vm *vm, int64_t ns) {
    return strtoll(command(vm, "clock_step %" PRId64 "\n", ns), NULL, 10);
}

static void watch_irqs(Vm *vm) {
    command(vm, "irq_intercept_out %s sysbus-irq\n", vm->port);
}

/* A command that changes nothing: afterwards all that earlier ones caused has been said. */
static void round_trip(Vm *vm) {
    vm_readl(vm, 0);
}

bool vm_irq_level(Vm *vm, unsigned line) {
    round_trip(vm);
    return vm->irq_level[line];
}

unsigned vm_irq_raises(Vm *vm, unsigned line) {
    round_trip(vm);
    return vm->irq_raises[line];
}

bool vm_spi_pending(Vm *vm, unsigned spi) {
    /* ARM IHI 0048B: GICD_ISPENDR; shared peripheral interrupts begin at ID 32. */
    enum { GICD_ISPENDR = 0xf9010200 };
    unsigned id = spi + 32;

    return vm_readl(vm, GICD_ISPENDR + id / 32 * 4) >> id % 32 & 1;
}

/* QMP */

const char *vm_qmp(Vm *vm, const char *json) {
    g_autofree char *line = g_strconcat(json, "\n", NULL);
    const char *answer;

    channel_send(vm, &vm->qmp, line);
    /* Greeting and events come between. */
    do {
        answer = channel_line(vm, &vm->qmp);
    } while (!g_str_has_prefix(answer, "{\"return\"") && !g_str_has_prefix(answer, "{\"error\""));
    return answer;
}

void vm_reset(Vm *vm) {
    bool answered = false, done = false;

    channel_send(vm, &vm->qmp, "{'execute': 'system_reset'}\n");
    /* Either may come first. */
    while (!answered || !done) {
        const char *line = channel_line(vm, &vm->qmp);

        answered = answered || g_str_has_prefix(line, "{\"return\"");
        done = done || strstr(line, "\"RESET\"");
    }
}

/* Wire */

bool vm_wire_try(Vm *vm, unsigned wire, const void *frame, size_t len) {
    ssize_t sent = send(vm->wires[wire], frame, len, MSG_DONTWAIT);

    if (sent < 0 && (errno == EAGAIN || errno == ENOBUFS)) {
        return false;
    }
    if (sent != (ssize_t)len) {
        fail_msg("cannot send a frame of %zu bytes: %s", len, g_strerror(errno));
    }
    return true;
}

bool vm_wire_drained(Vm *vm, unsigned wire) {
    int64_t end = g_get_monotonic_time() + (int64_t)FRAME_TIMEOUT_MS * 1000;
    int unread;

    do {
        if (ioctl(vm->wires[wire], SIOCOUTQ, &unread)) {
            fail_msg("cannot ask how much of a frame is unread: %s", g_strerror(errno));
        }
        if (!unread) {
            return true;
        }
        g_usleep(200);
    } while (g_get_monotonic_time() < end);
    return false;
}

bool vm_wire_send(Vm *vm, unsigned wire, const void *frame, size_t len) {
    if (!vm_wire_try(vm, wire, frame, len)) {
        fail_msg("the wire to the port is full");
    }
    return vm_wire_drained(vm, wire);
}

size_t vm_wire_poll(Vm *vm, unsigned wire, void *buf, size_t size) {
    ssize_t got;

    /* Everything sent because of earlier commands is then in the socket. */
    round_trip(vm);
    got = recv(vm->wires[wire], buf, size, MSG_DONTWAIT | MSG_TRUNC);
    if (got > (ssize_t)size) {
        fail_msg("the port sent %zd bytes where at most %zu were expected", got, size);
    }
    return got > 0 ? (size_t)got : 0;
}

size_t vm_wire_recv(Vm *vm, unsigned wire, void *buf, size_t size) {
    struct pollfd pfd = {.fd = vm->wires[wire], .events = POLLIN};

    poll(&pfd, 1, FRAME_TIMEOUT_MS);
    return vm_wire_poll(vm, wire, buf, size);
}

/* The launcher alone */

int vm_run_launcher(const char *const *args, const char *const *env, char **output) {
    g_autoptr(GPtrArray) argv = g_ptr_array_new();
    g_autoptr(GString) text = g_string_new(NULL);
    g_auto(GStrv) envp = g_get_environ();
    g_autoptr(GError) error = NULL;
    int64_t end = g_get_monotonic_time() + (int64_t)ANSWER_TIMEOUT_MS * 1000;
    GPid pid;
    int status, out;
    bool eof = false;
    int ends[2];

    g_ptr_array_add(argv, (gpointer)launcher());
    for (; *args; args++) {
        g_ptr_array_add(argv, (gpointer)*args);
    }
    g_ptr_array_add(argv, NULL);
    for (; env && *env; env++) {
        g_auto(GStrv) pair = g_strsplit(*env, "=", 2);

        envp = g_environ_setenv(envp, pair[0], pair[1], TRUE);
    }
    make_pair(SOCK_STREAM, &ends[0], &ends[1]);
    out = ends[0];
    if (!g_spawn_async_with_pipes_and_fds(NULL, (const char *const *)argv->pdata,
                                          (const char *const *)envp, G_SPAWN_DO_NOT_REAP_CHILD,
                                          die_with_parent, NULL, -1, ends[1], ends[1], NULL, NULL,
                                          0, &pid, NULL, NULL, NULL, &error)) {
        fail_msg("cannot start %s: %s", launcher(), error->message);
    }
    close(ends[1]);
    while (!eof) {
        struct pollfd pfd = {.fd = out, .events = POLLIN};
        int64_t left = (end - g_get_monotonic_time()) / 1000;
        char buf[4096];
        ssize_t got;

        if (left <= 0 || poll(&pfd, 1, (int)left) == 0) {
            kill(pid, SIGKILL);
            waitpid(pid, NULL, 0);
            close(out);
            fail_msg("the launcher did not end; so far it said: %s", text->str);
        }
        got = recv(out, buf, sizeof(buf), 0);
        eof = got == 0 || (got < 0 && errno != EINTR);
        if (got > 0) {
            g_string_append_len(text, buf, got);
        }
    }
    waitpid(pid, &status, 0);
    g_spawn_close_pid(pid);
    close(out);
    *output = g_string_free(g_steal_pointer(&text), FALSE);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

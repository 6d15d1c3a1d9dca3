/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "compat.h"

#include "eoe_pcap.h"

#include <sys/uio.h>

#include "qemu/error-report.h"

struct XeoePcap {
    char *path;
    int fd; /* -1 once the capture has ended */
};

/* Written in the host's byte order; readers tell it by the magic number. */
typedef struct FileHeader {
    uint32_t magic;
    uint16_t version_major;
    uint16_t version_minor;
    uint32_t zone;
    uint32_t accuracy;
    uint32_t longest;
    uint32_t link_type;
} FileHeader;

typedef struct RecordHeader {
    uint32_t seconds;
    uint32_t nanoseconds;
    uint32_t stored;
    uint32_t length;
} RecordHeader;

/* pcap-savefile(5): times are in nanoseconds; LINKTYPE_ETHERNET. */
enum { MAGIC_NANOSECONDS = (int)0xa1b23c4d, ETHERNET = 1, LONGEST = 256 * 1024 };

static void give_up(XeoePcap *pcap, const char *why) {
    warn_report("%s: %s; the capture ends here", pcap->path, why);
    close(pcap->fd);
    pcap->fd = -1;
}

XeoePcap *xeoe_pcap_open(const char *path, Error **errp) {
    const FileHeader header = {
        .magic = MAGIC_NANOSECONDS,
        .version_major = 2,
        .version_minor = 4,
        .longest = LONGEST,
        .link_type = ETHERNET,
    };
    XeoePcap *pcap;
    int fd = qemu_create(path, O_WRONLY, 0644, errp);

    if (fd < 0) {
        return NULL;
    }
    /* Two ports that write the same file would make it unreadable. */
    if (qemu_lock_fd(fd, 0, 1, true)) {
        error_setg(errp, "%s is in use by another port or program", path);
        close(fd);
        return NULL;
    }
    if (ftruncate(fd, 0) || qemu_write_full(fd, &header, sizeof(header)) != sizeof(header)) {
        error_setg_errno(errp, errno, "cannot write %s", path);
        close(fd);
        return NULL;
    }
    pcap = g_new0(XeoePcap, 1);
    pcap->path = g_strdup(path);
    pcap->fd = fd;
    return pcap;
}

void xeoe_pcap_close(XeoePcap *pcap) {
    if (!pcap) {
        return;
    }
    if (pcap->fd >= 0) {
        close(pcap->fd);
    }
    g_free(pcap->path);
    g_free(pcap);
}

void xeoe_pcap_write(XeoePcap *pcap, int64_t now_ns, const void *frame, size_t len) {
    RecordHeader header = {
        .seconds = now_ns / NANOSECONDS_PER_SECOND,
        .nanoseconds = now_ns % NANOSECONDS_PER_SECOND,
        .stored = MIN(len, LONGEST),
        .length = len,
    };
    struct iovec parts[] = {
        {.iov_base = &header, .iov_len = sizeof(header)},
        {.iov_base = (void *)frame, .iov_len = header.stored},
    };
    ssize_t written;

    if (pcap->fd < 0) {
        return;
    }
    do {
        written = writev(pcap->fd, parts, ARRAY_SIZE(parts));
    } while (written < 0 && errno == EINTR);
    if (written != (ssize_t)(sizeof(header) + header.stored)) {
        give_up(pcap, written < 0 ? strerror(errno) : "the file cannot grow");
    }
}

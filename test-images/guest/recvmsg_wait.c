// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Preloaded into the guest's iperf3. Up to 3.22 its UDP GRO receiver asks for
 * data without waiting, again and again, and so keeps a CPU busy however little
 * arrives; system calls and CPU time measured around it would be its own. Here
 * a recvmsg() that finds nothing waits a little before it says so.
 *
 * Built without a C library's headers: the cross compiler alone is enough.
 */
#define MSG_DONTWAIT 0x40
#define EAGAIN 11
#define POLLIN 1
/* <asm-generic/unistd.h> */
#define NR_PPOLL 73
#define NR_RECVMSG 212
/* iperf3 looks for the end of its run between two calls. */
#define WAIT_NS (100 * 1000 * 1000)

struct pollfd {
	int fd;
	short events;
	short revents;
};

struct timespec {
	long seconds;
	long nanoseconds;
};

extern int *__errno_location(void);

static long system_call(long number, long a, long b, long c, long d, long e)
{
	register long x8 __asm__("x8") = number;
	register long x0 __asm__("x0") = a;
	register long x1 __asm__("x1") = b;
	register long x2 __asm__("x2") = c;
	register long x3 __asm__("x3") = d;
	register long x4 __asm__("x4") = e;

	__asm__ volatile("svc 0"
			 : "+r"(x0)
			 : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4)
			 : "memory", "cc");
	return x0;
}

long recvmsg(int fd, void *message, int flags)
{
	long received = system_call(NR_RECVMSG, fd, (long)message, flags, 0, 0);

	if (received == -EAGAIN && (flags & MSG_DONTWAIT)) {
		struct pollfd wanted = { fd, POLLIN, 0 };
		struct timespec wait = { 0, WAIT_NS };

		if (system_call(NR_PPOLL, (long)&wanted, 1, (long)&wait, 0, 0) > 0)
			received = system_call(NR_RECVMSG, fd, (long)message, flags, 0, 0);
	}
	if (received < 0) {
		*__errno_location() = (int)-received;
		return -1;
	}
	return received;
}

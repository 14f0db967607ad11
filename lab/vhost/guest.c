// The guest of a vhost-user port (QEMU, docs/interop/vhost-user.rst): a virtio-net front end of one pair of queues that carries
// frames between the port and a tap of its own network namespace, so that ping and raw sockets try what a program with DPDK has.
//
//   guest server|client SOCKET TAP MAC
//
// server: it makes the socket, and a switch comes to it, again and again (Open vSwitch, dpdkvhostuserclient); client: the other way round (BESS).
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/if.h>
#include <linux/if_arp.h>
#include <linux/if_tun.h>
#include <linux/virtio_net.h>
#include <linux/virtio_ring.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { slots = 256, slotBytes = 4096, queueBytes = 0x4000, memoryBytes = 2 * queueBytes + 2 * slots * slotBytes };
enum { getFeatures = 1, setFeatures = 2, setOwner = 3, setMemTable = 5, setVringNum = 8, setVringAddr = 9, setVringBase = 10, setVringKick = 12, setVringCall = 13 };
/** What comes from the switch, and what goes to it: the numbers of virtio-net's first pair of queues. */
enum { rx = 0, tx = 1 };

struct message {
	uint32_t request, flags, size;
	union {
		uint64_t u64;
		struct { uint32_t index, num; } state;
		struct { uint32_t index, flags; uint64_t desc, used, avail, log; } addr;
		struct { uint32_t count, padding; uint64_t guest, size, user, offset; } memory;
	} body;
} __attribute__((packed));

struct queue {
	struct vring_desc *desc;
	struct vring_avail *avail;
	struct vring_used *used;
	uint16_t seen;
	int kick, call;
};

static uint8_t *memory;
static int memoryFd;
static struct queue queues[2];

static void fail(const char *what)
{
	fprintf(stderr, "%s: %s\n", what, strerror(errno));
	exit(1);
}

static uint64_t slotAt(int q, int slot) { return 2 * queueBytes + (uint64_t)(q * slots + slot) * slotBytes; }

/** Frames that the kernel has left without a checksum would go out so: it is told that we fill in none. */
static int openTap(const char *name, const char *mac)
{
	int fd = open("/dev/net/tun", O_RDWR | O_NONBLOCK);
	struct ifreq ask = { .ifr_flags = IFF_TAP | IFF_NO_PI };
	strncpy(ask.ifr_name, name, IFNAMSIZ - 1);
	if (fd < 0 || ioctl(fd, TUNSETIFF, &ask) < 0) fail("tap");
	ask.ifr_hwaddr.sa_family = ARPHRD_ETHER;
	uint8_t *to = (uint8_t *)ask.ifr_hwaddr.sa_data;
	if (sscanf(mac, "%hhx:%hhx:%hhx:%hhx:%hhx:%hhx", to, to + 1, to + 2, to + 3, to + 4, to + 5) != 6 || ioctl(fd, SIOCSIFHWADDR, &ask) < 0) fail("MAC");
	return fd;
}

/** Both ends of the socket forget each other with the connection: rings begin anew. */
static void resetQueues(void)
{
	memset(memory, 0, 2 * queueBytes);
	for (int q = 0; q < 2; q++) {
		uint8_t *at = memory + q * queueBytes;
		struct queue *queue = &queues[q];
		*queue = (struct queue){ .desc = (void *)at, .avail = (void *)(at + 0x1000), .used = (void *)(at + 0x2000), .kick = eventfd(0, EFD_NONBLOCK), .call = eventfd(0, EFD_NONBLOCK) };
		for (int slot = 0; slot < slots; slot++) {
			queue->desc[slot] = (struct vring_desc){ .addr = slotAt(q, slot), .len = slotBytes, .flags = q == rx ? VRING_DESC_F_WRITE : 0 };
			queue->avail->ring[slot] = slot;
		}
	}
	queues[rx].avail->idx = slots;
}

static int say(int socket, struct message *message, const int fd)
{
	message->flags = 1;
	struct iovec part = { message, 12 + message->size };
	char control[CMSG_SPACE(sizeof(int))] = { 0 };
	struct msghdr header = { .msg_iov = &part, .msg_iovlen = 1 };
	if (fd >= 0) {
		header.msg_control = control;
		header.msg_controllen = sizeof control;
		struct cmsghdr *rights = CMSG_FIRSTHDR(&header);
		*rights = (struct cmsghdr){ .cmsg_len = CMSG_LEN(sizeof(int)), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS };
		memcpy(CMSG_DATA(rights), &fd, sizeof fd);
	}
	return sendmsg(socket, &header, MSG_NOSIGNAL) == (ssize_t)part.iov_len ? 0 : -1;
}

static int sayNumber(int socket, uint32_t request, uint64_t number, int fd)
{
	struct message message = { .request = request, .size = 8, .body.u64 = number };
	return say(socket, &message, fd);
}

static int sayState(int socket, uint32_t request, uint32_t index, uint32_t num)
{
	struct message message = { .request = request, .size = 8, .body.state = { index, num } };
	return say(socket, &message, -1);
}

/** Version 1 of virtio alone: no offloads, no packed rings; without protocol features rings are enabled once they have both descriptors. */
static int greet(int socket)
{
	struct message message = { .request = getFeatures, .size = 0 };
	if (say(socket, &message, -1) < 0 || recv(socket, &message, 20, MSG_WAITALL) != 20) return -1;
	const uint64_t version1 = 1ULL << 32;
	if ((message.body.u64 & version1) == 0) return -1;
	message = (struct message){ .request = setOwner, .size = 0 };
	if (say(socket, &message, -1) < 0 || sayNumber(socket, setFeatures, version1, -1) < 0) return -1;
	message = (struct message){ .request = setMemTable, .size = 40, .body.memory = { .count = 1, .guest = 0, .size = memoryBytes, .user = (uintptr_t)memory, .offset = 0 } };
	if (say(socket, &message, memoryFd) < 0) return -1;
	for (uint32_t q = 0; q < 2; q++) {
		struct queue *queue = &queues[q];
		if (sayState(socket, setVringNum, q, slots) < 0 || sayState(socket, setVringBase, q, 0) < 0) return -1;
		message = (struct message){ .request = setVringAddr, .size = 40, .body.addr = { .index = q, .desc = (uintptr_t)queue->desc, .used = (uintptr_t)queue->used, .avail = (uintptr_t)queue->avail } };
		if (say(socket, &message, -1) < 0 || sayNumber(socket, setVringCall, q, queue->call) < 0 || sayNumber(socket, setVringKick, q, queue->kick) < 0) return -1;
	}
	return 0;
}

static uint16_t usedOf(struct queue *queue) { return __atomic_load_n(&queue->used->idx, __ATOMIC_ACQUIRE); }

static void offer(struct queue *queue, uint16_t slot)
{
	const uint16_t idx = queue->avail->idx;
	queue->avail->ring[idx % slots] = slot;
	__atomic_store_n(&queue->avail->idx, idx + 1, __ATOMIC_RELEASE);
	eventfd_write(queue->kick, 1);
}

static void toTap(int tap)
{
	struct queue *queue = &queues[rx];
	const size_t header = sizeof(struct virtio_net_hdr_v1);
	for (; queue->seen != usedOf(queue); queue->seen++) {
		const struct vring_used_elem done = queue->used->ring[queue->seen % slots];
		// A tap that is down or full loses it, as a wire does.
		if (done.id < slots && done.len > header && done.len <= slotBytes && write(tap, memory + slotAt(rx, done.id) + header, done.len - header) < 0 && errno != EAGAIN && errno != EIO) fail("write");
		if (done.id < slots) offer(queue, done.id);
	}
}

static void fromTap(int tap)
{
	struct queue *queue = &queues[tx];
	const size_t header = sizeof(struct virtio_net_hdr_v1);
	for (;;) {
		const uint16_t slot = queue->avail->idx % slots;
		uint8_t *at = memory + slotAt(tx, slot);
		const ssize_t count = read(tap, at + header, slotBytes - header);
		if (count <= 0) return;
		// Slots go round in order: the one that is next is free unless the switch has taken none for a whole round.
		if ((uint16_t)(queue->avail->idx - usedOf(queue)) >= slots) continue;
		memset(at, 0, header);
		queue->desc[slot].len = header + count;
		offer(queue, slot);
	}
}

/** Until the switch hangs up. */
static void serve(int socket, int tap)
{
	resetQueues();
	if (greet(socket) == 0)
		for (;;) {
			struct pollfd on[] = { { .fd = socket, .events = POLLIN | POLLRDHUP }, { .fd = tap, .events = POLLIN }, { .fd = queues[rx].call, .events = POLLIN } };
			if (poll(on, 3, 100) < 0 && errno != EINTR) fail("poll");
			if (on[0].revents != 0) break;
			eventfd_t calls;
			if (on[2].revents != 0) eventfd_read(queues[rx].call, &calls);
			toTap(tap);
			if (on[1].revents & POLLIN) fromTap(tap);
		}
	close(socket);
	for (int q = 0; q < 2; q++) {
		close(queues[q].kick);
		close(queues[q].call);
	}
}

int main(int argc, char **argv)
{
	if (argc != 5) return fprintf(stderr, "guest server|client SOCKET TAP MAC\n"), 2;
	const int isServer = strcmp(argv[1], "server") == 0;
	struct sockaddr_un at = { .sun_family = AF_UNIX };
	strncpy(at.sun_path, argv[2], sizeof at.sun_path - 1);
	const int tap = openTap(argv[3], argv[4]);
	memoryFd = memfd_create("guest", 0);
	if (memoryFd < 0 || ftruncate(memoryFd, memoryBytes) < 0) fail("memory");
	memory = mmap(NULL, memoryBytes, PROT_READ | PROT_WRITE, MAP_SHARED, memoryFd, 0);
	if (memory == MAP_FAILED) fail("mmap");
	int listening = -1;
	if (isServer) {
		unlink(at.sun_path);
		listening = socket(AF_UNIX, SOCK_STREAM, 0);
		if (bind(listening, (struct sockaddr *)&at, sizeof at) < 0 || listen(listening, 1) < 0) fail(at.sun_path);
	}
	for (;;) {
		int with = isServer ? accept(listening, NULL, NULL) : socket(AF_UNIX, SOCK_STREAM, 0);
		if (with < 0) fail("socket");
		if (!isServer && connect(with, (struct sockaddr *)&at, sizeof at) < 0) {
			close(with);
			usleep(50000);
			continue;
		}
		serve(with, tap);
	}
}

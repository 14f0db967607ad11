// What netlink has no message for, off the event loop: ioctls and raw frames at one interface, and programs of BPF.
#define _GNU_SOURCE
#include "netlink.h"
#include <fcntl.h>
#include <string.h>
#include <unistd.h>
#include <arpa/inet.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <linux/bpf.h>
#include <linux/ethtool.h>
#include <linux/filter.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <linux/if_tun.h>
#include <linux/netlink.h>
#include <linux/sockios.h>

enum { earBytes = 1 << 15 };

static struct ifreq requestOf(const Errand *e) {
  struct ifreq request;
  memset(&request, 0, sizeof request);
  memcpy(request.ifr_name, e->ifname, IFNAMSIZ);
  return request;
}

// ETHTOOL_STXCSUM, as `ethtool -K … tx off` does where the kernel has no netlink for it; takes scatter and TSO with it.
bool checksumsOff(Errand *e) {
  int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (fd < 0) return fail(&e->failure, "socket"), false;
  struct ethtool_value off = {.cmd = ETHTOOL_STXCSUM, .data = 0};
  struct ifreq request = requestOf(e);
  request.ifr_data = (void *)&off;
  int refused = ioctl(fd, SIOCETHTOOL, &request);
  if (refused) fail(&e->failure, "ioctl");
  close(fd);
  return !refused;
}

void runFrame(Errand *e) {
  int fd = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, 0);
  if (fd < 0) return fail(&e->failure, "socket");
  struct ifreq request = requestOf(e);
  if (ioctl(fd, SIOCGIFINDEX, &request)) fail(&e->failure, "ioctl");
  else {
    struct sockaddr_ll out = {.sll_family = AF_PACKET, .sll_ifindex = request.ifr_ifindex};
    if (sendto(fd, e->bytes.bytes, e->bytes.length, 0, (struct sockaddr *)&out, sizeof out) < 0) fail(&e->failure, "sendto");
  }
  close(fd);
}

// Every frame that passes the interface, either way, can be read from the file, one a read; none is held up. It never blocks.
void runSniff(Errand *e) {
  e->fd = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (e->fd < 0) return fail(&e->failure, "socket");
  struct ifreq request = requestOf(e);
  if (ioctl(e->fd, SIOCGIFINDEX, &request)) return fail(&e->failure, "ioctl");
  struct sockaddr_ll at = {.sll_family = AF_PACKET, .sll_protocol = htons(ETH_P_ALL), .sll_ifindex = request.ifr_ifindex};
  if (bind(e->fd, (struct sockaddr *)&at, sizeof at)) fail(&e->failure, "bind");
}

// A socket that hears what a program of classic BPF lets through, and nothing from before it has that program. Little waits in it: who floods it
// loses its own frames.
void runEar(Errand *e) {
  e->fd = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (e->fd < 0) return fail(&e->failure, "socket");
  struct ifreq request = requestOf(e);
  if (ioctl(e->fd, SIOCGIFINDEX, &request)) return fail(&e->failure, "ioctl");
  struct sock_fprog program = {.len = (unsigned short)(e->bytes.length / sizeof(struct sock_filter)), .filter = (struct sock_filter *)e->bytes.bytes};
  int size = earBytes;
  setsockopt(e->fd, SOL_SOCKET, SO_RCVBUF, &size, sizeof size);
  if (setsockopt(e->fd, SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof program)) return fail(&e->failure, "setsockopt");
  struct sockaddr_ll at = {.sll_family = AF_PACKET, .sll_protocol = htons(ETH_P_ALL), .sll_ifindex = request.ifr_ifindex};
  if (bind(e->fd, (struct sockaddr *)&at, sizeof at)) fail(&e->failure, "bind");
}

// The device is in the namespace of the thread that opens the file, and stays when it is closed. Whoever is killed before the kernel has been
// asked what the bytes say leaves none behind.
void runTap(Errand *e) {
  int fd = open("/dev/net/tun", O_RDWR | O_CLOEXEC);
  if (fd < 0) return fail(&e->failure, "/dev/net/tun");
  struct ifreq request = requestOf(e);
  request.ifr_flags = (short)(e->protocol | IFF_NO_PI);
  if (ioctl(fd, TUNSETIFF, &request)) fail(&e->failure, "TUNSETIFF");
  else if (e->owner >= 0 && ioctl(fd, TUNSETOWNER, (unsigned long)e->owner)) fail(&e->failure, "TUNSETOWNER");
  else if (e->ownerGroup >= 0 && ioctl(fd, TUNSETGROUP, (unsigned long)e->ownerGroup)) fail(&e->failure, "TUNSETGROUP");
  else {
    e->protocol = NETLINK_ROUTE;
    e->ifname[0] = 0;
    runOnce(e);
    if (e->failure.number == 0 && ioctl(fd, TUNSETPERSIST, 1)) fail(&e->failure, "TUNSETPERSIST");
  }
  close(fd);
}

void runProgram(Errand *e) {
  union bpf_attr asked;
  memset(&asked, 0, sizeof asked);
  asked.prog_type = BPF_PROG_TYPE_SCHED_CLS;
  asked.insns = (uintptr_t)e->bytes.bytes;
  asked.insn_cnt = (uint32_t)(e->bytes.length / sizeof(struct bpf_insn));
  asked.license = (uintptr_t)"Apache-2.0";
  memcpy(asked.prog_name, "megrez", sizeof "megrez");
  e->fd = (int)syscall(SYS_bpf, BPF_PROG_LOAD, &asked, sizeof asked);
  if (e->fd < 0) fail(&e->failure, "bpf");
}

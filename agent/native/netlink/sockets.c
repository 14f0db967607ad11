// Netlink sockets, off the event loop: opened, and bytes over them with all that the kernel answers.
#define _GNU_SOURCE
#include "netlink.h"
#include <errno.h>
#include <poll.h>
#include <unistd.h>
#include <sys/socket.h>
#include <linux/netlink.h>

enum { answersMax = 1 << 28, bufferBytes = 1 << 22, waitMs = 1000 };

static int openNetlink(Errand *e) {
  int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, e->protocol);
  if (fd < 0) return fail(&e->failure, "socket"), -1;
  int on = 1, size = bufferBytes;
  // Without CAP_NET_ADMIN over the machine the plain ones are asked; the kernel caps those.
  if (setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &size, sizeof size)) setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &size, sizeof size);
  if (setsockopt(fd, SOL_SOCKET, SO_SNDBUFFORCE, &size, sizeof size)) setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &size, sizeof size);
  // Niceties of newer kernels: the reason in words, no echo of the request, filters of dumps that are honoured.
  setsockopt(fd, SOL_NETLINK, NETLINK_EXT_ACK, &on, sizeof on);
  setsockopt(fd, SOL_NETLINK, NETLINK_CAP_ACK, &on, sizeof on);
  setsockopt(fd, SOL_NETLINK, NETLINK_GET_STRICT_CHK, &on, sizeof on);
  struct sockaddr_nl here = {.nl_family = AF_NETLINK};
  if (bind(fd, (struct sockaddr *)&here, sizeof here)) {
    fail(&e->failure, "bind");
    close(fd);
    return -1;
  }
  for (uint32_t i = 0; i < e->groupCount; i++) {
    if (setsockopt(fd, SOL_NETLINK, NETLINK_ADD_MEMBERSHIP, &e->groups[i], sizeof e->groups[i])) {
      fail(&e->failure, "setsockopt");
      close(fd);
      return -1;
    }
  }
  return fd;
}

static void drain(Failure *f, int fd, Bytes *into) {
  while (true) {
    if (!makeRoom(into, chunkBytes, answersMax)) return fail(f, "recv");
    ssize_t got = recv(fd, into->bytes + into->length, chunkBytes, MSG_DONTWAIT | MSG_TRUNC);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return;
    if (got < 0) return fail(f, "recv");
    if (got > chunkBytes) return errno = EMSGSIZE, fail(f, "recv");
    into->length += (size_t)got;
  }
}

void exchangeOn(Failure *f, int fd, const Bytes *bytes, Bytes *answers) {
  if (bytes->length == 0) {
    struct pollfd ready = {.fd = fd, .events = POLLIN};
    if (poll(&ready, 1, waitMs) < 0 && errno != EINTR) return fail(f, "poll");
    return drain(f, fd, answers);
  }
  struct sockaddr_nl kernel = {.nl_family = AF_NETLINK};
  ssize_t sent;
  do sent = sendto(fd, bytes->bytes, bytes->length, 0, (struct sockaddr *)&kernel, sizeof kernel);
  while (sent < 0 && errno == EINTR);
  if (sent < 0) return fail(f, "sendto");
  drain(f, fd, answers);
}

void runOpen(Errand *e) { e->fd = openNetlink(e); }

void runExchange(Errand *e) { exchangeOn(&e->failure, e->socket->fd, &e->bytes, &e->answers); }

void runOnce(Errand *e) {
  if (e->ifname[0] != 0 && !checksumsOff(e)) return;
  if (e->bytes.length == 0) return;
  int fd = openNetlink(e);
  if (fd < 0) return;
  exchangeOn(&e->failure, fd, &e->bytes, &e->answers);
  close(fd);
}

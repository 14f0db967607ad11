// Listening: one thread a socket, which hands over what it has read: of netlink all that is there, in one piece, as the kernel sends a datagram
// for each of ten thousand routes. What waits is bounded, in the kernel and here; what does not fit in is told as lost.
#define _GNU_SOURCE
#include "netlink.h"
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

// Of netlink a piece is up to chunkBytes.
enum { eventsMax = 4096, piecesMax = 16 };

typedef struct {
  Socket *socket;
  int fd;
  bool joins;  // datagrams may be handed over as one
  int wake;
  bool started;
  pthread_t thread;
  napi_threadsafe_function call;
} Listener;

typedef struct {
  size_t length;  // 0: some was lost
  uint8_t bytes[];
} Heard;

// false: the event loop is going away, and has let go of this thread itself.
static bool hand(Listener *l, const uint8_t *bytes, size_t length) {
  Heard *h = malloc(sizeof *h + length);
  if (h == NULL) return true;
  h->length = length;
  if (length > 0) memcpy(h->bytes, bytes, length);
  // A full queue holds the reader up; the kernel then says ENOBUFS, which is told as lost.
  napi_status status = napi_call_threadsafe_function(l->call, h, napi_tsfn_blocking);
  if (status != napi_ok) free(h);
  return status != napi_closing;
}

// Reads what is there, one datagram or as many as there is surely room for, into a buffer of two chunks. `end`: nothing more is to be heard.
static size_t readThere(Listener *l, uint8_t *bytes, bool *lost, bool *end) {
  size_t length = 0;
  do {
    ssize_t got = recv(l->fd, bytes + length, chunkBytes, MSG_DONTWAIT | MSG_TRUNC);
    // ENETDOWN: the interface of an ear was switched off, or is gone.
    *lost = got > chunkBytes || (got < 0 && (errno == ENOBUFS || errno == ENETDOWN));
    *end = got < 0 && !*lost && errno != EAGAIN && errno != EINTR;
    if (got <= 0 || *lost) return length;
    // Messages begin at multiples of four (NLMSG_ALIGN).
    length += ((size_t)got + 3) & ~(size_t)3;
  } while (l->joins && length < chunkBytes);
  return length;
}

static void *hear(void *given) {
  Listener *l = given;
  uint8_t *bytes = malloc(2 * chunkBytes);
  struct pollfd ready[2] = {{.fd = l->fd, .events = POLLIN}, {.fd = l->wake, .events = POLLIN}};
  bool wanted = true, lost = false, end = false;
  while (bytes != NULL && wanted && !end) {
    if (poll(ready, 2, -1) < 0 && errno != EINTR) break;
    if (ready[1].revents != 0) break;
    size_t length = readThere(l, bytes, &lost, &end);
    if (length > 0) wanted = hand(l, bytes, length);
    if (lost && wanted) wanted = hand(l, NULL, 0);
  }
  free(bytes);
  if (wanted) napi_release_threadsafe_function(l->call, napi_tsfn_release);
  return NULL;
}

static void told(napi_env env, napi_value call, void *context, void *given) {
  (void)context;
  Heard *h = given;
  if (env != NULL && call != NULL) {
    napi_value value = undefinedOf(env), ignored;
    if (h->length == 0 || napi_create_buffer_copy(env, h->length, h->bytes, NULL, &value) == napi_ok) napi_call_function(env, undefinedOf(env), call, 1, &value, &ignored);
  }
  free(h);
}

static void deafen(Listener *l) {
  uint64_t one = 1;
  if (write(l->wake, &one, sizeof one) < 0) return;
}

// Runs when the thread has let go of its function: it has ended, or is about to.
static void finalizeListener(napi_env env, void *given, void *hint) {
  (void)env, (void)hint;
  Listener *l = given;
  if (l->started) {
    deafen(l);
    pthread_join(l->thread, NULL);
  }
  close(l->wake);
  l->socket->wake = -1;
  closeIfIdle(l->socket);
  letGo(l->socket);
  free(l);
}

static bool isNetlink(int fd) {
  int domain = 0;
  socklen_t size = sizeof domain;
  return getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &domain, &size) == 0 && domain == AF_NETLINK;
}

napi_value listenTo(napi_env env, Socket *s, napi_value call) {
  napi_value name;
  Listener *l = calloc(1, sizeof *l);
  if (l == NULL) return refuse(env, "no memory");
  l->socket = s;
  l->fd = s->fd;
  l->joins = isNetlink(s->fd);
  l->wake = eventfd(0, EFD_CLOEXEC);
  napi_create_string_utf8(env, "megrez:netlink", NAPI_AUTO_LENGTH, &name);
  if (l->wake < 0 || napi_create_threadsafe_function(env, call, NULL, name, l->joins ? piecesMax : eventsMax, 1, l, finalizeListener, l, told, &l->call) != napi_ok) {
    if (l->wake >= 0) close(l->wake);
    free(l);
    return refuse(env, "nothing more can be listened to");
  }
  s->owners++;
  s->wake = l->wake;
  l->started = startThread(&l->thread, hear, l);
  if (!l->started) {
    napi_release_threadsafe_function(l->call, napi_tsfn_release);
    return refuse(env, "no thread to listen with");
  }
  napi_unref_threadsafe_function(env, l->call);
  return undefinedOf(env);
}

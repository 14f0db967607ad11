// What crosses the border to the kernel: bytes of netlink sockets and of raw frames, in this or another network namespace.
// Knows no message type: TypeScript does (core/wire/netlink*.ts).
//
// open(netns, protocol, groups)         -> Promise of a socket
// exchange(socket, bytes)               -> Promise of all answers that are there once the kernel has taken the bytes; no bytes: waits up to 1 s for more
// once(netns, protocol, bytes, ifname)  -> the same over a socket that lives for this one exchange; first switches checksum offload of ifname off, if given
// frame(netns, ifname, bytes)           -> Promise; sends one Ethernet frame out of an interface
// tap(netns, ifname, tun)               -> Promise; makes a tap device, or a tun, that stays: rtnetlink makes none; one that is there is left as it is
// program(instructions)                 -> Promise of an open file, a number that the caller closes: a program that the kernel has checked, for packets at a device
// listen(socket, call)                  -> call(bytes) for all that arrives, call(undefined) when some was lost; does not keep the process alive
// close(socket)                         -> twice is once
//
// netns is a path (an open file of this process is /proc/self/fd/N) or undefined. Errors carry errno and syscall.
// Nothing blocks the event loop. A thread that has entered another namespace ends there and is never used again.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <linux/bpf.h>
#include <linux/ethtool.h>
#include <linux/if.h>
#include <linux/if_packet.h>
#include <linux/if_tun.h>
#include <linux/netlink.h>
#include <linux/sockios.h>
#define NAPI_VERSION 8
#include <node_api.h>

enum { chunkBytes = 1 << 16, answersMax = 1 << 28, groupsMax = 64, pathMax = 4096, bufferBytes = 1 << 22, stackBytes = 1 << 18, waitMs = 1000, eventsMax = 4096 };

static const napi_type_tag socketTag = {0x6d656772657a2d6eULL, 0x65746c696e6b2d31ULL};

// Owned by an external value, by each exchange in flight, and by its listener. Counted on the event loop's thread alone.
typedef struct {
  int fd;
  int owners;
  bool busy;
  bool closed;
  int wake;  // eventfd that ends the listener; -1 without one
} Socket;

static void letGo(Socket *s) {
  if (--s->owners > 0) return;
  if (s->fd >= 0) close(s->fd);
  free(s);
}

// One thing to do off the event loop, with what it needs and what came of it.
typedef struct Errand Errand;
struct Errand {
  void (*run)(Errand *);
  napi_value (*answer)(napi_env, Errand *);
  char *netns;
  int protocol;
  uint32_t groups[groupsMax];
  uint32_t groupCount;
  uint8_t *bytes;
  size_t length;
  char ifname[IFNAMSIZ];
  Socket *socket;
  int fd;
  uint8_t *answers;
  size_t answered;
  size_t room;
  int failed;  // errno, 0 when well
  const char *call;
  napi_async_work work;
  napi_deferred deferred;
};

static void fail(Errand *e, const char *call) {
  e->failed = errno == 0 ? EIO : errno;
  e->call = call;
}

static void freeErrand(Errand *e) {
  if (e->fd >= 0) close(e->fd);
  free(e->netns);
  free(e->bytes);
  free(e->answers);
  free(e);
}

// ── Off the event loop

static int openNetlink(Errand *e) {
  int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, e->protocol);
  if (fd < 0) return fail(e, "socket"), -1;
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
    fail(e, "bind");
    close(fd);
    return -1;
  }
  for (uint32_t i = 0; i < e->groupCount; i++) {
    if (setsockopt(fd, SOL_NETLINK, NETLINK_ADD_MEMBERSHIP, &e->groups[i], sizeof e->groups[i])) {
      fail(e, "setsockopt");
      close(fd);
      return -1;
    }
  }
  return fd;
}

static bool grow(Errand *e) {
  if (e->room - e->answered >= chunkBytes) return true;
  size_t room = e->room == 0 ? chunkBytes : e->room * 2;
  if (room - e->answered < chunkBytes) room = e->answered + chunkBytes;
  if (room > answersMax) return errno = EMSGSIZE, false;
  uint8_t *more = realloc(e->answers, room);
  if (more == NULL) return errno = ENOMEM, false;
  e->answers = more;
  e->room = room;
  return true;
}

static void drain(Errand *e, int fd) {
  while (true) {
    if (!grow(e)) return fail(e, "recv");
    ssize_t got = recv(fd, e->answers + e->answered, chunkBytes, MSG_DONTWAIT | MSG_TRUNC);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return;
    if (got < 0) return fail(e, "recv");
    if (got > chunkBytes) return errno = EMSGSIZE, fail(e, "recv");
    e->answered += (size_t)got;
  }
}

static void exchangeOn(Errand *e, int fd) {
  if (e->length == 0) {
    struct pollfd ready = {.fd = fd, .events = POLLIN};
    if (poll(&ready, 1, waitMs) < 0 && errno != EINTR) return fail(e, "poll");
    return drain(e, fd);
  }
  struct sockaddr_nl kernel = {.nl_family = AF_NETLINK};
  ssize_t sent;
  do sent = sendto(fd, e->bytes, e->length, 0, (struct sockaddr *)&kernel, sizeof kernel);
  while (sent < 0 && errno == EINTR);
  if (sent < 0) return fail(e, "sendto");
  drain(e, fd);
}

// ETHTOOL_STXCSUM, as `ethtool -K … tx off` does where the kernel has no netlink for it; takes scatter and TSO with it.
static bool checksumsOff(Errand *e) {
  int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (fd < 0) return fail(e, "socket"), false;
  struct ethtool_value off = {.cmd = ETHTOOL_STXCSUM, .data = 0};
  struct ifreq request;
  memset(&request, 0, sizeof request);
  memcpy(request.ifr_name, e->ifname, IFNAMSIZ);
  request.ifr_data = (void *)&off;
  int refused = ioctl(fd, SIOCETHTOOL, &request);
  if (refused) fail(e, "ioctl");
  close(fd);
  return !refused;
}

static void runOpen(Errand *e) { e->fd = openNetlink(e); }

static void runExchange(Errand *e) { exchangeOn(e, e->socket->fd); }

static void runOnce(Errand *e) {
  if (e->ifname[0] != 0 && !checksumsOff(e)) return;
  if (e->length == 0) return;
  int fd = openNetlink(e);
  if (fd < 0) return;
  exchangeOn(e, fd);
  close(fd);
}

static void runFrame(Errand *e) {
  int fd = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, 0);
  if (fd < 0) return fail(e, "socket");
  struct ifreq request;
  memset(&request, 0, sizeof request);
  memcpy(request.ifr_name, e->ifname, IFNAMSIZ);
  if (ioctl(fd, SIOCGIFINDEX, &request)) fail(e, "ioctl");
  else {
    struct sockaddr_ll out = {.sll_family = AF_PACKET, .sll_ifindex = request.ifr_ifindex};
    if (sendto(fd, e->bytes, e->length, 0, (struct sockaddr *)&out, sizeof out) < 0) fail(e, "sendto");
  }
  close(fd);
}

// The device is in the namespace of the thread that opens the file, and stays when it is closed.
static void runTap(Errand *e) {
  int fd = open("/dev/net/tun", O_RDWR | O_CLOEXEC);
  if (fd < 0) return fail(e, "/dev/net/tun");
  struct ifreq request;
  memset(&request, 0, sizeof request);
  memcpy(request.ifr_name, e->ifname, IFNAMSIZ);
  request.ifr_flags = (short)(e->protocol | IFF_NO_PI);
  if (ioctl(fd, TUNSETIFF, &request)) fail(e, "TUNSETIFF");
  else if (ioctl(fd, TUNSETPERSIST, 1)) fail(e, "TUNSETPERSIST");
  close(fd);
}

static void runProgram(Errand *e) {
  union bpf_attr asked;
  memset(&asked, 0, sizeof asked);
  asked.prog_type = BPF_PROG_TYPE_SCHED_CLS;
  asked.insns = (uintptr_t)e->bytes;
  asked.insn_cnt = (uint32_t)(e->length / sizeof(struct bpf_insn));
  asked.license = (uintptr_t)"Apache-2.0";
  memcpy(asked.prog_name, "megrez", sizeof "megrez");
  e->fd = (int)syscall(SYS_bpf, BPF_PROG_LOAD, &asked, sizeof asked);
  if (e->fd < 0) fail(e, "bpf");
}

// The body of a thread that lives for one errand in another namespace.
static void *abroad(void *given) {
  Errand *e = given;
  // O_NONBLOCK: a path that is a pipe must not hold us.
  int ns = open(e->netns, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (ns < 0) return fail(e, "open"), NULL;
  int refused = setns(ns, CLONE_NEWNET);
  if (refused) fail(e, "setns");
  close(ns);
  if (!refused) e->run(e);
  return NULL;
}

static void execute(napi_env env, void *given) {
  (void)env;
  Errand *e = given;
  if (e->netns == NULL) return e->run(e);
  pthread_attr_t attributes;
  pthread_t thread;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, stackBytes);
  errno = pthread_create(&thread, &attributes, abroad, e);
  if (errno != 0) fail(e, "pthread_create");
  else pthread_join(thread, NULL);
  pthread_attr_destroy(&attributes);
}

// ── On the event loop

static napi_value undefinedOf(napi_env env) {
  napi_value value = NULL;
  napi_get_undefined(env, &value);
  return value;
}

static napi_value refuse(napi_env env, const char *why) {
  napi_throw_type_error(env, NULL, why);
  return NULL;
}

static napi_value errorOf(napi_env env, int failed, const char *call, const char *where) {
  char text[256];
  char reason[128];
  // The GNU strerror_r, which may return text of its own.
  snprintf(text, sizeof text, "%s%s%.100s: %s", call, where == NULL ? "" : " ", where == NULL ? "" : where, strerror_r(failed, reason, sizeof reason));
  napi_value message, error, number, name;
  napi_create_string_utf8(env, text, NAPI_AUTO_LENGTH, &message);
  napi_create_error(env, NULL, message, &error);
  napi_create_int32(env, failed, &number);
  napi_create_string_utf8(env, call, NAPI_AUTO_LENGTH, &name);
  napi_set_named_property(env, error, "errno", number);
  napi_set_named_property(env, error, "syscall", name);
  return error;
}

static void complete(napi_env env, napi_status status, void *given) {
  Errand *e = given;
  if (status == napi_cancelled) errno = ECANCELED, fail(e, "queue");
  if (e->socket != NULL) {
    e->socket->busy = false;
    if (e->socket->closed && e->socket->fd >= 0) {
      close(e->socket->fd);
      e->socket->fd = -1;
    }
    letGo(e->socket);
  }
  napi_value value = NULL;
  if (e->failed == 0) value = e->answer(env, e);
  if (e->failed == 0 && value != NULL) napi_resolve_deferred(env, e->deferred, value);
  else napi_reject_deferred(env, e->deferred, errorOf(env, e->failed == 0 ? ENOMEM : e->failed, e->failed == 0 ? "answer" : e->call, e->netns));
  napi_delete_async_work(env, e->work);
  freeErrand(e);
}

static napi_value start(napi_env env, Errand *e) {
  napi_value promise, name;
  if (napi_create_promise(env, &e->deferred, &promise) != napi_ok || napi_create_string_utf8(env, "megrez:netlink", NAPI_AUTO_LENGTH, &name) != napi_ok ||
      napi_create_async_work(env, NULL, name, execute, complete, e, &e->work) != napi_ok) {
    freeErrand(e);
    return refuse(env, "the event loop takes no more work");
  }
  if (napi_queue_async_work(env, e->work) != napi_ok) {
    napi_delete_async_work(env, e->work);
    freeErrand(e);
    return refuse(env, "the event loop takes no more work");
  }
  if (e->socket != NULL) {
    e->socket->owners++;
    e->socket->busy = true;
  }
  return promise;
}

static napi_value answerNothing(napi_env env, Errand *e) {
  (void)e;
  return undefinedOf(env);
}

static napi_value answerBytes(napi_env env, Errand *e) {
  napi_value value = NULL;
  napi_create_buffer_copy(env, e->answered, e->answers == NULL ? (uint8_t *)"" : e->answers, NULL, &value);
  return value;
}

// The file is the caller's from now on.
static napi_value answerFile(napi_env env, Errand *e) {
  napi_value value = NULL;
  if (napi_create_int32(env, e->fd, &value) != napi_ok) return NULL;
  e->fd = -1;
  return value;
}

static void finalizeSocket(napi_env env, void *given, void *hint) {
  (void)env, (void)hint;
  letGo(given);
}

static napi_value answerSocket(napi_env env, Errand *e) {
  napi_value value = NULL;
  Socket *s = calloc(1, sizeof *s);
  if (s == NULL) return NULL;
  *s = (Socket){.fd = e->fd, .owners = 1, .wake = -1};
  if (napi_create_external(env, s, finalizeSocket, NULL, &value) != napi_ok) {
    free(s);
    return NULL;
  }
  e->fd = -1;
  napi_type_tag_object(env, value, &socketTag);
  return value;
}

static Errand *newErrand(napi_env env, void (*run)(Errand *), napi_value (*answer)(napi_env, Errand *)) {
  Errand *e = calloc(1, sizeof *e);
  if (e == NULL) return refuse(env, "no memory"), NULL;
  e->run = run;
  e->answer = answer;
  e->fd = -1;
  return e;
}

static bool isNone(napi_env env, napi_value value) {
  napi_valuetype type;
  return napi_typeof(env, value, &type) == napi_ok && (type == napi_undefined || type == napi_null);
}

// false with an exception pending.
static bool takeNetns(napi_env env, napi_value value, Errand *e) {
  if (isNone(env, value)) return true;
  size_t length = 0;
  if (napi_get_value_string_utf8(env, value, NULL, 0, &length) != napi_ok || length == 0 || length >= pathMax) return refuse(env, "netns: a path, or undefined"), false;
  e->netns = malloc(length + 1);
  if (e->netns == NULL) return refuse(env, "no memory"), false;
  napi_get_value_string_utf8(env, value, e->netns, length + 1, &length);
  // A path that ends before its text does would be another path.
  return strlen(e->netns) == length || (refuse(env, "netns: a path without zero bytes"), false);
}

static bool takeIfname(napi_env env, napi_value value, Errand *e) {
  size_t length = 0;
  if (napi_get_value_string_utf8(env, value, NULL, 0, &length) != napi_ok || length == 0 || length >= IFNAMSIZ) return refuse(env, "ifname: 1 to 15 bytes"), false;
  napi_get_value_string_utf8(env, value, e->ifname, IFNAMSIZ, &length);
  return strlen(e->ifname) == length || (refuse(env, "ifname: no zero bytes"), false);
}

// A copy: what the caller does with its own afterwards changes nothing here.
static bool takeBytes(napi_env env, napi_value value, Errand *e) {
  napi_typedarray_type type;
  void *bytes = NULL;
  size_t length = 0;
  bool typed = false;
  if (napi_is_typedarray(env, value, &typed) != napi_ok || !typed) return refuse(env, "bytes: a Uint8Array"), false;
  if (napi_get_typedarray_info(env, value, &type, &length, &bytes, NULL, NULL) != napi_ok || type != napi_uint8_array) return refuse(env, "bytes: a Uint8Array"), false;
  if (length == 0) return true;
  e->bytes = malloc(length);
  if (e->bytes == NULL) return refuse(env, "no memory"), false;
  memcpy(e->bytes, bytes, length);
  e->length = length;
  return true;
}

static bool takeProtocol(napi_env env, napi_value value, Errand *e) {
  double number = -1;
  if (napi_get_value_double(env, value, &number) != napi_ok || !(number >= 0 && number < 64) || number != (int)number) return refuse(env, "protocol: a netlink protocol number"), false;
  e->protocol = (int)number;
  return true;
}

static bool takeGroups(napi_env env, napi_value value, Errand *e) {
  bool array = false;
  uint32_t count = 0;
  if (napi_is_array(env, value, &array) != napi_ok || !array || napi_get_array_length(env, value, &count) != napi_ok || count > groupsMax) return refuse(env, "groups: at most 64 numbers"), false;
  for (uint32_t i = 0; i < count; i++) {
    napi_value element;
    if (napi_get_element(env, value, i, &element) != napi_ok || napi_get_value_uint32(env, element, &e->groups[i]) != napi_ok) return refuse(env, "groups: at most 64 numbers"), false;
  }
  e->groupCount = count;
  return true;
}

static Socket *socketOf(napi_env env, napi_value value) {
  bool ours = false;
  napi_valuetype type;
  void *found = NULL;
  if (napi_typeof(env, value, &type) != napi_ok || type != napi_external || napi_check_object_type_tag(env, value, &socketTag, &ours) != napi_ok || !ours ||
      napi_get_value_external(env, value, &found) != napi_ok)
    return refuse(env, "socket: what open gave"), NULL;
  return found;
}

static bool arguments(napi_env env, napi_callback_info call, size_t wanted, napi_value *values) {
  size_t count = wanted;
  return napi_get_cb_info(env, call, &count, values, NULL, NULL) == napi_ok;
}

static napi_value Open(napi_env env, napi_callback_info call) {
  napi_value given[3];
  if (!arguments(env, call, 3, given)) return NULL;
  Errand *e = newErrand(env, runOpen, answerSocket);
  if (e == NULL) return NULL;
  if (takeNetns(env, given[0], e) && takeProtocol(env, given[1], e) && takeGroups(env, given[2], e)) return start(env, e);
  freeErrand(e);
  return NULL;
}

static napi_value Exchange(napi_env env, napi_callback_info call) {
  napi_value given[2];
  if (!arguments(env, call, 2, given)) return NULL;
  Socket *s = socketOf(env, given[0]);
  if (s == NULL) return NULL;
  if (s->closed) return refuse(env, "the socket is closed");
  if (s->busy || s->wake >= 0) return refuse(env, "the socket is in use: one exchange at a time, and none where somebody listens");
  Errand *e = newErrand(env, runExchange, answerBytes);
  if (e == NULL) return NULL;
  if (!takeBytes(env, given[1], e)) {
    freeErrand(e);
    return NULL;
  }
  e->socket = s;
  return start(env, e);
}

static napi_value Once(napi_env env, napi_callback_info call) {
  napi_value given[4];
  if (!arguments(env, call, 4, given)) return NULL;
  Errand *e = newErrand(env, runOnce, answerBytes);
  if (e == NULL) return NULL;
  if (takeNetns(env, given[0], e) && takeProtocol(env, given[1], e) && takeBytes(env, given[2], e) && (isNone(env, given[3]) || takeIfname(env, given[3], e))) return start(env, e);
  freeErrand(e);
  return NULL;
}

static napi_value Frame(napi_env env, napi_callback_info call) {
  napi_value given[3];
  if (!arguments(env, call, 3, given)) return NULL;
  Errand *e = newErrand(env, runFrame, answerNothing);
  if (e == NULL) return NULL;
  if (takeNetns(env, given[0], e) && takeIfname(env, given[1], e) && takeBytes(env, given[2], e)) return start(env, e);
  freeErrand(e);
  return NULL;
}

static napi_value Program(napi_env env, napi_callback_info call) {
  napi_value given[1];
  if (!arguments(env, call, 1, given)) return NULL;
  Errand *e = newErrand(env, runProgram, answerFile);
  if (e == NULL) return NULL;
  if (takeBytes(env, given[0], e)) {
    if (e->length > 0 && e->length % sizeof(struct bpf_insn) == 0) return start(env, e);
    refuse(env, "instructions: eight bytes each");
  }
  freeErrand(e);
  return NULL;
}

static napi_value Tap(napi_env env, napi_callback_info call) {
  napi_value given[3];
  if (!arguments(env, call, 3, given)) return NULL;
  Errand *e = newErrand(env, runTap, answerNothing);
  if (e == NULL) return NULL;
  bool tun = false;
  if (takeNetns(env, given[0], e) && takeIfname(env, given[1], e)) {
    if (napi_get_value_bool(env, given[2], &tun) == napi_ok) {
      e->protocol = tun ? IFF_TUN : IFF_TAP;
      return start(env, e);
    }
    refuse(env, "tun: true or false");
  }
  freeErrand(e);
  return NULL;
}

// ── Listening: one thread a socket, which hands over what it has read

typedef struct {
  Socket *socket;
  int fd;
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

static void *hear(void *given) {
  Listener *l = given;
  uint8_t *bytes = malloc(chunkBytes);
  struct pollfd ready[2] = {{.fd = l->fd, .events = POLLIN}, {.fd = l->wake, .events = POLLIN}};
  bool wanted = true;
  while (bytes != NULL && wanted) {
    if (poll(ready, 2, -1) < 0 && errno != EINTR) break;
    if (ready[1].revents != 0) break;
    ssize_t got = recv(l->fd, bytes, chunkBytes, MSG_DONTWAIT | MSG_TRUNC);
    if (got > 0 && got <= chunkBytes) wanted = hand(l, bytes, (size_t)got);
    else if (got > chunkBytes || (got < 0 && errno == ENOBUFS)) wanted = hand(l, NULL, 0);
    else if (got < 0 && errno != EAGAIN && errno != EINTR) break;
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
  if (l->socket->closed && l->socket->fd >= 0) {
    close(l->socket->fd);
    l->socket->fd = -1;
  }
  letGo(l->socket);
  free(l);
}

static napi_value Listen(napi_env env, napi_callback_info call) {
  napi_value given[2], name;
  if (!arguments(env, call, 2, given)) return NULL;
  Socket *s = socketOf(env, given[0]);
  if (s == NULL) return NULL;
  napi_valuetype type;
  if (napi_typeof(env, given[1], &type) != napi_ok || type != napi_function) return refuse(env, "call: a function");
  if (s->closed || s->busy || s->wake >= 0) return refuse(env, "the socket is closed or in use");
  Listener *l = calloc(1, sizeof *l);
  if (l == NULL) return refuse(env, "no memory");
  l->socket = s;
  l->fd = s->fd;
  l->wake = eventfd(0, EFD_CLOEXEC);
  napi_create_string_utf8(env, "megrez:netlink", NAPI_AUTO_LENGTH, &name);
  if (l->wake < 0 || napi_create_threadsafe_function(env, given[1], NULL, name, eventsMax, 1, l, finalizeListener, l, told, &l->call) != napi_ok) {
    if (l->wake >= 0) close(l->wake);
    free(l);
    return refuse(env, "nothing more can be listened to");
  }
  s->owners++;
  s->wake = l->wake;
  l->started = pthread_create(&l->thread, NULL, hear, l) == 0;
  if (!l->started) {
    napi_release_threadsafe_function(l->call, napi_tsfn_release);
    return refuse(env, "no thread to listen with");
  }
  napi_unref_threadsafe_function(env, l->call);
  return undefinedOf(env);
}

static napi_value Close(napi_env env, napi_callback_info call) {
  napi_value given[1];
  if (!arguments(env, call, 1, given)) return NULL;
  Socket *s = socketOf(env, given[0]);
  if (s == NULL) return NULL;
  if (s->closed) return undefinedOf(env);
  s->closed = true;
  uint64_t one = 1;
  if (s->wake >= 0 && write(s->wake, &one, sizeof one) < 0) return refuse(env, "the listener cannot be told");
  // In use: whoever uses it closes it when done.
  if (s->busy || s->wake >= 0) return undefinedOf(env);
  close(s->fd);
  s->fd = -1;
  return undefinedOf(env);
}

static napi_value init(napi_env env, napi_value exports) {
  const struct {
    const char *name;
    napi_callback call;
  } faces[] = {{"open", Open}, {"exchange", Exchange}, {"once", Once}, {"frame", Frame}, {"tap", Tap}, {"program", Program}, {"listen", Listen}, {"close", Close}};
  for (size_t i = 0; i < sizeof faces / sizeof *faces; i++) {
    napi_value function;
    if (napi_create_function(env, faces[i].name, NAPI_AUTO_LENGTH, faces[i].call, NULL, &function) != napi_ok) return NULL;
    napi_set_named_property(env, exports, faces[i].name, function);
  }
  return exports;
}
NAPI_MODULE(megrez_netlink, init)

// What crosses the border to the kernel: bytes of netlink sockets and of raw frames, in this or another network namespace.
// Knows no message type: TypeScript does (core/wire/netlink*.ts).
//
// open(netns, protocol, groups)         -> Promise of a socket
// exchange(socket, bytes)               -> Promise of all answers that are there once the kernel has taken the bytes; no bytes: waits up to 1 s for more
// once(netns, protocol, bytes, ifname)  -> the same over a socket that lives for this one exchange; first switches checksum offload of ifname off, if given
// chain(sockets, messages, fills)       -> Promise of an array: an exchange over each socket, each only after one in which nothing was refused, with numbers
//                                          filled in that were told before (steps.c): five of 32 bits each
// frame(netns, ifname, bytes)           -> Promise; sends one Ethernet frame out of an interface
// sniff(netns, ifname)                  -> Promise of an open file, a number that the caller closes: each frame that passes an interface is one read
// ear(netns, ifname, filter)            -> Promise of a socket to listen to: frames of an interface that a program of classic BPF lets through
// tap(netns, ifname, tun, bytes, owner, group, queues) -> Promise; makes a tap device, or a tun, that stays once the kernel has been asked the bytes of
//                                          rtnetlink, if given, which itself makes none; who may open it, -1 for nobody in particular; queues: whether it
//                                          takes several; one that is there is given to these and left as it is
// program(instructions)                 -> Promise of an open file, a number that the caller closes: a program that the kernel has checked, for packets at a device
// listen(socket, call)                  -> call(bytes) for all that arrives, call(undefined) when some was lost; does not keep the process alive
// close(socket)                         -> twice is once
//
// netns is a path (an open file of this process is /proc/self/fd/N) or undefined. Errors carry errno and syscall.
// Nothing blocks the event loop.
#include "netlink.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <linux/bpf.h>
#include <linux/filter.h>
#include <linux/if_tun.h>

enum { pathMax = 4096, protocolsMax = 64, stepsMax = 16 };

static const napi_type_tag socketTag = {0x6d656772657a2d6eULL, 0x65746c696e6b2d31ULL};

// ── Answers

static napi_value answerNothing(napi_env env, Errand *e) {
  (void)e;
  return undefinedOf(env);
}

static napi_value answerBytes(napi_env env, Errand *e) { return bufferOf(env, &e->answers); }

// As many as were made.
static napi_value answerSteps(napi_env env, Errand *e) {
  napi_value list = NULL;
  if (napi_create_array(env, &list) != napi_ok) return NULL;
  for (uint32_t i = 0; i < e->stepCount && e->steps[i].made; i++) {
    napi_value value = bufferOf(env, &e->steps[i].answers);
    if (value == NULL || napi_set_element(env, list, i, value) != napi_ok) return NULL;
  }
  return list;
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
  Socket *s = calloc(1, sizeof *s);
  if (s == NULL) return NULL;
  *s = (Socket){.fd = e->fd, .owners = 1, .wake = -1};
  napi_value value = externalOf(env, s, finalizeSocket, &socketTag);
  if (value == NULL) return free(s), NULL;
  e->fd = -1;
  return value;
}

// ── Arguments: false or NULL with an exception pending

static bool isNone(napi_env env, napi_value value) {
  napi_valuetype type;
  return napi_typeof(env, value, &type) == napi_ok && (type == napi_undefined || type == napi_null);
}

static bool takeNetns(napi_env env, napi_value value, Errand *e) {
  return isNone(env, value) || (e->netns = takeText(env, value, 1, pathMax - 1, "netns: a path without zero bytes, or undefined")) != NULL;
}

static bool takeIfname(napi_env env, napi_value value, Errand *e) {
  char *name = takeText(env, value, 1, IFNAMSIZ - 1, "ifname: 1 to 15 bytes, none of them zero");
  if (name == NULL) return false;
  memcpy(e->ifname, name, strlen(name) + 1);
  free(name);
  return true;
}

static bool takeMessage(napi_env env, napi_value value, Errand *e) { return takeBytes(env, value, &e->bytes, "bytes: a Uint8Array"); }

static bool takeProtocol(napi_env env, napi_value value, Errand *e) {
  double number = -1;
  if (napi_get_value_double(env, value, &number) != napi_ok || !(number >= 0 && number < protocolsMax) || number != (int)number) return refuse(env, "protocol: a netlink protocol number"), false;
  e->protocol = (int)number;
  return true;
}

static bool takeGroups(napi_env env, napi_value value, Errand *e) {
  const char *why = "groups: at most 64 numbers";
  uint32_t count = 0;
  if (!takeCount(env, value, groupsMax, &count, why)) return false;
  for (uint32_t i = 0; i < count; i++) {
    napi_value element;
    if (napi_get_element(env, value, i, &element) != napi_ok || napi_get_value_uint32(env, element, &e->groups[i]) != napi_ok) return refuse(env, why), false;
  }
  e->groupCount = count;
  return true;
}

static Socket *takeSocket(napi_env env, napi_value value) { return takeExternal(env, value, &socketTag, "socket: what open gave"); }

// One that may be asked now.
static Socket *takeIdle(napi_env env, napi_value value) {
  Socket *s = takeSocket(env, value);
  if (s == NULL) return NULL;
  if (s->closed) return refuse(env, "the socket is closed"), NULL;
  if (s->busy || s->wake >= 0) return refuse(env, "the socket is in use: one exchange at a time, and none where somebody listens"), NULL;
  return s;
}

static bool takeSteps(napi_env env, napi_value sockets, napi_value messages, Errand *e) {
  const char *why = "sockets and messages: as many of either, 16 at most";
  uint32_t count = 0, also = 0;
  if (!takeCount(env, sockets, stepsMax, &count, why) || !takeCount(env, messages, stepsMax, &also, why)) return false;
  if (count != also || count == 0) return refuse(env, why), false;
  e->steps = calloc(count, sizeof *e->steps);
  if (e->steps == NULL) return refuse(env, "no memory"), false;
  for (; e->stepCount < count; e->stepCount++) {
    Step *s = &e->steps[e->stepCount];
    napi_value socket, bytes;
    if (napi_get_element(env, sockets, e->stepCount, &socket) != napi_ok || napi_get_element(env, messages, e->stepCount, &bytes) != napi_ok) return refuse(env, why), false;
    s->socket = takeIdle(env, socket);
    if (s->socket == NULL || !takeBytes(env, bytes, &s->bytes, "messages: Uint8Arrays")) return false;
    // Without bytes it would be waited for what nobody asked.
    if (s->bytes.length == 0) return refuse(env, "messages: none of them empty"), false;
  }
  return true;
}

// ── What JavaScript calls

static napi_value beginOrFree(napi_env env, Errand *e, bool whole) { return whole ? begin(env, e) : (freeErrand(e), NULL); }

static napi_value Open(napi_env env, napi_callback_info call) {
  napi_value given[3];
  if (!arguments(env, call, 3, given)) return NULL;
  Errand *e = newErrand(env, runOpen, answerSocket);
  return e == NULL ? NULL : beginOrFree(env, e, takeNetns(env, given[0], e) && takeProtocol(env, given[1], e) && takeGroups(env, given[2], e));
}

static napi_value Exchange(napi_env env, napi_callback_info call) {
  napi_value given[2];
  if (!arguments(env, call, 2, given)) return NULL;
  Socket *s = takeIdle(env, given[0]);
  if (s == NULL) return NULL;
  Errand *e = newErrand(env, runExchange, answerBytes);
  if (e == NULL) return NULL;
  e->socket = s;
  return beginOrFree(env, e, takeMessage(env, given[1], e));
}

static napi_value Once(napi_env env, napi_callback_info call) {
  napi_value given[4];
  if (!arguments(env, call, 4, given)) return NULL;
  Errand *e = newErrand(env, runOnce, answerBytes);
  if (e == NULL) return NULL;
  bool whole = takeNetns(env, given[0], e) && takeProtocol(env, given[1], e) && takeMessage(env, given[2], e);
  return beginOrFree(env, e, whole && (isNone(env, given[3]) || takeIfname(env, given[3], e)));
}

static napi_value Chain(napi_env env, napi_callback_info call) {
  napi_value given[3];
  if (!arguments(env, call, 3, given)) return NULL;
  Errand *e = newErrand(env, runSteps, answerSteps);
  return e == NULL ? NULL : beginOrFree(env, e, takeSteps(env, given[0], given[1], e) && takeBytes(env, given[2], &e->fills, "fills: a Uint8Array"));
}

static napi_value Frame(napi_env env, napi_callback_info call) {
  napi_value given[3];
  if (!arguments(env, call, 3, given)) return NULL;
  Errand *e = newErrand(env, runFrame, answerNothing);
  return e == NULL ? NULL : beginOrFree(env, e, takeNetns(env, given[0], e) && takeIfname(env, given[1], e) && takeMessage(env, given[2], e));
}

static napi_value Sniff(napi_env env, napi_callback_info call) {
  napi_value given[2];
  if (!arguments(env, call, 2, given)) return NULL;
  Errand *e = newErrand(env, runSniff, answerFile);
  return e == NULL ? NULL : beginOrFree(env, e, takeNetns(env, given[0], e) && takeIfname(env, given[1], e));
}

static napi_value Ear(napi_env env, napi_callback_info call) {
  napi_value given[3];
  if (!arguments(env, call, 3, given)) return NULL;
  Errand *e = newErrand(env, runEar, answerSocket);
  if (e == NULL) return NULL;
  bool whole = takeNetns(env, given[0], e) && takeIfname(env, given[1], e) && takeMessage(env, given[2], e);
  if (whole && (e->bytes.length == 0 || e->bytes.length % sizeof(struct sock_filter) != 0 || e->bytes.length > BPF_MAXINSNS * sizeof(struct sock_filter)))
    whole = (refuse(env, "filter: 1 to 4096 instructions of eight bytes each"), false);
  return beginOrFree(env, e, whole);
}

static napi_value Tap(napi_env env, napi_callback_info call) {
  napi_value given[7];
  bool tun = false, queues = false;
  if (!arguments(env, call, 7, given)) return NULL;
  Errand *e = newErrand(env, runTap, answerNothing);
  if (e == NULL) return NULL;
  bool whole = takeNetns(env, given[0], e) && takeIfname(env, given[1], e);
  if (whole && napi_get_value_bool(env, given[2], &tun) != napi_ok) whole = (refuse(env, "tun: true or false"), false);
  if (whole && (napi_get_value_int64(env, given[4], &e->owner) != napi_ok || napi_get_value_int64(env, given[5], &e->ownerGroup) != napi_ok))
    whole = (refuse(env, "owner, group: numbers"), false);
  if (whole && napi_get_value_bool(env, given[6], &queues) != napi_ok) whole = (refuse(env, "queues: true or false"), false);
  e->protocol = (tun ? IFF_TUN : IFF_TAP) | (queues ? IFF_MULTI_QUEUE : 0);
  return beginOrFree(env, e, whole && (isNone(env, given[3]) || takeMessage(env, given[3], e)));
}

static napi_value Program(napi_env env, napi_callback_info call) {
  napi_value given[1];
  if (!arguments(env, call, 1, given)) return NULL;
  Errand *e = newErrand(env, runProgram, answerFile);
  if (e == NULL) return NULL;
  bool whole = takeMessage(env, given[0], e);
  if (whole && (e->bytes.length == 0 || e->bytes.length % sizeof(struct bpf_insn) != 0)) whole = (refuse(env, "instructions: eight bytes each"), false);
  return beginOrFree(env, e, whole);
}

static napi_value Listen(napi_env env, napi_callback_info call) {
  napi_value given[2];
  if (!arguments(env, call, 2, given)) return NULL;
  Socket *s = takeSocket(env, given[0]);
  if (s == NULL) return NULL;
  napi_valuetype type;
  if (napi_typeof(env, given[1], &type) != napi_ok || type != napi_function) return refuse(env, "call: a function");
  if (s->closed || s->busy || s->wake >= 0) return refuse(env, "the socket is closed or in use");
  return listenTo(env, s, given[1]);
}

static napi_value Close(napi_env env, napi_callback_info call) {
  napi_value given[1];
  if (!arguments(env, call, 1, given)) return NULL;
  Socket *s = takeSocket(env, given[0]);
  if (s == NULL) return NULL;
  if (s->closed) return undefinedOf(env);
  s->closed = true;
  uint64_t one = 1;
  if (s->wake >= 0 && write(s->wake, &one, sizeof one) < 0) return refuse(env, "the listener cannot be told");
  closeIfIdle(s);
  return undefinedOf(env);
}

static napi_value init(napi_env env, napi_value exports) {
  const Face faces[] = {{"open", Open}, {"exchange", Exchange}, {"once", Once}, {"chain", Chain}, {"frame", Frame}, {"sniff", Sniff}, {"ear", Ear}, {"tap", Tap}, {"program", Program}, {"listen", Listen}, {"close", Close}};
  return expose(env, exports, faces, sizeof faces / sizeof *faces);
}
NAPI_MODULE(megrez_netlink, init)

// Unix stream sockets whose messages bring open files, and take some along.
//
// start(call)             -> once; call(id, readable, writable) for what was armed. The event loop stays while a socket is open
// listen(path)            -> a socket, for its owner and group
// connect(path)           -> a socket
// accept(socket)          -> a socket, or undefined: nobody is there now
// idOf(socket)            -> a number of its own
// arm(socket, read, write) -> told once it is ready for one of them; replaces what was armed before
// receive(socket)         -> [bytes, file, file …], the files the caller's to close; no bytes: the peer has said all; undefined: nothing is there now
// send(socket, bytes, files) -> how many bytes were taken, the files with the first of them; -1: none now
// end(socket)             -> nothing more is sent
// close(socket)           -> twice is once
// namespaceType(file)     -> its CLONE_NEW… flag, 0: no namespace
//
// Nothing blocks. Errors carry errno and syscall.
#define _GNU_SOURCE
#include "unix.h"
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>
#include <sys/socket.h>

static const napi_type_tag socketTag = {0x6d656772657a2d75ULL, 0x6e69782d30303031ULL};

static napi_value refused(napi_env env, const char *call, const char *where) {
  Failure f = {0};
  fail(&f, call);
  napi_throw(env, errorOf(env, &f, where));
  return NULL;
}

static bool isLater(void) { return errno == EAGAIN || errno == EWOULDBLOCK; }

static void finalizeSocket(napi_env env, void *given, void *hint) {
  (void)hint;
  Socket *s = given;
  closeSocket(env, s);
  letGoOfPoller(s->poller);
  free(s);
}

// Takes the file, whatever comes of it.
static napi_value socketOf(napi_env env, Poller *p, int fd) {
  Socket *s = calloc(1, sizeof *s);
  if (s == NULL) return close(fd), refuse(env, "no memory");
  *s = (Socket){.fd = fd, .id = ++p->made, .poller = p};
  p->owners++;
  if (p->open++ == 0 && p->call != NULL) napi_ref_threadsafe_function(env, p->call);
  napi_value value = externalOf(env, s, finalizeSocket, &socketTag);
  if (value == NULL) return finalizeSocket(env, s, NULL), refuse(env, "no memory");
  if (watch(s)) return value;
  refused(env, "epoll_ctl", NULL);
  closeSocket(env, s);
  return NULL;
}

// ── Arguments: NULL or false with an exception pending

static Poller *takePoller(napi_env env) {
  Poller *p = NULL;
  napi_get_instance_data(env, (void **)&p);
  return p != NULL ? p : (refuse(env, "nobody has started it"), NULL);
}

static Socket *takeSocket(napi_env env, napi_value value) {
  Socket *s = takeExternal(env, value, &socketTag, "socket: what listen, connect or accept gave");
  return s == NULL || s->fd >= 0 ? s : (refuse(env, "the socket is closed"), NULL);
}

// As it is: it is used before anybody can change it.
static bool viewBytes(napi_env env, napi_value value, const uint8_t **bytes, size_t *length) {
  napi_typedarray_type type;
  void *at = NULL;
  bool typed = false;
  bool fits = napi_is_typedarray(env, value, &typed) == napi_ok && typed && napi_get_typedarray_info(env, value, &type, length, &at, NULL, NULL) == napi_ok && type == napi_uint8_array && *length > 0;
  *bytes = at;
  return fits || (refuse(env, "bytes: a Uint8Array that is not empty"), false);
}

static bool takeFile(napi_env env, napi_value value, int *file) {
  double number = -1;
  if (napi_get_value_double(env, value, &number) == napi_ok && number >= 0 && number <= INT32_MAX && number == (int)number) return *file = (int)number, true;
  return refuse(env, "file: the number of an open file"), false;
}

static bool takeFiles(napi_env env, napi_value list, int *files, uint32_t *count) {
  if (!takeCount(env, list, filesMax, count, "files: at most 253 numbers of open files")) return false;
  for (uint32_t i = 0; i < *count; i++) {
    napi_value element;
    if (napi_get_element(env, list, i, &element) != napi_ok) return refuse(env, "files: numbers"), false;
    if (!takeFile(env, element, &files[i])) return false;
  }
  return true;
}

// ── What JavaScript calls

static void finalizeInstance(napi_env env, void *given, void *hint) {
  (void)env, (void)hint;
  letGoOfPoller(given);
}

static napi_value Start(napi_env env, napi_callback_info call) {
  napi_value given[1];
  napi_valuetype type;
  void *had = NULL;
  if (!arguments(env, call, 1, given)) return NULL;
  if (napi_typeof(env, given[0], &type) != napi_ok || type != napi_function) return refuse(env, "call: a function");
  if (napi_get_instance_data(env, &had) == napi_ok && had != NULL) return refuse(env, "it has been started");
  Poller *p = startPoller(env, given[0]);
  if (p == NULL) return NULL;
  napi_set_instance_data(env, p, finalizeInstance, NULL);
  return undefinedOf(env);
}

static napi_value socketAt(napi_env env, napi_callback_info call, int (*make)(const char *), const char *syscall) {
  napi_value given[1], value = NULL;
  Poller *p = takePoller(env);
  if (p == NULL || !arguments(env, call, 1, given)) return NULL;
  char *path = takeText(env, given[0], 1, pathMax, "path: 1 to 107 bytes, none of them zero");
  if (path == NULL) return NULL;
  int fd = make(path);
  value = fd < 0 ? refused(env, syscall, path) : socketOf(env, p, fd);
  free(path);
  return value;
}

static napi_value Listen(napi_env env, napi_callback_info call) { return socketAt(env, call, listenAt, "listen"); }
static napi_value Connect(napi_env env, napi_callback_info call) { return socketAt(env, call, connectTo, "connect"); }

static Socket *only(napi_env env, napi_callback_info call) {
  napi_value given[1];
  return arguments(env, call, 1, given) ? takeSocket(env, given[0]) : NULL;
}

static napi_value Accept(napi_env env, napi_callback_info call) {
  Socket *s = only(env, call);
  if (s == NULL) return NULL;
  int fd = accept4(s->fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
  if (fd >= 0) return socketOf(env, s->poller, fd);
  return isLater() || errno == ECONNABORTED || errno == EINTR ? undefinedOf(env) : refused(env, "accept4", NULL);
}

static napi_value IdOf(napi_env env, napi_callback_info call) {
  napi_value value = NULL;
  Socket *s = only(env, call);
  if (s != NULL) napi_create_double(env, (double)s->id, &value);
  return value;
}

static napi_value Arm(napi_env env, napi_callback_info call) {
  napi_value given[3];
  bool read = false, write = false;
  if (!arguments(env, call, 3, given)) return NULL;
  Socket *s = takeSocket(env, given[0]);
  if (s == NULL) return NULL;
  if (napi_get_value_bool(env, given[1], &read) != napi_ok || napi_get_value_bool(env, given[2], &write) != napi_ok) return refuse(env, "read, write: true or false");
  return arm(s, read, write) ? undefinedOf(env) : refused(env, "epoll_ctl", NULL);
}

static bool filled(napi_env env, napi_value list, const uint8_t *bytes, const Received *r) {
  napi_value value;
  if (napi_create_buffer_copy(env, (size_t)r->length, bytes, NULL, &value) != napi_ok || napi_set_element(env, list, 0, value) != napi_ok) return false;
  for (size_t i = 0; i < r->count; i++)
    if (napi_create_int32(env, r->files[i], &value) != napi_ok || napi_set_element(env, list, (uint32_t)i + 1, value) != napi_ok) return false;
  return true;
}

static napi_value Receive(napi_env env, napi_callback_info call) {
  uint8_t bytes[receiveMax];
  Received r = {.count = 0};
  Failure f = {0};
  napi_value list = NULL;
  Socket *s = only(env, call);
  if (s == NULL) return NULL;
  receiveFrom(&f, s->fd, bytes, sizeof bytes, &r);
  if (f.number == EAGAIN) return undefinedOf(env);
  if (f.number != 0) return napi_throw(env, errorOf(env, &f, NULL)), NULL;
  if (napi_create_array(env, &list) == napi_ok && filled(env, list, bytes, &r)) return list;
  closeFiles(r.files, r.count);
  return refuse(env, "no memory");
}

static napi_value Send(napi_env env, napi_callback_info call) {
  napi_value given[3], value = NULL;
  const uint8_t *bytes = NULL;
  size_t length = 0;
  int files[filesMax];
  uint32_t count = 0;
  if (!arguments(env, call, 3, given)) return NULL;
  Socket *s = takeSocket(env, given[0]);
  // The files first: what reads them may run code, which could change the bytes.
  if (s == NULL || !takeFiles(env, given[2], files, &count) || !viewBytes(env, given[1], &bytes, &length)) return NULL;
  if (s->fd < 0) return refuse(env, "the socket is closed");
  ssize_t sent = sendTo(s->fd, bytes, length, files, count);
  if (sent < 0 && !isLater()) return refused(env, "sendmsg", NULL);
  napi_create_int64(env, sent, &value);
  return value;
}

static napi_value End(napi_env env, napi_callback_info call) {
  Socket *s = only(env, call);
  if (s == NULL) return NULL;
  return shutdown(s->fd, SHUT_WR) == 0 || errno == ENOTCONN ? undefinedOf(env) : refused(env, "shutdown", NULL);
}

static napi_value Close(napi_env env, napi_callback_info call) {
  napi_value given[1];
  if (!arguments(env, call, 1, given)) return NULL;
  Socket *s = takeExternal(env, given[0], &socketTag, "socket: what listen, connect or accept gave");
  if (s == NULL) return NULL;
  closeSocket(env, s);
  return undefinedOf(env);
}

static napi_value NamespaceType(napi_env env, napi_callback_info call) {
  napi_value given[1], value = NULL;
  int file;
  if (!arguments(env, call, 1, given) || !takeFile(env, given[0], &file)) return NULL;
  int type = namespaceType(file);
  if (type < 0) return refused(env, "ioctl", NULL);
  napi_create_int32(env, type, &value);
  return value;
}

static napi_value init(napi_env env, napi_value exports) {
  const Face faces[] = {{"start", Start}, {"listen", Listen}, {"connect", Connect}, {"accept", Accept}, {"idOf", IdOf}, {"arm", Arm}, {"receive", Receive}, {"send", Send}, {"end", End}, {"close", Close}, {"namespaceType", NamespaceType}};
  return expose(env, exports, faces, sizeof faces / sizeof *faces);
}
NAPI_MODULE(megrez_unix, init)

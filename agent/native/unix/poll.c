// Readiness: one thread for all sockets of an environment. What it says is said once (EPOLLONESHOT): whoever is not ready for more does
// not ask, and the kernel holds the peer up.
#define _GNU_SOURCE
#include "unix.h"
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>

enum { readable = 1, writable = 2, flagBits = 2, readyMax = 64 };
_Static_assert(sizeof(void *) == sizeof(uint64_t), "an id and its flags travel in a pointer");

static void *await(void *given) {
  Poller *p = given;
  // The event loop forgets its own when it goes.
  napi_threadsafe_function call = p->call;
  struct epoll_event ready[readyMax];
  bool wanted = true, woken = false;
  while (wanted && !woken) {
    int count = epoll_wait(p->epoll, ready, readyMax, -1);
    if (count < 0 && errno != EINTR) break;
    for (int i = 0; i < count && wanted; i++) {
      // Id 0 is the thread's own.
      if (ready[i].data.u64 == 0) {
        woken = true;
        continue;
      }
      // What has gone wrong is told by the call that comes next.
      bool both = (ready[i].events & (EPOLLERR | EPOLLHUP)) != 0;
      uint64_t flags = (both || (ready[i].events & (EPOLLIN | EPOLLRDHUP)) != 0 ? readable : 0) | (both || (ready[i].events & EPOLLOUT) != 0 ? writable : 0);
      wanted = napi_call_threadsafe_function(call, (void *)(uintptr_t)(ready[i].data.u64 << flagBits | flags), napi_tsfn_nonblocking) != napi_closing;
    }
  }
  if (wanted) napi_release_threadsafe_function(call, napi_tsfn_release);
  return NULL;
}

static void told(napi_env env, napi_value call, void *context, void *given) {
  (void)context;
  uint64_t packed = (uint64_t)(uintptr_t)given;
  napi_value values[3], ignored;
  if (env == NULL || call == NULL) return;
  napi_create_double(env, (double)(packed >> flagBits), &values[0]);
  napi_get_boolean(env, (packed & readable) != 0, &values[1]);
  napi_get_boolean(env, (packed & writable) != 0, &values[2]);
  napi_call_function(env, undefinedOf(env), call, 3, values, &ignored);
}

void letGoOfPoller(Poller *p) {
  if (--p->owners > 0) return;
  if (p->epoll >= 0) close(p->epoll);
  if (p->wake >= 0) close(p->wake);
  free(p);
}

// The event loop goes.
static void finalizeCall(napi_env env, void *given, void *hint) {
  (void)env, (void)hint;
  Poller *p = given;
  uint64_t one = 1;
  p->call = NULL;
  if (p->started && write(p->wake, &one, sizeof one) == sizeof one) pthread_join(p->thread, NULL);
  letGoOfPoller(p);
}

static bool opened(Poller *p) {
  struct epoll_event event = {.events = EPOLLIN};
  p->epoll = epoll_create1(EPOLL_CLOEXEC);
  p->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  return p->epoll >= 0 && p->wake >= 0 && epoll_ctl(p->epoll, EPOLL_CTL_ADD, p->wake, &event) == 0;
}

Poller *startPoller(napi_env env, napi_value call) {
  napi_value name;
  Poller *p = calloc(1, sizeof *p);
  if (p == NULL) return refuse(env, "no memory"), NULL;
  *p = (Poller){.epoll = -1, .wake = -1, .owners = 1};
  napi_create_string_utf8(env, "megrez:unix", NAPI_AUTO_LENGTH, &name);
  // What waits is bounded by the sockets: each is told once.
  if (!opened(p) || napi_create_threadsafe_function(env, call, NULL, name, 0, 1, p, finalizeCall, p, told, &p->call) != napi_ok) {
    letGoOfPoller(p);
    return refuse(env, "no sockets can be watched"), NULL;
  }
  p->owners++;
  napi_unref_threadsafe_function(env, p->call);
  p->started = startThread(&p->thread, await, p);
  if (p->started) return p;
  napi_release_threadsafe_function(p->call, napi_tsfn_release);
  letGoOfPoller(p);
  return refuse(env, "no thread to watch sockets with"), NULL;
}

bool watch(Socket *s) {
  struct epoll_event event = {.events = EPOLLONESHOT, .data.u64 = s->id};
  return epoll_ctl(s->poller->epoll, EPOLL_CTL_ADD, s->fd, &event) == 0;
}

bool arm(Socket *s, bool read, bool write) {
  uint32_t events = EPOLLONESHOT | (read ? EPOLLIN | EPOLLRDHUP : 0u) | (write ? EPOLLOUT : 0u);
  struct epoll_event event = {.events = events, .data.u64 = s->id};
  return epoll_ctl(s->poller->epoll, EPOLL_CTL_MOD, s->fd, &event) == 0;
}

void closeSocket(napi_env env, Socket *s) {
  if (s->fd < 0) return;
  close(s->fd);
  s->fd = -1;
  if (--s->poller->open == 0 && s->poller->call != NULL) napi_unref_threadsafe_function(env, s->poller->call);
}

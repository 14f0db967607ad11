// One thing off the event loop: on a thread of libuv's, or where it is in another network namespace on a thread of its own, which
// ends there and is never used again.
#define _GNU_SOURCE
#include "netlink.h"
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdlib.h>
#include <unistd.h>

Errand *newErrand(napi_env env, void (*run)(Errand *), napi_value (*answer)(napi_env, Errand *)) {
  Errand *e = calloc(1, sizeof *e);
  if (e == NULL) return refuse(env, "no memory"), NULL;
  e->run = run;
  e->answer = answer;
  e->fd = -1;
  return e;
}

void freeErrand(Errand *e) {
  if (e->fd >= 0) close(e->fd);
  free(e->netns);
  free(e->bytes.bytes);
  free(e->answers.bytes);
  for (uint32_t i = 0; i < e->stepCount; i++) {
    free(e->steps[i].bytes.bytes);
    free(e->steps[i].answers.bytes);
  }
  free(e->steps);
  free(e->fills.bytes);
  free(e);
}

void letGo(Socket *s) {
  if (--s->owners > 0) return;
  if (s->fd >= 0) close(s->fd);
  free(s);
}

void closeIfIdle(Socket *s) {
  if (!s->closed || s->busy || s->wake >= 0 || s->fd < 0) return;
  close(s->fd);
  s->fd = -1;
}

// The body of a thread that lives for one errand in another namespace.
static void *abroad(void *given) {
  Errand *e = given;
  // O_NONBLOCK: a path that is a pipe must not hold us.
  int ns = open(e->netns, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (ns < 0) return fail(&e->failure, "open"), NULL;
  int refused = setns(ns, CLONE_NEWNET);
  if (refused) fail(&e->failure, "setns");
  close(ns);
  if (!refused) e->run(e);
  return NULL;
}

static void execute(napi_env env, void *given) {
  (void)env;
  Errand *e = given;
  pthread_t thread;
  if (e->netns == NULL) return e->run(e);
  if (startThread(&thread, abroad, e)) pthread_join(thread, NULL);
  else fail(&e->failure, "pthread_create");
}

static void take(Socket *s) {
  s->owners++;
  s->busy = true;
}

static void giveBack(Socket *s) {
  s->busy = false;
  closeIfIdle(s);
  letGo(s);
}

static void complete(napi_env env, napi_status status, void *given) {
  Errand *e = given;
  if (status == napi_cancelled) errno = ECANCELED, fail(&e->failure, "queue");
  if (e->socket != NULL) giveBack(e->socket);
  for (uint32_t i = 0; i < e->stepCount; i++) giveBack(e->steps[i].socket);
  napi_value value = e->failure.number == 0 ? e->answer(env, e) : NULL;
  if (value == NULL) errno = ENOMEM, fail(&e->failure, "answer");
  if (value != NULL) napi_resolve_deferred(env, e->deferred, value);
  else napi_reject_deferred(env, e->deferred, errorOf(env, &e->failure, e->netns));
  napi_delete_async_work(env, e->work);
  freeErrand(e);
}

napi_value begin(napi_env env, Errand *e) {
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
  if (e->socket != NULL) take(e->socket);
  for (uint32_t i = 0; i < e->stepCount; i++) take(e->steps[i].socket);
  return promise;
}

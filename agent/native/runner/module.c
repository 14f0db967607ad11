// Starts a program beside the event loop, and without copying this process: posix_spawn lends its memory to the child until the
// program begins (CLONE_VM | CLONE_VFORK). fork copies page tables, which held the loop of a process of 240 MiB up for 3.6 ms where
// this takes 0.13, and that of an agent on a busy node for 17 (2026-11).
//
// run(program, args, env, stdin) -> [Promise of {code, signal, stdout, stderr}, handle]; env is a list of NAME=VALUE
// kill(handle)                   -> the program and all of its process group; twice is once, and after its end it is nothing
//
// A thread a run, for a program may call back to this process and wait for a thread of libuv's few. The program has no descriptor
// of ours but 0, 1 and 2, no signal ignored or blocked, and a process group of its own. More than outputMax on its standard output
// ends it with EMSGSIZE; of its standard error the beginning is kept. Errors carry errno and syscall.
#define _GNU_SOURCE
#include "runner.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/eventfd.h>
#include <sys/wait.h>

enum { wordsMax = 1024, wordMax = 1 << 17 };

static const napi_type_tag handleTag = {0x6d656772657a2d72ULL, 0x756e6e65722d3031ULL};

static void freeWords(char **words) {
  if (words == NULL) return;
  for (char **word = words; *word != NULL; word++) free(*word);
  free(words);
}

static void letGo(Run *r) {
  if (--r->owners > 0) return;
  if (r->wake >= 0) close(r->wake);
  free(r->program);
  freeWords(r->args);
  freeWords(r->env);
  free(r->input.bytes);
  free(r->output.bytes);
  free(r->complaint.bytes);
  free(r);
}

// ── Answers

static napi_value answerOf(napi_env env, const Run *r) {
  napi_value answer, code, killed;
  bool exited = WIFEXITED(r->status);
  napi_create_int32(env, exited ? WEXITSTATUS(r->status) : -1, &code);
  napi_create_int32(env, !exited && WIFSIGNALED(r->status) ? WTERMSIG(r->status) : 0, &killed);
  napi_value output = bufferOf(env, &r->output), complaint = bufferOf(env, &r->complaint);
  if (output == NULL || complaint == NULL || napi_create_object(env, &answer) != napi_ok) return NULL;
  napi_set_named_property(env, answer, "code", code);
  napi_set_named_property(env, answer, "signal", killed);
  napi_set_named_property(env, answer, "stdout", output);
  napi_set_named_property(env, answer, "stderr", complaint);
  return answer;
}

static void deliver(napi_env env, napi_value unused, void *context, void *nothing) {
  (void)unused, (void)nothing;
  Run *r = context;
  if (env == NULL || r->deferred == NULL) return;
  napi_value answer = r->failure.number == 0 ? answerOf(env, r) : NULL;
  if (answer == NULL) errno = ENOMEM, fail(&r->failure, "answer");
  if (answer != NULL) napi_resolve_deferred(env, r->deferred, answer);
  else napi_reject_deferred(env, r->deferred, errorOf(env, &r->failure, r->program));
  r->deferred = NULL;
}

static void rouse(Run *r) {
  uint64_t one = 1;
  if (r->wake < 0) return;
  if (write(r->wake, &one, sizeof one) < 0) return;
}

// The thread has let go of its function: it has ended, or is about to; or the event loop goes, and with it whatever still runs.
static void finalizeRun(napi_env env, void *given, void *hint) {
  (void)env, (void)hint;
  Run *r = given;
  if (r->started) {
    rouse(r);
    pthread_join(r->thread, NULL);
  }
  shut(&r->wake);
  letGo(r);
}

static void finalizeHandle(napi_env env, void *given, void *hint) {
  (void)env, (void)hint;
  letGo(given);
}

// ── Arguments: NULL with an exception pending

static char *takeWord(napi_env env, napi_value value) { return takeText(env, value, 0, wordMax - 1, "words: strings of less than 128 KiB without zero bytes"); }

// Ends with NULL. `first` stands before them, where it is given.
static char **takeWords(napi_env env, napi_value value, const char *first) {
  uint32_t count = 0;
  if (!takeCount(env, value, wordsMax, &count, "words: a list of at most 1024")) return NULL;
  char **words = calloc((size_t)count + 2, sizeof *words);
  if (words == NULL) return refuse(env, "no memory"), NULL;
  size_t at = 0;
  if (first != NULL && (words[at++] = strdup(first)) == NULL) {
    free(words);
    return refuse(env, "no memory"), NULL;
  }
  for (uint32_t i = 0; i < count; i++) {
    napi_value element = NULL;
    bool pending = napi_get_element(env, value, i, &element) != napi_ok;
    if (!pending) words[at] = takeWord(env, element);
    if (pending || words[at] == NULL) {
      freeWords(words);
      return pending ? (refuse(env, "words: strings"), NULL) : NULL;
    }
    at++;
  }
  return words;
}

static Run *taken(napi_env env, napi_value given[4]) {
  Run *r = calloc(1, sizeof *r);
  if (r == NULL) return refuse(env, "no memory"), NULL;
  r->owners = 1;
  r->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  bool whole = r->wake >= 0 || (refuse(env, "no descriptor is free"), false);
  whole = whole && (r->program = takeWord(env, given[0])) != NULL;
  whole = whole && (r->args = takeWords(env, given[1], r->program)) != NULL;
  whole = whole && (r->env = takeWords(env, given[2], NULL)) != NULL;
  if (whole && takeBytes(env, given[3], &r->input, "stdin: a Uint8Array")) return r;
  letGo(r);
  return NULL;
}

static bool begin(napi_env env, Run *r) {
  napi_value name;
  if (napi_create_string_utf8(env, "megrez:runner", NAPI_AUTO_LENGTH, &name) != napi_ok ||
      napi_create_threadsafe_function(env, NULL, NULL, name, 0, 1, r, finalizeRun, r, deliver, &r->told) != napi_ok)
    return refuse(env, "the event loop takes no more work"), false;
  r->owners++;
  r->started = startThread(&r->thread, live, r);
  if (r->started) return true;
  fail(&r->failure, "pthread_create");
  deliver(env, NULL, r, NULL);
  napi_release_threadsafe_function(r->told, napi_tsfn_release);
  return true;
}

// ── What JavaScript calls

static napi_value Start(napi_env env, napi_callback_info call) {
  napi_value given[4], pair, promise;
  if (!arguments(env, call, 4, given)) return NULL;
  Run *r = taken(env, given);
  if (r == NULL) return NULL;
  // From here on the handle owns it.
  napi_value handle = externalOf(env, r, finalizeHandle, &handleTag);
  if (handle == NULL) {
    letGo(r);
    return refuse(env, "no memory");
  }
  if (napi_create_promise(env, &r->deferred, &promise) != napi_ok || napi_create_array_with_length(env, 2, &pair) != napi_ok) return refuse(env, "no memory");
  if (!begin(env, r)) return NULL;
  napi_set_element(env, pair, 0, promise);
  napi_set_element(env, pair, 1, handle);
  return pair;
}

static napi_value Kill(napi_env env, napi_callback_info call) {
  napi_value given[1];
  if (!arguments(env, call, 1, given)) return NULL;
  Run *r = takeExternal(env, given[0], &handleTag, "handle: what run gave");
  if (r == NULL) return NULL;
  rouse(r);
  return undefinedOf(env);
}

static napi_value init(napi_env env, napi_value exports) {
  const Face faces[] = {{"run", Start}, {"kill", Kill}};
  return expose(env, exports, faces, sizeof faces / sizeof *faces);
}
NAPI_MODULE(megrez_runner, init)

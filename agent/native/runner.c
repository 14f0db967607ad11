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
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#define NAPI_VERSION 8
#include <node_api.h>

enum { outputMax = 1 << 24, complaintMax = 1 << 16, chunkBytes = 1 << 14, wordsMax = 1024, wordMax = 1 << 17, stackBytes = 1 << 18 };

static const napi_type_tag handleTag = {0x6d656772657a2d72ULL, 0x756e6e65722d3031ULL};

typedef struct {
  uint8_t *bytes;
  size_t length;
  size_t room;
} Bytes;

// Owned by the handle and by the thread's function. Counted on the event loop's thread alone; what the thread writes, the loop reads
// only when the thread has handed it over or has been joined.
typedef struct {
  int owners;
  int wake;  // eventfd: somebody wants it killed; -1 once the thread has ended
  char *program;
  char **args;
  char **env;
  Bytes input;
  Bytes output;
  Bytes complaint;
  int status;
  int failed;  // errno, 0 when well
  const char *call;
  bool started;
  pthread_t thread;
  napi_threadsafe_function told;
  napi_deferred deferred;
} Run;

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

// ── On the run's own thread

static void fail(Run *r, const char *call) {
  if (r->failed != 0) return;
  r->failed = errno == 0 ? EIO : errno;
  r->call = call;
}

static void shut(int *fd) {
  if (*fd >= 0) close(*fd);
  *fd = -1;
}

// What a program begins with, whatever this process has done with its own signals.
static int attributesOf(posix_spawnattr_t *attributes) {
  sigset_t all, none;
  sigfillset(&all);
  sigemptyset(&none);
  int refused = posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
  if (refused == 0) refused = posix_spawnattr_setpgroup(attributes, 0);
  if (refused == 0) refused = posix_spawnattr_setsigdefault(attributes, &all);
  return refused == 0 ? posix_spawnattr_setsigmask(attributes, &none) : refused;
}

static int actionsOf(posix_spawn_file_actions_t *actions, const int ends[3]) {
  int refused = 0;
  for (int i = 0; i < 3 && refused == 0; i++) refused = posix_spawn_file_actions_adddup2(actions, ends[i], i);
#if defined(__GLIBC__) && (__GLIBC__ > 2 || __GLIBC_MINOR__ >= 34)
  // All of ours are O_CLOEXEC; this is for those of libraries.
  if (refused == 0) refused = posix_spawn_file_actions_addclosefrom_np(actions, 3);
#endif
  return refused;
}

static pid_t spawnIt(Run *r, const int ends[3]) {
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_t actions;
  pid_t pid = -1;
  if ((errno = posix_spawnattr_init(&attributes)) != 0) return fail(r, "posix_spawn"), -1;
  if ((errno = posix_spawn_file_actions_init(&actions)) != 0) {
    posix_spawnattr_destroy(&attributes);
    return fail(r, "posix_spawn"), -1;
  }
  errno = attributesOf(&attributes);
  if (errno == 0) errno = actionsOf(&actions, ends);
  if (errno == 0) errno = posix_spawn(&pid, r->program, &actions, &attributes, r->args, r->env);
  if (errno != 0) {
    fail(r, "posix_spawn");
    pid = -1;
  }
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  return pid;
}

static bool grow(Bytes *b) {
  if (b->room - b->length >= chunkBytes) return true;
  size_t room = b->room == 0 ? chunkBytes : b->room * 2;
  uint8_t *more = realloc(b->bytes, room);
  if (more == NULL) return errno = ENOMEM, false;
  b->bytes = more;
  b->room = room;
  return b->room - b->length >= chunkBytes || grow(b);
}

// Takes what is there; the descriptor is shut at its end. false: it has said more than anybody wants.
static bool take(int *fd, Bytes *into, size_t most, bool forgives) {
  uint8_t ignored[chunkBytes];
  while (*fd >= 0) {
    bool kept = into->length < most;
    if (kept && !grow(into)) return false;
    ssize_t got = read(*fd, kept ? into->bytes + into->length : ignored, chunkBytes);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return true;
    if (got <= 0) shut(fd);
    else if (kept) into->length += (size_t)got;
    else if (!forgives) return errno = EMSGSIZE, false;
  }
  return true;
}

// A program that does not read what it is given is not wrong.
static void give(int *fd, const Bytes *input, size_t *given) {
  while (*given < input->length) {
    ssize_t took = write(*fd, input->bytes + *given, input->length - *given);
    if (took < 0 && errno == EINTR) continue;
    if (took < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return;
    if (took < 0) break;
    *given += (size_t)took;
  }
  shut(fd);
}

static int pidfdOf(pid_t pid) {
#ifdef SYS_pidfd_open
  return (int)syscall(SYS_pidfd_open, pid, 0);  // O_CLOEXEC by itself
#else
  return (void)pid, -1;
#endif
}

// Until the program has ended; what its own children still hold open is left to them. Where the kernel has no pidfd
// (before 5.3), until nobody holds its outputs any more.
static void attend(Run *r, pid_t pid, int ours[3]) {
  size_t given = 0;
  int ended = pidfdOf(pid);
  struct pollfd ready[5] = {{.events = POLLOUT}, {.events = POLLIN}, {.events = POLLIN}, {.fd = r->wake, .events = POLLIN}, {.fd = ended, .events = POLLIN}};
  while (ended >= 0 || ours[1] >= 0 || ours[2] >= 0) {
    for (int i = 0; i < 3; i++) ready[i].fd = ours[i];
    if (poll(ready, 5, -1) < 0) {
      if (errno == EINTR) continue;
      fail(r, "poll");
      break;
    }
    bool over = ended >= 0 && ready[4].revents != 0;
    if (ready[3].revents != 0) {
      ready[3].fd = -1;
      errno = ECANCELED;
      fail(r, "kill");
      kill(-pid, SIGKILL);
    }
    if (ours[0] >= 0 && ready[0].revents != 0) give(&ours[0], &r->input, &given);
    if (!take(&ours[1], &r->output, outputMax, false) || !take(&ours[2], &r->complaint, complaintMax, true)) {
      fail(r, "read");
      break;
    }
    if (over) break;
  }
  // Not yet waited for, so its number is still its own.
  if (r->failed != 0) kill(-pid, SIGKILL);
  while (waitpid(pid, &r->status, 0) < 0) {
    if (errno == EINTR) continue;
    fail(r, "waitpid");
    break;
  }
  shut(&ended);
}

static bool openPipes(Run *r, int ours[3], int ends[3]) {
  for (int i = 0; i < 3; i++) {
    int both[2];
    if (pipe2(both, O_CLOEXEC)) return fail(r, "pipe2"), false;
    ours[i] = both[i == 0 ? 1 : 0];
    ends[i] = both[i == 0 ? 0 : 1];
    if (fcntl(ours[i], F_SETFL, O_NONBLOCK)) return fail(r, "fcntl"), false;
  }
  return true;
}

static void *live(void *given) {
  Run *r = given;
  // Signals are for the event loop's thread, and a program that does not read is told of by EPIPE.
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, NULL);
  int ours[3] = {-1, -1, -1}, ends[3] = {-1, -1, -1};
  pid_t pid = openPipes(r, ours, ends) ? spawnIt(r, ends) : -1;
  for (int i = 0; i < 3; i++) shut(&ends[i]);
  if (pid >= 0) attend(r, pid, ours);
  for (int i = 0; i < 3; i++) shut(&ours[i]);
  // When the event loop is going away it has let go of this thread itself.
  if (napi_call_threadsafe_function(r->told, NULL, napi_tsfn_blocking) != napi_closing) napi_release_threadsafe_function(r->told, napi_tsfn_release);
  return NULL;
}

// ── On the event loop

static napi_value refuse(napi_env env, const char *why) {
  napi_throw_type_error(env, NULL, why);
  return NULL;
}

static napi_value errorOf(napi_env env, const Run *r) {
  char text[512];
  char reason[128];
  // The GNU strerror_r, which may return text of its own.
  snprintf(text, sizeof text, "%s %.300s: %s", r->call, r->program, strerror_r(r->failed, reason, sizeof reason));
  napi_value message, error = NULL, number, name;
  napi_create_string_utf8(env, text, NAPI_AUTO_LENGTH, &message);
  napi_create_error(env, NULL, message, &error);
  napi_create_int32(env, r->failed, &number);
  napi_create_string_utf8(env, r->call, NAPI_AUTO_LENGTH, &name);
  napi_set_named_property(env, error, "errno", number);
  napi_set_named_property(env, error, "syscall", name);
  return error;
}

static napi_value answerOf(napi_env env, const Run *r) {
  napi_value answer, code, killed, output, complaint;
  bool exited = WIFEXITED(r->status);
  napi_create_int32(env, exited ? WEXITSTATUS(r->status) : -1, &code);
  napi_create_int32(env, !exited && WIFSIGNALED(r->status) ? WTERMSIG(r->status) : 0, &killed);
  if (napi_create_object(env, &answer) != napi_ok || napi_create_buffer_copy(env, r->output.length, r->output.length == 0 ? (uint8_t *)"" : r->output.bytes, NULL, &output) != napi_ok ||
      napi_create_buffer_copy(env, r->complaint.length, r->complaint.length == 0 ? (uint8_t *)"" : r->complaint.bytes, NULL, &complaint) != napi_ok)
    return NULL;
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
  napi_value answer = r->failed == 0 ? answerOf(env, r) : NULL;
  if (r->failed == 0 && answer == NULL) r->failed = ENOMEM, r->call = "answer";
  if (answer != NULL) napi_resolve_deferred(env, r->deferred, answer);
  else napi_reject_deferred(env, r->deferred, errorOf(env, r));
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

// A copy without zero bytes, or NULL with an exception pending.
static char *takeWord(napi_env env, napi_value value) {
  size_t length = 0;
  if (napi_get_value_string_utf8(env, value, NULL, 0, &length) != napi_ok || length >= wordMax) return refuse(env, "words: strings of less than 128 KiB"), NULL;
  char *word = malloc(length + 1);
  if (word == NULL) return refuse(env, "no memory"), NULL;
  napi_get_value_string_utf8(env, value, word, length + 1, &length);
  word[length] = 0;
  if (strlen(word) == length) return word;
  free(word);
  return refuse(env, "words: no zero bytes"), NULL;
}

// Ends with NULL. `first` stands before them, where it is given.
static char **takeWords(napi_env env, napi_value value, const char *first) {
  bool array = false;
  uint32_t count = 0;
  if (napi_is_array(env, value, &array) != napi_ok || !array || napi_get_array_length(env, value, &count) != napi_ok || count > wordsMax) return refuse(env, "words: a list of at most 1024"), NULL;
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

// A copy: what the caller does with its own afterwards changes nothing here.
static bool takeBytes(napi_env env, napi_value value, Bytes *into) {
  napi_typedarray_type type;
  void *bytes = NULL;
  size_t length = 0;
  bool typed = false;
  if (napi_is_typedarray(env, value, &typed) != napi_ok || !typed) return refuse(env, "stdin: a Uint8Array"), false;
  if (napi_get_typedarray_info(env, value, &type, &length, &bytes, NULL, NULL) != napi_ok || type != napi_uint8_array) return refuse(env, "stdin: a Uint8Array"), false;
  if (length == 0) return true;
  into->bytes = malloc(length);
  if (into->bytes == NULL) return refuse(env, "no memory"), false;
  memcpy(into->bytes, bytes, length);
  into->length = into->room = length;
  return true;
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
  if (whole && takeBytes(env, given[3], &r->input)) return r;
  letGo(r);
  return NULL;
}

static bool begin(napi_env env, Run *r) {
  napi_value name;
  if (napi_create_string_utf8(env, "megrez:runner", NAPI_AUTO_LENGTH, &name) != napi_ok ||
      napi_create_threadsafe_function(env, NULL, NULL, name, 0, 1, r, finalizeRun, r, deliver, &r->told) != napi_ok)
    return refuse(env, "the event loop takes no more work"), false;
  r->owners++;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, stackBytes);
  errno = pthread_create(&r->thread, &attributes, live, r);
  r->started = errno == 0;
  pthread_attr_destroy(&attributes);
  if (r->started) return true;
  fail(r, "pthread_create");
  deliver(env, NULL, r, NULL);
  napi_release_threadsafe_function(r->told, napi_tsfn_release);
  return true;
}

static napi_value Start(napi_env env, napi_callback_info call) {
  napi_value given[4], pair, promise, handle;
  size_t count = 4;
  if (napi_get_cb_info(env, call, &count, given, NULL, NULL) != napi_ok) return NULL;
  Run *r = taken(env, given);
  if (r == NULL) return NULL;
  // From here on the handle owns it.
  if (napi_create_external(env, r, finalizeHandle, NULL, &handle) != napi_ok) {
    letGo(r);
    return refuse(env, "no memory");
  }
  napi_type_tag_object(env, handle, &handleTag);
  if (napi_create_promise(env, &r->deferred, &promise) != napi_ok || napi_create_array_with_length(env, 2, &pair) != napi_ok) return refuse(env, "no memory");
  if (!begin(env, r)) return NULL;
  napi_set_element(env, pair, 0, promise);
  napi_set_element(env, pair, 1, handle);
  return pair;
}

static napi_value Kill(napi_env env, napi_callback_info call) {
  napi_value given[1], nothing = NULL;
  size_t count = 1;
  bool ours = false;
  napi_valuetype type;
  void *found = NULL;
  if (napi_get_cb_info(env, call, &count, given, NULL, NULL) != napi_ok) return NULL;
  if (napi_typeof(env, given[0], &type) != napi_ok || type != napi_external || napi_check_object_type_tag(env, given[0], &handleTag, &ours) != napi_ok || !ours ||
      napi_get_value_external(env, given[0], &found) != napi_ok)
    return refuse(env, "handle: what run gave");
  rouse(found);
  napi_get_undefined(env, &nothing);
  return nothing;
}

static napi_value init(napi_env env, napi_value exports) {
  const struct {
    const char *name;
    napi_callback call;
  } faces[] = {{"run", Start}, {"kill", Kill}};
  for (size_t i = 0; i < sizeof faces / sizeof *faces; i++) {
    napi_value function;
    if (napi_create_function(env, faces[i].name, NAPI_AUTO_LENGTH, faces[i].call, NULL, &function) != napi_ok) return NULL;
    napi_set_named_property(env, exports, faces[i].name, function);
  }
  return exports;
}
NAPI_MODULE(megrez_runner, init)

// A program from its start to its end, on the run's own thread.
#define _GNU_SOURCE
#include "runner.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <unistd.h>
#include <sys/syscall.h>
#include <sys/wait.h>

enum { outputMax = 1 << 24, complaintMax = 1 << 16, chunkBytes = 1 << 14 };

void shut(int *fd) {
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
  if ((errno = posix_spawnattr_init(&attributes)) != 0) return fail(&r->failure, "posix_spawn"), -1;
  if ((errno = posix_spawn_file_actions_init(&actions)) != 0) {
    posix_spawnattr_destroy(&attributes);
    return fail(&r->failure, "posix_spawn"), -1;
  }
  errno = attributesOf(&attributes);
  if (errno == 0) errno = actionsOf(&actions, ends);
  if (errno == 0) errno = posix_spawn(&pid, r->program, &actions, &attributes, r->args, r->env);
  if (errno != 0) {
    fail(&r->failure, "posix_spawn");
    pid = -1;
  }
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  return pid;
}

// Takes what is there; the descriptor is shut at its end. false: it has said more than anybody wants.
static bool take(int *fd, Bytes *into, size_t most, bool forgives) {
  uint8_t ignored[chunkBytes];
  while (*fd >= 0) {
    bool kept = into->length < most;
    if (kept && !makeRoom(into, chunkBytes, SIZE_MAX)) return false;
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
      fail(&r->failure, "poll");
      break;
    }
    bool over = ended >= 0 && ready[4].revents != 0;
    if (ready[3].revents != 0) {
      ready[3].fd = -1;
      errno = ECANCELED;
      fail(&r->failure, "kill");
      kill(-pid, SIGKILL);
    }
    if (ours[0] >= 0 && ready[0].revents != 0) give(&ours[0], &r->input, &given);
    if (!take(&ours[1], &r->output, outputMax, false) || !take(&ours[2], &r->complaint, complaintMax, true)) {
      fail(&r->failure, "read");
      break;
    }
    if (over) break;
  }
  // Not yet waited for, so its number is still its own.
  if (r->failure.number != 0) kill(-pid, SIGKILL);
  while (waitpid(pid, &r->status, 0) < 0) {
    if (errno == EINTR) continue;
    fail(&r->failure, "waitpid");
    break;
  }
  shut(&ended);
}

static bool openPipes(Run *r, int ours[3], int ends[3]) {
  for (int i = 0; i < 3; i++) {
    int both[2];
    if (pipe2(both, O_CLOEXEC)) return fail(&r->failure, "pipe2"), false;
    ours[i] = both[i == 0 ? 1 : 0];
    ends[i] = both[i == 0 ? 0 : 1];
    if (fcntl(ours[i], F_SETFL, O_NONBLOCK)) return fail(&r->failure, "fcntl"), false;
  }
  return true;
}

void *live(void *given) {
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

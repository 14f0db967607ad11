// The CNI plugin that the kubelet's runtime starts: hands its environment and standard input to the agent over a unix socket, and
// prints the answer. It knows no network; all it decides is what to say when the agent is away.
//
// Socket: the key "socket" of the configuration on standard input, else MEGREZ_CNI_SOCKET, else /run/megrez/cni.sock.
// Sent: NAME=value and a zero byte for each CNI_* variable, one more zero byte, standard input as it is, end of writing.
// Answer: the exit code in decimal, a newline, then standard output as it is.
// The agent away (nothing there, refused, or gone before its answer): a CNI error of the asked version with code 11 (try again later),
// or 50 to STATUS; ADD waits for an agent that restarts. Everything within 117 s: the kubelet's runtime gives up at 120, and the agent,
// whose answer says why, after MEGREZ_CNI_BUDGET_MS, which with connectMs is less.
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <sys/socket.h>
#include <sys/un.h>

extern char **environ;

// Kubernetes' objects are at most 1.5 MiB; a configuration with its prevResult is a few KiB.
enum { inputMax = 4 << 20, environmentMax = 1 << 20, answerMax = 16 << 20, chunkBytes = 1 << 16, wordMax = 128, retryMs = 100, connectMs = 10000 };
static const int64_t budgetMs = 117000;

typedef struct {
  char *bytes;
  size_t length;
  size_t room;
} Text;

static int64_t nowMs(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static bool append(Text *to, const char *bytes, size_t length, size_t max) {
  if (length > max || to->length > max - length) return false;
  if (to->length + length > to->room) {
    size_t room = to->room == 0 ? chunkBytes : to->room;
    while (room < to->length + length) room *= 2;
    char *more = realloc(to->bytes, room);
    if (more == NULL) return false;
    to->bytes = more;
    to->room = room;
  }
  memcpy(to->bytes + to->length, bytes, length);
  to->length += length;
  return true;
}

// ── The two words of the configuration that are needed when nobody else can read it

typedef struct {
  const char *at;
  const char *end;
} Scan;

static void skipSpace(Scan *s) {
  while (s->at < s->end && (*s->at == ' ' || *s->at == '\t' || *s->at == '\n' || *s->at == '\r')) s->at++;
}

// A string at s, copied without its escapes undone into at most `room` bytes with a zero; false when it is none, or too long to matter.
static bool string(Scan *s, char *to, size_t room, bool *plain) {
  size_t length = 0;
  *plain = true;
  if (s->at >= s->end || *s->at != '"') return false;
  for (s->at++; s->at < s->end && *s->at != '"'; s->at++) {
    if (*s->at == '\\') {
      *plain = false;
      if (++s->at >= s->end) return false;
    }
    if ((unsigned char)*s->at < 0x20) return false;
    if (length + 1 < room) to[length] = *s->at;
    length++;
  }
  if (s->at >= s->end) return false;
  s->at++;
  if (length >= room) *plain = false;
  to[length < room ? length : room - 1] = 0;
  return true;
}

// Past one value, whatever it is: brackets are counted, not understood.
static bool skipValue(Scan *s) {
  char ignored[2];
  bool plain;
  size_t depth = 0;
  do {
    skipSpace(s);
    if (s->at >= s->end) return false;
    char c = *s->at;
    if (c == '"') {
      if (!string(s, ignored, sizeof ignored, &plain)) return false;
    } else {
      if (c == '{' || c == '[') depth++;
      else if (c == '}' || c == ']') {
        if (depth == 0) return false;
        depth--;
      }
      s->at++;
    }
  } while (depth > 0);
  // What is left of a number or a word.
  while (s->at < s->end && strchr(",}] \t\r\n", *s->at) == NULL) s->at++;
  return true;
}

// The text of a key of the outermost object; false when it is not there as a plain string.
static bool word(const Text *json, const char *key, char *to, size_t room) {
  Scan s = {.at = json->bytes, .end = json->bytes + json->length};
  char name[wordMax];
  bool plain;
  if (json->length == 0) return false;
  skipSpace(&s);
  if (s.at >= s.end || *s.at++ != '{') return false;
  while (true) {
    skipSpace(&s);
    if (!string(&s, name, sizeof name, &plain)) return false;
    skipSpace(&s);
    if (s.at >= s.end || *s.at++ != ':') return false;
    skipSpace(&s);
    if (plain && strcmp(name, key) == 0) return string(&s, to, room, &plain) && plain;
    if (!skipValue(&s)) return false;
    skipSpace(&s);
    if (s.at >= s.end || *s.at++ != ',') return false;
  }
}

// ── Saying

static bool writeAll(int fd, const char *bytes, size_t length) {
  while (length > 0) {
    ssize_t done = write(fd, bytes, length);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return false;
    bytes += done;
    length -= (size_t)done;
  }
  return true;
}

// A version is printed only if it is made of digits and dots: everything else would have to be escaped.
static const char *versionOf(const Text *input, char *to, size_t room) {
  bool known = word(input, "cniVersion", to, room) && *to != 0;
  for (const char *c = to; known && *c != 0; c++) known = (*c >= '0' && *c <= '9') || *c == '.';
  return known ? to : "1.0.0";
}

static int complain(const Text *input, unsigned code, const char *message, const char *details) {
  char version[wordMax], text[1024];
  int length = snprintf(text, sizeof text, "{\"cniVersion\":\"%s\",\"code\":%u,\"msg\":\"%s\",\"details\":\"%s\"}\n", versionOf(input, version, sizeof version), code, message, details);
  writeAll(STDOUT_FILENO, text, (size_t)length);
  return 1;
}

static int tellVersions(const Text *input) {
  char version[wordMax], text[512];
  int length = snprintf(text, sizeof text, "{\"cniVersion\":\"%s\",\"supportedVersions\":[\"0.4.0\",\"1.0.0\",\"1.1.0\"]}\n", versionOf(input, version, sizeof version));
  return writeAll(STDOUT_FILENO, text, (size_t)length) ? 0 : 1;
}

// ── Asking

// All there is, by `end`; false when it took longer, failed, or was more than `max`.
static bool hear(int fd, Text *to, size_t max, int64_t end) {
  char chunk[chunkBytes];
  while (true) {
    int64_t left = end - nowMs();
    struct pollfd ready = {.fd = fd, .events = POLLIN};
    int able = left <= 0 ? 0 : poll(&ready, 1, (int)left);
    if (able < 0 && errno == EINTR) continue;
    if (able <= 0) return false;
    ssize_t got = read(fd, chunk, sizeof chunk);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return false;
    if (got == 0) return true;
    if (!append(to, chunk, (size_t)got, max)) return false;
  }
}

static int dial(const struct sockaddr_un *to) {
  int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd < 0) return -1;
  // An agent that takes nothing must not hold us: connecting and writing end too.
  struct timeval patience = {.tv_sec = budgetMs / 1000};
  setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
  int result;
  do result = connect(fd, (const struct sockaddr *)to, sizeof *to);
  while (result < 0 && errno == EINTR);
  if (result == 0) return fd;
  int why = errno;
  close(fd);
  errno = why;
  return -1;
}

// A restarting agent is away for a moment; only ADD has the patience.
static int connectTo(const struct sockaddr_un *to, bool patient) {
  int64_t until = nowMs() + (patient ? connectMs : 0);
  while (true) {
    int fd = dial(to);
    if (fd >= 0 || (errno != ENOENT && errno != ECONNREFUSED && errno != EAGAIN) || nowMs() >= until) return fd;
    poll(NULL, 0, retryMs);
  }
}

static bool gatherEnvironment(Text *to) {
  for (char **each = environ; *each != NULL; each++)
    if (strncmp(*each, "CNI_", 4) == 0 && !append(to, *each, strlen(*each) + 1, environmentMax)) return false;
  return append(to, "", 1, environmentMax);
}

// The exit code at its head: one to three digits, 255 at most. -1: it has none.
static int codeOf(const Text *answer, size_t *body) {
  int code = 0;
  size_t at = 0;
  while (at < answer->length && at < 3 && answer->bytes[at] >= '0' && answer->bytes[at] <= '9') code = code * 10 + (answer->bytes[at++] - '0');
  if (at == 0 || at >= answer->length || answer->bytes[at] != '\n' || code > 255) return -1;
  *body = at + 1;
  return code;
}

static bool ask(int fd, const Text *environment, const Text *input, Text *answer, int64_t end) {
  // A server that answers early and closes breaks the pipe: its answer counts all the same.
  bool sent = writeAll(fd, environment->bytes, environment->length) && writeAll(fd, input->bytes, input->length);
  if (sent) shutdown(fd, SHUT_WR);
  else if (errno != EPIPE && errno != ECONNRESET) return false;
  return hear(fd, answer, answerMax, end);
}

static bool addressOf(const Text *input, struct sockaddr_un *to) {
  char given[sizeof to->sun_path + 1];
  memset(to, 0, sizeof *to);
  to->sun_family = AF_UNIX;
  const char *path = getenv("MEGREZ_CNI_SOCKET");
  if (word(input, "socket", given, sizeof given)) path = given;
  if (path == NULL || *path == 0) path = "/run/megrez/cni.sock";
  if (strlen(path) >= sizeof to->sun_path) return false;
  memcpy(to->sun_path, path, strlen(path));
  return true;
}

static int away(const Text *input, const char *verb, const char *details) {
  return complain(input, strcmp(verb, "STATUS") == 0 ? 50 : 11, "the Megrez agent of this node does not answer", details);
}

static int run(Text *environment, Text *input, Text *answer) {
  int64_t end = nowMs() + budgetMs;
  const char *verb = getenv("CNI_COMMAND");
  if (verb == NULL) verb = "";
  if (!hear(STDIN_FILENO, input, inputMax, end)) return complain(&(Text){0}, 6, "the configuration cannot be read", "it is larger than 4 MiB, or standard input failed or did not end");
  if (strcmp(verb, "VERSION") == 0) return tellVersions(input);
  if (*verb == 0) return complain(input, 4, "CNI_COMMAND is missing", "");
  if (!gatherEnvironment(environment)) return complain(input, 4, "the environment is too large", "CNI_* variables may take 1 MiB");
  struct sockaddr_un to;
  if (!addressOf(input, &to)) return complain(input, 7, "the path of the agent's socket is too long", "107 bytes at most");
  int fd = connectTo(&to, strcmp(verb, "ADD") == 0);
  if (fd < 0) return away(input, verb, errno == ENOENT ? "nothing is at its socket" : "its socket refuses");
  bool heard = ask(fd, environment, input, answer, end);
  close(fd);
  size_t body = 0;
  int code = heard ? codeOf(answer, &body) : -1;
  if (code < 0) return away(input, verb, heard ? "it ended before it answered" : "no answer within 117 s, or one too large");
  return writeAll(STDOUT_FILENO, answer->bytes + body, answer->length - body) ? code : 1;
}

int main(void) {
  Text environment = {0}, input = {0}, answer = {0};
  // A server that closes early is an answer, not our end.
  signal(SIGPIPE, SIG_IGN);
  int code = run(&environment, &input, &answer);
  free(environment.bytes);
  free(input.bytes);
  free(answer.bytes);
  return code;
}

// Unix stream sockets that never block, and open files in their messages (unix(7), SCM_RIGHTS).
#define _GNU_SOURCE
#include "unix.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <linux/nsfs.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/vfs.h>

enum { backlog = 128, nsfsMagic = 0x6e736673 };

static int closed(int fd) {
  int number = errno;
  close(fd);
  return errno = number, -1;
}

static int named(const char *path, struct sockaddr_un *name) {
  *name = (struct sockaddr_un){.sun_family = AF_UNIX};
  memcpy(name->sun_path, path, strlen(path) + 1);
  return socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
}

int listenAt(const char *path) {
  struct sockaddr_un name;
  int fd = named(path, &name);
  if (fd < 0) return -1;
  // Before it has its name: nobody gets in between who may not speak. Where the umask wants less, it is less.
  if (fchmod(fd, 0660) < 0 || bind(fd, (struct sockaddr *)&name, sizeof name) < 0 || listen(fd, backlog) < 0) return closed(fd);
  return fd;
}

int connectTo(const char *path) {
  struct sockaddr_un name;
  int fd = named(path, &name);
  if (fd < 0) return -1;
  return connect(fd, (struct sockaddr *)&name, sizeof name) < 0 ? closed(fd) : fd;
}

void closeFiles(const int *files, size_t count) {
  for (size_t i = 0; i < count; i++) close(files[i]);
}

static void takeFiles(struct msghdr *message, Received *into) {
  for (struct cmsghdr *c = CMSG_FIRSTHDR(message); c != NULL; c = CMSG_NXTHDR(message, c)) {
    if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS) continue;
    size_t count = (c->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (size_t i = 0; i < count; i++) {
      int file;
      memcpy(&file, CMSG_DATA(c) + i * sizeof file, sizeof file);
      if (into->count < filesMax) into->files[into->count++] = file;
      else close(file);
    }
  }
}

void receiveFrom(Failure *f, int fd, uint8_t *bytes, size_t room, Received *into) {
  // Room for all that one message may bring: it is cut off only where this process may not have so many files open.
  union {
    char bytes[CMSG_SPACE(filesMax * sizeof(int))];
    struct cmsghdr align;
  } control;
  struct iovec place = {.iov_base = bytes, .iov_len = room};
  struct msghdr message = {.msg_iov = &place, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control.bytes};
  do into->length = recvmsg(fd, &message, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);
  while (into->length < 0 && errno == EINTR);
  if (into->length < 0) return fail(f, "recvmsg");
  takeFiles(&message, into);
  if ((message.msg_flags & MSG_CTRUNC) == 0) return;
  closeFiles(into->files, into->count);
  into->count = 0;
  errno = EMFILE;
  fail(f, "recvmsg");
}

ssize_t sendTo(int fd, const uint8_t *bytes, size_t length, const int *files, size_t count) {
  union {
    char bytes[CMSG_SPACE(filesMax * sizeof(int))];
    struct cmsghdr align;
  } control = {0};
  struct iovec place = {.iov_base = (void *)bytes, .iov_len = length};
  struct msghdr message = {.msg_iov = &place, .msg_iovlen = 1};
  if (count > 0) {
    message.msg_control = control.bytes;
    message.msg_controllen = CMSG_SPACE(count * sizeof(int));
    struct cmsghdr *c = CMSG_FIRSTHDR(&message);
    c->cmsg_level = SOL_SOCKET;
    c->cmsg_type = SCM_RIGHTS;
    c->cmsg_len = CMSG_LEN(count * sizeof(int));
    memcpy(CMSG_DATA(c), files, count * sizeof(int));
  }
  ssize_t sent;
  do sent = sendmsg(fd, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
  while (sent < 0 && errno == EINTR);
  return sent;
}

int namespaceType(int fd) {
  struct statfs of;
  char path[32];
  // Opening anything else could do something: a device, a pipe. What was sent may be a path alone (O_PATH), which answers nothing itself.
  if (fstatfs(fd, &of) < 0) return -1;
  if ((unsigned long)of.f_type != nsfsMagic) return 0;
  snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
  int opened = open(path, O_RDONLY | O_CLOEXEC);
  if (opened < 0) return -1;
  int type = ioctl(opened, NS_GET_NSTYPE);
  if (type < 0) return closed(opened);
  close(opened);
  return type;
}

// What the files of this addon share. module.c says what the addon does.
#pragma once
#include "../face/face.h"
#include <sys/types.h>

// SCM_MAX_FD of the kernel: descriptors of one message.
enum { filesMax = 253, receiveMax = 1 << 16, pathMax = 107 };

// Tells the event loop which socket is ready. Owned by the environment, by each socket, and by its function. Counted on the event loop's
// thread alone.
typedef struct {
  int epoll;
  int wake;  // eventfd that ends the thread
  int owners;
  uint32_t open;  // sockets: the event loop stays while there is one
  uint64_t made;
  bool started;
  pthread_t thread;
  napi_threadsafe_function call;  // NULL: it is no more
} Poller;

typedef struct {
  int fd;  // -1 once it is closed
  uint64_t id;
  Poller *poller;
} Socket;

// NULL with an exception pending.
Poller *startPoller(napi_env env, napi_value call);
void letGoOfPoller(Poller *p);
// False with errno.
bool watch(Socket *s);
// Once, where it is ready for one of them; a new call replaces the one before. False with errno.
bool arm(Socket *s, bool read, bool write);
void closeSocket(napi_env env, Socket *s);

// -1 with errno; EAGAIN: not now.
int listenAt(const char *path);
int connectTo(const char *path);
typedef struct {
  int files[filesMax];
  size_t count;
  ssize_t length;
} Received;
// Nothing is open of it where it fails.
void receiveFrom(Failure *f, int fd, uint8_t *bytes, size_t room, Received *into);
ssize_t sendTo(int fd, const uint8_t *bytes, size_t length, const int *files, size_t count);
void closeFiles(const int *files, size_t count);
// Its CLONE_NEW… flag; 0: the file is no namespace.
int namespaceType(int fd);

// What the files of this addon share: sockets, and one thing at a time to do off the event loop. module.c says what the addon does.
#pragma once
#include "../face/face.h"
#include <linux/if.h>

enum { chunkBytes = 1 << 16, groupsMax = 64 };

// Owned by an external value, by each exchange in flight, and by its listener. Counted on the event loop's thread alone.
typedef struct {
  int fd;
  int owners;
  bool busy;
  bool closed;
  int wake;  // eventfd that ends the listener; -1 without one
} Socket;

void letGo(Socket *s);
// Where somebody has closed it while it was in use: whoever uses it last closes it.
void closeIfIdle(Socket *s);

// One exchange of several that follow each other.
typedef struct {
  Socket *socket;
  Bytes bytes;
  Bytes answers;
  bool made;  // after one that refuses anything, none is
} Step;

// One thing to do off the event loop, with what it needs and what came of it.
typedef struct Errand Errand;
struct Errand {
  void (*run)(Errand *);
  napi_value (*answer)(napi_env, Errand *);
  char *netns;
  int protocol;
  int64_t owner;  // of a tap: a user, or -1
  int64_t ownerGroup;
  uint32_t groups[groupsMax];
  uint32_t groupCount;
  Bytes bytes;
  char ifname[IFNAMSIZ];
  Socket *socket;
  Step *steps;
  uint32_t stepCount;
  Bytes fills;
  int fd;
  Bytes answers;
  Failure failure;
  napi_async_work work;
  napi_deferred deferred;
};

Errand *newErrand(napi_env env, void (*run)(Errand *), napi_value (*answer)(napi_env, Errand *));
void freeErrand(Errand *e);
// A promise of what answer makes of it; from here on the errand is its own. NULL with an exception pending.
napi_value begin(napi_env env, Errand *e);

// What can be done off the event loop, each in the namespace of the thread that runs it.
void runOpen(Errand *e);
void runExchange(Errand *e);
void runSteps(Errand *e);
void runOnce(Errand *e);
void runFrame(Errand *e);
void runSniff(Errand *e);
void runEar(Errand *e);
void runTap(Errand *e);
void runProgram(Errand *e);
// Switches checksum offload of ifname off.
bool checksumsOff(Errand *e);

// Sends the bytes and takes all answers that are there then; no bytes: waits up to 1 s for some.
void exchangeOn(Failure *f, int fd, const Bytes *sent, Bytes *answers);

napi_value listenTo(napi_env env, Socket *s, napi_value call);

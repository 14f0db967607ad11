// What the files of this addon share: one run of a program. module.c says what the addon does.
#pragma once
#include "../face/face.h"

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
  Failure failure;
  bool started;
  pthread_t thread;
  napi_threadsafe_function told;
  napi_deferred deferred;
} Run;

// The body of a run's own thread, from the program's start to its end.
void *live(void *given);
void shut(int *fd);

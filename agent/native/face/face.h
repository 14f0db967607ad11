// What both addons need of Node-API: arguments taken and refused, errors, buffers, threads and functions that JavaScript may call.
// On the event loop's thread, but for Failure, Bytes and threads.
#pragma once
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#define NAPI_VERSION 8
#include <node_api.h>

// What the kernel would not do; the first counts.
typedef struct {
  int number;  // errno, 0 when well
  const char *call;
} Failure;

// Of errno, as it is now.
void fail(Failure *f, const char *call);

typedef struct {
  uint8_t *bytes;
  size_t length;
  size_t room;
} Bytes;

// Room for more bytes behind those that are there; false with errno where that is more than most.
bool makeRoom(Bytes *b, size_t more, size_t most);

// A thread with a small stack; false with errno.
bool startThread(pthread_t *thread, void *(*run)(void *), void *given);

napi_value undefinedOf(napi_env env);
// A copy; NULL where there is no memory for it.
napi_value bufferOf(napi_env env, const Bytes *b);
// An error with errno and syscall. where: what it was about, or NULL.
napi_value errorOf(napi_env env, const Failure *f, const char *where);
// A value that owns what it holds, until finalize; NULL where there is no memory.
napi_value externalOf(napi_env env, void *held, napi_finalize finalize, const napi_type_tag *tag);

// All of these refuse by an exception that says why, and return NULL or false.
napi_value refuse(napi_env env, const char *why);
bool arguments(napi_env env, napi_callback_info call, size_t wanted, napi_value *values);
void *takeExternal(napi_env env, napi_value value, const napi_type_tag *tag, const char *why);
// A copy: what the caller does with its own afterwards changes nothing here.
bool takeBytes(napi_env env, napi_value value, Bytes *into, const char *why);
// A copy, the caller's to free, without zero bytes: a text that ends before its length does would be another one.
char *takeText(napi_env env, napi_value value, size_t least, size_t most, const char *why);
bool takeCount(napi_env env, napi_value list, uint32_t most, uint32_t *count, const char *why);

typedef struct {
  const char *name;
  napi_callback call;
} Face;

napi_value expose(napi_env env, napi_value exports, const Face *faces, size_t count);

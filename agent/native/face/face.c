#define _GNU_SOURCE
#include "face.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { stackBytes = 1 << 18 };

void fail(Failure *f, const char *call) {
  if (f->number != 0) return;
  f->number = errno == 0 ? EIO : errno;
  f->call = call;
}

bool makeRoom(Bytes *b, size_t more, size_t most) {
  if (b->room - b->length >= more) return true;
  size_t room = b->room == 0 ? more : b->room * 2;
  if (room - b->length < more) room = b->length + more;
  if (room > most) return errno = EMSGSIZE, false;
  uint8_t *bytes = realloc(b->bytes, room);
  if (bytes == NULL) return errno = ENOMEM, false;
  b->bytes = bytes;
  b->room = room;
  return true;
}

bool startThread(pthread_t *thread, void *(*run)(void *), void *given) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, stackBytes);
  int refused = pthread_create(thread, &attributes, run, given);
  pthread_attr_destroy(&attributes);
  return refused == 0 || (errno = refused, false);
}

napi_value undefinedOf(napi_env env) {
  napi_value value = NULL;
  napi_get_undefined(env, &value);
  return value;
}

napi_value bufferOf(napi_env env, const Bytes *b) {
  napi_value value = NULL;
  return napi_create_buffer_copy(env, b->length, b->length == 0 ? (uint8_t *)"" : b->bytes, NULL, &value) == napi_ok ? value : NULL;
}

napi_value errorOf(napi_env env, const Failure *f, const char *where) {
  char text[512];
  char reason[128];
  // The GNU strerror_r, which may return text of its own.
  snprintf(text, sizeof text, "%s%s%.300s: %s", f->call, where == NULL ? "" : " ", where == NULL ? "" : where, strerror_r(f->number, reason, sizeof reason));
  napi_value message, error = NULL, number, name;
  napi_create_string_utf8(env, text, NAPI_AUTO_LENGTH, &message);
  napi_create_error(env, NULL, message, &error);
  napi_create_int32(env, f->number, &number);
  napi_create_string_utf8(env, f->call, NAPI_AUTO_LENGTH, &name);
  napi_set_named_property(env, error, "errno", number);
  napi_set_named_property(env, error, "syscall", name);
  return error;
}

napi_value externalOf(napi_env env, void *held, napi_finalize finalize, const napi_type_tag *tag) {
  napi_value value = NULL;
  if (napi_create_external(env, held, finalize, NULL, &value) != napi_ok) return NULL;
  napi_type_tag_object(env, value, tag);
  return value;
}

napi_value refuse(napi_env env, const char *why) {
  napi_throw_type_error(env, NULL, why);
  return NULL;
}

bool arguments(napi_env env, napi_callback_info call, size_t wanted, napi_value *values) {
  size_t count = wanted;
  return napi_get_cb_info(env, call, &count, values, NULL, NULL) == napi_ok;
}

void *takeExternal(napi_env env, napi_value value, const napi_type_tag *tag, const char *why) {
  bool ours = false;
  napi_valuetype type;
  void *held = NULL;
  if (napi_typeof(env, value, &type) == napi_ok && type == napi_external && napi_check_object_type_tag(env, value, tag, &ours) == napi_ok && ours &&
      napi_get_value_external(env, value, &held) == napi_ok)
    return held;
  return refuse(env, why);
}

bool takeBytes(napi_env env, napi_value value, Bytes *into, const char *why) {
  napi_typedarray_type type;
  void *bytes = NULL;
  size_t length = 0;
  bool typed = false;
  if (napi_is_typedarray(env, value, &typed) != napi_ok || !typed) return refuse(env, why), false;
  if (napi_get_typedarray_info(env, value, &type, &length, &bytes, NULL, NULL) != napi_ok || type != napi_uint8_array) return refuse(env, why), false;
  if (length == 0) return true;
  into->bytes = malloc(length);
  if (into->bytes == NULL) return refuse(env, "no memory"), false;
  memcpy(into->bytes, bytes, length);
  into->length = into->room = length;
  return true;
}

char *takeText(napi_env env, napi_value value, size_t least, size_t most, const char *why) {
  size_t length = 0;
  if (napi_get_value_string_utf8(env, value, NULL, 0, &length) != napi_ok || length < least || length > most) return refuse(env, why), NULL;
  char *text = malloc(length + 1);
  if (text == NULL) return refuse(env, "no memory"), NULL;
  napi_get_value_string_utf8(env, value, text, length + 1, &length);
  text[length] = 0;
  if (strlen(text) == length) return text;
  free(text);
  return refuse(env, why), NULL;
}

bool takeCount(napi_env env, napi_value list, uint32_t most, uint32_t *count, const char *why) {
  bool array = false;
  if (napi_is_array(env, list, &array) == napi_ok && array && napi_get_array_length(env, list, count) == napi_ok && *count <= most) return true;
  return refuse(env, why), false;
}

napi_value expose(napi_env env, napi_value exports, const Face *faces, size_t count) {
  for (size_t i = 0; i < count; i++) {
    napi_value function;
    if (napi_create_function(env, faces[i].name, NAPI_AUTO_LENGTH, faces[i].call, NULL, &function) != napi_ok) return NULL;
    napi_set_named_property(env, exports, faces[i].name, function);
  }
  return exports;
}

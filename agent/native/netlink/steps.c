// Exchanges that follow each other in one turn of a thread: a number that the kernel tells in one is asked with in the next. The first
// that refuses anything is the last. Of the messages only the frame is known here (linux/netlink.h); where a number is told and where it
// goes, the caller says.
#include "netlink.h"
#include <string.h>
#include <linux/netlink.h>

// Where in which exchange a number goes, and where it comes from: a message of this sequence number in any answer before, in it an
// attribute (0: none) behind so many bytes of body.
typedef struct {
  uint32_t into, at, sequence, body, attribute;
} Fill;

typedef struct {
  uint32_t type;
  uint32_t sequence;
  const uint8_t *body;
  size_t length;
} Message;

// The next whole message, copied out of bytes that need not be aligned; false at the end, or at what makes no sense.
static bool nextMessage(const Bytes *from, size_t *at, Message *m) {
  struct nlmsghdr head;
  if (from->length < *at || from->length - *at < sizeof head) return false;
  memcpy(&head, from->bytes + *at, sizeof head);
  if (head.nlmsg_len < sizeof head || head.nlmsg_len > from->length - *at) return false;
  *m = (Message){.type = head.nlmsg_type, .sequence = head.nlmsg_seq, .body = from->bytes + *at + sizeof head, .length = head.nlmsg_len - sizeof head};
  *at += NLMSG_ALIGN((size_t)head.nlmsg_len);
  return true;
}

static bool refuses(const Bytes *answers) {
  Message m;
  for (size_t at = 0; nextMessage(answers, &at, &m);) {
    int32_t error = 0;
    if (m.type != NLMSG_ERROR || m.length < sizeof error) continue;
    memcpy(&error, m.body, sizeof error);
    if (error != 0) return true;
  }
  return false;
}

static bool numberIn(const Message *m, const Fill *f, uint32_t *number) {
  if (f->attribute == 0) return m->length >= sizeof *number && f->body <= m->length - sizeof *number && (memcpy(number, m->body + f->body, sizeof *number), true);
  struct nlattr head;
  for (size_t at = f->body; at <= m->length && m->length - at >= sizeof head; at += NLA_ALIGN((size_t)head.nla_len)) {
    memcpy(&head, m->body + at, sizeof head);
    if (head.nla_len < sizeof head || head.nla_len > m->length - at) return false;
    if ((head.nla_type & NLA_TYPE_MASK) == f->attribute && head.nla_len == sizeof head + sizeof *number) return memcpy(number, m->body + at + sizeof head, sizeof *number), true;
  }
  return false;
}

static bool told(const Errand *e, const Fill *f, uint32_t *number) {
  for (uint32_t i = 0; i < f->into && i < e->stepCount; i++) {
    Message m;
    for (size_t at = 0; nextMessage(&e->steps[i].answers, &at, &m);)
      if (m.sequence == f->sequence && m.type >= NLMSG_MIN_TYPE && numberIn(&m, f, number)) return true;
  }
  return false;
}

// false: what it is to be asked with was not told.
static bool filled(const Errand *e, uint32_t into, Bytes *bytes) {
  for (size_t at = 0; e->fills.length - at >= sizeof(Fill); at += sizeof(Fill)) {
    Fill f;
    uint32_t number;
    memcpy(&f, e->fills.bytes + at, sizeof f);
    if (f.into != into) continue;
    if (bytes->length < sizeof number || f.at > bytes->length - sizeof number || !told(e, &f, &number)) return false;
    memcpy(bytes->bytes + f.at, &number, sizeof number);
  }
  return true;
}

void runSteps(Errand *e) {
  for (uint32_t i = 0; i < e->stepCount; i++) {
    Step *s = &e->steps[i];
    if (!filled(e, i, &s->bytes)) return;
    exchangeOn(&e->failure, s->socket->fd, &s->bytes, &s->answers);
    s->made = e->failure.number == 0;
    if (!s->made || refuses(&s->answers)) return;
  }
}

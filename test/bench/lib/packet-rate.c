// Sends frames faster than a software switch forwards them, and counts what arrives.
//   packet-rate send IFC FRAME SOURCES FIRST DESTINATIONS FIRST COUNT MS
//     FRAME, in hexadecimal digits, is UDP in IPv4 without options or VLAN tag. It is sent from each of SOURCES L4 ports to each of
//     DESTINATIONS, in turn: COUNT frames, slowly enough for a switch that has to ask about each of them, or without end and as fast as it
//     goes where COUNT is 0; for MS milliseconds at most. Prints how many were sent.
//   packet-rate count IFC PID WARM MS
//     Lets WARM milliseconds pass and counts for MS. Prints packets that came in by IFC, nanoseconds, and those of processor time that the
//     process PID has used meanwhile.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { BATCH = 64, PAUSE_US = 5000, LONGEST = 2048, L4 = 34 };

static void fail(const char *what) {
  perror(what);
  exit(1);
}

static int64_t now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static int send_frames(char **argv) {
  static unsigned char frames[BATCH][LONGEST];
  const size_t length = strlen(argv[1]) / 2;
  const unsigned sources = atoi(argv[2]), source = atoi(argv[3]), destinations = atoi(argv[4]), destination = atoi(argv[5]);
  const long long count = atoll(argv[6]);
  const int64_t end = now() + atoll(argv[7]) * 1000000LL;
  if (length < L4 + 4 || length > LONGEST || sources == 0 || destinations == 0) return 2;
  struct mmsghdr messages[BATCH] = {0};
  struct iovec parts[BATCH];
  for (int i = 0; i < BATCH; i++) {
    for (size_t at = 0; at < length; at++) sscanf(argv[1] + 2 * at, "%2hhx", &frames[i][at]);
    parts[i] = (struct iovec){frames[i], length};
    messages[i].msg_hdr = (struct msghdr){.msg_iov = &parts[i], .msg_iovlen = 1};
  }
  const int fd = socket(AF_PACKET, SOCK_RAW, 0);
  struct sockaddr_ll at = {.sll_family = AF_PACKET, .sll_ifindex = if_nametoindex(argv[0])};
  const int on = 1;
  if (fd < 0 || bind(fd, (struct sockaddr *)&at, sizeof at) < 0) fail(argv[0]);
  if (setsockopt(fd, SOL_PACKET, PACKET_QDISC_BYPASS, &on, sizeof on) < 0) fail("PACKET_QDISC_BYPASS");
  long long sent = 0;
  while ((count == 0 || sent < count) && now() < end) {
    const int most = count == 0 || count - sent > BATCH ? BATCH : (int)(count - sent);
    for (int i = 0; i < most; i++) {
      const long long flow = (sent + i) % ((long long)sources * destinations);
      const uint16_t ports[2] = {htons(source + flow / destinations), htons(destination + flow % destinations)};
      memcpy(frames[i] + L4, ports, sizeof ports);
    }
    const int done = sendmmsg(fd, messages, most, 0);
    if (done < 0 && errno != ENOBUFS && errno != EAGAIN) fail("sendmmsg");
    if (done > 0) sent += done;
    if (count > 0) usleep(PAUSE_US);
  }
  printf("%lld\n", sent);
  return 0;
}

static long long number_in(const char *path) {
  long long number;
  FILE *file = fopen(path, "r");
  if (file == NULL || fscanf(file, "%lld", &number) != 1) fail(path);
  fclose(file);
  return number;
}

static int64_t processor_time_of(const char *pid) {
  char path[64];
  long long user, kernel;
  snprintf(path, sizeof path, "/proc/%s/stat", pid);
  FILE *file = fopen(path, "r");
  // Its second field is the program's name in brackets; the fourteenth and fifteenth are ticks.
  if (file == NULL || fscanf(file, "%*d %*s %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lld %lld", &user, &kernel) != 2) fail(path);
  fclose(file);
  return (user + kernel) * (1000000000LL / sysconf(_SC_CLK_TCK));
}

static int count_frames(char **argv) {
  char path[128];
  snprintf(path, sizeof path, "/sys/class/net/%s/statistics/rx_packets", argv[0]);
  usleep(atoi(argv[2]) * 1000);
  const int64_t used = processor_time_of(argv[1]), began = now();
  const long long before = number_in(path);
  usleep(atoi(argv[3]) * 1000);
  const long long packets = number_in(path) - before;
  printf("%lld %lld %lld\n", packets, (long long)(now() - began), (long long)(processor_time_of(argv[1]) - used));
  return 0;
}

int main(int argc, char **argv) {
  if (argc == 10 && strcmp(argv[1], "send") == 0) return send_frames(argv + 2);
  if (argc == 6 && strcmp(argv[1], "count") == 0) return count_frames(argv + 2);
  fprintf(stderr, "see the head of packet-rate.c\n");
  return 2;
}

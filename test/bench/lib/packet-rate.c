// Sends frames, faster than a software switch forwards them or at a pace, and says what arrives.
//   packet-rate send IFC FRAME SOURCES FIRST DESTINATIONS FIRST COUNT MS PACE
//     FRAME, in hexadecimal digits, is UDP in IPv4 without options or VLAN tag. It is sent from each of SOURCES L4 ports to each of
//     DESTINATIONS, in turn: COUNT frames, or without end where that is 0, one each PACE microseconds, or as fast as it goes where that is
//     0; for MS milliseconds at most. Prints how many were sent.
//   packet-rate count IFC PID WARM MS
//     Lets WARM milliseconds pass and counts for MS. Prints packets that came in by IFC, nanoseconds, and those of processor time that the
//     process PID has used meanwhile.
//   packet-rate gaps IFC MS LEAST
//     Prints a line for each time of LEAST microseconds or more in which no UDP came in by IFC, within MS milliseconds: when it ended, by
//     the monotonic clock, and how long it was, both in nanoseconds. The kernel tells when a packet came. Then `packets COUNT`.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { BATCH = 64, LONGEST = 2048, PROTO = 23, L4 = 34, UDP = 17 };

static void fail(const char *what) {
  perror(what);
  exit(1);
}

static int64_t nanoseconds(struct timespec t) {
  return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static int64_t now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return nanoseconds(t);
}

static int packet_socket(const char *ifc, int protocol) {
  const int fd = socket(AF_PACKET, SOCK_RAW, htons(protocol));
  struct sockaddr_ll at = {.sll_family = AF_PACKET, .sll_protocol = htons(protocol), .sll_ifindex = if_nametoindex(ifc)};
  if (fd < 0 || bind(fd, (struct sockaddr *)&at, sizeof at) < 0) fail(ifc);
  return fd;
}

// Others that want the processor are no reason to be late.
static void hurry(void) {
  const struct sched_param least = {.sched_priority = 1};
  if (sched_setscheduler(0, SCHED_FIFO, &least) < 0) fail("sched_setscheduler");
}

static int send_frames(char **argv) {
  static unsigned char frames[BATCH][LONGEST];
  const size_t length = strlen(argv[1]) / 2;
  const unsigned sources = atoi(argv[2]), source = atoi(argv[3]), destinations = atoi(argv[4]), destination = atoi(argv[5]);
  const long long count = atoll(argv[6]);
  const int64_t end = now() + atoll(argv[7]) * 1000000LL, pace = atoll(argv[8]) * 1000;
  if (length < L4 + 4 || length > LONGEST || sources == 0 || destinations == 0) return 2;
  struct mmsghdr messages[BATCH] = {0};
  struct iovec parts[BATCH];
  for (int i = 0; i < BATCH; i++) {
    for (size_t at = 0; at < length; at++) sscanf(argv[1] + 2 * at, "%2hhx", &frames[i][at]);
    parts[i] = (struct iovec){frames[i], length};
    messages[i].msg_hdr = (struct msghdr){.msg_iov = &parts[i], .msg_iovlen = 1};
  }
  const int fd = packet_socket(argv[0], 0);
  const int on = 1;
  if (setsockopt(fd, SOL_PACKET, PACKET_QDISC_BYPASS, &on, sizeof on) < 0) fail("PACKET_QDISC_BYPASS");
  if (pace > 0) hurry();
  const int batch = pace > 0 ? 1 : BATCH;
  int64_t due = now();
  long long sent = 0;
  while ((count == 0 || sent < count) && now() < end) {
    const int most = count == 0 || count - sent > batch ? batch : (int)(count - sent);
    for (int i = 0; i < most; i++) {
      const long long flow = (sent + i) % ((long long)sources * destinations);
      const uint16_t ports[2] = {htons(source + flow / destinations), htons(destination + flow % destinations)};
      memcpy(frames[i] + L4, ports, sizeof ports);
    }
    const int done = sendmmsg(fd, messages, most, 0);
    if (done < 0 && errno != ENOBUFS && errno != EAGAIN) fail("sendmmsg");
    if (done > 0) sent += done;
    if (pace == 0) continue;
    due += pace;
    const struct timespec at = {.tv_sec = due / 1000000000, .tv_nsec = due % 1000000000};
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL);
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

static volatile sig_atomic_t is_over;

static void end_it(int signal) {
  (void)signal;
  is_over = 1;
}

static int print_gaps(char **argv) {
  const int64_t end = now() + atoll(argv[1]) * 1000000LL, least = atoll(argv[2]) * 1000;
  const int fd = packet_socket(argv[0], ETH_P_IP), on = 1;
  const struct timeval patience = {.tv_usec = 100000};
  struct timespec wall;
  clock_gettime(CLOCK_REALTIME, &wall);
  const int64_t ahead = nanoseconds(wall) - now();
  if (setsockopt(fd, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof on) < 0) fail("SO_TIMESTAMPNS");
  if (setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience) < 0) fail("SO_RCVTIMEO");
  signal(SIGTERM, end_it);
  setvbuf(stdout, NULL, _IOLBF, 0);
  printf("ready\n");
  long long packets = 0;
  int64_t last = 0;
  while (!is_over && now() < end) {
    unsigned char frame[LONGEST], beside[CMSG_SPACE(sizeof(struct timespec))];
    struct iovec part = {frame, sizeof frame};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = beside, .msg_controllen = sizeof beside};
    if (recvmsg(fd, &message, 0) <= PROTO || frame[PROTO] != UDP) continue;
    const struct cmsghdr *told = CMSG_FIRSTHDR(&message);
    if (told == NULL || told->cmsg_type != SO_TIMESTAMPNS) continue;
    struct timespec came;
    memcpy(&came, CMSG_DATA(told), sizeof came);
    const int64_t at = nanoseconds(came) - ahead;
    packets++;
    if (last > 0 && at - last >= least) printf("%lld %lld\n", (long long)at, (long long)(at - last));
    last = at;
  }
  printf("packets %lld\n", packets);
  return 0;
}

int main(int argc, char **argv) {
  if (argc == 11 && strcmp(argv[1], "send") == 0) return send_frames(argv + 2);
  if (argc == 6 && strcmp(argv[1], "count") == 0) return count_frames(argv + 2);
  if (argc == 5 && strcmp(argv[1], "gaps") == 0) return print_gaps(argv + 2);
  fprintf(stderr, "see the head of packet-rate.c\n");
  return 2;
}

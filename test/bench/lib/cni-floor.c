// What a CNI benchmark measures against, and with. Times are microseconds, one a line.
//   cni-floor call LIST VERB PROGRAM CONF   starts PROGRAM as a runtime does, once for each line "containerID netns args" of LIST
//   cni-floor links LIST BRIDGE             asks the kernel for a pod's interface and its place in BRIDGE (-: in none), once for each line;
//                                           its sources go into the sets of the table `bridge bare` of nftables, which are empty again at the end
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <fcntl.h>
#include <net/if.h>
#include <sched.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <linux/if_link.h>
#include <linux/ip.h>
#include <linux/neighbour.h>
#include <linux/netfilter.h>
#include <linux/netfilter/nf_tables.h>
#include <linux/netfilter/nfnetlink.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <linux/veth.h>
#include <sys/socket.h>
#include <sys/wait.h>

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1e6 + t.tv_nsec / 1e3;
}

static int calls(FILE *list, const char *verb, char *program, const char *conf) {
  char id[128], netns[256], args[1024];
  setenv("CNI_COMMAND", verb, 1);
  setenv("CNI_IFNAME", "eth0", 1);
  setenv("CNI_PATH", "/usr/lib/cni", 1);
  while (fscanf(list, "%127s %255s %1023s", id, netns, args) == 3) {
    setenv("CNI_CONTAINERID", id, 1);
    setenv("CNI_NETNS", netns, 1);
    setenv("CNI_ARGS", args, 1);
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, 0, conf, O_RDONLY, 0);
    char *argv[] = {program, NULL};
    double began = now();
    pid_t pid;
    int status = 0;
    extern char **environ;
    int out = open("/dev/null", O_WRONLY);
    posix_spawn_file_actions_adddup2(&files, out, 1);
    if (posix_spawn(&pid, program, &files, NULL, argv, environ) != 0) return 2;
    waitpid(pid, &status, 0);
    printf("%.1f\n", now() - began);
    close(out);
    posix_spawn_file_actions_destroy(&files);
    if (status != 0) return fprintf(stderr, "%s of %s ended with %d\n", verb, id, WEXITSTATUS(status)), 1;
  }
  return 0;
}

static char message[8192];
static size_t length;
static unsigned sequence;

static struct rtattr *put(struct nlmsghdr *h, int type, const void *bytes, size_t size) {
  struct rtattr *a = (void *)((char *)h + NLMSG_ALIGN(h->nlmsg_len));
  a->rta_type = type;
  a->rta_len = RTA_LENGTH(size);
  if (size > 0) memcpy(RTA_DATA(a), bytes, size);
  h->nlmsg_len = NLMSG_ALIGN(h->nlmsg_len) + RTA_ALIGN(a->rta_len);
  return a;
}
static void end(struct nlmsghdr *h, struct rtattr *a) { a->rta_len = (char *)h + NLMSG_ALIGN(h->nlmsg_len) - (char *)a; }
static struct nlmsghdr *begin(int type, int flags, const void *body, size_t size) {
  struct nlmsghdr *h = (void *)(message + length);
  memset(h, 0, 1024);
  *h = (struct nlmsghdr){.nlmsg_len = NLMSG_LENGTH(size), .nlmsg_type = type, .nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK | flags, .nlmsg_seq = ++sequence};
  memcpy(NLMSG_DATA(h), body, size);
  return h;
}
static void done(struct nlmsghdr *h) { length += NLMSG_ALIGN(h->nlmsg_len); }

// Sends what has been gathered and waits for all answers; the index of the last link told, and of its other end.
static void ask(int fd, int wanted, int *index, int *peer) {
  char answer[65536];
  if (send(fd, message, length, 0) < 0) perror("send"), exit(1);
  length = 0;
  while (wanted > 0) {
    int got = recv(fd, answer, sizeof answer, 0);
    for (struct nlmsghdr *h = (void *)answer; NLMSG_OK(h, got); h = NLMSG_NEXT(h, got)) {
      if (h->nlmsg_type == NLMSG_ERROR) {
        int error = ((struct nlmsgerr *)NLMSG_DATA(h))->error;
        if (error != 0) fprintf(stderr, "the floor's message %u is refused: %s\n", h->nlmsg_seq, strerror(-error)), exit(1);
        wanted--;
      } else if (h->nlmsg_type == RTM_NEWLINK && index != NULL) {
        struct ifinfomsg *link = NLMSG_DATA(h);
        int rest = IFLA_PAYLOAD(h);
        *index = link->ifi_index;
        for (struct rtattr *a = IFLA_RTA(link); RTA_OK(a, rest); a = RTA_NEXT(a, rest))
          if (a->rta_type == IFLA_LINK) *peer = *(int *)RTA_DATA(a);
      }
    }
  }
}

static void makePair(const char *name, int ns) {
  struct ifinfomsg up = {.ifi_flags = IFF_UP, .ifi_change = IFF_UP}, none = {0};
  unsigned mtu = 1400, group = 77, skip = 8;
  unsigned char mac[6] = {2, 0, 0, 0, 0, 1};
  struct nlmsghdr *h = begin(RTM_NEWLINK, NLM_F_CREATE | NLM_F_EXCL, &up, sizeof up);
  put(h, IFLA_IFNAME, name, strlen(name) + 1);
  put(h, IFLA_MTU, &mtu, 4);
  put(h, IFLA_GROUP, &group, 4);
  struct rtattr *li = put(h, IFLA_LINKINFO, NULL, 0);
  put(h, IFLA_INFO_KIND, "veth", 4);
  struct rtattr *of = put(h, IFLA_INFO_DATA, NULL, 0), *pe = put(h, VETH_INFO_PEER, NULL, 0);
  memcpy((char *)h + NLMSG_ALIGN(h->nlmsg_len), &none, sizeof none);
  h->nlmsg_len = NLMSG_ALIGN(h->nlmsg_len) + sizeof none;
  put(h, IFLA_IFNAME, "eth0", 5);
  put(h, IFLA_MTU, &mtu, 4);
  put(h, IFLA_ADDRESS, mac, 6);
  put(h, IFLA_NET_NS_FD, &ns, 4);
  end(h, pe), end(h, of), end(h, li), done(h);
  h = begin(RTM_GETLINK, 0, &none, sizeof none);
  put(h, IFLA_IFNAME, name, strlen(name) + 1);
  put(h, IFLA_EXT_MASK, &skip, 4);
  done(h);
}

// Whose it is, and that the node's own IP has no part in it.
static void nameHost(int index) {
  const char *alias = "megrez:00000000-0000-4000-8000-000000000001";
  struct ifinfomsg link = {.ifi_index = index};
  unsigned strict = 1;
  unsigned char none = IN6_ADDR_GEN_MODE_NONE;
  struct nlmsghdr *h = begin(RTM_NEWLINK, 0, &link, sizeof link);
  put(h, IFLA_IFALIAS, alias, strlen(alias) + 1);
  struct rtattr *spec = put(h, IFLA_AF_SPEC, NULL, 0), *four = put(h, AF_INET, NULL, 0), *conf = put(h, IFLA_INET_CONF, NULL, 0);
  put(h, IPV4_DEVCONF_RP_FILTER, &strict, 4);
  end(h, conf), end(h, four);
  struct rtattr *six = put(h, AF_INET6, NULL, 0);
  put(h, IFLA_INET6_ADDR_GEN_MODE, &none, 1);
  end(h, six), end(h, spec), done(h);
}

static void batch(int type) {
  struct nfgenmsg of = {.res_id = htons(NFNL_SUBSYS_NFTABLES)};
  struct nlmsghdr *h = begin(type, 0, &of, sizeof of);
  h->nlmsg_flags = NLM_F_REQUEST;
  done(h);
}

// One element of a set, from `first` to `last` where it is a block; without bytes: all of them, for a type that drops.
static void element(int type, const char *set, const void *first, const void *last, size_t size) {
  struct nfgenmsg of = {.nfgen_family = NFPROTO_BRIDGE};
  struct nlmsghdr *h = begin(NFNL_SUBSYS_NFTABLES << 8 | type, type == NFT_MSG_NEWSETELEM ? NLM_F_CREATE : 0, &of, sizeof of);
  put(h, NFTA_SET_ELEM_LIST_TABLE, "bare", 5), put(h, NFTA_SET_ELEM_LIST_SET, set, strlen(set) + 1);
  if (first != NULL) {
    struct rtattr *all = put(h, NFTA_SET_ELEM_LIST_ELEMENTS | NLA_F_NESTED, NULL, 0), *one = put(h, NFTA_LIST_ELEM | NLA_F_NESTED, NULL, 0);
    struct rtattr *key = put(h, NFTA_SET_ELEM_KEY | NLA_F_NESTED, NULL, 0);
    put(h, NFTA_DATA_VALUE, first, size), end(h, key);
    if (last != NULL) key = put(h, NFTA_SET_ELEM_KEY_END | NLA_F_NESTED, NULL, 0), put(h, NFTA_DATA_VALUE, last, size), end(h, key);
    end(h, one), end(h, all);
  }
  done(h);
}

// What the interface may send from: ARP and IPv4 of one MAC and one address.
static void guard(const char *name) {
  unsigned char source[28] = {[16] = 2, [21] = 1, [24] = 10, 99, 0, 5};
  snprintf((char *)source, 16, "%s", name);
  batch(NFNL_MSG_BATCH_BEGIN);
  element(NFT_MSG_NEWSETELEM, "guarded", source, NULL, 16);
  element(NFT_MSG_NEWSETELEM, "source4", source, source, sizeof source);
  batch(NFNL_MSG_BATCH_END);
}

static void unguard(void) {
  batch(NFNL_MSG_BATCH_BEGIN);
  element(NFT_MSG_DELSETELEM, "guarded", NULL, NULL, 0);
  element(NFT_MSG_DELSETELEM, "source4", NULL, NULL, 0);
  batch(NFNL_MSG_BATCH_END);
}

static void joinBridge(int index, int bridge) {
  struct ifinfomsg link = {.ifi_index = index};
  unsigned char off = 0, mac[6] = {2, 0, 0, 0, 0, 1}, four[4] = {10, 99, 0, 5};
  struct nlmsghdr *h = begin(RTM_NEWLINK, 0, &link, sizeof link);
  put(h, IFLA_MASTER, &bridge, 4), done(h);
  h = begin(RTM_NEWLINK, 0, &link, sizeof link);
  struct rtattr *li = put(h, IFLA_LINKINFO, NULL, 0);
  put(h, IFLA_INFO_SLAVE_KIND, "bridge", 7);
  struct rtattr *of = put(h, IFLA_INFO_SLAVE_DATA, NULL, 0);
  put(h, IFLA_BRPORT_LEARNING, &off, 1);
  end(h, of), end(h, li), done(h);
  struct ndmsg fdb = {.ndm_family = AF_BRIDGE, .ndm_ifindex = index, .ndm_state = NUD_NOARP, .ndm_flags = NTF_MASTER};
  h = begin(RTM_NEWNEIGH, NLM_F_CREATE | NLM_F_REPLACE, &fdb, sizeof fdb);
  put(h, NDA_LLADDR, mac, 6), done(h);
  struct ndmsg neighbour = {.ndm_family = AF_INET, .ndm_ifindex = bridge, .ndm_state = NUD_PERMANENT};
  h = begin(RTM_NEWNEIGH, NLM_F_CREATE | NLM_F_REPLACE, &neighbour, sizeof neighbour);
  put(h, NDA_DST, four, 4), put(h, NDA_LLADDR, mac, 6), done(h);
}

static void inside(int index) {
  for (int each = 1; each <= index; each += index - 1) {
    struct ifinfomsg up = {.ifi_index = each, .ifi_flags = IFF_UP, .ifi_change = IFF_UP};
    done(begin(RTM_NEWLINK, 0, &up, sizeof up));
  }
  unsigned char four[4] = {10, 99, 0, 5}, gateway[4] = {10, 99, 0, 1};
  struct ifaddrmsg address = {.ifa_family = AF_INET, .ifa_prefixlen = 24, .ifa_index = index};
  struct nlmsghdr *h = begin(RTM_NEWADDR, NLM_F_CREATE | NLM_F_REPLACE, &address, sizeof address);
  put(h, IFA_LOCAL, four, 4), put(h, IFA_ADDRESS, four, 4), done(h);
  struct rtmsg route = {.rtm_family = AF_INET, .rtm_table = RT_TABLE_MAIN, .rtm_protocol = RTPROT_STATIC, .rtm_type = RTN_UNICAST};
  h = begin(RTM_NEWROUTE, NLM_F_CREATE | NLM_F_REPLACE, &route, sizeof route);
  put(h, RTA_GATEWAY, gateway, 4), put(h, RTA_OIF, &index, 4), done(h);
}

static int links(FILE *list, const char *bridgeName) {
  char id[128], netns[256], args[1024], name[16];
  int home = open("/proc/self/ns/net", O_RDONLY), here = socket(AF_NETLINK, SOCK_RAW, NETLINK_ROUTE), sources = socket(AF_NETLINK, SOCK_RAW, NETLINK_NETFILTER);
  int bridge = strcmp(bridgeName, "-") == 0 ? 0 : if_nametoindex(bridgeName);
  for (int n = 0; fscanf(list, "%127s %255s %1023s", id, netns, args) == 3; n++) {
    snprintf(name, sizeof name, "floor%d", n);
    int index = 0, peer = 0;
    double began = now();
    int ns = open(netns, O_RDONLY);
    makePair(name, ns), ask(here, 2, &index, &peer);
    if (bridge != 0) guard(name), ask(sources, 2, NULL, NULL);
    nameHost(index);
    if (bridge != 0) joinBridge(index, bridge);
    ask(here, bridge == 0 ? 1 : 5, NULL, NULL);
    setns(ns, CLONE_NEWNET);
    int there = socket(AF_NETLINK, SOCK_RAW, NETLINK_ROUTE);
    setns(home, CLONE_NEWNET);
    inside(peer), ask(there, 4, NULL, NULL);
    close(there), close(ns);
    printf("%.1f\n", now() - began);
  }
  struct ifinfomsg none = {0};
  unsigned group = 77;
  struct nlmsghdr *h = begin(RTM_DELLINK, 0, &none, sizeof none);
  put(h, IFLA_GROUP, &group, 4), done(h), ask(here, 1, NULL, NULL);
  if (bridge != 0) unguard(), ask(sources, 2, NULL, NULL);
  return 0;
}

int main(int count, char **given) {
  FILE *list = count > 2 ? fopen(given[2], "r") : NULL;
  if (list != NULL && count == 6 && strcmp(given[1], "call") == 0) return calls(list, given[3], given[4], given[5]);
  if (list != NULL && count == 4 && strcmp(given[1], "links") == 0) return links(list, given[3]);
  return fprintf(stderr, "cni-floor call LIST VERB PROGRAM CONF | cni-floor links LIST BRIDGE\n"), 2;
}

// Every setting of every process, once: name, unit, default, meaning. Unknown MEGREZ_ names are refused, and all mistakes are
// told at once. docs/settings.md is generated from the table.
import { nearest } from '../core/admit/nearest.ts'
import { ConfigInvalid } from '../core/errors.ts'
import {
  blocks,
  blocksByName,
  classes,
  flag,
  issuers,
  l4Port,
  list,
  namesByName,
  nameServers,
  nicLimits,
  oneOf,
  optional,
  optionalL4Port,
  text,
  webUrl,
  whole,
  type Setting,
} from './setting-kinds.ts'
import { cloudEventsSettings } from './settings/cloud-events.ts'
import { nodeSettings } from './settings/node.ts'
import { nsmSettings } from './settings/nsm.ts'

export type { TokenIssuer } from './setting-kinds.ts'

export const settings = {
  namespace: text('MEGREZ_NAMESPACE', 'megrez-system', "Megrez's own namespace: Notices live there"),
  logLevel: oneOf('MEGREZ_LOG_LEVEL', ['trace', 'debug', 'info', 'warn', 'error', 'silent'], 'info', 'least severe line that is logged'),
  sqliteSynchronous: oneOf(
    'MEGREZ_SQLITE_SYNCHRONOUS',
    ['FULL', 'NORMAL'],
    'FULL',
    'standalone: NORMAL may lose the last moments on power loss, never on kill -9',
  ),
  redis: optional(
    'MEGREZ_REDIS',
    "Redis as redis://host:6379, rediss://host:6379 (TLS) or a unix socket's path; absent: queues in this process",
  ),
  redisCa: optional(
    'MEGREZ_REDIS_CA',
    'path of the certificates, PEM, that a Redis over TLS is judged by; absent: those that Node.js comes with',
  ),
  redisPrefix: text('MEGREZ_REDIS_PREFIX', 'megrez', 'in front of every key in Redis'),
  queueInProcess: flag(
    'MEGREZ_QUEUE_IN_PROCESS',
    false,
    'no Redis: in a cluster for a worker that is the only one; standalone none is started',
  ),
  kubeconfig: optional(
    'MEGREZ_KUBECONFIG',
    'cluster: path of a kubeconfig; absent: KUBECONFIG, else the service account of the pod, else ~/.kube/config',
  ),
  kubeContext: optional('MEGREZ_KUBE_CONTEXT', 'cluster: the context of the kubeconfig; absent: its current one'),
  listenHost: optional('MEGREZ_LISTEN_HOST', 'cluster: address that all listeners are on; absent: every address of the machine'),
  admissionL4Port: l4Port('MEGREZ_ADMISSION_L4PORT', 8443, 'cluster: where the API server calls, over HTTPS'),
  restL4Port: l4Port('MEGREZ_REST_L4PORT', 8444, 'cluster: where REST is, over HTTPS'),
  healthL4Port: l4Port('MEGREZ_HEALTH_L4PORT', 8080, 'cluster: where /livez, /readyz and /metrics are, over HTTP'),
  metricsL4Port: optionalL4Port(
    'MEGREZ_METRICS_L4PORT',
    'where /metrics is by itself, over HTTPS, for clients with a certificate, and then nowhere else; absent: beside /livez, standalone on REST',
  ),
  metricsHost: optional('MEGREZ_METRICS_HOST', 'address that it is on; absent: that of MEGREZ_LISTEN_HOST'),
  metricsCert: text(
    'MEGREZ_METRICS_CERT',
    '/etc/megrez/metrics/tls.crt',
    'path of its certificate, PEM, the leaf first; read again when it changes, as the next two',
  ),
  metricsKey: text('MEGREZ_METRICS_KEY', '/etc/megrez/metrics/tls.key', 'path of its key, PEM'),
  metricsClientCa: text(
    'MEGREZ_METRICS_CLIENT_CA',
    '/etc/megrez/metrics-clients/ca.crt',
    'path of the authorities, PEM, that have signed the certificate of Prometheus as a client; nobody else is heard there',
  ),
  metricsClientNames: list(
    'MEGREZ_METRICS_CLIENT_NAMES',
    'the common or DNS names of such certificates; absent: whatever the authorities have signed',
  ),
  ...cloudEventsSettings,
  admissionRegistration: optional(
    'MEGREZ_ADMISSION_REGISTRATION',
    'cluster: name of the webhook configurations that say at which paths admission is called; it answers there and nowhere else. Absent: at the paths that anybody can guess',
  ),
  admissionClientCa: optional(
    'MEGREZ_ADMISSION_CLIENT_CA',
    'cluster: path of the authorities, PEM, that have signed the certificate of the API server as a client; admission hears nobody else. Read again when it changes',
  ),
  admissionClientNames: list(
    'MEGREZ_ADMISSION_CLIENT_NAMES',
    'cluster: the common names of such certificates; absent: whatever the authorities have signed',
  ),
  tlsCert: text(
    'MEGREZ_TLS_CERT',
    '/etc/megrez/tls/tls.crt',
    'cluster: path of the certificate of admission and REST, PEM, the leaf first; read again when it changes',
  ),
  tlsKey: text('MEGREZ_TLS_KEY', '/etc/megrez/tls/tls.key', 'cluster: path of its key, PEM'),
  renewCertificates: flag(
    'MEGREZ_RENEW_CERTIFICATES',
    false,
    'cluster: workers renew the certificate of admission and the path that it is at, in the Secrets and webhook configurations that the chart names',
  ),
  tokenIssuer: optional(
    'MEGREZ_TOKEN_ISSUER',
    'cluster: the issuer whose tokens REST takes, as their claim iss names it; absent, as all ways to know callers: REST is off',
  ),
  tokenAudience: optional('MEGREZ_TOKEN_AUDIENCE', 'cluster: what must be in the claim aud of a token'),
  tokenKeysUrl: optional(
    'MEGREZ_TOKEN_KEYS_URL',
    "cluster: where the issuer's key set is (RFC 7517); absent: where its discovery document says",
  ),
  tokenIssuers: issuers(
    'MEGREZ_TOKEN_ISSUERS',
    'cluster: more issuers; rolesClaim names the claim with words of roles, `scope` unless given',
  ),
  openidIssuer: optional(
    'MEGREZ_OPENID_ISSUER',
    'cluster: the OpenID provider where browsers sign in, one of the issuers above; absent: the page takes pasted tokens alone',
  ),
  openidClient: optional('MEGREZ_OPENID_CLIENT', 'cluster: the id that Megrez has as a client there (client_id)'),
  openidSecretFile: optional(
    'MEGREZ_OPENID_SECRET_FILE',
    "cluster: path of the client's secret, read each time it is needed; absent: a public client, with PKCE alone",
  ),
  openidScopes: list('MEGREZ_OPENID_SCOPES', 'cluster: scopes that are asked for beside openid, for tokens with the roles of REST'),
  kubeTokens: flag(
    'MEGREZ_KUBE_TOKENS',
    false,
    "cluster: REST takes tokens of the cluster's own accounts, and passes them on to the API server",
  ),
  clientCa: optional(
    'MEGREZ_CLIENT_CA',
    'cluster: path of the authority, PEM, whose client certificates REST takes: CN is the caller, each O such as megrez:operator:blue a role',
  ),
  accessReview: flag(
    'MEGREZ_ACCESS_REVIEW',
    true,
    'cluster: the API server is asked whether a caller that it has not authenticated itself may do what the request asks',
  ),
  restRate: whole(
    'MEGREZ_REST_RATE',
    200,
    'cluster: requests a second of one caller, over all processes where MEGREZ_REDIS is set, else for each; 0: as many as come',
    { max: 1_000_000 },
  ),
  lingerMs: whole(
    'MEGREZ_LINGER_MS',
    5_000,
    'cluster: how long a server that is told to stop goes on answering, until nobody sends it anything new',
    { max: 120_000 },
  ),
  nicLimits: nicLimits('MEGREZ_NIC_LIMITS', { default: 8, flavors: {} }, 'how many Nics a pod may have, by VM flavor'),
  clusterNic: oneOf(
    'MEGREZ_CLUSTER_NIC',
    ['delegate', 'none'],
    'delegate',
    "who is eth0 where neither pod nor namespace says: the cluster's own NIC, or the first Nic",
  ),
  agents: flag('MEGREZ_AGENTS', false, 'nodes have agents that wire Ports: then a Port on a node is kept until its agent has unwired it'),
  node: optional('MEGREZ_NODE', 'agent: the Node that it is of; absent: the name of the host'),
  pod: optional(
    'MEGREZ_POD',
    'agent: the pod that it runs in, whose DaemonSet says at its end whether it is one for good; absent: it never is',
  ),
  dataplane: oneOf('MEGREZ_DATAPLANE', ['ovs', 'bess', 'linux', 'memory'], 'ovs', 'agent: what carries the packets of this node'),
  storeSocket: optional('MEGREZ_STORE_SOCKET', 'agent: the unix socket of a standalone server, in place of the Kubernetes API'),
  bridge: text('MEGREZ_BRIDGE', 'mgz-int', 'agent: the bridge of ours; 15 characters at most'),
  tunnelL4Port: whole('MEGREZ_TUNNEL_L4PORT', 4789, 'agent: the UDP port of VXLAN, the same on all nodes', { min: 1, max: 65_535 }),
  tunnelDscp: oneOf(
    'MEGREZ_TUNNEL_DSCP',
    ['none', 'inherit'],
    'none',
    'agent: how packets between nodes are marked: not at all, or as what they carry is, which policies and pods of tenants say (Open vSwitch)',
  ),
  tunnelAddress: optional(
    'MEGREZ_TUNNEL_ADDRESS',
    "agent: where others tunnel to, in place of what its Node says; workers must know it too, so a Node's annotation is better",
  ),
  tunnelBlocks: blocks(
    'MEGREZ_TUNNEL_BLOCKS',
    "workers and agents: which of a Node's addresses is tunnelled to; absent: its first InternalIP",
  ),
  underlayMtu: whole(
    'MEGREZ_UNDERLAY_MTU',
    0,
    'agent: bytes of a packet between nodes; 0: as the interface with the tunnel address has it',
    { max: 65_535 },
  ),
  uplinks: namesByName(
    'MEGREZ_UPLINKS',
    "agent: the interface that leads to each physical network; it is moved to a bridge of ours, but on BESS it stays the kernel's",
  ),
  ovsDb: text(
    'MEGREZ_OVS_DB',
    'unix:/var/run/openvswitch/db.sock',
    "agent: where the OVSDB of this node's Open vSwitch is, as ovsdb(7) writes it",
  ),
  ovsRunDir: text('MEGREZ_OVS_RUN_DIR', '/var/run/openvswitch', "agent: folder with the management sockets of Open vSwitch's bridges"),
  ovsDatapath: oneOf(
    'MEGREZ_OVS_DATAPATH',
    ['auto', 'system', 'netdev'],
    'auto',
    "agent: Open vSwitch's datapath: the kernel's, or its own; auto: the kernel's if a bridge can be made with it",
  ),
  bessTarget: text(
    'MEGREZ_BESS_TARGET',
    'unix:/run/bess/bessd.sock',
    'agent: bessd, as unix:/path or host:10514; beside us, in our network namespace',
  ),
  dpdkSockets: text(
    'MEGREZ_DPDK_SOCKETS',
    '/var/run/megrez/vhost',
    "agent: folder with a folder for each pod that has a dpdk port, by the pod's UID, and its socket in there; admission mounts them into pods from the usual place",
  ),
  bessDpdk: oneOf('MEGREZ_BESS_DPDK', ['vhost-user', 'memif'], 'vhost-user', 'agent: how pods reach their dpdk ports on BESS'),
  bessBesideOthers: flag(
    'MEGREZ_BESS_BESIDE_OTHERS',
    false,
    'agent: true: bessd may carry modules and ports of others; their traffic pauses when ours changes',
  ),
  cniSocket: text('MEGREZ_CNI_SOCKET', '/run/megrez/cni.sock', 'agent: where the CNI shim finds it'),
  cniBin: text('MEGREZ_CNI_BIN', '/opt/cni/bin', "agent: folder of CNI plugins: the shim is put there, and the delegate's are looked for"),
  cniConf: text('MEGREZ_CNI_CONF', '/etc/cni/net.d', 'agent: folder where the runtime looks for its CNI configuration'),
  cniDelegate: text(
    'MEGREZ_CNI_DELEGATE',
    '/etc/cni/megrez.d',
    "agent: folder where the configuration of the cluster's own CNI is moved to",
  ),
  cniShim: optional('MEGREZ_CNI_SHIM', 'agent: path of the built shim; absent: none is put in place'),
  cniConcurrency: whole('MEGREZ_CNI_CONCURRENCY', 32, 'agent: CNI calls that are worked at at once', { min: 1, max: 1_000 }),
  cniBudgetMs: whole('MEGREZ_CNI_BUDGET_MS', 100_000, 'agent: how long a CNI call may take; kubelet gives up after two minutes', {
    min: 1_000,
    max: 105_000,
  }),
  ledger: text('MEGREZ_LEDGER', '/var/lib/megrez', 'agent: folder of what it remembers over restarts'),
  auditMs: whole(
    'MEGREZ_AUDIT_MS',
    4_000,
    'agent: how often all that is in the data plane is compared with what should be; a costly comparison makes it rarer',
    { min: 100 },
  ),
  portsWithoutPod: oneOf(
    'MEGREZ_PORTS_WITHOUT_POD',
    ['none', 'bare', 'addressed'],
    'none',
    'agent outside Kubernetes: which Ports without a pod its node takes, for the label of its Node: none, with MAC and name alone, or also with addresses in a network namespace of their own',
  ),
  attachmentNamespaces: list(
    'MEGREZ_ATTACHMENT_NAMESPACES',
    'agent: namespaces whose L2ServiceAttachments pods of every namespace may use; others are for the pods of their own',
  ),
  execAllow: list('MEGREZ_EXEC_ALLOW', 'agent: programs that postCreateExec and postDeleteExec of Ports may name, as paths'),
  ...nodeSettings,
  ...nsmSettings,
  reservationMs: whole(
    'MEGREZ_RESERVATION_MS',
    30_000,
    'how long admission keeps a fixed address or a Port for a pod that is not stored yet',
    { min: 1_000, max: 600_000 },
  ),
  reservationRate: whole(
    'MEGREZ_RESERVATION_RATE',
    100,
    'addresses, MACs and Ports a second that admission keeps for pods of one namespace, each process by itself; pods above it are admitted and take what they name when workers get to them. 0: as many as come',
    { max: 1_000_000 },
  ),
  policyEnforcement: oneOf(
    'MEGREZ_POLICY_ENFORCEMENT',
    ['audit', 'enforce'],
    'enforce',
    'what policies deny is dropped (enforce), or passes and is counted (audit)',
  ),
  policyClasses: classes(
    'MEGREZ_POLICY_CLASSES',
    'the DSCP that what pods of a class (class of a UnifiedNetworkPolicy) send is marked with; a class that is not named here marks nothing',
  ),
  nameServers: nameServers(
    'MEGREZ_NAME_SERVERS',
    'where workers ask for the names (fqdn) that policies are about, in this order; empty: the resolvers of the machine',
  ),
  addressRestMs: whole('MEGREZ_ADDRESS_REST_MS', 60_000, 'how long a freed address is not handed out again'),
  vniMin: whole('MEGREZ_VNI_MIN', 4_096, 'lowest VNI given to a Vpc that names none', { min: 1, max: 2 ** 24 - 1 }),
  vniMax: whole('MEGREZ_VNI_MAX', 2_097_151, "highest VNI given to a Vpc that names none; KOS's MAC function ends here", {
    min: 1,
    max: 2 ** 24 - 1,
  }),
  concurrency: whole('MEGREZ_CONCURRENCY', 50, 'keys that one worker looks at at once', { min: 1, max: 1_000 }),
  blockerWaitMs: whole(
    'MEGREZ_BLOCKER_WAIT_MS',
    600_000,
    'how long something in a terminating namespace may hold back its deletion; then guests of its Vpcs are told to leave',
  ),
  fabricOwner: text(
    'MEGREZ_FABRIC_OWNER',
    'megrez',
    'marks what is ours on switches: two installations that share a fabric need two names',
  ),
  fabricCredentials: optional(
    'MEGREZ_FABRIC_CREDENTIALS',
    'folder with a folder for each name that switches give as their credentials: files username, password, ca.crt, tls.crt, tls.key',
  ),
  cloudCredentials: optional(
    'MEGREZ_CLOUD_CREDENTIALS',
    'folder with a folder for each name that Clouds give as their credentials: files username, password, ca.crt, tls.crt, tls.key; of OpenStack docs/neutron.md has more',
  ),
  fabricRate: whole('MEGREZ_FABRIC_RATE', 20, 'transactions a second that are sent to one switch', { min: 1, max: 1_000 }),
  fabricFreshMs: whole('MEGREZ_FABRIC_FRESH_MS', 10_000, 'how long what was seen on a switch counts, where nothing was heard of a change', {
    min: 100,
    max: 600_000,
  }),
  fabricAuditMs: whole('MEGREZ_FABRIC_AUDIT_MS', 60_000, 'how often a Fabric is audited without a reason', { min: 1_000 }),
  callbackTimeoutMs: whole('MEGREZ_CALLBACK_TIMEOUT_MS', 15_000, 'how long a callback may take to answer', { min: 100, max: 120_000 }),
  callbackHorizonMs: whole('MEGREZ_CALLBACK_HORIZON_MS', 259_200_000, 'how long an unanswered notice is tried: three days'),
  callbackAllow: blocks(
    'MEGREZ_CALLBACK_ALLOW',
    'address blocks that callbacks may reach although they are private; standalone loopback unless it is given: empty, nothing private',
  ),
  callbackAllowIn: blocksByName('MEGREZ_CALLBACK_ALLOW_IN', 'private blocks that callbacks of one namespace may reach'),
  callbackSecret: optional(
    'MEGREZ_CALLBACK_SECRET',
    'signs callbacks: whsec_ and base64 of 24 to 64 bytes (Standard Webhooks 1.0); each namespace has a secret of its own, derived from it; several, apart by spaces, while one is being replaced: each signs',
  ),
  callbackSharedSignature: flag(
    'MEGREZ_CALLBACK_SHARED_SIGNATURE',
    false,
    "callbacks are also signed with MEGREZ_CALLBACK_SECRET itself, for receivers of before that do not have their namespace's secret yet: whoever verifies by it could sign for every namespace",
  ),
  callbackOrigin: text(
    'MEGREZ_CALLBACK_ORIGIN',
    'megrez.io',
    'who asks a CloudEvents sink whether it may be told (WebHook-Request-Origin)',
  ),
  publicUrl: webUrl(
    'MEGREZ_PUBLIC_URL',
    "where REST is for those outside: what links in SOL notifications and subscriptions begin with, and where an OpenID provider sends browsers back to; absent: links in notifications begin with /v1, others as the client has reached us; standalone the server's own address",
  ),
  callbackHttp: flag('MEGREZ_CALLBACK_HTTP', false, 'callbacks may go to http, not only https; standalone they may unless it is given'),
} as const

export type Config = { readonly [K in keyof typeof settings]: (typeof settings)[K] extends Setting<infer T> ? T : never }

const prefix = 'MEGREZ_'
/** Names that other programs of this repository read and that are not settings of a process. */
const others = /^MEGREZ_(TEST_\w+|BENCH_\w+|TRIALS|PEERS|PEERS_REQUIRED|URL|TOKEN)$/
/** What a kubelet tells every container of a Service whose name begins with ours (docker links; Kubernetes, "Accessing Services"). */
const ofServices = /^MEGREZ_(\w+_)?(SERVICE_(HOST|PORT|PORT_\w+)|PORT_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)$/
const setByKubelet = (name: string, value: string | undefined): boolean =>
  ofServices.test(name) || (/_PORT$/.test(name) && /^(tcp|udp|sctp):\/\//.test(value ?? ''))

/**
 * The settings from environment variables.
 *
 * @param usual in place of the defaults, for what no variable says
 * @throws ConfigInvalid naming every wrong or unknown one
 */
export function readConfig(
  env: Readonly<Record<string, string | undefined>>,
  overrides: Partial<Config> = {},
  usual: Partial<Config> = {},
): Config {
  const read = Object.entries(settings).map(([name, setting]) => ({
    name,
    ...valueOf({ ...setting, fallback: usual[name as keyof Config] ?? setting.fallback }, env[setting.env]),
  }))
  const config = Object.fromEntries(read.map(({ name, value }) => [name, value])) as unknown as Config
  const wrong = [...read.flatMap((each) => ('wrong' in each ? [each.wrong] : [])), ...unknownIn(env)]
  if (config.vniMin > config.vniMax) wrong.push(`${settings.vniMin.env}: must not be above ${settings.vniMax.env}, ${config.vniMax}`)
  if (wrong.length === 0) return { ...config, ...overrides }
  const [name = '', ...reason] = wrong.join('; ').split(': ')
  throw new ConfigInvalid({ name, reason: reason.join(': ') })
}

/** A wrong one counts as not given, so that what is told beside it is not a consequence of it. */
function valueOf(
  { env, fallback, takes, read }: Setting<unknown>,
  given: string | undefined,
): { readonly value: unknown; readonly wrong?: string } {
  const found = given === undefined ? { value: fallback } : read(given)
  return found ?? { value: fallback, wrong: `${env}: must be ${takes}; it is ${JSON.stringify(given)}` }
}

function unknownIn(env: Readonly<Record<string, string | undefined>>): string[] {
  const known = Object.values(settings).map((setting) => setting.env)
  return Object.keys(env)
    .filter(
      (name) => name.startsWith(prefix) && !known.some((each) => each === name) && !others.test(name) && !setByKubelet(name, env[name]),
    )
    .map((name) => {
      const meant = nearest(
        name.slice(prefix.length),
        known.map((each) => each.slice(prefix.length)),
      )
      return `${name}: no such setting${meant === undefined ? '' : ` (${prefix}${meant} is one)`}`
    })
}

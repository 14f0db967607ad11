// Every metric of every process, once: name, type, labels, unit, help. Labels take few values: nothing that a user names.
// docs/metrics.md is generated from the table; platform/metrics/set.ts makes a metric from its row, and nobody makes one in another way.

export type MetricType = 'counter' | 'gauge' | 'histogram'
/** The processes that have it; standalone has what webhooks and workers have. */
export type MetricOwner = 'every process' | 'webhooks' | 'workers' | 'agents' | 'npm run load'
type Names = readonly string[]

export interface Metric<T extends MetricType = MetricType, L extends Names = Names> {
  readonly type: T
  readonly of: MetricOwner
  /** What one of it is: `seconds`, or the plural of what is counted. */
  readonly unit: string
  readonly labels: L
  readonly help: string
  /** Of a histogram: upper bounds, in its unit. */
  readonly buckets?: readonly number[]
}

const counter = <const L extends Names>(of: MetricOwner, unit: string, labels: L, help: string): Metric<'counter', L> => ({
  type: 'counter',
  of,
  unit,
  labels,
  help,
})
const gauge = <const L extends Names>(of: MetricOwner, unit: string, labels: L, help: string): Metric<'gauge', L> => ({
  type: 'gauge',
  of,
  unit,
  labels,
  help,
})
const seconds = <const L extends Names>(of: MetricOwner, buckets: readonly number[], labels: L, help: string): Metric<'histogram', L> => ({
  type: 'histogram',
  of,
  unit: 'seconds',
  labels,
  help,
  buckets,
})

/** What is done in memory, or by one request. */
const quick = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
/** What goes through several processes, and may wait for a person. */
const slow = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1_800]
/** What takes anything from a moment to a day. */
const ages = [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 60, 300, 1_800, 7_200, 86_400]
/** 1 ms to 65 s, doubling: those of KOS' driver. */
const doubling = Array.from({ length: 17 }, (_, i) => 0.001 * 2 ** i)
const cni = [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 110]
const delegate = [0.01, 0.03, 0.1, 0.3, 1, 3, 10]

/** Of the way of a Port: see core/plan/hops.ts. */
const hop = (of: MetricOwner, help: string): Metric<'histogram', readonly ['contention', 'waited']> =>
  seconds(of, slow, ['contention', 'waited'], help)

export const metrics = {
  megrez_build_info: gauge('every process', 'processes', ['version'], 'Always 1; the label is the version that runs'),
  megrez_unheard_errors_total: counter('every process', 'errors', [], 'Errors that nobody heard: the first ends the process'),
  megrez_kube_requests_total: counter('every process', 'requests', ['verb', 'resource', 'code'], 'Requests to the API server'),
  megrez_kube_request_seconds: seconds(
    'every process',
    quick,
    ['verb', 'resource'],
    'From a request to the API server until its answer begins; of a watch, until it begins',
  ),
  megrez_watch_relists_total: counter('every process', 'lists', ['kind'], 'Lists that a watch began with, or had to begin again with'),
  megrez_watch_restarts_total: counter('every process', 'watches', ['kind', 'reason'], 'Watches begun again, by the end of the one before'),
  megrez_watch_last_event_age_seconds: gauge(
    'every process',
    'seconds',
    ['kind'],
    'Since the most silent watch of the kind was heard of: events and bookmarks',
  ),

  megrez_admission_reviews_total: counter(
    'webhooks',
    'reviews',
    ['path', 'how'],
    'Admission reviews answered: skipped without parsing, parsed, or malformed',
  ),
  megrez_admission_seconds: seconds(
    'webhooks',
    quick,
    ['path'],
    'From a review that was read until its answer; those skipped without parsing are not in it',
  ),
  megrez_nsm_calls_total: counter(
    'webhooks',
    'calls',
    ['method', 'code'],
    "Calls of Network Service Mesh's registry that have ended, by what gRPC says of them; a watch when it ends",
  ),
  megrez_reservations_total: counter(
    'webhooks',
    'reservations',
    ['how'],
    'What pods name: within the bound of their namespace, or beyond it and so not kept for them',
  ),

  megrez_reconcile_seconds: seconds(
    'workers',
    quick,
    ['controller', 'outcome'],
    'One reconcile of one key; outcome is done, overtaken (a rival was faster) or failed',
  ),
  megrez_queue_wait_seconds: seconds('workers', slow, ['queue'], 'From the time at which a key is due until a worker takes it'),
  megrez_queue_depth: gauge(
    'workers',
    'keys',
    ['queue'],
    'Keys that wait or are being looked at, over all workers of a Redis; those that are due later do not count',
  ),
  megrez_provider_seconds: seconds(
    'workers',
    quick,
    ['provider', 'call', 'outcome'],
    'Calls of a VPC provider: observe, apply; outcome is done, overtaken or failed. Writes to the store that it plans are in megrez_commit_seconds',
  ),
  megrez_cloud_seconds: seconds(
    'workers',
    quick,
    ['cloud', 'outcome'],
    'What a Cloud is asked, until it has answered; outcome is done, overtaken or failed',
  ),
  megrez_cloud_events_total: counter(
    'workers',
    'events',
    ['cloud', 'result'],
    'Events that Clouds have told of their ports, by what came of it: looked, unknown, unusable; of requests that were refused: invalid, unauthorized, forbidden, limited, unchecked',
  ),
  megrez_warm_ports: gauge('workers', 'Ports', ['cloud', 'state'], 'Ports made ahead that nobody has taken: ready, or in the making'),
  megrez_cloud_ports_total: counter(
    'workers',
    'Ports',
    ['cloud', 'how'],
    'Ports that came to a Cloud: how is taken where they took one that was made ahead, else made',
  ),
  megrez_fabric_seconds: seconds(
    'workers',
    quick,
    ['driver', 'call', 'outcome'],
    'Calls of a switch of a Fabric: observe, apply; outcome is done, overtaken or failed',
  ),
  megrez_commit_seconds: seconds(
    'workers',
    quick,
    ['locks', 'outcome'],
    'Writes of one reconcile to the store; locks is yes where an IPLock is created; outcome is done, overtaken or failed',
  ),
  megrez_delivery_seconds: seconds(
    'workers',
    quick,
    ['outcome'],
    'One sending of a notice; outcome is accepted, refused, forbidden, unreachable, slow or failed',
  ),
  megrez_delivery_age_seconds: seconds('workers', ages, [], 'From a change of phase until its receiver has accepted the notice of it'),
  megrez_callbacks_parked: gauge('workers', 'objects', [], "Objects whose next notice a Subscription's sink refuses again and again"),
  megrez_reservations_lapsed_total: counter('workers', 'reservations', ['kind'], 'What admission kept for a pod that never came, by kind'),

  megrez_subnet_create_to_validated_seconds: seconds(
    'workers',
    slow,
    [],
    'From the request that created a Subnet until the store has it validated',
  ),
  megrez_port_create_to_address_seconds: hop(
    'workers',
    'From the request that created a Port, or its pod, until the store has its address',
  ),
  megrez_port_create_to_ready_seconds: hop(
    'workers',
    'From the request that created a Port, or its pod, until the store has its phase ready',
  ),
  megrez_port_create_to_wired_seconds: hop(
    'agents',
    'From the request that created a Port, or its pod, until its interface is wired on its node',
  ),
  megrez_port_create_to_remote_flow_seconds: hop(
    'agents',
    'From the request that created a Port, or its pod, until this other node has its flow',
  ),
  megrez_port_address_to_remote_flow_seconds: hop('agents', "From a Port's address being locked until this other node has its flow"),
  megrez_port_create_to_status_seconds: hop(
    'agents',
    "From the request that created a Port, or its pod, until the store has its node's word that it is wired",
  ),

  megrez_agent_status_seconds: seconds(
    'agents',
    slow,
    [],
    "From a node's word about a Port until the store has taken it, retries included",
  ),
  megrez_agent_apply_seconds: seconds('agents', quick, ['outcome'], 'One change of the data plane; outcome is done or failed'),
  megrez_agent_items_applied_total: counter(
    'agents',
    'items',
    [],
    'Things put or dropped in the data plane because the wish for them changed',
  ),
  megrez_agent_items_repaired_total: counter(
    'agents',
    'items',
    [],
    'Things in the data plane that others had changed, and that were put right',
  ),
  megrez_agent_apply_failures_total: counter('agents', 'changes', [], 'Changes that the data plane did not take'),
  megrez_agent_ports: gauge('agents', 'Ports', [], 'Ports wired on this node'),
  megrez_agent_endpoints: gauge('agents', 'addresses', [], 'Addresses on other nodes that this node knows'),
  megrez_agent_rules: gauge('agents', 'rules', [], 'Rules of policies that judge Ports on this node'),
  megrez_agent_ports_closed: gauge(
    'agents',
    'Ports',
    [],
    'Ports on this node that pass nothing: rules that judge them are not here, or cannot be done here',
  ),
  megrez_agent_packets_denied_total: counter(
    'agents',
    'packets',
    ['tier', 'direction'],
    'Packets that policies have dropped on this node, as far as a rule or an isolation did it; read every 10 s',
  ),
  megrez_agent_packets_audited_total: counter(
    'agents',
    'packets',
    ['tier', 'direction'],
    'Packets that passed on this node, and that policies in audit would have dropped; read every 10 s',
  ),
  megrez_agent_packets_logged_total: counter(
    'agents',
    'packets',
    ['outcome', 'tier', 'direction'],
    'Packets that rules of policies have logged on this node: of those of sixteen shares of VNIs at most 20 a second each',
  ),
  megrez_agent_rules_seconds: seconds(
    'agents',
    quick,
    [],
    "From a rule set's change, as this node hears of it, until the data plane has it",
  ),
  megrez_agent_vnis: gauge('agents', 'VNIs', [], 'VNIs with a Port on this node'),
  megrez_agent_uplinks_missing: gauge(
    'agents',
    'physical networks',
    [],
    'Physical networks whose uplink names an interface that is not there',
  ),
  megrez_agent_inspectors: gauge(
    'agents',
    'inspectors',
    [],
    'Inspectors on this node: a proxy for each VNI and direction with rules of `l7`',
  ),
  megrez_agent_inspector_restarts_total: counter(
    'agents',
    'starts',
    [],
    'Inspectors that this agent has started again as their proxy had ended; what they inspect is refused meanwhile',
  ),
  megrez_agent_bgp_sessions: gauge('agents', 'sessions', ['group', 'state'], "Sessions of this node's BGP daemon, by their state"),
  megrez_agent_bgp_prefixes_in: gauge('agents', 'prefixes', ['group'], 'Prefixes that sessions of this node have brought'),
  megrez_agent_bgp_prefixes_out: gauge('agents', 'prefixes', ['group'], 'Prefixes that sessions of this node were sent'),
  megrez_agent_egress_refused_total: counter(
    'agents',
    'packets',
    [],
    'Packets that began a connection to the world outside and were refused on this node, as their Vpc had as many there as it may have',
  ),
  megrez_cni_seconds: seconds('agents', cni, ['verb', 'code'], "CNI calls answered, the delegate's time not counted"),
  megrez_cni_delegate_seconds: seconds('agents', delegate, ['verb'], 'Calls of the delegate CNI'),
} as const satisfies Readonly<Record<string, Metric>>

/**
 * What `npm run load -- --metrics` tells. The names are those of KOS' driver; `easy`: nobody else had the address that was picked first.
 */
export const loadStages = [
  'create',
  'create_to_addressed',
  'create_to_addressed_easy',
  'create_to_ready',
  'create_to_ready_easy',
  'create_to_broken',
  'create_to_half_tested',
  'ready_to_half_tested',
  'create_to_tested',
  'ready_to_tested',
  'delete',
] as const
export const loadCounts = ['successful_creates', 'failed_creates', 'successful_deletes', 'failed_deletes', 'tests', 'failed_tests'] as const
export const loadMetric = {
  stage: (stage: (typeof loadStages)[number]): string => `megrez_driver_attachment_${stage}_latency_seconds`,
  count: (count: (typeof loadCounts)[number]): string => `megrez_driver_attachment_${count}_total`,
}
const inWords = (name: string): string => name.replaceAll('_', ' ')

/** Every row by its name, those of the load driver too. */
export const allMetrics: Readonly<Record<string, Metric>> = {
  ...metrics,
  ...Object.fromEntries(
    loadStages.map((stage) => [loadMetric.stage(stage), seconds('npm run load', doubling, [], `From ${inWords(stage)}`)]),
  ),
  ...Object.fromEntries(loadCounts.map((count) => [loadMetric.count(count), counter('npm run load', inWords(count), [], inWords(count))])),
}

export type MetricName<T extends MetricType = MetricType> = {
  [N in keyof typeof metrics]: (typeof metrics)[N]['type'] extends T ? N : never
}[keyof typeof metrics]
export type LabelsOf<N extends MetricName> = Readonly<Record<(typeof metrics)[N]['labels'][number], string | number>>

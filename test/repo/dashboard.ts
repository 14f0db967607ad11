// The dashboard of Grafana, from a list of panels: what is asked, and in which unit the answer is.

export const dashboardPath = 'charts/megrez/files/monitoring/dashboard.json'

interface Panel {
  readonly title: string
  /** As Grafana names units. */
  readonly unit: 's' | 'short' | 'ops' | 'percentunit'
  /** Legend → PromQL. */
  readonly queries: Readonly<Record<string, string>>
}

const rate = '$__rate_interval'
const quantile = (share: number, metric: string, by: string, where = ''): string =>
  `histogram_quantile(${share}, sum by (${by === '' ? '' : `${by}, `}le) (rate(${metric}_bucket${where}[${rate}])))`
const perSecond = (metric: string, by: string, where = ''): string => `sum by (${by}) (rate(${metric}${where}[${rate}]))`
const halfAndMost = (metric: string, where = ''): Readonly<Record<string, string>> => ({
  p50: quantile(0.5, metric, '', where),
  p99: quantile(0.99, metric, '', where),
})
const calm = '{contention="none",waited="no"}'

const rows: Readonly<Record<string, readonly Panel[]>> = {
  'A Port, hop by hop': [
    { title: 'Created → address', unit: 's', queries: halfAndMost('megrez_port_create_to_address_seconds', calm) },
    { title: 'Created → ready', unit: 's', queries: halfAndMost('megrez_port_create_to_ready_seconds', calm) },
    { title: 'Created → local interface', unit: 's', queries: halfAndMost('megrez_port_create_to_wired_seconds', calm) },
    { title: 'Created → flow on other nodes', unit: 's', queries: halfAndMost('megrez_port_create_to_remote_flow_seconds', calm) },
    { title: 'Address → flow on other nodes', unit: 's', queries: halfAndMost('megrez_port_address_to_remote_flow_seconds', calm) },
    { title: "Created → node's status", unit: 's', queries: halfAndMost('megrez_port_create_to_status_seconds', calm) },
    {
      title: 'Ports addressed, by contention',
      unit: 'ops',
      queries: { '{{contention}}, waited: {{waited}}': perSecond('megrez_port_create_to_address_seconds_count', 'contention, waited') },
    },
    { title: 'Subnet created → validated', unit: 's', queries: halfAndMost('megrez_subnet_create_to_validated_seconds') },
  ],
  Workers: [
    {
      title: 'Reconciles',
      unit: 'ops',
      queries: { '{{controller}} {{outcome}}': perSecond('megrez_reconcile_seconds_count', 'controller, outcome') },
    },
    { title: 'One reconcile, p99', unit: 's', queries: { '{{controller}}': quantile(0.99, 'megrez_reconcile_seconds', 'controller') } },
    { title: 'Waiting in a queue, p99', unit: 's', queries: { '{{queue}}': quantile(0.99, 'megrez_queue_wait_seconds', 'queue') } },
    { title: 'Keys in queues', unit: 'short', queries: { '{{queue}}': 'max by (queue) (megrez_queue_depth)' } },
    {
      title: 'One commit, p99',
      unit: 's',
      queries: { 'locks: {{locks}}, {{outcome}}': quantile(0.99, 'megrez_commit_seconds', 'locks, outcome') },
    },
    {
      title: 'Calls of providers, p99',
      unit: 's',
      queries: { '{{provider}} {{call}}': quantile(0.99, 'megrez_provider_seconds', 'provider, call') },
    },
    { title: 'Answers of Clouds, p99', unit: 's', queries: { '{{cloud}}': quantile(0.99, 'megrez_cloud_seconds', 'cloud') } },
    {
      title: 'Events of Clouds',
      unit: 'ops',
      queries: { '{{cloud}} {{result}}': perSecond('megrez_cloud_events_total', 'cloud, result') },
    },
    { title: 'Ports made ahead', unit: 'short', queries: { '{{cloud}} {{state}}': 'max by (cloud, state) (megrez_warm_ports)' } },
    {
      title: 'Ports that came to Clouds',
      unit: 'ops',
      queries: { '{{cloud}} {{how}}': perSecond('megrez_cloud_ports_total', 'cloud, how') },
    },
    {
      title: 'Calls of switches, p99',
      unit: 's',
      queries: { '{{driver}} {{call}}': quantile(0.99, 'megrez_fabric_seconds', 'driver, call') },
    },
    { title: 'Reservations that lapsed', unit: 'ops', queries: { '{{kind}}': perSecond('megrez_reservations_lapsed_total', 'kind') } },
  ],
  'Admission and notices': [
    { title: 'Reviews', unit: 'ops', queries: { '{{path}} {{how}}': perSecond('megrez_admission_reviews_total', 'path, how') } },
    { title: 'One review, p99', unit: 's', queries: { '{{path}}': quantile(0.99, 'megrez_admission_seconds', 'path') } },
    {
      title: "Calls of NSM's registry",
      unit: 'ops',
      queries: { '{{method}} {{code}}': perSecond('megrez_nsm_calls_total', 'method, code') },
    },
    { title: 'Reservations', unit: 'ops', queries: { '{{how}}': perSecond('megrez_reservations_total', 'how') } },
    { title: 'Sendings', unit: 'ops', queries: { '{{outcome}}': perSecond('megrez_delivery_seconds_count', 'outcome') } },
    { title: 'One sending, p99', unit: 's', queries: { '{{outcome}}': quantile(0.99, 'megrez_delivery_seconds', 'outcome') } },
    { title: 'Change → accepted', unit: 's', queries: halfAndMost('megrez_delivery_age_seconds') },
    { title: 'Objects parked', unit: 'short', queries: { parked: 'max(megrez_callbacks_parked)' } },
  ],
  Nodes: [
    { title: 'Ports', unit: 'short', queries: { '{{pod}}': 'sum by (pod) (megrez_agent_ports)' } },
    { title: 'Addresses on other nodes', unit: 'short', queries: { '{{pod}}': 'sum by (pod) (megrez_agent_endpoints)' } },
    {
      title: 'Rules of policies, Ports that are closed',
      unit: 'short',
      queries: { 'rules, {{pod}}': 'sum by (pod) (megrez_agent_rules)', 'closed, {{pod}}': 'sum by (pod) (megrez_agent_ports_closed)' },
    },
    {
      title: 'Packets denied by policies, packets that audit lets pass',
      unit: 'ops',
      queries: {
        'denied, {{tier}} {{direction}}': 'sum by (tier, direction) (rate(megrez_agent_packets_denied_total[5m]))',
        'audited, {{tier}} {{direction}}': 'sum by (tier, direction) (rate(megrez_agent_packets_audited_total[5m]))',
      },
    },
    {
      title: 'Packets that rules of policies log',
      unit: 'ops',
      queries: { '{{outcome}}, {{pod}}': 'sum by (outcome, pod) (rate(megrez_agent_packets_logged_total[5m]))' },
    },
    {
      title: 'Connections to the world outside, refused as their Vpc has too many on a node',
      unit: 'ops',
      queries: { '{{pod}}': 'sum by (pod) (rate(megrez_agent_egress_refused_total[5m]))' },
    },
    { title: 'Rule set changed → enforced', unit: 's', queries: halfAndMost('megrez_agent_rules_seconds') },
    { title: 'VNIs', unit: 'short', queries: { '{{pod}}': 'sum by (pod) (megrez_agent_vnis)' } },
    { title: 'CNI calls, our part, p99', unit: 's', queries: { '{{verb}}': quantile(0.99, 'megrez_cni_seconds', 'verb') } },
    {
      title: "CNI calls, the delegate's part, p99",
      unit: 's',
      queries: { '{{verb}}': quantile(0.99, 'megrez_cni_delegate_seconds', 'verb') },
    },
    {
      title: 'CNI calls that failed',
      unit: 'ops',
      queries: { '{{verb}} {{code}}': perSecond('megrez_cni_seconds_count', 'verb, code', '{code!="0"}') },
    },
    {
      title: 'One change of the data plane, p99',
      unit: 's',
      queries: { '{{outcome}}': quantile(0.99, 'megrez_agent_apply_seconds', 'outcome') },
    },
    { title: 'Items applied', unit: 'ops', queries: { '{{pod}}': perSecond('megrez_agent_items_applied_total', 'pod') } },
    {
      title: 'Repaired, refused',
      unit: 'ops',
      queries: {
        'repaired {{pod}}': perSecond('megrez_agent_items_repaired_total', 'pod'),
        'refused {{pod}}': perSecond('megrez_agent_apply_failures_total', 'pod'),
      },
    },
    { title: "Node's word → store", unit: 's', queries: halfAndMost('megrez_agent_status_seconds') },
    {
      title: 'BGP sessions',
      unit: 'short',
      queries: { '{{group}} {{state}}': 'sum by (group, state) (megrez_agent_bgp_sessions)' },
    },
    {
      title: 'Prefixes by BGP',
      unit: 'short',
      queries: {
        'in, {{group}} {{pod}}': 'sum by (group, pod) (megrez_agent_bgp_prefixes_in)',
        'out, {{group}} {{pod}}': 'sum by (group, pod) (megrez_agent_bgp_prefixes_out)',
      },
    },
    {
      title: 'Inspectors',
      unit: 'short',
      queries: {
        'there {{pod}}': 'sum by (pod) (megrez_agent_inspectors)',
        'started again {{pod}}': 'sum by (pod) (increase(megrez_agent_inspector_restarts_total[5m]))',
      },
    },
    { title: 'Uplinks missing', unit: 'short', queries: { '{{pod}}': 'sum by (pod) (megrez_agent_uplinks_missing)' } },
  ],
  'API server and processes': [
    {
      title: 'Requests',
      unit: 'ops',
      queries: { '{{verb}} {{resource}} {{code}}': perSecond('megrez_kube_requests_total', 'verb, resource, code') },
    },
    {
      title: 'One request, p99',
      unit: 's',
      queries: { '{{verb}} {{resource}}': quantile(0.99, 'megrez_kube_request_seconds', 'verb, resource') },
    },
    {
      title: 'Watches begun again',
      unit: 'ops',
      queries: {
        '{{kind}} {{reason}}': perSecond('megrez_watch_restarts_total', 'kind, reason'),
        'lists {{kind}}': perSecond('megrez_watch_relists_total', 'kind'),
      },
    },
    { title: 'Since a watch was heard of', unit: 's', queries: { '{{kind}}': 'max by (kind) (megrez_watch_last_event_age_seconds)' } },
    { title: 'Versions', unit: 'short', queries: { '{{version}}': 'sum by (version) (megrez_build_info)' } },
    { title: 'Errors that nobody heard', unit: 'short', queries: { '{{pod}}': 'sum by (pod) (megrez_unheard_errors_total)' } },
  ],
}

const source = { type: 'prometheus', uid: '${source}' }
const [width, height, columns] = [6, 7, 4]

function panelOf({ title, unit, queries }: Panel, { id, x, y }: { readonly id: number; readonly x: number; readonly y: number }): object {
  return {
    id,
    title,
    type: 'timeseries',
    datasource: source,
    gridPos: { x, y, w: width, h: height },
    fieldConfig: { defaults: { unit, min: 0 }, overrides: [] },
    targets: Object.entries(queries).map(([legendFormat, expr], i) => ({
      refId: String.fromCharCode(65 + i),
      expr,
      legendFormat,
      datasource: source,
    })),
  }
}

function panels(): readonly object[] {
  const all: object[] = []
  let y = 0
  for (const [title, of] of Object.entries(rows)) {
    all.push({ id: all.length + 1, type: 'row', title, collapsed: false, gridPos: { x: 0, y, w: width * columns, h: 1 }, panels: [] })
    for (const [i, panel] of of.entries())
      all.push(panelOf(panel, { id: all.length + 1, x: (i % columns) * width, y: y + 1 + Math.floor(i / columns) * height }))
    y += 1 + Math.ceil(of.length / columns) * height
  }
  return all
}

export const dashboard = (): string =>
  `${JSON.stringify(
    {
      uid: 'megrez',
      title: 'Megrez',
      tags: ['megrez'],
      schemaVersion: 39,
      editable: true,
      refresh: '30s',
      time: { from: 'now-1h', to: 'now' },
      templating: { list: [{ name: 'source', label: 'Prometheus', type: 'datasource', query: 'prometheus' }] },
      panels: panels(),
    },
    undefined,
    2,
  )}\n`

/** Every query, as Prometheus takes it. */
export const dashboardQueries = (): readonly string[] =>
  Object.values(rows)
    .flat()
    .flatMap(({ queries }) => Object.values(queries))
    .map((expr) => expr.replaceAll(rate, '5m'))

// An API server of one node's view: Ports and pods of a node, rules that judge them, a hundred thousand IPLocks of one VNI, each with an
// identity, in pages, and watches that say nothing. Run as a program: agent-api.ts L4PORT NODE PORTS LOCKS.
import { createServer, type ServerResponse } from 'node:http'
import { kosMac } from '../../../core/net/mac.ts'
import { addressLockNameOf } from '../../../core/net/names.ts'
import { ruleSetName } from '../../../core/kinds/policy/policy-rule-set.ts'
import { identityOf, judgedBy, ruleSets, ruleSetSpec } from './agent-api-rules.ts'

const [l4Port = 0, node = '', ports = 0, locks = 0] = process.argv.slice(2).map((word) => (/^\d+$/.test(word) ? Number(word) : word)) as [
  number,
  string,
  number,
  number,
]
const vni = 5000
const meta = (kind: string, i: number, name: string): object => ({
  name,
  namespace: 'a',
  uid: `${kind}0000-0000-4000-8000-${String(i).padStart(12, '0')}`,
  resourceVersion: '7',
  generation: 1,
  creationTimestamp: '2026-01-01T00:00:00Z',
  managedFields: [
    {
      manager: 'megrez',
      operation: 'Update',
      apiVersion: 'megrez.io/v1alpha1',
      time: '2026-01-01T00:00:00Z',
      fieldsType: 'FieldsV1',
      fieldsV1: { 'f:spec': { 'f:address': {}, 'f:vni': {} } },
    },
  ],
})
const addressOf = (i: number): string => `10.${64 + (i >> 16)}.${(i >> 8) & 255}.${i & 255}`

const items: Readonly<Record<string, (i: number) => object>> = {
  ports: (i) => {
    const address = `10.0.${1 + (i >> 8)}.${i & 255}`
    return {
      metadata: { ...meta('po', i, `port-${i}`), finalizers: ['megrez.io/wired'] },
      spec: { subnet: 's', node },
      status: {
        phase: 'ready',
        addresses: [address],
        mac: kosMac(vni, address),
        vni,
        ifcName: `kos${String(i).padStart(12, '0')}`,
        policy: judgedBy(vni, i),
      },
    }
  },
  pods: (i) => ({
    metadata: meta('pd', i, `pod-${i}`),
    spec: {
      nodeName: node,
      containers: [
        {
          name: 'main',
          image: 'localhost/busybox:1',
          env: Array.from({ length: 20 }, (_, n) => ({ name: `NAME_${n}`, value: 'a value of some length' })),
        },
      ],
    },
    status: { phase: 'Running' },
  }),
  iplocks: (i) => {
    const address = addressOf(i)
    return {
      metadata: meta('lk', i, addressLockNameOf(vni, address) ?? ''),
      spec: {
        vni,
        address,
        mac: kosMac(vni, address),
        subnet: 's',
        hostIP: `192.0.2.${1 + (i % 200)}`,
        holder: { kind: 'Port', namespace: 'a', name: `p-${i}`, uid: `remote-${i}` },
        identity: identityOf(i),
      },
    }
  },
  policyrulesets: (i) => ({ metadata: meta('rs', i, ruleSetName({ vni, number: 1 + i })), spec: ruleSetSpec(vni, i) }),
}
const counts: Readonly<Record<string, number>> = { ports, pods: ports, iplocks: locks, policyrulesets: ruleSets }
const single: Readonly<Record<string, object>> = {
  subnets: {
    metadata: meta('sn', 0, 's'),
    spec: { vpc: 'v', ipv4: { cidr: '10.0.0.0/8' } },
    status: { phase: 'ready', validated: true, vni },
  },
  vpcs: { metadata: meta('vp', 0, 'v'), spec: { vni }, status: { vni } },
}

createServer((request, response) => {
  const url = new URL(request.url ?? '/', 'http://x')
  const parts = url.pathname.split('/')
  const plural = parts.find((part) => part in counts || part in single) ?? ''
  const one = oneOf(plural, parts) ?? single[plural]
  if (request.method !== 'GET') return void request.resume().on('end', () => say(response, one ?? single['vpcs']!))
  if (url.searchParams.get('watch') === 'true') return void response.writeHead(200).flushHeaders()
  if (parts.at(-1) === plural && plural in counts) return say(response, page(plural, url.searchParams))
  say(response, one ?? { kind: 'Namespace', metadata: { name: 'a', uid: 'n', resourceVersion: '7' } })
}).listen(l4Port, '127.0.0.1')

/** `.../ports/port-7`, and its status. */
function oneOf(plural: string, parts: readonly string[]): object | undefined {
  const [, i] = /^[a-z]+-(\d+)$/.exec(parts[parts.indexOf(plural) + 1] ?? '') ?? []
  return i === undefined ? undefined : items[plural]?.(Number(i))
}

function say(response: ServerResponse, body: object): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

function page(plural: string, query: URLSearchParams): object {
  const from = Number(query.get('continue') ?? 0)
  const to = Math.min(counts[plural] ?? 0, from + Number(query.get('limit') ?? 1e9))
  const more = to < (counts[plural] ?? 0) ? { continue: String(to) } : {}
  return {
    kind: 'List',
    metadata: { resourceVersion: '7', ...more },
    items: Array.from({ length: to - from }, (_, i) => items[plural]?.(from + i)),
  }
}

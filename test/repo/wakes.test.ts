// Who wakes whom: every row is woken, every index of the caches is asked and filled, and what plans wait for comes.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Resource } from '../../core/kinds/index.ts'
import type { WaitsFor } from '../../core/plan/plan.ts'
import { cachedKinds, indexesOf, type Cached } from '../../platform/cache/caches.ts'
import { reconciledKinds } from '../../workers/queues.ts'
import { rows } from '../../workers/controllers/index.ts'
import { releases } from '../../workers/watch/wake-waiting-keys.ts'
import { portWatches } from '../../workers/controllers/vpc/port-watches.ts'
import { by, itself } from '../../workers/watch/map-to-keys.ts'
import { specChanges } from '../../workers/watch/predicates.ts'
import { watchFor } from '../../workers/watch/watch.ts'
import { read, sourceFiles } from './sources.ts'
import { edges, wakesPage, wakesPath } from './wakes-page.ts'

test('the drawing of who wakes whom is as npm run gen writes it', () => assert.equal(read(wakesPath), wakesPage()))

test('every row is woken: by a change of its own kind, or, where it has none, by another or by a clock', () => {
  const kinds: readonly string[] = reconciledKinds
  const unwoken = rows.filter(({ queue, watches, everyMs }) =>
    kinds.includes(queue) ? !watches.some(({ kind }) => kind === queue) : watches.length === 0 && everyMs === undefined,
  )
  assert.deepEqual(
    unwoken.map(({ queue }) => queue),
    [],
  )
  assert.deepEqual(
    rows
      .map(({ queue }) => queue)
      .filter((queue) => kinds.includes(queue))
      .sort(),
    [...kinds].sort(),
  )
  assert.ok(edges().some(([kind, queue]) => kind === 'Port' && queue === 'Pod'))
})

test('a watch names its row, and no two of a row are the same', () => {
  for (const { queue, watches } of rows) {
    assert.deepEqual(
      watches.filter(({ target }) => target !== queue),
      [],
      queue,
    )
    const said = watches.map(({ kind, when, keys }) => `${kind}: ${when}: ${keys}`)
    assert.deepEqual(
      said.filter((each, i) => said.indexOf(each) !== i),
      [],
      queue,
    )
  }
})

test('an index that is not there, and keys of another kind, are refused where they are written', () => {
  const on = watchFor('Port')
  // @ts-expect-error the cache of Ports has no such index
  by('Port', 'colour', (item: Resource) => [item.metadata.name])
  // @ts-expect-error a Subnet's own key is no key of a Port
  on('Subnet', { when: specChanges, keys: itself })
  // @ts-expect-error those that are found are Subnets
  on('Vpc', { when: specChanges, keys: by('Subnet', 'vpc', (item: Resource) => [item.metadata.name]) })
  assert.ok(portWatches(on).every(({ target }) => target === 'Port'))
})

/** By a name and its kind, or by a name in a file that has a cache of that kind at hand. */
function isAsked(kind: string, index: string): boolean {
  if (rows.some(({ watches }) => watches.some(({ indexes }) => indexes.includes(`${kind}.${index}`)))) return true
  const [direct, held] = [new RegExp(`\\b${kind}\\.by\\('${index}'`), new RegExp(`#\\w+\\.by\\('${index}'`)]
  return sourceFiles().some((path) => {
    const text = read(path)
    return direct.test(text) || (held.test(text) && (text.includes(`Caches['${kind}']`) || text.includes(`Cache<'${kind}'>`)))
  })
}
const indexNames = (): readonly (readonly [Cached, string])[] =>
  cachedKinds.flatMap((kind) => Object.keys(indexesOf(kind)).map((index) => [kind, index] as const))

/** Of one that waits, or is refused, another sample speaks. */
function sampleFor(kind: Cached, index: string): object {
  if (kind === 'Connection') return index === 'waiting' ? { spec: connection } : connected
  return index === 'refused' ? refusedPort : (samples[kind] ?? {})
}
test('every index of the caches is asked by somebody', () => {
  const unasked = indexNames().filter(([kind, index]) => !isAsked(kind, index))
  assert.deepEqual(unasked, [])
})

const holder = { kind: 'Port', namespace: 'a', name: 'p', uid: 'u' }
const metadata = { namespace: 'a', name: 'n', uid: 'uid', resourceVersion: '1', generation: 1, creationTimestamp: '2026-01-01T00:00:00Z' }
/** An object of each kind that has indexes, with all that they go by. */
const samples: Partial<Record<Cached, object>> = {
  Vpc: { spec: { vni: 7, cloud: 'c', egressClass: 'internet' } },
  Subnet: { spec: { vpc: 'v' }, status: { vni: 7 } },
  Port: {
    spec: {
      subnet: 's',
      node: 'n1',
      securityGroups: ['g'],
      allowedAddressPairs: [{ ip: '192.0.2.9' }],
      routedBlocks: ['198.51.100.0/24'],
      claim: { pod: 'p', nic: 'net1', owner: 'Pod/p', podUID: 'u' },
      warm: {},
    },
    status: { vni: 7, cloud: 'c', providerID: 'id', policy: { identity: 1, ruleSets: ['vni-7-1'] } },
  },
  IPLock: { spec: { vni: 7, subnet: 's', holder, identity: 1 } },
  EgressClass: { spec: { vpcs: [], pool: 'op/public' } },
  EndpointScaler: { spec: { scaleTargetRef: { name: 'd' } } },
  CloudSecurityGroup: { spec: { group: 'g', groupUID: 'u', cloud: 'c' } },
  PolicyIdentity: { spec: { vni: 7, number: 1, facts: { namespace: 'a' } } },
  PolicyRuleSet: { spec: { vni: 7, policy: { kind: 'SecurityGroup', namespace: 'a', name: 'g' }, subjects: [1], rules: [] } },
  SegmentLock: { spec: { holder } },
  SecurityGroup: { spec: { rules: [{ direction: 'ingress', remoteGroup: 'other' }] } },
  Subscription: { spec: {} },
  Notice: { spec: { of: holder, subscriptions: ['u'] } },
  L2Service: { spec: { subnets: ['s'] } },
  L2ServiceAttachment: {
    spec: { l2Services: ['s'], connectionPoint: 'cp' },
    status: { policy: { segment: 7, judged: [{ identity: 1, ruleSets: ['vni-7-1'], pods: ['uid'] }] } },
  },
  L2BridgeDomain: { spec: { connectionPoints: ['cp'] } },
  Service: {
    spec: { type: 'LoadBalancer', loadBalancerClass: 'megrez.io/services', selector: { app: 'web' } },
    metadata: { ...metadata, annotations: { 'megrez.io/subnet': 's' } },
  },
  NetworkServiceEndpoint: { spec: { network_service_names: ['dns'] } },
  EndpointSlice: { spec: {}, metadata: { ...metadata, labels: { 'kubernetes.io/service-name': 's' } } },
  Inquiry: { spec: { about: 'wiring', port: 'p' }, status: { node: 'n1' } },
  Pod: {
    spec: {},
    metadata: { ...metadata, labels: { app: 'web' }, annotations: { 'k8s.v1.cni.cncf.io/networks': 'net', 'megrez.io/network': 'policy' } },
  },
}
const connection = { networkService: 'a/dns', port: 'p', portUID: 'u' }
const connected = { spec: connection, status: { endpoint: 'a/e', endpointPort: 'a/e' } }
const refusedPort = { spec: { subnet: 's' }, status: { cloud: 'c', conditions: [{ type: 'Ready', reason: 'Refused' }] } }
test('every index of the caches is filled by an object that has what it goes by', () => {
  const filed = ([kind, index]: readonly [Cached, string]): readonly string[] =>
    indexesOf(kind)[index]!({ apiVersion: '', kind, metadata, spec: {}, ...sampleFor(kind, index) })
  assert.deepEqual(
    indexNames().filter((each) => filed(each).length === 0),
    [],
  )
  assert.ok(indexNames().length > 20)
})

test('all that a plan may wait for is brought by something', () => {
  const all: { readonly [K in WaitsFor['kind']]: true } = { lock: true, address: true, segment: true, named: true, identity: true }
  assert.deepEqual([...new Set(releases.map(({ brings }) => brings))].sort(), Object.keys(all).sort())
})

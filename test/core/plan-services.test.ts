// Who serves a Service, and in which slices they stand.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ServiceSpec } from '../../core/kinds/foreign-services.ts'
import type { Resource } from '../../core/kinds/index.ts'
import { mostEndpoints } from '../../core/kinds/services/service-address.ts'
import { endpointsOf, selectsPod, targetPortOf, type Member } from '../../core/plan/services/members.ts'
import { endpointsPerSlice, sliceSteps, type SliceAction } from '../../core/plan/services/slices.ts'

const meta = (name: string) => ({
  namespace: 'a',
  name,
  uid: name,
  resourceVersion: '1',
  generation: 1,
  creationTimestamp: '2026-01-01T00:00:00Z',
})
const spec: ServiceSpec = { selector: { app: 'web' }, ports: [{ name: 'http', port: 80, targetPort: 'web' }] }
const service: Resource<'Service'> = { apiVersion: 'v1', kind: 'Service', metadata: meta('web'), spec }

interface Drawn {
  readonly ready?: boolean
  readonly going?: boolean
  readonly l4Port?: number
  readonly addresses?: readonly string[]
}
function member(i: number, { ready = true, going = false, l4Port = 8080, addresses = [`10.0.${i >> 8}.${i & 255}`] }: Drawn = {}): Member {
  const name = `p${String(i).padStart(4, '0')}`
  const ports = [{ name: 'web', containerPort: l4Port }]
  const gone = going ? { deletionTimestamp: '2026-01-01T00:00:01Z', deletionGracePeriodSeconds: 30 } : {}
  const pod: Resource<'Pod'> = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { ...meta(name), ...gone },
    spec: { containers: [{ name: 'c', ports }] },
    status: { phase: 'Running', conditions: [{ type: 'Ready', status: ready ? 'True' : 'False' }] },
  }
  const port = {
    apiVersion: '',
    kind: 'Port',
    metadata: meta(name),
    spec: { subnet: 's', node: 'n1', podUID: name, claim: { pod: name, nic: 'n', owner: '', podUID: name } },
    status: { phase: 'ready', addresses: [...addresses] },
  } as Resource<'Port'>
  return { pod, port }
}
const many = (n: number, drawn?: Drawn): readonly Member[] => Array.from({ length: n }, (_, i) => member(i, drawn))

/** The slices after the steps. */
function after(there: readonly Resource<'EndpointSlice'>[], members: readonly Member[]) {
  const steps = sliceSteps(service, members, there).map(({ action }) => action)
  const slices = new Map(there.map((slice) => [slice.metadata.name, slice]))
  for (const action of steps) take(action, slices)
  return { steps, slices: [...slices.values()] }
}
function take(action: SliceAction, slices: Map<string, Resource<'EndpointSlice'>>): void {
  if (action.do === 'deleteSlice') slices.delete(action.slice.metadata.name)
  else if (action.do === 'changeSlice') slices.set(action.slice.metadata.name, { ...action.slice, spec: action.spec })
  else slices.set(action.draft.metadata.name, { ...action.draft, apiVersion: '', metadata: { ...meta(''), ...action.draft.metadata } })
}
const doing = (steps: readonly SliceAction[]): readonly string[] => steps.map((action) => action.do)

test('without a selector nobody serves, and a selector is asked whole', () => {
  assert.ok(selectsPod(spec, { app: 'web', tier: 'x' }))
  for (const [of, labels] of [
    [spec, { app: 'other' }],
    [spec, undefined],
    [{}, { app: 'web' }],
    [{ selector: {} }, {}],
    [{ selector: { app: 'web', tier: 'x' } }, { app: 'web' }],
  ] as const)
    assert.ok(!selectsPod(of, labels))
})

test('a port is found by number, by the name of a container, and is 0 where the pod has none of it', () => {
  const { pod } = member(0)
  const of = (targetPort?: number | string, protocol?: 'UDP') =>
    targetPortOf({ port: 80, ...(targetPort !== undefined && { targetPort }), ...(protocol && { protocol }) }, pod)
  assert.deepEqual([of(), of(0), of(81), of('web'), of('web', 'UDP'), of('other')], [80, 80, 81, 8080, 0, 0])
})

test('nodes are told who is ready, and who drains while it serves', () => {
  const stateOf = (drawn: Drawn, more: ServiceSpec = {}) => endpointsOf({ ...spec, ...more }, [member(0, drawn)]).endpoints[0]?.state
  assert.equal(stateOf({}), 'ready')
  assert.equal(stateOf({ ready: false }), undefined)
  assert.equal(stateOf({ ready: false }, { publishNotReadyAddresses: true }), 'ready')
  assert.equal(stateOf({ going: true }), 'draining')
  assert.equal(stateOf({ going: true, ready: false }), undefined)
})

test('of too many endpoints those that are ready are told, in the order of names', () => {
  const members = [...many(600, { going: true }), ...Array.from({ length: 700 }, (_, i) => member(i + 600))]
  const { endpoints, leftOut } = endpointsOf(spec, members)
  assert.deepEqual([endpoints.length, leftOut], [mostEndpoints, 300])
  assert.equal(endpoints.filter(({ state }) => state === 'ready').length, 700)
  assert.deepEqual(
    endpoints.map(({ port }) => port).sort(),
    endpoints.map(({ port }) => port),
  )
})

test('a slice has at most a hundred endpoints, of one family, which listen at the same ports', () => {
  const dual = Array.from({ length: 150 }, (_, i) => member(i, { addresses: [`10.0.0.${i}`, `2001:db8::${i}`] }))
  const { slices } = after([], [...dual, member(200, { l4Port: 9090 })])
  assert.deepEqual(
    slices.map(({ spec: { addressType, endpoints, ports } }) => `${addressType} ${endpoints.length} at ${ports[0]?.port}`).sort(),
    ['IPv4 1 at 9090', 'IPv4 100 at 8080', 'IPv4 50 at 8080', 'IPv6 100 at 8080', 'IPv6 50 at 8080'],
  )
})

test('whoever stands in a slice stays there: one who comes or goes changes one of them', () => {
  const { slices } = after([], many(250))
  assert.equal(slices.length, 3)
  assert.deepEqual(after(slices, many(250)).steps, [])
  const gone = after(slices, many(250).slice(1))
  assert.deepEqual(doing(gone.steps), ['changeSlice'])
  const come = after(gone.slices, [...many(250).slice(1), member(900)])
  assert.deepEqual(doing(come.steps), ['changeSlice'])
  assert.ok(come.slices.every(({ spec: { endpoints } }) => endpoints.length <= endpointsPerSlice))
  const flipped = after(come.slices, [member(1, { ready: false }), ...many(250).slice(2), member(900)])
  assert.deepEqual(doing(flipped.steps), ['changeSlice'])
  assert.deepEqual(doing(after(come.slices, []).steps), ['deleteSlice', 'deleteSlice', 'deleteSlice'])
})

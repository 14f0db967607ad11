// Vectors of NSM for paths, refreshes, expiry, monitors, mechanisms, addresses and healing.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ChainRefused } from '../../core/errors.ts'
import { parseCidr } from '../../core/net/cidr.ts'
import { AddressPool } from '../../core/nsm/connection/address-pool.ts'
import { closesAtMs } from '../../core/nsm/connection/expiry.ts'
import { healed, wellAtFirst, type HealEvent, type Health, type HealStep } from '../../core/nsm/connection/heal.ts'
import { endpointsFor, forwardersFor } from '../../core/nsm/connection/matching.ts'
import { interfaceName, mechanismOf, possibleMechanisms } from '../../core/nsm/connection/mechanisms.ts'
import { selects } from '../../core/nsm/connection/monitor-selector.ts'
import { backOnPath, onPath, segmentsOf, trimmed } from '../../core/nsm/connection/path.ts'
import { refreshDelayMs } from '../../core/nsm/connection/refresh-delay.ts'
import { Connection, MonitorScopeSelector, type ConnectionDraft } from '../../core/wire/nsm/connection.ts'
import { NetworkService, NetworkServiceEndpoint } from '../../core/wire/nsm/registry.ts'
import { timestampOf } from '../../core/wire/nsm/well-known.ts'

const read = (draft: ConnectionDraft): Connection => Connection.decode(Connection.encode(draft))
const at = (index: number, ...segments: readonly (readonly [name: string, id: string])[]): Connection =>
  read({ id: segments[index]?.[1] ?? '', path: { index, pathSegments: segments.map(([name, id]) => ({ name, id })) } })
const names = (connection: Connection): readonly string[] => segmentsOf(connection).map(({ name, id }) => `${name} ${id}`)
const newId = (): string => 'new'

describe('the path of a connection', () => {
  const cases = [
    ['nothing before: the connection id is the first one', read({ id: 'x' }), ['me x'], 0],
    ['nothing before, no id', read({}), ['me new'], 0],
    ['its own segment is the current one', at(0, ['me', 'a']), ['me a'], 0],
    ['nobody was at its place', at(0, ['nsc', 'a']), ['nsc a', 'me new'], 0],
    ['it was at its place before', at(0, ['nsc', 'a'], ['me', 'b'], ['nse', 'c']), ['nsc a', 'me b', 'nse c'], 0],
    [
      'another was at its place: a new id, the tail stays',
      at(0, ['nsc', 'a'], ['old', 'b'], ['nse', 'c']),
      ['nsc a', 'me new', 'nse c'],
      0,
    ],
  ] as const
  for (const [what, connection, path, from] of cases)
    test(what, () => {
      const stepped = onPath(connection, 'me', newId)
      assert.deepEqual(names(stepped.connection), path)
      assert.equal(stepped.from, from)
      const { index = -1 } = stepped.connection.path ?? {}
      assert.equal(stepped.connection.id, segmentsOf(stepped.connection)[index]?.id)
      assert.equal(segmentsOf(stepped.connection)[index]?.name, 'me')
    })

  test('on the way back it is as the caller has it, and an endpoint cuts off what another has left behind', () => {
    const { connection, from } = onPath(at(0, ['nsc', 'a'], ['old', 'b'], ['nse', 'c']), 'me', newId)
    const back = backOnPath(trimmed(connection), from)
    assert.deepEqual([back.id, back.path?.index, names(back)], ['a', 0, ['nsc a', 'me new']])
  })

  const refused: readonly (readonly [string, Connection, RegExp])[] = [
    [
      'an id that is not the segment’s',
      { ...at(0, ['nsc', 'y']), id: 'x' },
      /^Current PathSegment\.Id==y should be equal Connection\.Id==x$/,
    ],
    ['an index beyond the end', at(3, ['a', 'x']), /^Path\.Index\+1==4 should be less or equal len\(Path\.PathSegments\)==1$/],
    ['a path of 33 hops', at(0, ...Array.from({ length: 33 }, (_, i) => [`n${i}`, `i${i}`] as const)), /33 segments, more than 32/],
  ]
  for (const [what, connection, message] of refused)
    test(`refused: ${what}`, () =>
      assert.throws(
        () => onPath(connection, 'me', newId),
        (err) => err instanceof ChainRefused && message.test(err.message),
      ))
})

test('a refresh comes after a part of the shortest time left, earlier the nearer its client is', () => {
  const delay = (index: number, segments: number, left = 600_000): number =>
    Math.round(
      refreshDelayMs(
        {
          index,
          pathSegments: Array.from({ length: segments }, () => ({
            name: '',
            id: '',
            token: '',
            metrics: new Map(),
            expires: timestampOf(left),
          })),
        },
        0,
      ),
    )
  assert.deepEqual([delay(0, 1), delay(0, 3), delay(1, 3), delay(2, 3), delay(0, 3, -1)], [200_000, 120_000, 160_000, 200_000, 0])
})

test('a server closes at the end of its caller’s token less what the call had left, and never where that says no end', () => {
  const connection = read({ path: { index: 1, pathSegments: [{ expires: timestampOf(10_000) }, {}] } })
  assert.equal(closesAtMs(connection, 1_000), 9_000)
  assert.equal(closesAtMs(connection, 0), 10_000)
  assert.equal(closesAtMs(at(0, ['a', 'b']), 0), undefined)
})

test('a monitor is told of what has its run of segments, an empty text being like any, and of its services', () => {
  const connection = { ...at(1, ['nsc', 'a'], ['nsmgr', 'b'], ['nse', 'c']), networkService: 'svc' }
  const told = (pathSegments: readonly object[], networkServices: readonly string[] = []): boolean =>
    selects(MonitorScopeSelector.decode(MonitorScopeSelector.encode({ pathSegments, networkServices })), connection)
  assert.ok(told([]) && told([{ id: 'b' }]) && told([{ name: 'nsc' }, { id: 'b' }]) && told([{}, {}, {}]) && told([], ['other', 'svc']))
  assert.ok(!told([{ id: 'b' }, { id: 'a' }]) && !told([{ name: 'nsc', id: 'b' }]) && !told([{}, {}, {}, {}]) && !told([], ['other']))
})

test('preferences that are offered are tried in their order, and what it has already stays, or is refused in NSM’s words', () => {
  const offered = new Set(['VXLAN', 'NOOP'])
  const preferences = ['kernel', 'noop', 'vxlan'].map((type) => mechanismOf(type))
  const possible = (connection: ConnectionDraft, wanted = preferences): readonly string[] =>
    possibleMechanisms(read(connection), wanted, offered).map(({ type }) => type)
  assert.deepEqual(possible({}), ['NOOP', 'VXLAN'])
  assert.deepEqual(possible({ mechanism: { type: 'VXLAN' } }), ['VXLAN'])
  assert.throws(() => possible({ mechanism: { type: 'KERNEL' } }), /^MegrezError: unsupported mechanism$/)
  assert.deepEqual(possible({}, [mechanismOf('vhost')]), [])
  assert.deepEqual([mechanismOf('kernel').cls, mechanismOf('vxlan').cls], ['LOCAL', 'REMOTE'])
  assert.equal(
    interfaceName('a-very-long-service', () => 0),
    'a-very-lon-0000',
  )
})

test('an address pool gives the lowest two, the endpoint’s first, leaves out what is excluded, and takes back', () => {
  const pool = new AddressPool(parseCidr('10.60.1.0/30')!)
  const first = pool.takePair([])!
  assert.deepEqual(first, { endpoint: '10.60.1.0/32', client: '10.60.1.1/32' })
  assert.equal(pool.takePair([parseCidr('10.60.1.2/31')!]), undefined)
  const second = pool.takePair([])!
  assert.deepEqual(second, { endpoint: '10.60.1.2/32', client: '10.60.1.3/32' })
  assert.equal(pool.takePair([]), undefined)
  pool.give(first)
  assert.deepEqual(pool.takeAgain(['10.60.1.1/32'], ['10.60.1.0/32'], []), first)
  assert.equal(pool.takeAgain(['10.60.1.1/32'], ['10.60.1.0/32'], []), undefined)
  assert.deepEqual(new AddressPool(parseCidr('fd00::/64')!).takePair([parseCidr('fd00::/65')!]), {
    endpoint: 'fd00::8000:0:0:0/128',
    client: 'fd00::8000:0:0:1/128',
  })
})

describe('which endpoints a client may have', () => {
  const labels = (of: Record<string, string>): ReadonlyMap<string, string> => new Map(Object.entries(of))
  const endpointOf = (name: string, of: Record<string, string>): NetworkServiceEndpoint =>
    NetworkServiceEndpoint.decode(
      NetworkServiceEndpoint.encode({
        name,
        networkServiceNames: ['svc'],
        networkServiceLabels: new Map([['svc', { labels: labels(of) }]]),
      }),
    )
  const [v1, zoneB] = [endpointOf('v1', { v: '1' }), endpointOf('b', { zone: 'b' })]
  const serviceOf = (first: object, ...more: readonly object[]): NetworkService =>
    NetworkService.decode(NetworkService.encode({ name: 'svc', matches: [first, ...more] }))
  const found = (service: NetworkService, client: Record<string, string>): readonly string[] =>
    endpointsFor(labels(client), service, [v1, zoneB]).map(({ name }) => name)
  const m1 = { sourceSelector: labels({ app: 'a' }) }
  const m2 = { routes: [{ destinationSelector: labels({ v: '1' }) }] }

  test('the first match that fits decides: none, all by its metadata, or the next by fallthrough', () => {
    assert.deepEqual(found(serviceOf(m1, m2), { app: 'a' }), [])
    assert.deepEqual(found(serviceOf({ ...m1, metadata: {} }, m2), { app: 'a' }), ['v1', 'b'])
    assert.deepEqual(found(serviceOf({ ...m1, metadata: {}, fallthrough: true }, m2), { app: 'a' }), ['v1'])
    assert.deepEqual(found(serviceOf(m1, m2), {}), ['v1'])
  })

  test('a selector may be a template over the client’s labels', () => {
    assert.deepEqual(found(serviceOf({ routes: [{ destinationSelector: labels({ zone: '{{.zone}}' }) }] }), { zone: 'b' }), ['b'])
  })

  test('forwarders are point to point unless a match says something else', () => {
    const forwarders = [v1, endpointOf('p2p', { p2p: 'true' })]
    const of = (service: NetworkService): readonly string[] =>
      forwardersFor(new Map(), service, { forwarders, forwarderService: 'svc' }).map(({ name }) => name)
    assert.deepEqual(of(serviceOf(m2)), ['p2p'])
    assert.deepEqual(of(serviceOf({ metadata: { labels: labels({ v: '1' }) } })), ['v1'])
  })
})

test('healing waits for three misses, keeps to another endpoint once that was wanted, pauses longer and longer, and ends', () => {
  const rules = { misses: 3, backoff: { firstMs: 100, maxMs: 400 }, attempts: 4 }
  let health: Health = wellAtFirst
  const on = (event: HealEvent): HealStep | undefined => {
    const [next, step] = healed(health, event, 1, rules)
    health = next
    return step
  }
  assert.equal(on({ is: 'missed' }), undefined)
  assert.equal(on({ is: 'answered' }), undefined)
  assert.equal(on({ is: 'missed' }), undefined)
  assert.equal(on({ is: 'missed' }), undefined)
  assert.deepEqual(on({ is: 'missed' }), { afterMs: 0, reselect: true })
  const steps = [1, 2, 3, 4].map(() => on({ is: 'requested', ok: false }))
  assert.deepEqual(steps, [...[100, 200, 400].map((afterMs) => ({ afterMs, reselect: true })), undefined])
  assert.equal(health.phase, 'lost')
  health = wellAtFirst
  assert.deepEqual(on({ is: 'down', isAsked: true }), { afterMs: 0, reselect: false }, 'packets still pass: the same endpoint')
  health = wellAtFirst
  assert.deepEqual(on({ is: 'down', isAsked: false }), { afterMs: 0, reselect: true })
  assert.equal(on({ is: 'down', isAsked: false }), undefined, 'told twice, asked once')
  on({ is: 'requested', ok: true })
  assert.deepEqual(health, wellAtFirst)
})

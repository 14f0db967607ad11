// Vectors of networkservicemesh/sdk, as tables (seed facts 4.2, 4.3, 4.7 and 9.4).
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { earliest, outlives, removalMsOf, storedEndOf } from '../../core/nsm/expiration.ts'
import { nsmNameOf, nsmObjectName } from '../../core/nsm/named.ts'
import { endpointMessageOf, endpointSpecOf, serviceMessageOf, serviceSpecOf } from '../../core/nsm/registry-messages.ts'
import { nextPathIds, nextRegistryPath, printRegistryPath, readRegistryPath } from '../../core/nsm/registry-path.ts'
import { endpointFits, serviceFits } from '../../core/nsm/registry-query.ts'
import { parseRfc3339, printRfc3339 } from '../../core/nsm/rfc3339.ts'
import { areInOrder, claimsOf, subjectOf } from '../../core/nsm/token-claims.ts'
import { isSpiffeId } from '../../core/wire/nsm/spiffe-id.ts'
import { Connection, ConnectionEvent, MonitorScopeSelector } from '../../core/wire/nsm/connection.ts'
import { NetworkService, NetworkServiceEndpoint } from '../../core/wire/nsm/registry.ts'
import { msOf, timestampOf } from '../../core/wire/nsm/well-known.ts'

const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')
const token = (claims: object): string => `${part({ alg: 'ES256' })}.${part(claims)}.c2lnbmF0dXJl`
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

describe('messages of NSM', () => {
  // Written out by hand from the .proto files of networkservicemesh/api: tag, length, value.
  test('have the field numbers of the .proto files', () => {
    const path = {
      index: 1,
      pathSegments: [{ name: 'n', id: 'i', token: 't', expires: { seconds: 1, nanos: 2 }, metrics: new Map([['k', 'v']]) }],
    }
    const connection = {
      id: 'a',
      networkService: 'b',
      mechanism: { cls: 'LOCAL', type: 'KERNEL' },
      context: { mtu: 9 },
      labels: new Map([['x', 'y']]),
      path,
      networkServiceEndpointName: 'e',
      payload: 'IP',
      state: 3,
    }
    const bytes = Connection.encode(connection)
    const expected = [
      '0a0161',
      '120162',
      '1a0f0a054c4f43414c12064b45524e454c',
      '22022809',
      '2a060a0178120179',
      '321b080112170a016e1201691a0174220408011002',
      '2a060a016b120176',
      '3a0165',
      '42024950',
      '4803',
    ].join('')
    assert.equal(hex(bytes), expected)
    assert.equal(hex(ConnectionEvent.encode({ type: 2, connections: new Map([['k', { id: 'a' }]]) })), '080212080a016b12030a0161')
    assert.equal(hex(MonitorScopeSelector.encode({ pathSegments: [{ id: 'i' }], networkServices: ['s'] })), '0a03120169120173')
  })

  test('are read as they were written, and as specs of objects', () => {
    const endpoint = NetworkServiceEndpoint.decode(
      NetworkServiceEndpoint.encode({
        name: 'nse-1',
        networkServiceNames: ['svc-a'],
        networkServiceLabels: new Map([['svc-a', { labels: new Map([['role', 'db']]) }]]),
        url: 'tcp://192.0.2.7:5001',
        expirationTime: { seconds: 7, nanos: 5 },
        pathIds: ['', 'spiffe://a/b'],
      }),
    )
    const spec = endpointSpecOf(endpoint)
    assert.deepEqual(spec, {
      name: 'nse-1',
      network_service_names: ['svc-a'],
      network_service_labels: { 'svc-a': { labels: { role: 'db' } } },
      url: 'tcp://192.0.2.7:5001',
      expiration_time: { seconds: 7, nanos: 5 },
      path_ids: ['', 'spiffe://a/b'],
    })
    assert.deepEqual(NetworkServiceEndpoint.decode(NetworkServiceEndpoint.encode(endpointMessageOf(spec))), endpoint)
    const service = {
      name: 'svc-a',
      payload: 'IP',
      matches: [
        { source_selector: { a: 'b' }, routes: [{ destination_selector: { v: '1' }, weight: 2 }], fallthrough: true, metadata: {} },
        {},
      ],
    }
    assert.deepEqual(serviceSpecOf(NetworkService.decode(NetworkService.encode(serviceMessageOf(service)))), service)
  })

  test('times keep their nanoseconds', () => {
    assert.deepEqual(parseRfc3339('2026-11-21T09:55:25.840745128Z'), { seconds: 1795254925, nanos: 840745128 })
    assert.equal(printRfc3339({ seconds: 1795254925, nanos: 840745000 }), '2026-11-21T09:55:25.840745Z')
    assert.deepEqual(parseRfc3339('2026-11-21T10:55:25+01:00'), { seconds: 1795254925, nanos: 0 })
    for (const none of ['', 'now', '2026-11-21', '2026-11-21T10:55:25', '2026-13-21T10:55:25Z'])
      assert.equal(parseRfc3339(none), undefined, none)
    assert.equal(msOf(timestampOf(1234.5)), 1234.5)
  })
})

describe('the path of a registration', () => {
  test('grows by a hop, or has both tokens replaced', () => {
    assert.deepEqual(nextRegistryPath({ index: 0, tokens: [] }, 'c', 's'), { index: 1, tokens: ['c', 's'] })
    assert.deepEqual(nextRegistryPath({ index: 0, tokens: ['old', 'older'] }, 'c', 's'), { index: 1, tokens: ['c', 's'] })
    assert.deepEqual(nextRegistryPath({ index: 1, tokens: ['a', 'old'] }, 'c', 's'), { index: 2, tokens: ['a', 'c', 's'] })
    assert.deepEqual(nextRegistryPath({ index: 0, tokens: ['a', 'b', 'tail'] }, 'c', 's').tokens, ['c', 's', 'tail'])
    assert.throws(
      () => nextRegistryPath({ index: 3, tokens: ['a'] }, 'c', 's'),
      /^MegrezError: Path\.Index\+1==4 should be less or equal len\(Path\.PathSegments\)==1$/,
    )
    assert.deepEqual(nextPathIds([], 1, 'c', 's'), ['c', 's'])
    assert.deepEqual(nextPathIds(['a', 'b'], 2, 'c', 's'), ['a', 'c', 's'])
    assert.deepEqual(nextPathIds(['x', 'y', 'z'], 1, 'c', 's'), ['c', 's', 'z'])
  })

  test('is written as Go writes it, and none that is not like that is read', () => {
    assert.equal(printRegistryPath({ index: 0, tokens: [] }), '{"Index":0,"PathSegments":null}')
    assert.equal(printRegistryPath({ index: 1, tokens: ['a'] }), '{"Index":1,"PathSegments":[{"token":"a"}]}')
    assert.deepEqual(readRegistryPath('{"Index":1,"PathSegments":[{"token":"a"},{}]}'), { index: 1, tokens: ['a', ''] })
    assert.deepEqual(readRegistryPath('{"PathSegments":null}'), { index: 0, tokens: [] })
    const many = JSON.stringify({ Index: 0, PathSegments: Array.from({ length: 33 }, () => ({ token: 'a' })) })
    for (const none of [
      undefined,
      '',
      'x',
      '[]',
      'null',
      '{"Index":-1}',
      '{"Index":0.5}',
      '{"Index":"1"}',
      '{"PathSegments":{}}',
      many,
      `"${'x'.repeat(70_000)}"`,
    ])
      assert.equal(readRegistryPath(none), undefined, none?.slice(0, 50))
  })
})

describe('tokens', () => {
  const a = 'spiffe://nsm.test/a'
  const b = 'spiffe://nsm.test/b'
  test('say who has made them, for whom, and until when', () => {
    assert.deepEqual(claimsOf(token({ sub: a, aud: [b], exp: 5 })), { subject: a, audience: [b], expires: 5 })
    assert.deepEqual(claimsOf(token({ aud: b })), { subject: '', audience: [b], expires: undefined })
    for (const none of [
      '',
      'a.b',
      'a.b.c',
      `${part([])}.${part({})}.x`,
      `${part({})}.${part('x')}.x`,
      `${part({})}.%.x`,
      'x'.repeat(10_000),
    ])
      assert.equal(claimsOf(none), undefined, none.slice(0, 30))
    assert.equal(subjectOf(token({ sub: a })), a)
    assert.equal(subjectOf(token({ sub: 'nobody' })), '')
    assert.equal(subjectOf(undefined), '')
    assert.equal(isSpiffeId(`spiffe://a/${'x'.repeat(2_040)}`), false)
  })

  const now = 1_000_000
  const alive = now / 1000 + 60
  const cases: readonly (readonly [string, readonly string[], boolean])[] = [
    ['none', [], true],
    ['one', [token({ sub: a, exp: alive })], true],
    ['made for the next', [token({ sub: a, aud: [b], exp: alive }), token({ sub: b, exp: alive })], true],
    ['made for another', [token({ sub: a, aud: ['spiffe://nsm.test/c'], exp: alive }), token({ sub: b, exp: alive })], false],
    ['made for nobody', [token({ sub: a, exp: alive }), token({ sub: b, exp: alive })], false],
    ['the first has ended', [token({ sub: a, aud: [b], exp: now / 1000 - 6 }), token({ sub: b, exp: alive })], false],
    ['ended within the skew of clocks', [token({ sub: a, exp: now / 1000 - 4 })], true],
    ['without an end', [token({ sub: a })], false],
    ['no token', [''], false],
  ]
  for (const [name, tokens, holds] of cases) test(`in order: ${name}`, () => assert.equal(areInOrder(tokens, now), holds))
})

describe('how long an endpoint stays', () => {
  const at = (seconds: number, nanos = 0) => ({ seconds, nanos })
  test('the earliest end counts, to the nanosecond', () => {
    assert.deepEqual(earliest(at(60), at(70), undefined, at(60, 5)), at(60))
    assert.deepEqual(earliest(at(60, 6), at(60, 5)), at(60, 5))
  })

  test('what the call had left goes off its end', () => {
    assert.equal(removalMsOf(at(3), 500), 2_500)
    assert.equal(removalMsOf(at(3), 15_000), -12_000)
    assert.equal(removalMsOf(at(3), 0), 3_000)
  })

  test('what is stored outlives six refreshes, and no more than ten minutes more', () => {
    const now = 0
    const stored = storedEndOf(at(60, 7_654_321), now, 42)
    assert.deepEqual(stored, at(301, 7_000_042))
    const refreshes = [1, 2, 3, 4, 5, 6, 7].map((n) => outlives(stored, at(60 + n * 40)))
    assert.deepEqual(refreshes, [true, true, true, true, true, true, false])
    assert.deepEqual(storedEndOf(at(3_600), now, 0), at(4_200))
    assert.equal(outlives(undefined, at(1)), false)
  })
})

describe('what a query finds', () => {
  const found = {
    name: 'nse-1',
    network_service_names: ['a', 'b'],
    network_service_labels: { a: { labels: { x: '1', y: '2' } } },
    url: 'tcp://192.0.2.7:1',
    expiration_time: { seconds: 7, nanos: 9 },
  }
  const cases: readonly (readonly [Parameters<typeof endpointFits>[0], boolean])[] = [
    [{}, true],
    [{ name: '' }, true],
    [{ name: 'nse-1' }, true],
    [{ name: 'nse' }, false],
    [{ network_service_names: ['b'] }, true],
    [{ network_service_names: ['b', 'c'] }, false],
    [{ network_service_labels: { a: { labels: { x: '1' } } } }, true],
    [{ network_service_labels: { a: {} } }, true],
    [{ network_service_labels: { b: {} } }, false],
    [{ network_service_labels: { a: { labels: { x: '2' } } } }, false],
    [{ network_service_labels: { toString: {} } }, false],
    [{ network_service_labels: { a: { labels: { constructor: '1' } } } }, false],
    [{ url: '192.0.2.7' }, true],
    [{ url: '192.0.2.8' }, false],
    [{ expiration_time: { seconds: 7 } }, true],
    [{ expiration_time: { seconds: 8 } }, false],
  ]
  for (const [asked, fits] of cases) test(JSON.stringify(asked), () => assert.equal(endpointFits(asked, found), fits))

  test('of network services', () => {
    const service = { name: 'a', payload: 'IP', matches: [{ fallthrough: true }] }
    assert.ok(serviceFits({ name: 'a', payload: 'IP', matches: [{ fallthrough: true }] }, service))
    assert.ok(!serviceFits({ payload: 'ETHERNET' }, service))
    assert.ok(!serviceFits({ matches: [{}] }, service))
  })

  test('names that objects cannot have are kept under others', () => {
    assert.equal(nsmObjectName('nse-1.a'), 'nse-1.a')
    for (const name of ['Nse_1', 'a@b', 'a..b', '-a', 'x'.repeat(254)]) assert.match(nsmObjectName(name), /^[a-z0-9][a-z0-9-]*[a-z0-9]$/)
    assert.notEqual(nsmObjectName('Nse'), nsmObjectName('nSe'))
    const metadata = { name: 'o', uid: '', resourceVersion: '', generation: 1, creationTimestamp: '' }
    assert.equal(nsmNameOf({ kind: 'NetworkService', metadata, spec: { name: 'Nse' } } as Parameters<typeof nsmNameOf>[0]), 'Nse')
    assert.equal(nsmNameOf({ kind: 'NetworkService', metadata, spec: {} } as Parameters<typeof nsmNameOf>[0]), 'o')
  })
})

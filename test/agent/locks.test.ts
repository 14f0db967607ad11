// Watches of IPLocks on an API server that answers as told: in pages, with gaps.
import { afterEach, beforeEach, test } from 'node:test'
import assert from 'node:assert/strict'
import { LockWatches } from '../../agent/sources/lock-watches.ts'
import { Pieces } from '../../agent/pieces/pieces.ts'
import { realClock } from '../../platform/clock.ts'
import { KubeClient } from '../../platform/kube/client.ts'
import { KubeStore } from '../../platform/store/kube/kube.ts'
import { event, FakeApi, listBody, soon, status } from '../platform/reflector-fake.ts'
import type { Endpoint } from '../../core/node/wanted.ts'
import { endpointPiece } from '../../core/pieces/endpoint.ts'
import type { PieceChange } from '../../core/plan/node/change.ts'

const vni = 5000
const here = '192.0.2.1'
const rawLock = (last: number, hostIP: string, version: number): object => ({
  metadata: {
    name: `lock-${last}`,
    namespace: 'a',
    uid: `uid-${last}`,
    resourceVersion: String(version),
    creationTimestamp: '2026-01-01T00:00:00Z',
  },
  spec: { vni, address: `10.0.0.${last}`, mac: `02:00:00:00:00:0${last}`, subnet: 's', hostIP },
})

let api: FakeApi
let store: KubeStore
let pieces: Pieces
let locks: LockWatches
let hostsTold: string[]
let synced: number
let changes: number
beforeEach(async () => {
  api = new FakeApi(realClock)
  const server = await api.start()
  store = new KubeStore(new KubeClient({ server, tls: {}, authorization: () => Promise.resolve(undefined) }))
  ;[hostsTold, synced, changes] = [[], 0, 0]
  pieces = new Pieces({ changed: () => changes++ })
  locks = new LockWatches({ store, pieces, here, onHosts: (of) => hostsTold.push(locks.hostsOf(of).join(' ')), onSynced: () => synced++ })
})
afterEach(async () => {
  locks.stop()
  await store.close()
  await api.stop()
})
const known = (): string =>
  [...pieces.of(endpointPiece).ofVni(vni).values()]
    .map(({ address, hostIP }) => `${address}@${hostIP}`)
    .sort()
    .join(' ')
const endpointsTaken = (): readonly PieceChange<Endpoint>[] =>
  pieces
    .take(10)
    .filter(({ kind }) => kind === endpointPiece)
    .flatMap((of) => of.pieces.map(({ was, is }) => ({ was: was?.piece as Endpoint | undefined, is: is?.piece as Endpoint | undefined })))
/** Two pages, of one lock each after the first. */
const inPages = (first: readonly object[], second: readonly object[]): void => {
  api.list = (query, response) => void response.end(query['continue'] === 'second' ? listBody(10, second) : listBody(10, first, 'second'))
}

test('a list that comes in pages is no change of each, its hosts are told once, and it is compared once it has ended', async () => {
  inPages([rawLock(1, '192.0.2.8', 3), rawLock(2, here, 4)], [rawLock(3, '192.0.2.9', 5)])
  locks.follow(new Map([[vni, 'a']]))
  await soon(() => synced === 1, known)
  assert.equal(known(), '10.0.0.1@192.0.2.8 10.0.0.3@192.0.2.9')
  assert.deepEqual(hostsTold, ['192.0.2.8 192.0.2.9'])
  assert.equal(changes, 0)
  // A comparison is told that it has something to put.
  assert.equal(pieces.isAhead, true)
  pieces.forget()
  assert.equal(pieces.isAhead, false)
})

test('what changes later is a change, and one host less or more is told', async () => {
  inPages([rawLock(1, '192.0.2.8', 3)], [rawLock(3, '192.0.2.9', 5)])
  locks.follow(new Map([[vni, 'a']]))
  await soon(() => api.watches.size === 1, known)
  pieces.forget()
  api.say(event('MODIFIED', rawLock(3, '192.0.2.8', 11)))
  await soon(() => hostsTold.length === 2, known)
  assert.equal(known(), '10.0.0.1@192.0.2.8 10.0.0.3@192.0.2.8')
  assert.equal(hostsTold.at(-1), '192.0.2.8')
  assert.deepEqual(endpointsTaken(), [
    {
      was: { vni, address: '10.0.0.3', mac: '02:00:00:00:00:03', hostIP: '192.0.2.9' },
      is: { vni, address: '10.0.0.3', mac: '02:00:00:00:00:03', hostIP: '192.0.2.8' },
    },
  ])
})

test('after a gap, what the new list does not tell of is gone, and only what differs is a change', async () => {
  inPages([rawLock(1, '192.0.2.8', 3), rawLock(2, '192.0.2.7', 4)], [rawLock(3, '192.0.2.9', 5)])
  locks.follow(new Map([[vni, 'a']]))
  await soon(() => api.watches.size === 1, known)
  pieces.forget()
  inPages([rawLock(1, '192.0.2.8', 3)], [rawLock(4, '192.0.2.9', 6)])
  api.say(event('ERROR', JSON.parse(status(410)) as object))
  await soon(() => known() === '10.0.0.1@192.0.2.8 10.0.0.4@192.0.2.9', known)
  await soon(() => hostsTold.length === 2, known)
  assert.equal(hostsTold.at(-1), '192.0.2.8 192.0.2.9')
  assert.deepEqual(
    endpointsTaken().map(({ was, is }) => [was?.address, is?.address]),
    [
      [undefined, '10.0.0.4'],
      ['10.0.0.2', undefined],
      ['10.0.0.3', undefined],
    ],
  )
  assert.equal(synced, 1)
})

test('a list that breaks off between two pages takes nothing away; the next one tells everything', async () => {
  let broken = 0
  api.list = (query, response) => {
    if (query['continue'] === 'second' && broken++ === 0) return void response.writeHead(410).end(status(410))
    response.end(
      query['continue'] === 'second' || query['limit'] === undefined
        ? listBody(12, [rawLock(3, '192.0.2.9', 5)])
        : listBody(10, [rawLock(1, '192.0.2.8', 3)], 'second'),
    )
  }
  locks.follow(new Map([[vni, 'a']]))
  await soon(() => known() === '10.0.0.1@192.0.2.8', known)
  assert.equal(synced, 0)
  await soon(() => synced === 1, known)
  assert.equal(known(), '10.0.0.3@192.0.2.9')
})

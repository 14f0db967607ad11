// Watches of PolicyRuleSets on an API server that answers as told: in pages, with gaps.
import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import { Pieces } from '../../agent/pieces/pieces.ts'
import { RuleSets } from '../../agent/sources/rule-sets.ts'
import { ruleSetPiece } from '../../core/pieces/policy/rule-set.ts'
import { realClock } from '../../platform/clock.ts'
import { KubeClient } from '../../platform/kube/client.ts'
import { KubeStore } from '../../platform/store/kube/kube.ts'
import { event, FakeApi, listBody, soon, status } from '../platform/reflector-fake.ts'
import { nameOf, ruleSetSpec, vni } from './policed.ts'

const rawSet = (number: number, version: number, subjects = [7]): object => ({
  metadata: {
    name: nameOf(number),
    namespace: 'a',
    uid: `uid-${number}`,
    resourceVersion: String(version),
    creationTimestamp: '2026-01-01T00:00:00Z',
  },
  spec: ruleSetSpec(number, { subjects }),
})

let api: FakeApi
let store: KubeStore
let pieces: Pieces
let sets: RuleSets
let changed: string[]
let synced: number
beforeEach(async () => {
  api = new FakeApi(realClock)
  const server = await api.start()
  store = new KubeStore(new KubeClient({ server, tls: {}, authorization: () => Promise.resolve(undefined) }))
  ;[changed, synced] = [[], 0]
  pieces = new Pieces({ changed: () => undefined })
  sets = new RuleSets({ store, pieces, onChange: (uids) => changed.push(...uids), onSynced: () => synced++ })
})
afterEach(async () => {
  sets.stop()
  await store.close()
  await api.stop()
})
const carried = (): string =>
  [...pieces.of(ruleSetPiece).values()]
    .map(({ namespace, number, subjects }) => `${namespace}/${number} of ${subjects.join(' ')}`)
    .sort()
    .join(', ')
const inPages = (first: readonly object[], second: readonly object[]): void => {
  api.list = (query, response) => void response.end(query['continue'] === 'second' ? listBody(10, second) : listBody(10, first, 'second'))
}
const followed = async (): Promise<void> => {
  sets.follow(new Map([[vni, 'a']]))
  await soon(() => synced === 1 && api.watches.size === 1, carried)
}

test('of all that a VNI has only those are carried that judge a Port here, and the Port is told of each that comes', async () => {
  inPages([rawSet(1, 3), rawSet(2, 4)], [rawSet(3, 5)])
  sets.judge('port', [nameOf(1), nameOf(4)])
  assert.equal(sets.isKnown(vni), true)
  await followed()
  assert.equal(carried(), 'a/1 of 7')
  assert.deepEqual(changed, ['port'])
  api.say(event('ADDED', rawSet(4, 11)))
  await soon(() => carried() === 'a/1 of 7, a/4 of 7', carried)
  assert.deepEqual(changed, ['port', 'port'])
  sets.judge('port', [nameOf(3)])
  assert.equal(carried(), 'a/3 of 7')
  sets.judge('other', [nameOf(3)])
  sets.judge('port', [])
  assert.equal(carried(), 'a/3 of 7')
  sets.judge('other', [])
  assert.equal(carried(), '')
})

test('after a gap what changed meanwhile is told, and what went judges on until no Port names it', async () => {
  inPages([rawSet(1, 3), rawSet(2, 4)], [])
  sets.judge('port', [nameOf(1), nameOf(2)])
  await followed()
  inPages([rawSet(1, 12, [7, 8])], [])
  api.say(event('ERROR', JSON.parse(status(410)) as object))
  await soon(() => carried() === 'a/1 of 7 8, a/2 of 7' && api.watches.size === 1, carried)
  sets.judge('port', [nameOf(1)])
  assert.equal(carried(), 'a/1 of 7 8')
  sets.judge('port', [nameOf(1), nameOf(2)])
  assert.equal(carried(), 'a/1 of 7 8')
})

test('what an agent before has left and judges nobody is gone once all Ports are known', async () => {
  for (const number of [1, 2]) pieces.set(ruleSetPiece, nameOf(number), { ...ruleSetSpec(number), namespace: 'a' })
  sets.judge('port', [nameOf(2)])
  inPages([], [])
  await followed()
  assert.equal(carried(), 'a/1 of 7, a/2 of 7')
  sets.tidy()
  assert.equal(carried(), 'a/2 of 7')
})

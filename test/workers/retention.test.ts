// What a Subscription keeps for pulling and replay: as long as it says, and not longer.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { Resource } from '../../core/kinds/index.ts'
import { noticeOf } from '../../core/plan/notify/notices.ts'
import { TurnedClock } from '../../platform/clock.ts'
import { SqliteStore } from '../../platform/store/sqlite.ts'
import { until } from '../setup/until.ts'
import { makeVpc, openPost } from './notify-post.ts'

const namespace = 'megrez-system'

test('what is kept goes when its time is over, save what somebody has still to be told of', async () => {
  const store = SqliteStore.open(':memory:')
  const clock = new TurnedClock(Date.now())
  const pulling = await store.create({ kind: 'Subscription', metadata: { namespace: 'a', name: 'pulls' }, spec: { keepSeconds: 60 } })
  const paused = await store.create({
    kind: 'Subscription',
    metadata: { namespace: 'a', name: 'paused' },
    spec: { sink: 'http://127.0.0.1:1/', paused: true },
  })
  const file = async (name: string, subscriptions: readonly Resource<'Subscription'>[]): Promise<void> => {
    const made = await makeVpc(store, name)
    await store.commit([
      noticeOf({ ...made, status: { phase: 'ready', sequence: 1 } }, { namespace, subscriptions: () => subscriptions }, clock.now())!,
    ])
  }
  await file('kept', [pulling])
  await file('waited', [pulling, paused])
  const post = await openPost({ store, clock })
  const names = async (): Promise<string[]> => (await post.left()).map(({ spec }) => spec.of.name).sort()
  try {
    clock.advance(45_000)
    await pause(20)
    assert.deepEqual(await names(), ['kept', 'waited'])
    clock.advance(45_000)
    await until(async () => !(await names()).includes('kept'), 'its time is over')
    assert.deepEqual(await names(), ['waited'])
    const [waited] = await post.left()
    await store.patchStatus(
      { ref: { kind: 'Notice', namespace, name: waited!.metadata.name }, uid: waited!.metadata.uid },
      { acknowledgement: { taken: [paused.metadata.uid] } },
    )
    await until(async () => {
      clock.advance(30_000)
      return (await names()).length === 0
    }, 'it goes too once all have it')
  } finally {
    await post.stop()
    await store.close()
  }
})

// When a copy of a Subscription's credentials is no longer needed.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { subscriptionLabel } from '../../core/kinds/annotations.ts'
import { openCaches } from '../../platform/cache/caches.ts'
import { realClock } from '../../platform/clock.ts'
import { SqliteStore } from '../../platform/store/sqlite.ts'
import { NamespaceSecrets } from '../../platform/signing.ts'
import { AccessMaker } from '../../workers/notify/send/access-token.ts'
import { Outgoing } from '../../platform/http/guarded/outgoing.ts'
import { LiveSubscriptions } from '../../workers/notify/live-subscriptions.ts'
import { Subscribers } from '../../workers/notify/keep/subscribers.ts'

const namespace = 'megrez-system'

test('a copy is let go when twice running nobody has needed it: a Subscription or a Notice that comes late keeps it', async () => {
  const store = SqliteStore.open(':memory:')
  const stop = new AbortController()
  const caches = openCaches(store, { only: ['Subscription'] })
  await caches.start(stop.signal)
  const outgoing = new Outgoing({
    settings: { callbackAllow: [], callbackAllowIn: {}, callbackHttp: false },
    timeoutMs: 1_000,
    clock: realClock,
  })
  const subscribers = new Subscribers({
    store,
    caches,
    live: new LiveSubscriptions({ store, caches, clock: realClock }),
    access: new AccessMaker(outgoing, realClock, new NamespaceSecrets([], false)),
    namespace,
  })
  const waited = new Set<string>()
  const drained = async (): Promise<string[]> => (await subscribers.drained((uid) => waited.has(uid))).map(({ metadata }) => metadata.name)
  const copy = (name: string, of: string): Promise<unknown> =>
    store.create({ kind: 'Secret', metadata: { namespace, name, labels: { [subscriptionLabel]: of } }, spec: { data: {} } })
  try {
    const {
      metadata: { uid },
    } = await store.create({ kind: 'Subscription', metadata: { namespace: 'a', name: 's' }, spec: { sink: 'https://a.example' } })
    for (const [name, of] of [
      ['lasting', uid],
      ['gone', 'one'],
      ['late', 'two'],
    ] as const)
      await copy(name, of)
    assert.deepEqual(await drained(), [])
    waited.add('two')
    await copy('new', 'three')
    assert.deepEqual(await drained(), ['gone'])
    waited.clear()
    assert.deepEqual(await drained(), ['gone', 'new'])
    assert.deepEqual(await drained(), ['gone', 'late', 'new'])
  } finally {
    stop.abort()
    await outgoing.close()
    await store.close()
  }
})

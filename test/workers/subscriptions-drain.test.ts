import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { refOf, type SpecOf } from '../../core/kinds/index.ts'
import { parseCursor, printCursor } from '../../core/plan/notify/cursor.ts'
import { eventPosition } from '../../core/plan/notify/targets.ts'
import { until } from '../setup/until.ts'
import { withLateWatch } from './late-watch.ts'
import { using } from './subscriptions-test-cluster.ts'

const vpc: SpecOf<'Vpc'> = { provider: 'builtin' }

describe('a Subscription', () => {
  test('that is paused is told nothing, and all that happened meanwhile when it goes on', () =>
    using(async (whole, receiver) => {
      const made = await whole.subscribe('a/s', { sink: receiver.url, paused: true })
      for (const name of ['one', 'two']) await whole.phase(await whole.make('Vpc', `a/${name}`, vpc), 'ready')
      await until(async () => (await whole.left()).length === 2, 'two wait')
      assert.equal(receiver.heard.length, 0)
      await whole.change(made, { paused: false })
      await until(async () => (await whole.left()).length === 0, 'all is told')
      assert.equal(receiver.taken.length, 2)
    }))

  test('that merges is told the newest of what waits, and the end of an object after its last state', () =>
    using(async (whole, receiver) => {
      const made = await whole.subscribe('a/s', { sink: receiver.url, paused: true, merge: true })
      const blue = await whole.make('Vpc', 'a/blue', vpc)
      await whole.phase(blue, 'ready')
      await until(async () => (await whole.get(blue))?.metadata.finalizers?.includes('megrez.io/notice') === true, 'it is guarded')
      const subnet = await whole.make('Subnet', 'a/net', { vpc: 'blue', ipv4: { cidr: '10.0.0.0/24' } })
      await whole.phase(subnet, 'ready')
      await whole.store.delete(refOf(blue))
      await whole.phase(blue, 'terminating')
      await whole.store.delete(refOf(subnet))
      await until(async () => (await whole.get(blue)) === undefined, 'it is gone')
      await whole.change(made, { paused: false })
      await until(async () => (await whole.left()).length === 0, 'all is told')
      assert.deepEqual(
        receiver.taken.filter(({ uid }) => uid === blue.metadata.uid).map(({ phase }) => phase),
        ['terminating', 'deleted'],
      )
    }))

  test('whose sink answers 410 is told of nothing more, and says so, until it is changed', () =>
    using(async (whole, receiver) => {
      const made = await whole.subscribe('a/s', { sink: receiver.url })
      receiver.answer = () => 410
      await whole.make('Vpc', 'a/one', vpc)
      await whole.phase(made, 'error')
      await whole.phase(await whole.make('Vpc', 'a/two', vpc), 'ready')
      assert.deepEqual([(await whole.left()).length, receiver.heard.length], [0, 1])
      receiver.answer = () => 204
      await whole.change(made, { keepSeconds: 1 })
      await whole.phase(made, 'ready')
      await whole.make('Vpc', 'a/three', vpc)
      await until(() => receiver.taken.length === 1, 'it is told again')
    }))

  test('whose sink refuses again and again shows what is parked, and goes on once it is changed', () =>
    using(async (whole, receiver) => {
      const made = await whole.subscribe('a/s', { sink: receiver.url })
      receiver.answer = () => 400
      await whole.make('Vpc', 'a/blue', vpc)
      await until(async () => (await whole.get(made))?.status?.parkedCount === 1, 'it is parked', 20_000)
      const tries = receiver.heard.length
      assert.deepEqual(
        (await whole.get(made))?.status?.parked?.map(({ name, sequence, reason }) => [name, sequence, reason]),
        [['blue', 1, 'answered 400']],
      )
      assert.equal(tries, 5)
      assert.match(await whole.metrics.registry.metrics(), /^megrez_callbacks_parked 1$/m)
      receiver.answer = () => 204
      await whole.change(made, { paused: false })
      await until(async () => (await whole.get(made))?.status?.parkedCount === 0, 'nothing is parked', 20_000)
    }))

  for (const late of [false, true])
    test(`of a namespace that goes is told of the end of what was in it, by credentials that were there${late ? ', though the watch of namespaces is late' : ''}`, async () => {
      const store = withLateWatch(({ kind, metadata }) => late && kind === 'Namespace' && metadata.deletionTimestamp !== undefined, 2_000)
      await using(
        async (whole, receiver) => {
          await whole.store.create({ kind: 'Namespace', metadata: { name: 'a' }, spec: {} })
          await whole.secret('a/hooks', { token: 'word' })
          const made = await whole.subscribe('a/s', { sink: receiver.url, auth: { type: 'bearer', secret: 'hooks' } })
          receiver.answer = () => 503
          const blue = await whole.make('Vpc', 'a/blue', vpc)
          await until(async () => (await whole.get(blue))?.metadata.finalizers?.includes('megrez.io/notice') === true, 'it is guarded')
          await whole.phase(blue, 'ready')
          await whole.store.delete({ kind: 'Namespace', name: 'a' })
          await whole.store.delete({ kind: 'Secret', namespace: 'a', name: 'hooks' }).catch(() => undefined)
          await whole.store.delete(refOf(made)).catch(() => undefined)
          await whole.store.delete(refOf(blue)).catch(() => undefined)
          await until(
            async () => (await whole.get(blue)) === undefined && (await whole.get(made)) === undefined,
            'both are gone, though the sink answers nothing',
            20_000,
          )
          assert.ok((await whole.left()).some(({ spec }) => spec.phase === 'deleted'))
          receiver.answer = () => 204
          await until(async () => (await whole.left()).length === 0, 'all is told', 20_000)
          assert.equal(receiver.taken.at(-1)?.phase, 'deleted')
          assert.equal(receiver.taken.at(-1)?.headers['authorization'], 'Bearer word')
        },
        { store },
      )
      await store.close()
    })

  test('that is deleted is told nothing more, and its credentials are forgotten', () =>
    using(async (whole, receiver) => {
      await whole.secret('a/hooks', { token: 'word' })
      const made = await whole.subscribe('a/s', { sink: receiver.url, auth: { type: 'bearer', secret: 'hooks' } })
      receiver.answer = () => 503
      await whole.phase(await whole.make('Vpc', 'a/blue', vpc), 'ready')
      await whole.store.delete(refOf(made))
      await until(async () => (await whole.left()).length === 0, 'nothing waits', 20_000)
      assert.equal((await whole.store.list('Secret', { namespace: 'megrez-system' })).items.length, 0)
    }))

  test('sends a sample when it is asked to, and says how it was taken', () =>
    using(async (whole, receiver) => {
      const made = await whole.subscribe('a/s', { sink: receiver.url })
      await whole.change(made, { test: 'first' })
      await until(async () => (await whole.get(made))?.status?.tested?.id === 'first', 'it says so')
      const { outcome, code } = (await whole.get(made))!.status!.tested!
      assert.deepEqual([outcome, code, receiver.taken[0]?.sequence], ['accepted', 204, 0])
    }))

  test('that keeps events sends them anew from a cursor on, in order and under the same ids', () =>
    using(async (whole, receiver) => {
      const made = await whole.subscribe('a/s', { sink: receiver.url, keepSeconds: 3_600 })
      for (const name of ['one', 'two', 'three']) await whole.phase(await whole.make('Vpc', `a/${name}`, vpc), 'ready')
      await until(() => receiver.taken.length === 3, 'all are told')
      await until(async () => (await whole.left()).every(({ status }) => status?.taken?.length === 1), 'all is acknowledged')
      const kept = (await whole.left()).toSorted((a, b) => Number(eventPosition(a) - eventPosition(b)))
      const after = printCursor({ of: made.metadata.uid, place: eventPosition(kept[0]!), at: Date.now() })
      assert.deepEqual(parseCursor(after, made.metadata.uid)?.place, eventPosition(kept[0]!))
      await whole.change(made, { replay: { id: 'again', after } })
      await until(() => receiver.taken.length === 5, 'two are told again')
      const ids = receiver.taken.map(({ headers }) => headers['webhook-id'])
      assert.deepEqual(new Set(ids.slice(3)).size, 2)
      assert.ok(ids.slice(3).every((id) => ids.slice(0, 3).includes(id)))
    }))
})

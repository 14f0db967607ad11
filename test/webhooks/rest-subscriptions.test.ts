import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { refOf, type Resource } from '../../core/kinds/index.ts'
import { noticeOf } from '../../core/plan/notify/notices.ts'
import { TurnedClock } from '../../platform/clock.ts'
import { openHarness, type Harness } from './rest-harness.ts'

const sink = 'https://hooks.example.org/'
const body = (name: string, spec: object): object => ({ apiVersion: 'megrez.io/v1alpha1', kind: 'Subscription', metadata: { name }, spec })

async function using(run: (rest: Harness, clock: TurnedClock) => Promise<void>): Promise<void> {
  const clock = new TurnedClock(Date.now())
  const rest = await openHarness((store) => store, clock)
  try {
    await run(rest, clock)
  } finally {
    await rest.close()
  }
}

/** As a worker files it: the Notice, then the object's status. */
async function makeNotice(rest: Harness, vpc: Resource<'Vpc'>, sequence: number, now: number): Promise<void> {
  const subscriptions = (await rest.store.list('Subscription')).items
  const status = { phase: 'ready' as const, sequence }
  const notice = noticeOf({ ...vpc, status }, { namespace: 'megrez-system', subscriptions: () => subscriptions }, now)
  assert.ok(notice !== undefined)
  await rest.store.commit([notice, { do: 'patchStatus', ref: refOf(vpc), uid: vpc.metadata.uid, sections: { report: status } }])
}
interface Events {
  readonly items: readonly { readonly sequence: number; readonly event: { readonly metadata: { readonly name: string } } }[]
  readonly next: string
}

describe('Subscriptions over REST', () => {
  test('a second one of the same sink, profile and filter is led to the first', () =>
    using(async (rest) => {
      const first = await rest.ask('POST /v1/namespaces/a/subscriptions', { body: body('one', { sink, filter: { kinds: ['Port'] } }) })
      assert.equal(first.status, 201)
      const second = await rest.ask('POST /v1/namespaces/a/subscriptions', {
        body: body('two', { sink, profile: 'eno', filter: { kinds: ['Port'] } }),
      })
      assert.deepEqual([second.status, second.headers['location']], [303, '/v1/namespaces/a/subscriptions/one'])
      for (const other of [
        { sink, filter: { kinds: ['Vpc'] } },
        { sink, profile: 'sol', filter: { kinds: ['Port'] } },
        { sink: `${sink}x`, filter: { kinds: ['Port'] } },
      ])
        assert.equal(
          (await rest.ask('POST /v1/namespaces/a/subscriptions', { body: body(`n${JSON.stringify(other).length}`, other) })).status,
          201,
        )
      assert.equal(
        (await rest.ask('POST /v1/namespaces/b/subscriptions', { body: body('two', { sink, filter: { kinds: ['Port'] } }) })).status,
        201,
        "another namespace's is no twin",
      )
    }))

  test('events are pulled page by page, each once, and a cursor goes on where it was', () =>
    using(async (rest, clock) => {
      await rest.ask('POST /v1/namespaces/a/subscriptions', { body: body('pull', {}) })
      const vpc = await rest.store.create({ kind: 'Vpc', metadata: { namespace: 'a', name: 'blue' }, spec: { provider: 'builtin' } })
      for (let sequence = 1; sequence <= 5; sequence++) await makeNotice(rest, vpc, sequence, clock.now())
      const seen: number[] = []
      let next = ''
      for (let page = 0; page < 4; page++) {
        const { status, body: found } = await rest.ask(
          `GET /v1/namespaces/a/subscriptions/pull/events?limit=2${next === '' ? '' : `&after=${next}`}`,
        )
        assert.equal(status, 200)
        const events = found as unknown as Events
        seen.push(...events.items.map(({ sequence }) => sequence))
        next = events.next
      }
      assert.deepEqual(seen, [1, 2, 3, 4, 5])
      await makeNotice(rest, vpc, 6, clock.now())
      const { body: more } = await rest.ask(`GET /v1/namespaces/a/subscriptions/pull/events?after=${next}`)
      assert.deepEqual(
        (more as unknown as Events).items.map(({ sequence, event }) => [sequence, event.metadata.name]),
        [[6, 'blue']],
      )
    }))

  test('one that its object has not reached is not shown, and nothing behind it is lost', () =>
    using(async (rest, clock) => {
      await rest.ask('POST /v1/namespaces/a/subscriptions', { body: body('pull', {}) })
      const [blue, red] = await Promise.all(
        ['blue', 'red'].map((name) =>
          rest.store.create({ kind: 'Vpc', metadata: { namespace: 'a', name }, spec: { provider: 'builtin' as const } }),
        ),
      )
      const subscriptions = (await rest.store.list('Subscription')).items
      await rest.store.commit([
        noticeOf(
          { ...blue!, status: { phase: 'ready', sequence: 1 } },
          { namespace: 'megrez-system', subscriptions: () => subscriptions },
          clock.now(),
        )!,
      ])
      await makeNotice(rest, red!, 1, clock.now())
      const read = async (after: string): Promise<Events> =>
        (await rest.ask(`GET /v1/namespaces/a/subscriptions/pull/events${after === '' ? '' : `?after=${after}`}`)).body as unknown as Events
      const before = await read('')
      assert.deepEqual(before.items, [])
      await rest.store.patchStatus(
        { ref: { kind: 'Vpc', namespace: 'a', name: 'blue' }, uid: blue!.metadata.uid },
        { report: { phase: 'ready', sequence: 1 } },
      )
      assert.deepEqual(
        (await read(before.next)).items.map(({ event }) => event.metadata.name),
        ['blue', 'red'],
      )
    }))

  test('a cursor older than the retention answers 410, one of another Subscription 400', () =>
    using(async (rest, clock) => {
      for (const name of ['one', 'two']) await rest.ask('POST /v1/namespaces/a/subscriptions', { body: body(name, { keepSeconds: 60 }) })
      const { next } = (await rest.ask('GET /v1/namespaces/a/subscriptions/one/events')).body as unknown as Events
      assert.equal((await rest.ask(`GET /v1/namespaces/a/subscriptions/two/events?after=${next}`)).status, 400)
      assert.equal((await rest.ask(`GET /v1/namespaces/a/subscriptions/one/events?after=${next}`)).status, 200)
      clock.advance(61_000)
      const late = await rest.ask(`GET /v1/namespaces/a/subscriptions/one/events?after=${next}`)
      assert.deepEqual([late.status, late.problem.type.endsWith('cursor-expired')], [410, true])
    }))

  test('a replay is asked for where events are kept, and refused where none are', () =>
    using(async (rest) => {
      await rest.ask('POST /v1/namespaces/a/subscriptions', { body: body('none', { sink }) })
      await rest.ask('POST /v1/namespaces/a/subscriptions', { body: body('some', { sink: `${sink}x`, keepSeconds: 60 }) })
      assert.equal((await rest.ask('POST /v1/namespaces/a/subscriptions/none/replay', { body: {} })).status, 422)
      const answer = await rest.ask('POST /v1/namespaces/a/subscriptions/some/replay', { body: {} })
      assert.equal(answer.status, 202)
      assert.equal((await rest.store.get({ kind: 'Subscription', namespace: 'a', name: 'some' }))?.spec.replay?.id, answer.body['id'])
    }))

  test("a sample is asked for, and the workers' answer is the answer", () =>
    using(async (rest) => {
      await rest.ask('POST /v1/namespaces/a/subscriptions', { body: body('one', { sink }) })
      const answer = rest.ask('POST /v1/namespaces/a/subscriptions/one/test')
      for await (const change of rest.store.watch('Subscription', {}, AbortSignal.timeout(10_000))) {
        const item = change.type === 'put' ? change.item : change.type === 'all' ? change.items[0] : undefined
        if (item?.spec.test === undefined) continue
        await rest.store.patchStatus(
          { ref: refOf(item), uid: item.metadata.uid },
          { endpoint: { tested: { id: item.spec.test, time: '2026-11-21T12:00:00Z', outcome: 'accepted', code: 204 } } },
        )
        break
      }
      assert.deepEqual([(await answer).status, (await answer).body['outcome'], (await answer).body['code']], [200, 'accepted', 204])
    }))

  test('a Secret is kept and forgotten by whoever may make Subscriptions, and never shown', () =>
    using(async (rest) => {
      const any = { 'if-match': '*' }
      const put = (stringData: unknown) => rest.ask('PUT /v1/namespaces/a/secrets/hooks', { body: { stringData }, headers: any })
      assert.equal((await put({ token: 'one' })).status, 204)
      assert.equal((await put({ token: 'geheim' })).status, 204)
      assert.deepEqual((await rest.store.get({ kind: 'Secret', namespace: 'a', name: 'hooks' }))?.spec.data, {
        token: Buffer.from('geheim').toString('base64'),
      })
      assert.equal((await put({ token: 7 })).status, 422)
      assert.equal((await rest.ask('GET /v1/namespaces/a/secrets/hooks')).status, 405)
      assert.equal((await rest.ask('GET /v1/namespaces/a/secrets')).status, 404)
      const viewer = await rest.issuer.issue({ subject: 'v', scope: 'viewer' }, 60)
      assert.equal(
        (
          await rest.ask('PUT /v1/namespaces/a/secrets/hooks', {
            body: { stringData: {} },
            headers: { ...any, authorization: `Bearer ${viewer}` },
          })
        ).status,
        403,
      )
      assert.equal((await rest.ask('DELETE /v1/namespaces/a/secrets/hooks')).status, 428)
      assert.equal((await rest.ask('DELETE /v1/namespaces/a/secrets/hooks', { headers: { 'if-match': '"x"' } })).status, 412)
      assert.equal((await rest.ask('DELETE /v1/namespaces/a/secrets/hooks', { headers: any })).status, 204)
      assert.equal((await rest.ask('DELETE /v1/namespaces/a/secrets/hooks', { headers: any })).status, 404)
    }))
})

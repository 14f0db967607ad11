// What a Subscription's callbacks are signed with is replaced over REST.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Store } from '../../core/contracts/store.ts'
import { StoreUnavailable } from '../../core/errors.ts'
import { TurnedClock } from '../../platform/clock.ts'
import { NamespaceSecrets, readSecrets } from '../../platform/signing.ts'
import { ask, openHarness, type Answer, type Harness } from './rest-harness.ts'

const configured = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const address = '/v1/namespaces/a/subscriptions/nfvo'
const daySeconds = 86_400

interface Site extends Harness {
  readonly clock: TurnedClock
  rotate(more?: { readonly body?: unknown; readonly query?: string; readonly scope?: string; readonly at?: string }): Promise<Answer>
  spec(): Promise<{ readonly rotation?: { readonly id: string; readonly previous?: readonly object[] } }>
}

async function using(
  run: (site: Site) => Promise<void>,
  more: { readonly serve?: (store: Store) => Store; readonly secret?: string } = {},
) {
  const clock = new TurnedClock(Date.now())
  const rest = await openHarness((store) => store, clock)
  const signing = new NamespaceSecrets(readSecrets(more.secret ?? configured), false)
  const app = rest.another({ signing, ...(more.serve && { store: more.serve(rest.store) }) })
  const spec = { sink: 'https://hooks.example.org/' }
  await rest.store.create({ kind: 'Subscription', metadata: { namespace: 'a', name: 'nfvo' }, spec })
  try {
    await run({
      ...rest,
      clock,
      rotate: async ({ body, query = '', scope = 'admin', at = address } = {}) =>
        ask(app, await rest.issuer.issue({ subject: 's', scope }, 60), `POST ${at}/rotate-secret${query}`, { body }),
      spec: async () => (await rest.store.get({ kind: 'Subscription', namespace: 'a', name: 'nfvo' }))!.spec,
    })
  } finally {
    await app.close()
    await rest.close()
  }
}
const untilOf = ({ body }: Answer): readonly number[] =>
  (body['previous'] as readonly { readonly until: string }[]).map(({ until }) => Date.parse(until))

describe('the secret of a Subscription', () => {
  test('is replaced by one that only the answer has; the one before signs for a day more, or as long as one says', () =>
    using(async ({ rotate, spec, ask: read, clock }) => {
      const first = await rotate()
      const [secret = ''] = first.body['secrets'] as readonly string[]
      assert.deepEqual(
        [first.status, first.headers['cache-control'], untilOf(first)],
        [200, 'no-store', [clock.now() + daySeconds * 1_000]],
      )
      assert.equal(readSecrets(secret).length, 1)
      assert.ok(!(await read(`GET ${address}`)).text.includes(secret.slice(6)), 'it is not shown again')
      assert.ok(!(await read('GET /v1/namespaces/a/signing-secret')).text.includes(secret.slice(6)))
      assert.ok(!JSON.stringify(await spec()).includes(secret.slice(6)), 'nor is it stored')
      const second = await rotate({ body: { overlapSeconds: 60 } })
      assert.notDeepEqual(second.body['secrets'], [secret])
      assert.deepEqual(untilOf(second), [clock.now() + 60_000, clock.now() + 60_000], 'none of them longer than that')
    }))

  test('a dry run says until when the one before would sign, shows no secret, and changes nothing', () =>
    using(async ({ rotate, spec, clock }) => {
      const answer = await rotate({ query: '?dryRun=true', body: { overlapSeconds: 60 } })
      assert.deepEqual([answer.status, answer.body['secrets'], untilOf(answer)], [200, [], [clock.now() + 60_000]])
      assert.equal((await spec()).rotation, undefined)
    }))

  test('is not replaced by who only reads there, nor by who writes elsewhere, who learns nothing either', () =>
    using(async ({ rotate, spec }) => {
      const other = `/v1/namespaces/a/subscriptions/absent`
      for (const scope of ['viewer:a', 'operator:b', 'viewer']) assert.equal((await rotate({ scope })).status, 403, scope)
      assert.deepEqual(
        (await rotate({ scope: 'operator:b', at: other })).problem.detail,
        (await rotate({ scope: 'operator:b' })).problem.detail,
      )
      assert.equal((await spec()).rotation, undefined)
      assert.equal((await rotate({ scope: 'operator:a' })).status, 200)
    }))

  test('as many as may still sign are kept until their end; what has leaked ends at once', () =>
    using(async ({ rotate, spec, clock }) => {
      for (let i = 0; i < 4; i++) assert.equal((await rotate()).status, 200)
      const fifth = await rotate()
      assert.deepEqual([fifth.status, fifth.problem.errors?.[0]?.pointer], [422, '/spec/rotation/previous'])
      clock.advance(daySeconds * 1_000 + 1)
      assert.equal((await rotate()).status, 200, 'their time is over')
      assert.deepEqual([untilOf(await rotate({ body: { overlapSeconds: 0 } })), (await spec()).rotation?.previous], [[], []])
    }))

  test('what cannot be is refused by its place', () =>
    using(async ({ rotate, store }) => {
      const faults: readonly (readonly [unknown, string])[] = [
        [{ overlapSeconds: -1 }, '/overlapSeconds'],
        [{ overlapSeconds: 604_801 }, '/overlapSeconds'],
        [{ overlapSeconds: '60' }, '/overlapSeconds'],
        [{ overlap: 60 }, '/overlap'],
        [[], ''],
      ]
      for (const [body, pointer] of faults) {
        const answer = await rotate({ body })
        assert.deepEqual([answer.status, answer.problem.errors?.[0]?.pointer], [422, pointer], JSON.stringify(body))
      }
      await store.create({ kind: 'Subscription', metadata: { namespace: 'a', name: 'pulled' }, spec: {} })
      const pulled = await rotate({ at: '/v1/namespaces/a/subscriptions/pulled' })
      assert.deepEqual([pulled.status, pulled.problem.errors?.[0]?.pointer], [422, '/spec/sink'])
    }))

  test('a server without a secret of its own replaces none', () =>
    using(
      async ({ rotate }) => {
        const answer = await rotate()
        assert.deepEqual([answer.status, answer.problem.errors?.[0]?.pointer], [422, '/spec/rotation'])
      },
      { secret: '' },
    ))

  test('two at once: each is answered its own, and the one that came first signs until its end', () =>
    using(async ({ rotate, spec }) => {
      const answers = await Promise.all([rotate(), rotate()])
      assert.deepEqual(
        answers.map(({ status }) => status),
        [200, 200],
      )
      assert.equal((await spec()).rotation?.previous?.length, 2)
    }))

  test('cut off before it is stored nothing has changed, and after that the one before still signs', async () => {
    let cut: 'before' | 'after' | undefined
    const serve = (store: Store): Store =>
      new Proxy(store, {
        get(of, name) {
          const found = Reflect.get(of, name) as unknown
          if (name !== 'update' || typeof found !== 'function') return typeof found === 'function' ? (found.bind(of) as unknown) : found
          return async (item: never): Promise<unknown> => {
            if (cut === 'before') throw new StoreUnavailable({ reason: 'cut off' })
            const stored: unknown = await of.update(item)
            if (cut === 'after') throw new StoreUnavailable({ reason: 'cut off' })
            return stored
          }
        },
      })
    await using(
      async ({ rotate, spec }) => {
        cut = 'before'
        assert.equal((await rotate()).status, 503)
        assert.equal((await spec()).rotation, undefined)
        cut = 'after'
        assert.equal((await rotate()).status, 503)
        assert.equal((await spec()).rotation?.previous?.length, 1)
        cut = undefined
        assert.equal(untilOf(await rotate()).length, 2, 'whoever asks again loses neither')
      },
      { serve },
    )
  })
})

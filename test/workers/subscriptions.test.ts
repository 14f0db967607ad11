import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { describe, test } from 'node:test'
import { HTTP, type CloudEvent } from 'cloudevents'
import { Webhook } from 'standardwebhooks'
import type { Resource, SpecOf } from '../../core/kinds/index.ts'
import { until } from '../setup/until.ts'
import { withLateWatch } from './late-watch.ts'
import { secretsIn } from './notify-post.ts'
import type { Received } from './notify-receiver.ts'
import { using, type SubscriptionCluster } from './subscriptions-test-cluster.ts'

const vpc: SpecOf<'Vpc'> = { provider: 'builtin' }
const phasesOf = (received: readonly Received[]): string[] => received.map(({ phase }) => phase)

/** Made, ready, deleted, gone. */
async function life(whole: SubscriptionCluster, key = 'a/blue', labels?: Readonly<Record<string, string>>): Promise<Resource<'Vpc'>> {
  const made = await whole.make('Vpc', key, vpc, labels)
  await whole.phase(made, 'ready')
  await until(async () => ((await whole.get(made))?.metadata.finalizers?.length ?? 0) > 0, 'it is guarded')
  await whole.store.delete({ kind: 'Vpc', ...made.metadata })
  await until(async () => (await whole.get(made)) === undefined, 'it is gone')
  return made
}

describe('a Subscription', () => {
  test('is told of the whole life of an object of its namespace that says nothing of callbacks, to its end', () =>
    using(async (whole, receiver) => {
      await whole.subscribe('a/nfvo', { sink: receiver.url })
      const made = await life(whole)
      await life(whole, 'b/other')
      await until(async () => (await whole.left()).length === 0, 'all is told')
      assert.deepEqual(
        phasesOf(receiver.taken),
        ['ready', 'terminating', 'deleted'].filter((phase) => phasesOf(receiver.taken).includes(phase)),
      )
      assert.equal(receiver.taken.at(-1)?.phase, 'deleted')
      assert.deepEqual(new Set(receiver.taken.map(({ uid }) => uid)), new Set([made.metadata.uid]))
      const { body, headers } = receiver.taken[0]!
      new Webhook(secretsIn('a')[0]!).verify(body, headers)
      assert.match(headers['traceparent'] ?? '', /^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/)
    }))

  test("in Megrez's own namespace is told of every namespace, or of those that it names", () =>
    using(async (whole, receiver) => {
      await whole.subscribe('megrez-system/all', { sink: `${receiver.url}/all` })
      await whole.subscribe('megrez-system/some', { sink: `${receiver.url}/some`, filter: { namespaces: ['b'] } })
      for (const key of ['a/one', 'b/two']) await whole.phase(await whole.make('Vpc', key, vpc), 'ready')
      await until(async () => (await whole.left()).length === 0, 'all is told')
      const namespaces = (path: string): string[] =>
        receiver.taken.filter((each) => each.path.endsWith(path)).map(({ body }) => (JSON.parse(body) as Resource).metadata.namespace ?? '')
      assert.deepEqual([namespaces('/all').sort(), namespaces('/some')], [['a', 'b'], ['b']])
    }))

  test('filters by kind, name, labels and phase', () =>
    using(async (whole, receiver) => {
      const filters: readonly (readonly [string, NonNullable<SpecOf<'Subscription'>['filter']>])[] = [
        ['kind', { kinds: ['Port'] }],
        ['name', { names: ['red'] }],
        ['labels', { labels: 'tier=gold' }],
        ['phase', { phases: ['deleted'] }],
      ]
      for (const [name, filter] of filters) await whole.subscribe(`a/${name}`, { sink: `${receiver.url}/${name}`, filter })
      await life(whole, 'a/red')
      await life(whole, 'a/blue', { tier: 'gold' })
      await until(async () => (await whole.left()).length === 0, 'all is told')
      const told = (name: string): Set<string> =>
        new Set(
          receiver.taken
            .filter(({ path }) => path.endsWith(`/${name}`))
            .map(({ body, phase }) => `${(JSON.parse(body) as Resource).metadata.name} ${phase}`),
        )
      assert.equal(told('kind').size, 0)
      assert.deepEqual(told('phase'), new Set(['red deleted', 'blue deleted']))
      assert.ok([...told('name')].every((each) => each.startsWith('red')) && told('name').has('red deleted'))
      assert.ok([...told('labels')].every((each) => each.startsWith('blue')) && told('labels').has('blue ready'))
    }))

  test('of two, one that refuses keeps nothing from the other, and a Notice goes when both have it', () =>
    using(
      async (whole, receiver) => {
        await whole.subscribe('a/good', { sink: `${receiver.url}/good` })
        await whole.subscribe('a/bad', { sink: `${receiver.url}/bad` })
        await whole.phase(await whole.make('Vpc', 'a/blue', vpc), 'ready')
        await until(() => receiver.taken.some(({ path }) => path.endsWith('/good')), 'the good one is told')
        await until(() => receiver.heard.some(({ path }) => path.endsWith('/bad')), 'the bad one is tried')
        const [left] = await whole.left()
        assert.equal(left?.spec.subscriptions?.length, 2)
        receiver.answer = () => 204
        await until(async () => (await whole.left()).length === 0, 'both have it')
        assert.equal(receiver.taken.filter(({ path }) => path.endsWith('/good')).length, 1)
      },
      { answer: ({ path }) => (path.endsWith('/bad') ? 500 : 204) },
    ))

  test("of profile sol is asked by GET first, and told in SOL's shape with the state of an operation", () =>
    using(async (whole, receiver) => {
      const made = await whole.subscribe('a/nfvo', { sink: receiver.url, profile: 'sol', verbosity: 'SHORT' })
      assert.equal(receiver.heard[0]?.method, 'GET')
      const blue = await life(whole)
      await until(async () => (await whole.left()).length === 0, 'all is told')
      const bodies = receiver.taken.filter(({ method }) => method === 'POST').map(({ body }) => JSON.parse(body) as Record<string, unknown>)
      const [first, last] = [bodies[0]!, bodies.at(-1)!]
      assert.equal(first['subscriptionId'], made.metadata.uid)
      assert.equal(first['notificationType'], 'VpcStateChangeNotification')
      assert.deepEqual([last['operation'], last['operationState'], last['notificationStatus']], ['DELETE', 'COMPLETED', 'RESULT'])
      assert.equal(first['resourceId'], blue.metadata.uid)
      assert.deepEqual((first['_links'] as { subscription: unknown }).subscription, {
        href: `/v1/namespaces/a/sol/subscriptions/${made.metadata.uid}`,
      })
      assert.equal('resource' in first, false)
      assert.equal(receiver.taken[1]?.headers['version'], '1.0.0')
    }))

  test('of profile sol whose sink answers GET with anything but 204 is in error, and is told once it does', () =>
    using(
      async (whole, receiver) => {
        const made = await whole.make('Subscription', 'a/nfvo', { sink: receiver.url, profile: 'sol' })
        await whole.phase(made, 'error')
        assert.match((await whole.get(made))?.status?.message ?? '', /answered GET with 200, not 204/)
        await whole.phase(await whole.make('Vpc', 'a/blue', vpc), 'ready')
        receiver.answer = () => 204
        await whole.change(made, { paused: false })
        await until(async () => (await whole.left()).length === 0, 'what waited is told')
        assert.ok(phasesOf(receiver.taken).includes('ready'))
      },
      { answer: () => 200 },
    ))

  test('that changes while its sink is asked is asked once, and sent its sample once, though the watch is late', async () => {
    const store = withLateWatch(
      (item) => item.kind === 'Subscription' && (item as Resource<'Subscription'>).status?.verified !== undefined,
      100,
    )
    await using(
      async (whole, receiver) => {
        let answered: ServerResponse | undefined
        receiver.answer = ({ method }, response) => {
          if (method !== 'GET' || answered !== undefined) return 204
          answered = response
          return undefined
        }
        const made = await whole.make('Subscription', 'a/nfvo', { sink: receiver.url, profile: 'sol', test: 'one' })
        await until(() => answered !== undefined, 'the sink is asked')
        await whole.change(made, { paused: true })
        answered?.writeHead(204).end()
        await until(
          () => whole.caches.Subscription.get('a/nfvo')?.status?.tested !== undefined,
          'it is verified, and everybody has seen it',
        )
        assert.deepEqual(
          receiver.heard.map(({ method }) => method),
          ['GET', 'POST'],
        )
      },
      { store },
    )
    await store.close()
  })

  for (const mode of ['structured', 'binary'] as const)
    test(`of profile cloudevents is asked by OPTIONS, and told ${mode} events that the SDK reads`, () =>
      using(
        async (whole, receiver) => {
          await whole.subscribe('a/bus', { sink: receiver.url, profile: 'cloudevents', mode })
          assert.deepEqual([receiver.heard[0]?.method, receiver.heard[0]?.headers['webhook-request-origin']], ['OPTIONS', 'megrez.io'])
          await whole.phase(await whole.make('Vpc', 'a/blue', vpc), 'ready')
          await until(async () => (await whole.left()).length === 0, 'all is told')
          const { headers, body } = receiver.taken.at(-1)!
          const event = HTTP.toEvent<Resource<'Vpc'>>({ headers, body }) as CloudEvent<Resource<'Vpc'>>
          assert.ok(event.validate())
          assert.deepEqual(
            [event.type, event.source, event.subject, event.data?.metadata.name],
            ['io.megrez.vpc.ready', '/apis/megrez.io/v1alpha1/namespaces/a/vpcs/blue', 'a/blue', 'blue'],
          )
          new Webhook(secretsIn('a')[0]!).verify(body, headers)
        },
        {
          answer(received, response) {
            if (received.method === 'OPTIONS') response.setHeader('webhook-allowed-origin', 'megrez.io')
            return 200
          },
        },
      ))

  test('of profile cloudevents whose sink does not allow our origin is told nothing', () =>
    using(async (whole, receiver) => {
      const made = await whole.make('Subscription', 'a/bus', { sink: receiver.url, profile: 'cloudevents' })
      await whole.phase(made, 'error')
      await whole.phase(await whole.make('Vpc', 'a/blue', vpc), 'ready')
      assert.deepEqual(new Set(receiver.heard.map(({ method }) => method)), new Set(['OPTIONS']))
    }))
})

// The store of a cluster over the simulated API server of test/sim: the laws that it keeps on a real one, and what the server promises.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Gone, Invalid, NamespaceTerminating, NotFound, StoreUnavailable } from '../../core/errors.ts'
import type { WatchEvent, Draft } from '../../core/contracts/store.ts'
import { refOf, type Resource } from '../../core/kinds/index.ts'
import { uidsOf } from '../../platform/chance.ts'
import { realClock, TurnedClock, type Clock } from '../../platform/clock.ts'
import type { KubeResponse, KubeRequest } from '../../platform/kube/client.ts'
import { KubeStore } from '../../platform/store/kube/kube.ts'
import { storeLaws } from '../laws/store.ts'
import { SimulatedClient, type Call, type Hooks } from '../sim/kube-api/client.ts'
import { collectOrphans, emptyNamespaces, podEnded } from '../sim/kube-api/controllers.ts'
import { SimulatedApi, type ServerOptions } from '../sim/kube-api/server.ts'
import { seeded } from '../workers/test-cluster.ts'

async function opened(
  clock: Clock,
  hooks: Hooks = {},
  more: Partial<ServerOptions> = {},
): Promise<{ readonly api: SimulatedApi; readonly client: SimulatedClient; readonly store: KubeStore }> {
  const api = new SimulatedApi({ clock, uids: uidsOf(seeded(1)), ...more })
  await api.serve({ verb: 'create', resource: 'namespaces', path: '/api/v1/namespaces', body: { metadata: { name: 'a' } } }, 'admin')
  const client = new SimulatedClient(api, { by: 'one', hooks })
  return { api, client, store: new KubeStore(client, { clock, random: seeded(2) }) }
}

storeLaws('kube over the simulated API', async () => {
  const { store } = await opened(realClock)
  return { store, namespace: 'a', end: () => store.close() }
})

const group = (name: string, metadata: Partial<Draft['metadata']> = {}): Draft<'SecurityGroup'> => ({
  kind: 'SecurityGroup',
  metadata: { name, namespace: 'a', ...metadata },
  spec: { rules: [] },
})
const at = (name: string, sub = ''): Pick<KubeRequest, 'resource' | 'path'> => ({
  resource: 'securitygroups',
  path: `/apis/megrez.io/v1alpha1/namespaces/a/securitygroups/${name}${sub}`,
})
const patch = (
  name: string,
  body: unknown,
  { sub = '', type = 'json' }: { readonly sub?: string; readonly type?: 'json' | 'merge' | 'strategic-merge' } = {},
): KubeRequest => ({ verb: 'patch', ...at(name, sub), body, contentType: `application/${type}-patch+json` })
const reasonOf = ({ status, body }: KubeResponse): unknown[] => [status, (body as { readonly reason?: string }).reason]
/** Lets everything that is not held back by a hook come to rest. */
const rest = async (): Promise<void> => {
  for (let tick = 0; tick < 20; tick++) await new Promise((resolve) => setImmediate(resolve))
}

/** What a watch tells, as lines. */
function followed(store: KubeStore, from?: string): { readonly log: string[]; readonly stop: () => void; readonly ended: Promise<void> } {
  const [log, stop] = [[] as string[], new AbortController()]
  const lineOf = (change: WatchEvent<'SecurityGroup'>): string =>
    change.type === 'all'
      ? ['all', ...change.items.map(({ metadata }) => metadata.name)].join(' ')
      : change.type === 'mark'
        ? 'mark'
        : `${change.type} ${change.item.metadata.name}`
  const follow = async (): Promise<void> => {
    for await (const change of store.watch('SecurityGroup', from === undefined ? {} : { from }, stop.signal)) log.push(lineOf(change))
  }
  return { log, stop: () => stop.abort(), ended: follow() }
}

describe('the simulated API server', () => {
  test('a JSON patch is all or nothing: a test that fails, or a place that is not there, is 422 without causes', async () => {
    const { client, store } = await opened(new TurnedClock())
    const {
      metadata: { uid },
    } = await store.create(group('g', { labels: { l: '1' } }))
    const refused = await client.ask(
      patch('g', [
        { op: 'add', path: '/spec/rules', value: [{}] },
        { op: 'test', path: '/metadata/labels/l', value: '2' },
      ]),
    )
    assert.deepEqual([...reasonOf(refused), (refused.body as { details: object }).details], [422, 'Invalid', {}])
    assert.deepEqual(reasonOf(await client.ask(patch('g', [{ op: 'remove', path: '/status/phase' }], { sub: '/status' }))), [
      422,
      'Invalid',
    ])
    assert.deepEqual((await store.get({ kind: 'SecurityGroup', namespace: 'a', name: 'g' }))?.spec, { rules: [] })
    assert.equal(
      (
        await client.ask(
          patch('g', [
            { op: 'test', path: '/metadata/uid', value: uid },
            { op: 'test', path: '/status', value: null },
          ]),
        )
      ).status,
      200,
    )
  })

  test("a version that is named and not the latest is 409; one that is not named is nobody's conflict", async () => {
    const { client, store } = await opened(new TurnedClock())
    const made = await store.create(group('g'))
    assert.equal((await client.ask(patch('g', { spec: { rules: [{}] } }, { type: 'merge' }))).status, 200)
    assert.deepEqual(
      reasonOf(await client.ask(patch('g', { metadata: { resourceVersion: made.metadata.resourceVersion }, spec: {} }, { type: 'merge' }))),
      [409, 'Conflict'],
    )
    assert.deepEqual(reasonOf(await client.ask(patch('g', {}, { type: 'strategic-merge' }))), [415, 'UnsupportedMediaType'])
  })

  test('what is wanted counts the generation, what is reported does not, and what changes nothing is no write', async () => {
    const { api, client } = await opened(new TurnedClock())
    const generations: unknown[] = []
    const asked = async (ask: KubeRequest): Promise<void> =>
      void generations.push(((await client.ask(ask)).body as Resource).metadata.generation)
    await asked({
      verb: 'create',
      ...at(''),
      path: '/apis/megrez.io/v1alpha1/namespaces/a/securitygroups',
      body: { metadata: { name: 'g' }, spec: { rules: [] }, status: { phase: 'ready' } },
    })
    assert.equal(api.etcd.get('SecurityGroup', 'a/g')?.['status'], undefined)
    await asked(patch('g', [{ op: 'add', path: '/status', value: { phase: 'ready' } }], { sub: '/status' }))
    await asked(
      patch('g', [
        { op: 'add', path: '/spec/rules', value: [{}] },
        { op: 'add', path: '/status', value: {} },
      ]),
    )
    await asked(patch('g', { metadata: { labels: { a: 'b' } } }, { type: 'merge' }))
    assert.deepEqual(generations, [1, 1, 2, 2])
    assert.deepEqual(api.etcd.get('SecurityGroup', 'a/g')?.['status'], { phase: 'ready' })
    const { revision } = api.etcd
    await asked(patch('g', { metadata: { labels: { a: 'b' }, annotations: {} } }, { type: 'merge' }))
    assert.equal(api.etcd.revision, revision)
  })

  test('a namespace on its way out takes nothing new, is emptied, and goes when nothing is left', async () => {
    const { api, store } = await opened(new TurnedClock())
    const kept = await store.create(group('kept', { finalizers: ['megrez.io/test'] }))
    await store.create(group('free'))
    const space = { kind: 'Namespace', name: 'a' } as const
    assert.notEqual((await store.delete(space))?.metadata.deletionTimestamp, undefined)
    await assert.rejects(store.create(group('late')), NamespaceTerminating)
    assert.equal(await emptyNamespaces(api), true)
    assert.deepEqual(
      (await store.list('SecurityGroup')).items.map(({ metadata }) => metadata.name),
      ['kept'],
    )
    assert.equal(await emptyNamespaces(api), false)
    await store.commit([{ do: 'removeFinalizer', ref: refOf(kept), uid: kept.metadata.uid, finalizer: 'megrez.io/test' }])
    assert.equal(await emptyNamespaces(api), true)
    assert.equal(await store.get(space), undefined)
    await assert.rejects(store.create(group('none')), NotFound)
  })

  test('a pod on a node goes when its kubelet has said so, one on none at once', async () => {
    const clock = new TurnedClock()
    const { api, store } = await opened(clock)
    for (const [name, spec] of [
      ['bound', { nodeName: 'n1' }],
      ['free', {}],
    ] as const)
      await store.create<'Pod'>({ kind: 'Pod', metadata: { name, namespace: 'a' }, spec })
    const going = await store.delete({ kind: 'Pod', namespace: 'a', name: 'bound' })
    assert.equal(Date.parse(going?.metadata.deletionTimestamp ?? ''), clock.now() + 30_000)
    assert.equal(await store.delete({ kind: 'Pod', namespace: 'a', name: 'free' }), undefined)
    await podEnded(api, 'a', 'bound')
    assert.equal((await store.list('Pod')).items.length, 0)
  })

  test('what all owners of are gone is collected', async () => {
    const { api, store } = await opened(new TurnedClock())
    const owner = await store.create(group('owner'))
    await store.create(
      group('owned', {
        ownerReferences: [{ apiVersion: 'megrez.io/v1alpha1', kind: 'SecurityGroup', name: 'owner', uid: owner.metadata.uid }],
      }),
    )
    assert.equal(await collectOrphans(api), false)
    await store.delete(refOf(owner))
    assert.equal(await collectOrphans(api), true)
    assert.equal((await store.list('SecurityGroup')).items.length, 0)
  })

  test('pages are of one state, until that is forgotten', async () => {
    const { api, store } = await opened(new TurnedClock())
    for (const name of ['one', 'two', 'zero']) await store.create(group(name))
    const first = await store.list('SecurityGroup', { limit: 1 })
    await store.create(group('new'))
    await store.delete({ kind: 'SecurityGroup', namespace: 'a', name: 'two' })
    const second = await store.list('SecurityGroup', { limit: 2, continue: first.continue ?? '' })
    assert.deepEqual(
      [...first.items, ...second.items].map(({ metadata }) => metadata.name),
      ['one', 'two', 'zero'],
    )
    assert.equal(second.resourceVersion, first.resourceVersion)
    api.etcd.compact()
    await assert.rejects(store.list('SecurityGroup', { limit: 2, continue: first.continue ?? '' }), Gone)
  })

  test('a selector that is none, or that the kind does not offer, is 400', async () => {
    const { client } = await opened(new TurnedClock())
    const listed = async (query: KubeRequest['query'] & object): Promise<number> =>
      (await client.ask({ verb: 'list', resource: 'securitygroups', path: '/apis/megrez.io/v1alpha1/securitygroups', query })).status
    assert.deepEqual(
      [
        await listed({ labelSelector: '=' }),
        await listed({ fieldSelector: 'spec.rules=x' }),
        await listed({ fieldSelector: 'metadata.name!=a' }),
      ],
      [400, 400, 200],
    )
    assert.deepEqual(reasonOf(await client.ask({ verb: 'list', resource: 'nobodies', path: '/apis/megrez.io/v1alpha1/nobodies' })), [
      404,
      undefined,
    ])
  })

  test('webhooks change and refuse what comes, and a dry run leaves nothing', async () => {
    const { client, store } = await opened(
      new TurnedClock(),
      {},
      {
        admit: async ({ operation, object }) =>
          operation === 'CREATE' && object !== undefined
            ? { ...object, metadata: { ...object.metadata, labels: { seen: 'yes' } } }
            : object,
      },
    )
    assert.deepEqual((await store.create(group('g'))).metadata.labels, { seen: 'yes' })
    const dry = await client.ask({
      verb: 'create',
      ...at(''),
      path: '/apis/megrez.io/v1alpha1/namespaces/a/securitygroups',
      query: { dryRun: 'All' },
      body: { metadata: { name: 'dry' }, spec: {} },
    })
    assert.equal(dry.status, 201)
    assert.equal(await store.get({ kind: 'SecurityGroup', namespace: 'a', name: 'dry' }), undefined)
    await store.delete({ kind: 'SecurityGroup', namespace: 'a', name: 'g' })
  })

  test('no finalizer is added to what is being deleted', async () => {
    const { store } = await opened(new TurnedClock())
    const made = await store.create(group('g', { finalizers: ['megrez.io/test'] }))
    await store.delete(refOf(made))
    await assert.rejects(
      store.commit([{ do: 'addFinalizer', ref: refOf(made), uid: made.metadata.uid, finalizer: 'megrez.io/other' }]),
      Invalid,
    )
  })
})

describe('a watch of the simulated API server', () => {
  test('that is cut goes on where it was; after its past is forgotten it lists anew', async () => {
    const clock = new TurnedClock()
    const cut = new Set<string>()
    const { api, store } = await opened(clock, {
      event: async (_, { object }) => {
        if (cut.delete((object as Resource).metadata.name)) throw new Error('cut')
        return undefined
      },
    })
    const { log, stop, ended } = followed(store)
    await rest()
    for (const name of ['one', 'two']) {
      cut.add(name)
      await store.create(group(name))
      await rest()
      if (name === 'two') api.etcd.compact()
      // Twice: it waits before it asks for what it has missed, and again before it lists.
      for (const _ of [1, 2]) {
        clock.advance(60_000)
        await rest()
      }
    }
    assert.deepEqual(
      log.filter((line) => line !== 'mark'),
      ['all', 'put one', 'all one two'],
    )
    stop()
    await ended
  })

  test('has a bookmark a minute, and ends when its time is up, to begin again', async () => {
    const clock = new TurnedClock()
    const { client, store } = await opened(clock)
    const { log, stop, ended } = followed(store)
    await rest()
    for (let minute = 0; minute < 12; minute++) {
      clock.advance(60_000)
      await rest()
    }
    assert.ok(log.filter((line) => line === 'mark').length >= 10, log.join())
    assert.equal(client.counts['watch securitygroups'], 2)
    stop()
    await ended
  })
})

describe('the way to the simulated API server', () => {
  const lost = async (): Promise<never> => {
    throw new Error('the connection broke')
  }
  const isCreate = ({ ask }: Call): boolean => ask.verb === 'create'

  test('an answer that is lost leaves the write done; a request that is cut leaves nothing', async () => {
    let hooks: Hooks = {}
    const { api, store } = await opened(new TurnedClock(), {
      before: async (call) => hooks.before?.(call),
      after: async (call, answer) => hooks.after?.(call, answer) ?? answer,
    })
    hooks = { before: async (call) => (isCreate(call) ? lost() : undefined) }
    await assert.rejects(store.create(group('cut')), StoreUnavailable)
    hooks = { after: async (call, answer) => (isCreate(call) ? lost() : answer) }
    await assert.rejects(store.create(group('lost')), StoreUnavailable)
    assert.deepEqual(
      api.etcd.all('SecurityGroup').map(({ metadata }) => metadata.name),
      ['lost'],
    )
  })

  test('a process that is closed is answered nothing, and what it had sent may still be done', async () => {
    const due: (() => void)[] = []
    const { api, store } = await opened(new TurnedClock(), {
      before: (call) => (isCreate(call) ? new Promise((resolve) => due.push(() => resolve(undefined))) : Promise.resolve(undefined)),
    })
    const making = assert.rejects(store.create(group('sent')), StoreUnavailable)
    await store.close()
    await making
    due.shift()!()
    await rest()
    assert.equal(api.etcd.all('SecurityGroup').length, 1)
    await assert.rejects(store.get({ kind: 'SecurityGroup', namespace: 'a', name: 'sent' }), StoreUnavailable)
  })

  test('the same work gives the same objects, byte for byte', async () => {
    const work = async (): Promise<string> => {
      const { api, store } = await opened(new TurnedClock())
      await Promise.all(
        ['x', 'y', 'z'].map((name) =>
          store
            .create(group(name))
            .then((made) => store.patchStatus({ ref: refOf(made), uid: made.metadata.uid }, { report: { phase: 'ready', sequence: 1 } })),
        ),
      )
      return JSON.stringify(api.etcd.all('SecurityGroup'))
    }
    assert.equal(await work(), await work())
  })
})

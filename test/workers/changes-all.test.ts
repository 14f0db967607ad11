// Whoever asks for all changes is told of more than phases, and nobody else is.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nicsAnnotation, nicStatusAnnotation, vpcAnnotation } from '../../core/kinds/annotations.ts'
import { refOf, type Resource, type SpecOf } from '../../core/kinds/index.ts'
import { digestOf } from '../../core/plan/notify/changes.ts'
import { until } from '../setup/until.ts'
import { openReceiver } from './notify-receiver.ts'
import { using, type SubscriptionCluster } from './subscriptions-test-cluster.ts'

const vpc: SpecOf<'Vpc'> = { provider: 'builtin' }

async function port(whole: SubscriptionCluster): Promise<Resource<'Port'>> {
  await whole.phase(await whole.make('Vpc', 'a/v', vpc), 'ready')
  await whole.phase(await whole.make('Subnet', 'a/n', { vpc: 'v', ipv4: { cidr: '10.0.0.0/24' } }), 'ready')
  const made = await whole.make('Port', 'a/p', { subnet: 'n' })
  await whole.phase(made, 'ready')
  return made
}

interface Nic {
  readonly port: string
  readonly wired?: boolean
  readonly unsupported?: string
}
const statusOf = (pod: Resource<'Pod'> | undefined) =>
  JSON.parse(pod?.metadata.annotations?.[nicStatusAnnotation] ?? 'null') as {
    readonly phase: string
    readonly nics?: readonly Nic[]
  } | null

function makePod(whole: SubscriptionCluster): Promise<Resource<'Pod'>> {
  const annotations = { [vpcAnnotation]: 'v', [nicsAnnotation]: '[{"name":"net1","subnet":"n"}]' }
  return whole.store.create({
    kind: 'Pod',
    metadata: { namespace: 'a', name: 'web', annotations },
    spec: { containers: [{ name: 'main' }] },
  })
}

/** As its agent reports. */
const wire = (whole: SubscriptionCluster, item: Resource<'Port'>, wired: boolean): Promise<unknown> =>
  whole.store.patchStatus({ ref: refOf(item), uid: item.metadata.uid }, { node: { node: { wired } } })
const sequenceOf = async (whole: SubscriptionCluster, item: Resource<'Port' | 'L2ServiceAttachment'>): Promise<number | undefined> =>
  (await whole.get(item))?.status?.sequence

test('wiring is told to whoever asks for all changes, in order with the phases, and to no other', async () => {
  const others = await openReceiver()
  try {
    await using(async (whole, receiver) => {
      await whole.subscribe('a/all', { sink: receiver.url, changes: 'all', filter: { kinds: ['Port'] } })
      await whole.subscribe('a/phase', { sink: others.url, filter: { kinds: ['Port'] } })
      const made = await port(whole)
      const before = (await sequenceOf(whole, made))!
      await wire(whole, made, true)
      await until(async () => (await sequenceOf(whole, made)) === before + 1, 'it counts')
      await wire(whole, made, true)
      await wire(whole, made, false)
      await until(async () => (await sequenceOf(whole, made)) === before + 2, 'it counts again')
      await until(async () => (await whole.left()).length === 0, 'all is told')
      assert.deepEqual(
        receiver.taken.slice(-3).map(({ sequence, phase }) => [sequence, phase]),
        [
          [before, 'ready'],
          [before + 1, 'ready'],
          [before + 2, 'ready'],
        ],
      )
      assert.deepEqual(
        others.taken.map(({ sequence }) => sequence),
        receiver.taken.map(({ sequence }) => sequence).filter((each) => each <= before),
      )
      const told = JSON.parse(receiver.taken.at(-2)!.body) as Resource<'Port'>
      assert.equal(told.status?.node?.wired, true)
    })
  } finally {
    await others.close()
  }
})

test('where nobody asks for all changes nothing more is counted or written', () =>
  using(async (whole, receiver) => {
    await whole.subscribe('a/phase', { sink: receiver.url, filter: { kinds: ['Port'] } })
    const made = await port(whole)
    const before = await sequenceOf(whole, made)
    await wire(whole, made, true)
    await whole.phase(await whole.make('Vpc', 'a/after', vpc), 'ready')
    const { status } = (await whole.get(made))!
    assert.deepEqual([status?.sequence, status?.told, status?.node?.wired], [before, undefined, true])
  }))

test('a Subscription that comes later is told of what changes from then on', () =>
  using(async (whole, receiver) => {
    const made = await port(whole)
    await whole.subscribe('a/all', { sink: receiver.url, changes: 'all', filter: { kinds: ['Port'] } })
    await until(async () => (await whole.get(made))?.status?.told !== undefined, 'it is known as it is')
    assert.equal(receiver.taken.length, 0)
    await wire(whole, made, true)
    await until(() => receiver.taken.length === 1, 'it is told')
  }))

test('of a pod too its wiring is told, and what its node does not do, to whoever asks for all changes', () =>
  using(async (whole, receiver) => {
    await port(whole)
    const made = await makePod(whole)
    const nicOf = async (): Promise<Nic | undefined> => statusOf(await whole.get(made))?.nics?.[0]
    await until(async () => statusOf(await whole.get(made))?.phase === 'ready', 'the pod has its Port')
    assert.equal((await nicOf())?.wired, undefined, 'nobody has asked')
    await whole.subscribe('a/all', { sink: receiver.url, changes: 'all', filter: { kinds: ['Pod'] } })
    await until(async () => (await nicOf())?.wired === false, 'it is known as it is')
    assert.equal(receiver.taken.length, 0)
    const its = (await whole.store.get({ kind: 'Port', namespace: 'a', name: (await nicOf())!.port }))!
    await wire(whole, its, true)
    await until(() => receiver.taken.length === 1, 'its wiring is told')
    const unsupported = [
      {
        type: 'Unsupported',
        status: 'True' as const,
        reason: 'NotByOvs',
        message: 'rules: none',
        lastTransitionTime: '2026-01-01T00:00:00Z',
      },
    ]
    await whole.store.patchStatus({ ref: refOf(its), uid: its.metadata.uid }, { node: { node: { wired: true, conditions: unsupported } } })
    await until(() => receiver.taken.length === 2, 'what is not done is told')
    const said = receiver.taken.map(({ sequence, body }) => [sequence, statusOf(JSON.parse(body) as Resource<'Pod'>)?.nics?.[0]] as const)
    assert.deepEqual(
      said.map(([, nic]) => [nic?.wired, nic?.unsupported]),
      [
        [true, undefined],
        [true, 'rules: none'],
      ],
    )
    assert.equal(said[1]![0], said[0]![0] + 1)
  }))

test('the VLANs of an attachment that has another L2Service now are told to whoever asks for all changes', () =>
  using(async (whole, receiver) => {
    await whole.make('ConnectionPoint', '/cp', { supportedCnis: [{ name: 'ovs', supportedInterfaceTypes: ['kernel'], bridgeName: 'br' }] })
    for (const [name, segmentationID] of [
      ['a/s', 100],
      ['a/t', 200],
    ] as const)
      await whole.phase(await whole.make('L2Service', name, { segmentationID }), 'ready')
    const made = await whole.make('L2ServiceAttachment', 'a/att', { l2Services: ['s'], connectionPoint: 'cp', vlanType: 'trunk' })
    await whole.phase(made, 'ready')
    await whole.subscribe('a/all', { sink: receiver.url, changes: 'all', filter: { kinds: ['L2ServiceAttachment'] } })
    await until(async () => (await whole.get(made))?.status?.told !== undefined, 'it is known as it is')
    await whole.change(made, { l2Services: ['s', 't'] })
    const vlansTold = (): unknown =>
      receiver.taken.map(({ body }) => (JSON.parse(body) as Resource<'L2ServiceAttachment'>).status?.vlans).at(-1)
    await until(() => JSON.stringify(vlansTold()) === '[100,200]', 'both VLANs are told')
    assert.deepEqual(receiver.taken.map(({ sequence, phase }) => [sequence, phase]).at(-1), [await sequenceOf(whole, made), 'ready'])
  }))

test('addresses, VLANs, wiring, Unsupported and the reason of an error are told of; a message, a time or a count is not', () => {
  const condition = (type: string, reason: string, message = ''): object => ({
    type,
    status: 'True',
    reason,
    message,
    lastTransitionTime: '2026-01-01T00:00:00Z',
  })
  const of = (status: object): string => digestOf({ status })
  const bare = { phase: 'ready', addresses: ['10.0.0.1'] }
  const others = [
    { ...bare, addresses: ['10.0.0.2'] },
    { ...bare, vlans: [7] },
    { ...bare, node: { wired: true } },
    { ...bare, node: { conditions: [condition('Unsupported', 'Rule', 'rule 1')] } },
  ]
  assert.equal(new Set([bare, ...others].map(of)).size, 5)
  assert.equal(
    of({
      ...bare,
      message: 'm',
      sequence: 9,
      observedGeneration: 3,
      conditions: [condition('Ready', 'R')],
      node: { wired: false, message: 'n' },
    }),
    of(bare),
  )
  const fault = (reason: string): string => of({ phase: 'error', conditions: [{ ...condition('Ready', reason), status: 'False' }] })
  assert.notEqual(fault('A'), fault('B'))
})

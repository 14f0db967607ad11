// An Audit asks each node what it has, and has it put right what is its own; what is not ours is never touched, and what tenants may not
// ask is refused.
import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import type { Finding } from '../../core/kinds/vpc/audit.ts'
import type { Resource, SpecOf } from '../../core/kinds/index.ts'
import { problemsAround } from '../../webhooks/admission/objects.ts'
import type { AdmissionDeps } from '../../webhooks/admission/deps.ts'
import type { TestCluster } from '../workers/test-cluster.ts'
import { eventually, openTestClusterWithNode, wireWeb, type TestNode } from './node.ts'

type Port = Resource<'Port'>
let cluster: TestCluster
let node: TestNode
beforeEach(async () => {
  ;({ cluster, node } = await openTestClusterWithNode())
  await wireWeb(cluster, node)
  await eventually(async () => (await port()).status?.node?.wired === true, 'the Port is told to be wired')
})
afterEach(async () => {
  await node.close()
  await cluster.close()
})

const port = async (): Promise<Port> => (await cluster.all('Port'))[0]!
const isOver = async (name: string): Promise<boolean> =>
  ['ready', 'error'].includes((await cluster.get('Audit', name))?.status?.phase ?? '')

/** An Audit, to its end. Time goes on only where it waits for more than a node's answer. */
async function audited(name: string, spec: SpecOf<'Audit'> = {}): Promise<Resource<'Audit'>> {
  await cluster.make('Audit', name, spec)
  await eventually(async () => {
    await cluster.settle()
    if (await isOver(name)) return true
    await cluster.advance(1_000)
    return isOver(name)
  }, `Audit ${name} is over`)
  return (await cluster.get('Audit', name))!
}
const foundBy = ({ status }: Resource<'Audit'>): string[] =>
  (status?.findings ?? []).map(({ class: what, object = '', node: on = '', id = '', repair }: Finding) =>
    [what, object, on, id, repair].join('|'),
  )

test('a node that has what the store says answers, nothing is found, and nothing of the question is left', async () => {
  const audit = await audited('x')
  assert.deepEqual([foundBy(audit), audit.status?.nodesAsked, audit.status?.nodesAnswered], [[], 1, 1])
  assert.deepEqual(await cluster.all('Inquiry'), [])
})

test('of one Cloud no node is asked', async () => {
  await cluster.make('Cloud', 'c', { provider: 'memory', endpoint: 'inventories' })
  assert.equal((await audited('x', { cloud: 'c' })).status?.nodesAsked, undefined)
})

test('an interface of ours that nobody has is found, kept, and with repair removed; what is wired stays', async () => {
  const lost = { ...node.agent.env.ledger.wiredOf((await port()).metadata.uid)!, ifname: 'eth0' }
  const [had] = await node.links.list()
  await node.links.ensure({ ...lost.port, uid: 'nobody', ifcName: 'mzlost' }, { ...lost.inside, netns: '/var/run/netns/c9' })
  const found = await audited('x')
  assert.deepEqual(foundBy(found), ['orphan||n1|mzlost|'])
  assert.equal((await node.links.list()).length, 2)
  assert.deepEqual(foundBy(await audited('y', { repair: true })), ['orphan||n1|mzlost|gone'])
  assert.deepEqual(
    (await node.links.list()).map(({ ifcName }) => ifcName),
    [had?.ifcName],
  )
})

test('what is wired for a Port that is gone is found, and by repair its node asks the store and lets go of it', async () => {
  const wired = node.agent.env.ledger.wiredOf((await port()).metadata.uid)!
  const local = { ...wired.port, uid: 'gone', of: { ...wired.port.of, name: 'gone' }, ifcName: 'mzgone' }
  await node.agent.env.ledger.put({ ...wired, containerID: 'c9', port: local })
  await node.links.ensure(local, { ...wired.inside, netns: '/var/run/netns/c9' })
  assert.deepEqual(foundBy(await audited('x')), ['orphan||n1|gone|'])
  assert.deepEqual(foundBy(await audited('y', { repair: true })), ['orphan||n1|gone|gone'])
  assert.deepEqual([node.agent.env.ledger.wiredOf('gone'), (await node.links.list()).length], [undefined, 1])
})

test('a Port whose interface has gone is missing, and is named as long as its runtime does not ask for it anew', async () => {
  const { metadata } = await port()
  const [had] = await node.links.list()
  await node.links.remove(had!.ifcName)
  assert.deepEqual(foundBy(await audited('x')), [`missing|Port a/${metadata.name}|n1||`])
  const left = await audited('y', { repair: true })
  assert.deepEqual([left.status?.phase, left.status?.left], ['error', 1])
})

test('a Port without a pod whose interface has gone has one again by repair', async () => {
  await cluster.make('Port', 'a/vm', { subnet: 'one', type: 'tap', node: 'n1' })
  await eventually(async () => {
    await cluster.settle()
    return (await cluster.get('Port', 'a/vm'))?.status?.node?.wired === true
  }, 'it is wired')
  const { uid } = (await cluster.get('Port', 'a/vm'))!.metadata
  const { ifcName } = node.agent.env.ledger.wiredOf(uid)!.port
  await node.links.remove(ifcName)
  assert.deepEqual(foundBy(await audited('y', { repair: true })), ['missing|Port a/vm|n1||gone'])
  assert.ok((await node.links.list()).some((each) => each.ifcName === ifcName))
})

test('a node that does not answer is named, and never taken for one that has nothing', async () => {
  await node.kill()
  await cluster.make('Audit', 'x', {})
  await eventually(async () => {
    cluster.clock.advance(1_000)
    return isOver('x')
  }, 'it is over')
  const audit = (await cluster.get('Audit', 'x'))!
  assert.deepEqual([foundBy(audit), audit.status?.nodesAsked, audit.status?.nodesAnswered], [['silent||n1||'], 1, 0])
})

test('nobody but Megrez asks for an inventory: admission refuses it of others, and workers name no node in their namespaces', async () => {
  const object = {
    kind: 'Inquiry' as const,
    metadata: { name: 'x', namespace: 'a' } as never,
    spec: { about: 'inventory' as const, node: 'n1' },
  }
  const deps = { settings: {}, world: {}, store: cluster.store } as unknown as AdmissionDeps
  assert.deepEqual(
    (await problemsAround(deps, object)).map(({ at }) => at),
    ['/spec/about'],
  )
  await cluster.make('Inquiry', 'a/x', object.spec)
  await cluster.settle()
  const { status } = (await cluster.get('Inquiry', 'a/x'))!
  assert.deepEqual([status?.phase, status?.node, status?.answer], ['error', undefined, undefined])
})

// Endpoints of NetworkServices whose node asks whether they answer: one that does no longer is said to be unreachable until it does.
import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import type { Resource } from '../../core/kinds/index.ts'
import { deletePod, makePod, withNetwork } from '../workers/network.ts'
import type { TestCluster } from '../workers/test-cluster.ts'
import { eventually, openTestClusterWithNode, type TestNode } from './node.ts'

let cluster: TestCluster
let node: TestNode
/** What listens at an interface for answers of its pod. */
let ears: Map<string, (frame: Uint8Array | undefined) => void>
/** How often each was asked. */
let questions: Map<string, number>
let answers: boolean

beforeEach(async () => {
  ;({ cluster, node } = await openTestClusterWithNode())
  ;[ears, questions, answers] = [new Map(), new Map(), true]
  node.links.hear = (ifcName, _, onFrame) => {
    ears.set(ifcName, onFrame)
    return Promise.resolve({ stop: () => void ears.delete(ifcName) })
  }
  node.links.tell = (ifcName, frame) => {
    questions.set(ifcName, (questions.get(ifcName) ?? 0) + 1)
    if (answers) ears.get(ifcName)?.(frame)
    return Promise.resolve()
  }
  await node.restart()
  await withNetwork(cluster)
})
afterEach(async () => {
  await node.close()
  await cluster.close()
})

/** A pod whose Port is this to the service. */
async function wired(name: string, of?: 'endpoint'): Promise<Resource<'Pod'>> {
  const pod = await makePod(cluster, `a/${name}`, { node: 'n1', nics: [{ name: 'eth0' }] })
  await cluster.settle()
  const { code, said } = await node.cni('ADD', { pod })
  assert.equal(code, 0, JSON.stringify(said))
  if (of === undefined) return pod
  const port = (await portOf(pod))!
  await cluster.store.update({ ...port, spec: { ...port.spec, networkService: { name: 'a/dns', as: of } } })
  return pod
}
const portOf = async (of: Resource<'Pod'>): Promise<Resource<'Port'> | undefined> =>
  (await cluster.all('Port')).find(({ spec }) => spec.claim?.podUID === of.metadata.uid)
const statusOf = async (of: Resource<'Pod'>) => (await portOf(of))?.status?.node
const isUnreachable = async (of: Resource<'Pod'>): Promise<boolean> => (await statusOf(of))?.unreachable === true
const times = (): number => [...questions.values()].reduce((sum, each) => sum + each, 0)

test('one that answers no more is said to be unreachable, also by another agent, until it answers', async () => {
  const pod = await wired('dns-1', 'endpoint')
  await eventually(() => times() >= 2, 'it is asked')
  assert.equal(await isUnreachable(pod), false)
  answers = false
  await eventually(() => isUnreachable(pod), 'it is unreachable')
  assert.equal((await statusOf(pod))?.wired, true)
  await node.restart()
  const before = times()
  await eventually(() => times() >= before + 6, 'the next agent asks it')
  assert.equal(await isUnreachable(pod), true)
  answers = true
  await eventually(async () => !(await isUnreachable(pod)), 'it is reachable')
})

test('one that has never answered is not judged, and who is no endpoint is not asked', async () => {
  answers = false
  const [pod, other] = [await wired('dns-1', 'endpoint'), await wired('web')]
  await eventually(() => times() >= 8, 'it is asked')
  assert.deepEqual([await isUnreachable(pod), await isUnreachable(other), questions.size], [false, false, 1])
})

test('one whose interface is made anew is listened to at the new one', async () => {
  const pod = await wired('dns-1', 'endpoint')
  await eventually(() => times() >= 2, 'it is asked')
  for (const [ifcName, gone] of ears) {
    ears.delete(ifcName)
    gone(undefined)
  }
  const before = times()
  await eventually(() => times() >= before + 6, 'it is asked on')
  assert.equal(await isUnreachable(pod), false)
  assert.equal(ears.size, 1)
})

test('nobody listens any more where an endpoint has gone', async () => {
  const pod = await wired('dns-1', 'endpoint')
  await eventually(() => ears.size === 1, 'it is listened to')
  await deletePod(cluster, 'a/dns-1')
  assert.equal((await node.cni('DEL', { pod })).code, 0)
  await eventually(() => ears.size === 0, 'nobody listens')
})

// SecurityGroups from objects to packets: a server, two nodes with Open vSwitch, pods on both, and TCP between them.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { pathOf } from '../../cli/demo/rest.ts'
import { made, makeNetwork, place, startTwoNodes, type PlacedPod, type TwoNodes } from '../../cli/demo/two-nodes.ts'
import { connects, heldOpen, listens } from '../../lab/nodes/connections.ts'
import { openLab, type Lab } from '../../lab/lab.ts'
import { ovsSkip } from '../setup/ovs.ts'
import { until } from '../setup/until.ts'

const tenant = 't'
const cast = [
  { tenant, name: 'web', node: 'n1', address: '10.0.0.11' },
  { tenant, name: 'db', node: 'n2', address: '10.0.0.21' },
  { tenant, name: 'other', node: 'n1', address: '10.0.0.31' },
] as const
type Name = (typeof cast)[number]['name']

describe('SecurityGroups', { skip: ovsSkip }, () => {
  let lab: Lab
  let two: TwoNodes
  const stops: (() => Promise<unknown>)[] = []
  const pods = new Map<Name, PlacedPod>()
  before(async () => {
    lab = await openLab()
    stops.push(() => lab.close())
    two = await startTwoNodes(lab, false, stops)
    await makeNetwork(two.rest, tenant)
    for (const each of cast) pods.set(each.name, await place(each, two))
    for (const { sandbox } of pods.values()) stops.push(await listens(sandbox.namespace))
  })
  after(async () => {
    for (const stop of stops.reverse()) await stop()
  })

  const reaches = (from: Name, to: Name): Promise<boolean> => connects(pods.get(from)!.sandbox.namespace, pods.get(to)!.pod.address)
  const patch = async (path: string, spec: object): Promise<void> => {
    const { etag } = await two.rest.call('GET', path)
    const merge = { 'content-type': 'application/merge-patch+json', 'if-match': etag ?? '' }
    assert.equal((await two.rest.call('PATCH', path, { spec }, merge)).status, 200)
  }
  const putInto = async (pod: Name, group: string): Promise<void> => {
    const all = (await two.rest.call('GET', pathOf('Port', tenant))).body.items ?? []
    const port = all.find(({ metadata }) => metadata.name.startsWith(`${pod}-`))!
    await patch(pathOf('Port', tenant, port.metadata.name), { securityGroups: [group] })
  }
  const makeGroup = (name: string, rules: readonly object[]): Promise<string> =>
    made(two.rest, pathOf('SecurityGroup', tenant), {
      apiVersion: 'megrez.io/v1alpha1',
      kind: 'SecurityGroup',
      metadata: { name },
      spec: { rules },
    })

  test('without them pods of a Vpc connect to each other, on one node and between two', async () => {
    for (const [from, to] of [
      ['web', 'db'],
      ['db', 'other'],
      ['web', 'other'],
    ] as const)
      assert.equal(await reaches(from, to), true, `${from} to ${to}`)
  })

  test('what no rule allows is dropped; what one allows passes, with its answers', async () => {
    await makeGroup('web', [])
    await makeGroup('db', [{ direction: 'ingress', protocol: 'tcp', l4PortMin: 8080, l4PortMax: 8080, remoteGroup: 'web' }])
    await putInto('db', 'db')
    await putInto('web', 'web')
    await until(async () => !(await reaches('other', 'db')), 'who is in no group is shut out', 30_000)
    await until(() => reaches('web', 'db'), 'the group that is named is let in', 30_000)
    await until(async () => !(await reaches('other', 'web')), 'a group without rules lets nobody in', 30_000)
    assert.equal(await reaches('web', 'other'), true, 'and everybody out')
  })

  test('a rule that goes ends connections that are open', async () => {
    const held = await heldOpen(pods.get('web')!.sandbox.namespace, pods.get('db')!.pod.address)
    await patch(pathOf('SecurityGroup', tenant, 'db'), { rules: [] })
    assert.equal(await held.ends(), true)
    assert.equal(await reaches('web', 'db'), false)
  })

  test('an agent that is killed leaves nothing open, nor does one that starts anew', async () => {
    const node = two.nodes.get('n2')!
    await node.killAgent()
    assert.equal(await reaches('web', 'db'), false)
    await node.startAgent()
    assert.equal(await reaches('web', 'db'), false)
    assert.equal(await reaches('db', 'other'), true)
  })
})

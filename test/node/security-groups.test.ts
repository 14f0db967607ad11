// SecurityGroups from objects to packets: a server, two nodes with Open vSwitch, pods on both, and TCP between them.
import assert from 'node:assert/strict'
import { rename } from 'node:fs/promises'
import { after, before, describe, test } from 'node:test'
import { pathOf } from '../../cli/demo/rest.ts'
import { made, makeNetwork, place, startTwoNodes, type PlacedPod, type TwoNodes } from '../../cli/demo/two-nodes.ts'
import { connects, heldOpen, listens } from '../../lab/nodes/connections.ts'
import type { LabNode } from '../../lab/nodes/node.ts'
import { openLab, type Lab } from '../../lab/lab.ts'
import { ovsSkip } from '../setup/ovs.ts'
import { until } from '../setup/until.ts'
import { streamed, streamL4Port, type Stream } from './streams.ts'

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

  describe('let no datagram through that they forbid', () => {
    const node = (): LabNode => two.nodes.get('n2')!
    let stream: Stream
    before(async () => {
      stream = await streamed(pods.get('other')!.sandbox.namespace, {
        to: pods.get('db')!.sandbox.namespace,
        address: pods.get('db')!.pod.address,
      })
      stops.push(() => stream.end())
    })

    /** Of what is sent every 5 ms all along. */
    const nothingComes = async (during: () => Promise<unknown>): Promise<void> => {
      const sent = stream.sent()
      await during()
      await until(() => Promise.resolve(stream.sent() > sent + 100), 'there was something to forbid', 30_000)
      assert.equal(stream.arrived(), 0)
    }
    const answers = (): Promise<void> => until(() => reaches('db', 'other'), 'the node carries what is allowed', 30_000)

    test('while their rules are changed again and again', () =>
      nothingComes(async () => {
        for (let i = 0; i < 20; i++)
          await patch(pathOf('SecurityGroup', tenant, 'db'), {
            rules: Array.from({ length: i % 5 }, (_, nth) => ({
              direction: 'ingress',
              protocol: 'udp',
              l4PortMin: streamL4Port,
              l4PortMax: streamL4Port + nth,
              remoteGroup: 'web',
            })),
          })
      }))

    test('while a Port is moved from group to group', () =>
      nothingComes(async () => {
        await makeGroup('db-2', [])
        for (let i = 0; i < 10; i++) await putInto('db', i % 2 === 0 ? 'db-2' : 'db')
      }))

    test('while the agent is killed, and starts anew', () =>
      nothingComes(async () => {
        await node().killAgent()
        assert.equal(await reaches('web', 'db'), false)
        await node().startAgent()
        await answers()
      }))

    test('while the switch is killed, and starts anew', () => nothingComes(() => node().ovs.restartSwitch().then(answers)))

    test('while the agent starts anew with the store away, on a switch that has lost its flows', () =>
      nothingComes(async () => {
        await rename(two.store, `${two.store}.away`)
        try {
          await node().killAgent()
          await node().ovs.restartSwitch()
          await assert.rejects(node().startAgent(), /the store does not answer/)
        } finally {
          await rename(`${two.store}.away`, two.store)
        }
        await node().startAgent()
        await answers()
      }))

    test('and let it through once they allow it', async () => {
      await patch(pathOf('SecurityGroup', tenant, 'db'), { rules: [{ direction: 'ingress', protocol: 'udp' }] })
      await until(() => Promise.resolve(stream.arrived() > 0), 'datagrams come', 30_000)
    })
  })
})

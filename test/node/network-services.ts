// Network services from objects to packets: a server, two nodes, clients and endpoints on both; an endpoint is killed under ping. On any
// data plane.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { TwoNodes } from '../../cli/demo/two-nodes.ts'
import { ServiceStage } from '../../cli/story/nsm/stage.ts'
import type { AgentNode } from '../../lab/nodes/node.ts'
import { openLab, type Lab, type Stops } from '../../lab/lab.ts'
import { until } from '../setup/until.ts'
import { streamed } from './streams.ts'

const tenant = 't'
const cast = {
  s1: { node: 'n1', nic: { serves: 'dns' } },
  s2: { node: 'n2', nic: { serves: 'dns' } },
  c1: { node: 'n1', nic: { networkService: 'dns' } },
  c2: { node: 'n1', nic: { networkService: 'dns' } },
  c3: { node: 'n2', nic: { networkService: 'dns' } },
  stranger: { node: 'n1', nic: { subnet: 'all' } },
} as const
type Name = keyof typeof cast

export interface Plane {
  readonly name: string
  readonly skip: string | false
  start(lab: Lab, stops: Stops): Promise<TwoNodes<AgentNode>>
}

export const networkServiceTests = ({ name: plane, skip, start }: Plane): void =>
  void describe(`network services on ${plane}`, { skip }, () => {
    let stage: ServiceStage<AgentNode>
    const stops: (() => Promise<unknown>)[] = []
    before(async () => {
      const lab = await openLab()
      stops.push(() => lab.close())
      stage = await ServiceStage.open(await start(lab, stops), tenant, 'dns')
      const names = Object.keys(cast) as Name[]
      const servers = names.filter((name) => 'serves' in cast[name].nic)
      for (const name of servers) await place(name)
      // A client that came before both were there would keep the other one.
      await stage.serving(servers.length)
      for (const name of names.filter((each) => !servers.includes(each))) await place(name)
    })
    after(async () => {
      for (const stop of stops.reverse()) await stop()
    })

    const place = (name: Name): Promise<unknown> => stage.place(name, cast[name].node, cast[name].nic)
    const nicOf = (name: Name) => stage.nicOf(name)
    const addressOf = (name: Name): Promise<string> => stage.addressOf(name)
    const pings = (from: Name, to: string, tries?: number): Promise<boolean> => stage.pings(from, to, tries)
    const endpointOf = (name: Name): Promise<string | undefined> => stage.reachedAt(name)
    const sandboxOf = (name: Name) => stage.pods.get(name)!.sandbox
    const cutOff = async (from: Name, to: Name): Promise<void> =>
      assert.equal(await pings(from, await addressOf(to), 2), false, `${from} must not reach ${to}`)

    test('a client reaches the endpoint of its node, which its pod is told of, and nobody else; a stranger reaches neither', async () => {
      const [s1, s2] = [await addressOf('s1'), await addressOf('s2')]
      for (const [client, server] of [
        ['c1', s1],
        ['c2', s1],
        ['c3', s2],
      ] as const) {
        await until(async () => (await endpointOf(client)) === server, `${client} has the endpoint of its node`, 30_000)
        await until(() => pings(client, server), `${client} reaches it`, 30_000)
      }
      await until(async () => pings('s1', await addressOf('c1')), 'an endpoint reaches its clients', 30_000)
      for (const [from, to] of [
        ['c1', 's2'],
        ['c3', 's1'],
        ['c1', 'c2'],
        ['c1', 'c3'],
        ['s1', 's2'],
        ['s1', 'c3'],
        ['c1', 'stranger'],
        ['stranger', 'c1'],
        ['stranger', 's1'],
      ] as const)
        await cutOff(from, to)
    })

    test('an endpoint is killed: its clients are moved over to the other node with the addresses that they have, others lose nothing', async (t) => {
      const [s2, before] = [await addressOf('s2'), await nicOf('c1')]
      const other = await streamed(sandboxOf('c3').namespace, { to: sandboxOf('s2').namespace, address: s2 })
      await until(() => Promise.resolve(other.arrived() > 100), 'datagrams of another client arrive', 30_000)
      const [sentBefore, arrivedBefore] = [other.sent(), other.arrived()]
      const began = performance.now()
      await stage.end('s1')
      const dead = stage.pods.get('s1')!
      const del = dead.on.cni('DEL', dead.sandbox)
      await until(() => pings('c1', s2), 'c1 reaches the endpoint that is left', 30_000)
      t.diagnostic(`${plane}: ${Math.round(performance.now() - began)} ms from the end of an endpoint to answers of another one`)
      await until(() => pings('c2', s2), 'c2 too', 30_000)
      assert.equal((await del).code, 0)
      await until(async () => (await endpointOf('c1')) === s2, 'its pod is told', 30_000)
      const after = await nicOf('c1')
      assert.deepEqual([after?.port, after?.addresses, after?.mac], [before?.port, before?.addresses, before?.mac])
      await until(() => Promise.resolve(other.sent() - sentBefore > 400), 'datagrams of another client go on', 30_000)
      const lost = other.sent() - sentBefore - (other.arrived() - arrivedBefore)
      t.diagnostic(`${plane}: ${lost} of ${other.sent() - sentBefore} datagrams of another client are under way or lost meanwhile`)
      assert.ok(lost <= 10, `${lost} datagrams of another client lost`)
      await other.end()
      await cutOff('c1', 'c2')
      await cutOff('c1', 'c3')
    })

    test('a client whose last endpoint goes reaches nobody, and the next one that comes', async () => {
      const s2 = await addressOf('s2')
      await stage.end('s2')
      await until(async () => !(await pings('c1', s2)), 'nobody answers', 30_000)
      await until(async () => (await nicOf('c1'))?.connection?.endpoint === undefined, 'its pod is told that there is none', 30_000)
      await place('s1')
      await until(async () => pings('c1', await addressOf('s1')), 'the next endpoint answers', 30_000)
    })

    test('an endpoint that nothing gets to any more is left, though its pod runs', async (t) => {
      await place('s2')
      await stage.serving(2)
      const [s1, s2] = [await addressOf('s1'), await addressOf('s2')]
      assert.equal(await endpointOf('c1'), s1)
      const began = performance.now()
      await sandboxOf('s1').namespace.ip('link', 'set', 'eth0', 'down')
      await until(() => pings('c1', s2), 'c1 reaches the other endpoint', 30_000)
      t.diagnostic(`${plane}: ${Math.round(performance.now() - began)} ms from an interface that is down to answers of another endpoint`)
      await until(async () => (await endpointOf('c1')) === s2, 'its pod is told', 30_000)
    })
  })

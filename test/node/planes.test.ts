// Agents as processes of their own whose data plane ends under them: Open vSwitch's two daemons killed, and the kernel's own plane.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { linuxCarrier, ovsCarrier, type Carrier, type OvsCarrier } from '../../lab/nodes/carriers.ts'
import type { Sandbox } from '../../lab/nodes/node.ts'
import { reaches } from '../../lab/nodes/ping.ts'
import { ovsMissing } from '../../lab/programs/ovs.ts'
import { until } from '../setup/until.ts'
import { accessVlans } from './access-vlans.ts'
import { ourLinks, startAgents, type Agents, type NodeWith } from './agents.ts'

const skip = (await ovsMissing({ install: false, print: () => undefined })) ?? false
const answers = (from: Sandbox, address: string): Promise<void> =>
  until(() => reaches(from.namespace, address, { tries: 1 }), `${address} answers`)

describe('agents on a data plane that ends under them', { skip }, () => {
  let agents: Agents
  before(async () => (agents = await startAgents()))
  after(() => agents.close())

  test("Open vSwitch's daemons are killed and started anew: packets pass again without anybody's doing, and nothing is there twice", async (t) => {
    const [n1, n2] = [await agents.node('n1', ovsCarrier), await agents.node('n2', ovsCarrier)]
    const [one, near, far] = [await agents.pod(n1, 'one'), await agents.pod(n1, 'near'), await agents.pod(n2, 'far')]
    const [first, second, third] = [await agents.add(n1, one), await agents.add(n1, near), await agents.add(n2, far)]
    await answers(one, second)
    await answers(one, third)
    const before = await stateOf(n1)
    const { ovs } = n1.carrier
    const cuts = {
      'ovs-vswitchd': () => ovs.restartSwitch(),
      'ovsdb-server': () => ovs.restartOvsdb(),
      both: async () => {
        await ovs.restartOvsdb()
        await ovs.restartSwitch()
      },
    }
    for (const [what, cut] of Object.entries(cuts)) {
      const began = performance.now()
      await cut()
      await answers(one, second)
      await answers(far, first)
      t.diagnostic(`${Math.round(performance.now() - began)} ms from kill -9 of ${what} to answers on the node and over VXLAN`)
      await until(async () => (await stateOf(n1)) === before, `after ${what} flows and ports are as before`)
    }
    const late = await agents.pod(n1, 'late')
    await answers(far, await agents.add(n1, late))
    for (const [node, sandbox] of [
      [n1, one],
      [n1, near],
      [n2, far],
      [n1, late],
    ] as const)
      await agents.del(node, sandbox)
    await until(async () => (await ourLinks(n1)).length === 0, 'no interface is left')
  })

  test("the kernel's plane under agents: packets between two nodes, also while one agent is killed, and DEL leaves nothing", async () => {
    const [n1, n2] = [await agents.node('k1', linuxCarrier), await agents.node('k2', linuxCarrier)]
    const [one, near, far] = [await agents.pod(n1, 'one-k'), await agents.pod(n1, 'near-k'), await agents.pod(n2, 'far-k')]
    const [first, second, third] = [await agents.add(n1, one), await agents.add(n1, near), await agents.add(n2, far)]
    await answers(one, second)
    await answers(one, third)
    const notOurs = ['10.0.0.222', '10.0.0.223', '10.0.0.224', '10.0.0.225'].find((each) => ![first, second, third].includes(each))!
    await one.namespace.ip('addr', 'add', `${notOurs}/32`, 'dev', 'eth0')
    const spoofed = await one.namespace.exec('ping', '-c', '2', '-i', '0.2', '-W', '1', '-I', notOurs, third)
    assert.equal(
      spoofed.code,
      1,
      `a source that is not the pod's own, which is ${first}: ${spoofed.stdout}\n${spoofed.code === 0 ? (await n1.namespace.exec('nft', 'list', 'table', 'bridge', 'megrez')).stdout : ''}`,
    )
    await n1.killAgent()
    await answers(far, first)
    const devices = await devicesOf(n1)
    assert.equal(devices.length, 2, 'a bridge and a tunnel')
    // What is taken away meanwhile is put back.
    for (const device of devices) await n1.namespace.ip('link', 'del', device)
    await n1.startAgent()
    await answers(far, first)
    await answers(near, third)
    for (const [node, sandbox] of [
      [n1, one],
      [n1, near],
      [n2, far],
    ] as const)
      await agents.del(node, sandbox)
    await until(async () => (await ourLinks(n1)).length === 0, 'no interface is left')
  })

  test("the kernel's plane starts on no node whose Open vSwitch has the tunnel's UDP port, and says whose it is; where that has gone it carries packets between nodes", async () => {
    const setting: Record<string, string> = {}
    const bothOn = (name: string) =>
      agents.node(name, async (place) => {
        const carrier = await ovsCarrier(place)
        return { ...carrier, settings: { ...carrier.settings, ...setting } }
      })
    const switched = await bothOn('s1')
    setting['MEGREZ_DATAPLANE'] = 'linux'
    const { ovs } = switched.carrier
    await switched.killAgent()
    await assert.rejects(
      switched.startAgent({ MEGREZ_DATAPLANE: 'linux' }),
      /UDP port 4789 for tunnels belongs to mgz-int-vtep on bridge mgz-int of this node's Open vSwitch: an agent has used it/,
    )
    await ovs.vsctl('del-br', 'mgz-int')
    const fresh = await bothOn('s2')
    await switched.startAgent({ MEGREZ_DATAPLANE: 'linux' })
    const [one, far] = [await agents.pod(switched, 'one-s'), await agents.pod(fresh, 'far-s')]
    await agents.add(switched, one)
    await answers(one, await agents.add(fresh, far))
    for (const [node, sandbox] of [
      [switched, one],
      [fresh, far],
    ] as const)
      await agents.del(node, sandbox)
    await until(async () => (await ourLinks(switched)).length === 0, 'no interface is left')
  })

  test("interfaces in VLANs that our plugin makes for pods are carried by the kernel's plane too, and gone after DEL", async () => {
    const withUplink = (name: string) =>
      agents.node(name, async (place) => {
        const carrier = await linuxCarrier(place)
        await carrier.namespace.ip('link', 'add', 'eth1', 'type', 'veth', 'peer', 'name', 'wire')
        return { ...carrier, settings: { ...carrier.settings, MEGREZ_UPLINKS: '{"physnet1":"eth1"}' } }
      })
    const [v1, v2] = [await withUplink('v1'), await withUplink('v2')]
    await v2.namespace.ip('link', 'set', 'wire', 'name', 'wire2', 'netns', v1.namespace.name)
    for (const args of [
      ['add', 'name', 'wires', 'type', 'bridge'],
      ['set', 'wire', 'up', 'master', 'wires'],
      ['set', 'wire2', 'up', 'master', 'wires'],
      ['set', 'wires', 'up'],
    ])
      await v1.namespace.ip('link', ...args)
    const here = await agents.pod(v1, 'in-100')
    const confs = await accessVlans(agents, ['v1', 'v2'], 100, 101)
    const [in100, in101] = [confs.get(100)!, confs.get(101)!]
    const pods: [NodeWith<Carrier>, Sandbox, object, string][] = [
      [v1, here, in100, '10.7.0.1/24'],
      [v2, await agents.pod(v2, 'also-100'), in100, '10.7.0.2/24'],
      [v2, await agents.pod(v2, 'in-101'), in101, '10.7.0.3/24'],
    ]
    for (const [node, sandbox, conf, address] of pods) {
      const { code, said } = await node.cni('ADD', sandbox, conf, 'net1')
      assert.equal(code, 0, said.msg)
      await sandbox.namespace.ip('addr', 'add', address, 'dev', 'net1')
    }
    await answers(here, '10.7.0.2')
    assert.equal(await reaches(here.namespace, '10.7.0.3', { tries: 1 }), false, 'another VLAN')
    for (const [node, sandbox, conf] of pods) assert.equal((await node.cni('DEL', sandbox, conf, 'net1')).code, 0)
    for (const node of [v1, v2]) await until(async () => (await ourLinks(node)).length === 0, 'no interface is left')
  })
})

/** Flows and ports of ours, without counters. */
async function stateOf({ carrier: { ovs } }: NodeWith<OvsCarrier>): Promise<string> {
  const flows = (await ovs.ofctl('dump-flows', 'mgz-int', '--no-stats'))
    .split('\n')
    .filter((line) => line.includes('cookie='))
    .map((line) => line.trim())
    .sort()
  const ports = (await ovs.vsctl('--format=csv', '--columns=name,ofport', 'list', 'Interface')).split('\n').sort()
  return [...flows, ...ports].join('\n')
}

/** Bridges and tunnels of ours. */
async function devicesOf({ namespace }: NodeWith<Carrier>): Promise<string[]> {
  const { stdout } = await namespace.exec('ip', '-o', 'link')
  return [...stdout.matchAll(/^\d+: (mg(?:br|vx)[0-9a-f]{6})[:@]/gm)].map(([, name = '']) => name)
}

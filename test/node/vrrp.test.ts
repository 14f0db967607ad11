// A virtual address by VRRP, by the real keepalived in pods: one on a node with Open vSwitch and one on a node with the kernel's plane.
import assert from 'node:assert/strict'
import { after, before, describe, test, type TestContext } from 'node:test'
import { linuxCarrier, ovsCarrier, type Carrier } from '../../lab/nodes/carriers.ts'
import { reaches } from '../../lab/nodes/ping.ts'
import { keepalivedMissing, startKeepalived, type Keepalived, type VirtualRouter } from '../../lab/programs/keepalived.ts'
import { ovsMissing } from '../../lab/programs/ovs.ts'
import { until } from '../setup/until.ts'
import { startAgents, type Agents, type NodeWith } from './agents.ts'
import { everybody, groupFrame, heardBy, makeNetwork, type BroadcastNetwork, type NetworkPod } from './broadcast-network.ts'

const declined = { install: false, print: () => undefined }
const skip = (await ovsMissing(declined)) ?? (await keepalivedMissing(declined)) ?? false
const virtualMac = '00:00:5e:00:01:34'
const everyMs = 50

describe('of two pods with keepalived on two nodes', { skip }, () => {
  let agents: Agents
  let net: BroadcastNetwork
  let ovs: NodeWith<Carrier>, linux: NodeWith<Carrier>
  let here: NetworkPod, there: NetworkPod
  before(async () => {
    agents = await startAgents()
    ;[ovs, linux] = [await agents.node('o', ovsCarrier), await agents.node('l', linuxCarrier)]
    net = await makeNetwork(agents, 'fabric')
    await net.broadcast(true)
    ;[here, there] = [await net.pod(ovs, 'here'), await net.pod(linux, 'there')]
    await until(async () => (await heardBy(here, groupFrame(here, everybody), [there], 500))[0]!, 'frames to all reach the other node')
    await until(async () => (await heardBy(there, groupFrame(there, everybody), [here], 500))[0]!, 'and come from there')
  })
  after(() => agents.close())

  const has = async ({ sandbox }: NetworkPod, address: string): Promise<boolean> =>
    (await sandbox.namespace.exec('ip', '-o', 'addr', 'show', 'to', address)).stdout !== ''
  const answers = async (address: string): Promise<void> => {
    for (const { sandbox } of [here, there])
      await until(() => reaches(sandbox.namespace, address, { tries: 1 }), `${address} answers`, 15_000)
  }
  /** The longest time without an answer, from both nodes, of so many seconds of pings while something is done. */
  async function away(address: string, seconds: number, done: () => Promise<void>): Promise<readonly number[]> {
    const count = String((seconds * 1_000) / everyMs)
    const asked = [here, there].map(({ sandbox }) =>
      sandbox.namespace.exec('ping', '-c', count, '-i', String(everyMs / 1_000), '-w', String(seconds), address),
    )
    await done()
    return (await Promise.all(asked)).map(({ stdout }) => {
      const answered = [0, ...[...stdout.matchAll(/ icmp_seq=(\d+) ttl=/g)].map(([, nth]) => Number(nth))].sort((a, b) => a - b)
      return Math.max(...answered.slice(1).map((nth, i) => nth - answered[i]! - 1)) * everyMs
    })
  }

  /** The first of two is the master; it dies with its pod's interface, and comes back. */
  async function moves(t: TestContext, router: Omit<VirtualRouter, 'priority'>, [first, second]: readonly [NetworkPod, NetworkPod]) {
    const address = router.address.replace(/\/.*/, '')
    const start = (pod: NetworkPod, priority: number): Promise<Keepalived> =>
      startKeepalived(agents.lab, `keepalived-${router.id}-${priority}`, pod.sandbox.namespace, { ...router, priority })
    const at = async (now: NetworkPod): Promise<void> => {
      await until(async () => has(now, address), 'it is there', 15_000)
      await answers(address)
      const { stdout } = await here.sandbox.namespace.exec('ip', 'neigh', 'show', address)
      assert.ok(stdout.includes(router.virtualMac ? virtualMac : now.mac), stdout)
    }
    const [backup, master] = [await start(second, 100), await start(first, 200)]
    await at(first)
    await until(async () => !(await has(second, address)), 'it is not at the other one')
    const dead = await away(address, 6, async () => {
      await master.kill()
      await first.sandbox.namespace.ip('link', 'set', 'eth0', 'down')
    })
    await at(second)
    await first.sandbox.namespace.exec('ip', 'addr', 'del', router.address, 'dev', router.virtualMac ? `vrrp${router.id}` : 'eth0')
    await first.sandbox.namespace.ip('link', 'set', 'eth0', 'up')
    let again: Keepalived | undefined
    const back = await away(address, 6, async () => {
      again = await start(first, 200)
      await until(() => has(first, address), 'it is back', 15_000)
    })
    await at(first)
    assert.equal(await has(second, address), false)
    t.diagnostic(`away for ${dead.join(' and ')} ms when its master died, for ${back.join(' and ')} ms when it came back`)
    for (const each of [again, backup]) await each?.stop()
  }

  test('the address of one that dies on Open vSwitch goes to the other, on Linux, and comes back', async (t) => {
    const pairs = { allowedAddressPairs: [{ ip: '10.1.0.241' }] }
    const [left, right] = [await net.pod(ovs, 'left', pairs), await net.pod(linux, 'right', pairs)]
    await moves(t, { id: 51, address: '10.1.0.241/24', virtualMac: false }, [left, right])
  })

  test('of one that dies on Linux so does an address that has the MAC of its virtual router', async (t) => {
    const pod = async (node: NodeWith<Carrier>, name: string, ip: string): Promise<NetworkPod> => {
      // Its advertisements and ARP are from the virtual MAC; what it answers to packets leaves by eth0, from its own.
      const allowedAddressPairs = [...[ip, '10.1.0.242'].map((each) => ({ ip: each, mac: virtualMac })), { ip: '10.1.0.242' }]
      const made = await net.pod(node, name, { ips: [ip], allowedAddressPairs })
      // Else eth0 asks for MACs in the name of the virtual address, and others take its own MAC for that.
      const set = await made.sandbox.namespace.exec('sysctl', '-w', 'net.ipv4.conf.eth0.arp_announce=2')
      assert.equal(set.code, 0, set.stderr)
      return made
    }
    const [left, right] = [await pod(ovs, 'left-of-mac', '10.1.0.233'), await pod(linux, 'right-of-mac', '10.1.0.234')]
    await moves(t, { id: 52, address: '10.1.0.242/24', virtualMac: true }, [right, left])
  })
})

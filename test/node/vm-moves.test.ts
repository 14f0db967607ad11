// A VM that moves between two nodes with its Port: a program in a namespace stands for it on each, as it does after its memory has come.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { pathOf } from '../../cli/demo/rest.ts'
import { ovsCarrier, type OvsCarrier } from '../../lab/nodes/carriers.ts'
import type { Sandbox } from '../../lab/nodes/node.ts'
import { pinged, reaches } from '../../lab/nodes/ping.ts'
import { ovsMissing } from '../../lab/programs/ovs.ts'
import { until } from '../setup/until.ts'
import { ourLinks, startAgents, type Agents, type NodeWith } from './agents.ts'
import { plugIn, type GuestSpace } from './guest-space.ts'
import { pythonSkip } from './raw-frames.ts'

const skip = (await ovsMissing({ install: false, print: () => undefined })) ?? pythonSkip
const apiVersion = 'megrez.io/v1alpha1'
const address = '10.0.0.77'
const everyMs = 10

interface MovingPort {
  readonly metadata: { readonly uid: string }
  readonly spec: { readonly node?: string; readonly migratingTo?: string }
  readonly status: {
    readonly mac: string
    readonly hostIP?: string
    readonly node?: { readonly tap?: string; readonly wired?: boolean }
    readonly migration?: { readonly node: string; readonly tap?: string; readonly active?: boolean }
  }
}

describe('a VM that moves between nodes', { skip }, () => {
  let agents: Agents
  let nodes: readonly [NodeWith<OvsCarrier>, NodeWith<OvsCarrier>]
  /** A pod on each node, and a namespace on each for the VM. */
  const [pods, guests]: [Sandbox[], Sandbox[]] = [[], []]
  let cable: GuestSpace
  /** The same on each node. */
  let tap: string
  before(async () => {
    agents = await startAgents()
    const env = { MEGREZ_PORTS_WITHOUT_POD: 'bare' }
    nodes = [await agents.node('n1', ovsCarrier, env), await agents.node('n2', ovsCarrier, env)]
    for (const node of nodes) {
      const pod = await agents.pod(node, `pod-${node.name}`)
      await agents.add(node, pod)
      pods.push(pod)
      guests.push(await agents.pod(node, `guest-${node.name}`))
    }
    const spec = { subnet: 'all', ips: [address], type: 'tap', node: 'n1' }
    const made = await agents.rest.call('POST', pathOf('Port', 'a'), { apiVersion, kind: 'Port', metadata: { name: 'vm' }, spec })
    assert.equal(made.status, 201, made.body.detail)
    await until(async () => (await port()).status?.node?.wired === true, 'its TAP is on the first node')
    tap = (await port()).status.node?.tap ?? ''
    assert.notEqual(tap, '')
    cable = await guestOn(0)
  })
  after(async () => {
    await cable?.close()
    await agents?.close()
  })

  const port = async (): Promise<MovingPort> => (await agents.rest.call('GET', pathOf('Port', 'a', 'vm'))).body as unknown as MovingPort
  async function change(spec: object): ReturnType<Agents['rest']['call']> {
    const path = pathOf('Port', 'a', 'vm')
    const { etag } = await agents.rest.call('GET', path)
    return agents.rest.call('PATCH', path, { spec }, { 'content-type': 'application/merge-patch+json', 'if-match': etag ?? '' })
  }
  /** It says nothing by itself, as one whose memory is still to come. */
  async function guestOn(i: 0 | 1): Promise<GuestSpace> {
    const { namespace } = guests[i]!
    await namespace.exec('sysctl', '-qw', 'net.ipv6.conf.default.disable_ipv6=1')
    const { status } = await port()
    const plugged = await plugIn(nodes[i].namespace, namespace, { tap, mac: status.mac })
    await namespace.ip('addr', 'add', `${address}/24`, 'dev', 'eth0')
    return plugged
  }

  test('a move that cannot be is refused, with what would be right', async () => {
    for (const [to, why] of [
      ['n1', /\/spec\/migratingTo.*is where it is already/],
      ['nowhere', /node nowhere takes no Ports without a pod/],
    ] as const) {
      const { status, body } = await change({ migratingTo: to })
      assert.deepEqual([status, why.test(body.detail ?? '')], [422, true], body.detail)
    }
    const spec = { subnet: 'all', node: 'n1', migratingTo: 'n2' }
    const { body } = await agents.rest.call('POST', pathOf('Port', 'a'), { apiVersion, kind: 'Port', metadata: { name: 'no-tap' }, spec })
    assert.match(body.detail ?? '', /is for a TAP on a node/)
  })

  test('while it is only expected, all of it goes to where it is; one that is taken back leaves nothing', async () => {
    const before = await ourLinks(nodes[1])
    assert.equal((await change({ migratingTo: 'n2' })).status, 200)
    await until(async () => (await port()).status.migration?.tap !== undefined, 'the second node has a TAP')
    assert.equal((await port()).status.migration?.tap, tap)
    const second = await guestOn(1)
    for (const { namespace } of pods) assert.ok(await reaches(namespace, address, { tries: 5 }), 'it is reached where it is')
    const { spec, status } = await port()
    assert.deepEqual([spec.node, status.migration?.active, status.hostIP], ['n1', undefined, '192.168.50.1'])
    await second.close()
    assert.equal((await change({ migratingTo: null })).status, 200)
    await until(async () => (await port()).status.migration === undefined, 'the second node says nothing of it any more')
    await until(async () => (await tapsOf(1)).length === 0, 'its TAP is gone')
    assert.deepEqual(await ourLinks(nodes[1]), before)
  })

  test('an agent that begins anew keeps the TAP, and hears the VM; few packets are lost', async (t) => {
    await change({ migratingTo: 'n2' })
    await until(async () => (await port()).status.migration?.tap !== undefined, 'the second node has a TAP')
    const second = await guestOn(1)
    await nodes[1].killAgent()
    await nodes[1].startAgent()
    const losses = pods.map(({ namespace }) => pinged(namespace, address, { count: 300, everyMs }))
    await new Promise((resolve) => setTimeout(resolve, 500))
    assert.equal((await port()).spec.node, 'n1', 'it has said nothing')
    await cable.close()
    cable = second
    const began = performance.now()
    const speaks = guests[1]!.namespace.exec('arping', '-U', '-c', '1', '-I', 'eth0', address)
    await until(async () => (await port()).spec.node === 'n2', 'it is on the second node')
    t.diagnostic(`on the second node ${Math.round(performance.now() - began)} ms after its first frame there`)
    await speaks
    for (const loss of losses) {
      const { sent, lost } = await loss
      t.diagnostic(`${lost} of ${sent} lost, one each ${everyMs} ms`)
      assert.ok(lost < 100, `${lost} of ${sent} lost`)
    }
    await until(async () => (await port()).status.migration === undefined, 'nothing is said of the move any more')
    const { spec, status } = await port()
    assert.deepEqual([spec.migratingTo, status.hostIP, status.node?.wired], [undefined, '192.168.50.2', true])
    await until(async () => (await tapsOf(0)).length === 0, 'the first node has nothing of it')
    assert.equal((await tapsOf(1)).length, 1)
  })

  test('its end is its end, where it is now', async () => {
    await agents.rest.remove(pathOf('Port', 'a', 'vm'))
    await until(async () => (await agents.rest.call('GET', pathOf('Port', 'a', 'vm'))).status === 404, 'the Port is gone')
    await until(async () => (await tapsOf(1)).length === 0, 'its TAP is gone')
  })

  async function tapsOf(i: 0 | 1): Promise<readonly string[]> {
    const { stdout } = await nodes[i].namespace.exec('ip', '-o', 'tuntap')
    return stdout.split('\n').filter((line) => line.startsWith(`${tap}:`))
  }
})

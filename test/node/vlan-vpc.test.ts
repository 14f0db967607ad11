// A Vpc that is a VLAN of a physical network, under real agents on three nodes whose uplinks are one wire: Ports have addresses there and
// speak as themselves, policies judge them, and a running pod is moved between it and a Vpc with a VNI by the edit of its policy.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { pathOf } from '../../cli/demo/rest.ts'
import type { Kind } from '../../core/kinds/index.ts'
import { makeNamespace, must, type Namespace } from '../../lab/namespaces.ts'
import { linuxCarrier, ovsCarrier, type Carrier, type CarrierPlace } from '../../lab/nodes/carriers.ts'
import type { AgentNode, Sandbox } from '../../lab/nodes/node.ts'
import { reaches } from '../../lab/nodes/ping.ts'
import { ovsMissing } from '../../lab/programs/ovs.ts'
import { until } from '../setup/until.ts'
import { startAgents, type Agents } from './agents.ts'
import { addressIn, shoutFrom, sourcesIn } from './moved-pod.ts'
import { arpFrame, ipFrame, listen, pythonSkip, sendFrames } from './raw-frames.ts'

const skip = (await ovsMissing({ install: false, print: () => undefined })) ?? pythonSkip
const apiVersion = 'megrez.io/v1alpha1'
const vlan = { physicalNetwork: 'physnet1', id: 100 }

describe('a Vpc that is a VLAN', { skip }, () => {
  let agents: Agents
  /** The last one has no Open vSwitch. */
  const nodes: AgentNode[] = []
  let wire: Namespace
  let near: Sandbox, far: Sandbox, overlay: Sandbox, plain: Sandbox
  const addresses = new Map<Sandbox, string>()

  const make = async (kind: Kind, namespace: string, name: string, spec: object): Promise<void> => {
    const answer = await agents.rest.call('POST', pathOf(kind, namespace), { apiVersion, kind, metadata: { name }, spec })
    assert.equal(answer.status, 201, answer.body.detail)
  }
  const inVlan = { 'megrez.io/vpc': 'b/tagged', 'megrez.io/nics': '[{"name":"eth0","subnet":"t"}]' }
  async function pod(node: AgentNode, name: string, annotations: Record<string, string> = inVlan): Promise<Sandbox> {
    const sandbox = await agents.pod(node, name, annotations)
    addresses.set(sandbox, await agents.add(node, sandbox))
    return sandbox
  }
  const portsOf = async (): Promise<
    readonly { readonly spec: { readonly claim?: { readonly pod: string } }; readonly status?: Record<string, unknown> }[]
  > => {
    const { body } = await agents.rest.call('GET', pathOf('Port', 'a'))
    return (body as unknown as { readonly items: never }).items
  }
  const statusOf = async (name: string): Promise<Record<string, unknown>> =>
    (await portsOf()).find(({ spec }) => spec.claim?.pod === name)?.status ?? {}

  before(async () => {
    agents = await startAgents()
    await make('Vpc', 'b', 'tagged', { sharedWith: ['a'], vlan })
    await make('Subnet', 'b', 't', { vpc: 'tagged', ipv4: { cidr: '10.0.0.0/16', pools: [{ first: '10.0.9.1', last: '10.0.9.254' }] } })
    const ready = async (): Promise<boolean> => (await agents.rest.call('GET', pathOf('Subnet', 'b', 't'))).body.status?.phase === 'ready'
    await until(ready, 'its Subnet is there')
    wire = await makeNamespace(`${agents.lab.id}-wire`)
    await wire.ip('link', 'add', 'br0', 'type', 'bridge')
    await wire.ip('link', 'set', 'br0', 'up')
    for (const [i, carry] of [ovsCarrier, ovsCarrier, linuxCarrier].entries())
      nodes.push(await agents.node(`n${i + 1}`, (place) => onWire(place, carry)))
    const [one, two, three] = nodes as [AgentNode, AgentNode, AgentNode]
    near = await pod(one, 'near')
    far = await pod(two, 'far')
    overlay = await pod(two, 'overlay', {})
    plain = await pod(three, 'plain')
  })
  after(async () => {
    await agents.close()
    await wire.remove()
  })

  /** With an interface that leads to the physical network. */
  async function onWire(place: CarrierPlace, carry: (place: CarrierPlace) => Promise<Carrier>): Promise<Carrier> {
    const carrier = await carry(place)
    const end = `to-${place.name}`
    await must('ip', 'link', 'add', 'up0', 'netns', carrier.namespace.name, 'type', 'veth', 'peer', 'name', end, 'netns', wire.name)
    await wire.ip('link', 'set', end, 'master', 'br0', 'up')
    await carrier.namespace.ip('link', 'set', 'up0', 'up')
    return { ...carrier, settings: { ...carrier.settings, MEGREZ_UPLINKS: '{"physnet1":"up0"}' } }
  }

  const isReached = (from: Sandbox, to: Sandbox): Promise<boolean> => reaches(from.namespace, addresses.get(to)!, { tries: 1 })

  test('gives its Ports addresses, and says in which VLAN they are', async () => {
    const isWired = async (): Promise<boolean> =>
      ((await statusOf('near'))['node'] as { readonly wired?: boolean } | undefined)?.wired === true
    await until(isWired, 'its node says that it is wired')
    const { vlan: told, vni, phase } = await statusOf('near')
    assert.deepEqual([told, vni, phase], [vlan, undefined, 'ready'])
    assert.match(addresses.get(near)!, /^10\.0\.9\./)
  })

  test('is one network on all nodes, whatever carries it there, and apart from a Vpc with a VNI that has the same addresses', async () => {
    await until(() => isReached(near, far), 'it is reached over the physical network')
    for (const [from, to] of [
      [far, near],
      [plain, near],
      [near, plain],
      [far, plain],
    ] as const)
      await until(() => isReached(from, to), `${from.pod.name} reaches ${to.pod.name}`)
    assert.equal(await isReached(overlay, near), false)
    assert.equal(await isReached(near, overlay), false)
  })

  /** Which of these frames of one the far one hears, before an ARP of its own that is sent behind them. */
  async function heardOf(from: Sandbox, frames: readonly string[]): Promise<readonly number[]> {
    const ear = await listen(far.namespace, 'eth0')
    const last = arpFrame({ from: addresses.get(from)!, mac: await macOf(from), asks: addresses.get(far)! })
    try {
      await sendFrames(from.namespace, 'eth0', [...frames, last])
      await until(() => ear.heard.some((each) => each.startsWith(last)), 'its own ARP is heard')
      return frames.flatMap((frame, i) => (ear.heard.some((each) => each.startsWith(frame)) ? [i] : []))
    } finally {
      await ear.close()
    }
  }
  async function macOf({ pod: { name } }: Sandbox): Promise<string> {
    return String((await statusOf(name))['mac'])
  }

  test('a Port sends as itself alone: neither from another’s MAC nor from another’s address, nor with a tag', async () => {
    for (const sender of [near, plain]) {
      const mac = await macOf(sender)
      const [from, to] = [addresses.get(sender)!, '10.0.255.255']
      const destination = 'ff:ff:ff:ff:ff:ff'
      const own = ipFrame({ source: mac, destination, from, to })
      const forged = [
        ipFrame({ source: await macOf(far), destination, from, to }),
        ipFrame({ source: mac, destination, from: '10.0.0.1', to }),
        ipFrame({ source: mac, destination, from, to, tag: 100 }),
        arpFrame({ from: '10.0.0.1', mac, asks: '10.0.0.2' }),
      ]
      assert.deepEqual(await heardOf(sender, [own, ...forged]), [0], sender.pod.name)
    }
  })

  test('a running pod is moved into it and out of it by the edit of its policy, address included, and heard in neither by the other’s address', async () => {
    const policy = pathOf('UnifiedNetworkPolicy', 'a', 'slice')
    const name = async (network: string): Promise<void> => {
      const spec = { podSelector: {}, network }
      const { status, etag } = await agents.rest.call('GET', policy)
      if (status === 404) return make('UnifiedNetworkPolicy', 'a', 'slice', spec)
      const item = { apiVersion, kind: 'UnifiedNetworkPolicy', metadata: { name: 'slice' }, spec }
      const answer = await agents.rest.call('PUT', policy, item, { 'if-match': etag ?? '' })
      assert.equal(answer.status, 200, answer.body.detail)
    }
    const moved = await agents.pod(nodes[0]!, 'moved', {
      'megrez.io/network': 'policy',
      'megrez.io/cluster-nic': 'delegate',
      'megrez.io/nics': '[{"name":"fast"}]',
    })
    const chained = { prevResult: { cniVersion: '1.0.0', interfaces: [], ips: [] } }
    const answer = await nodes[0]!.cni('ADD', moved, chained)
    assert.equal(answer.code, 0, answer.said.msg)
    const isIn = async (pattern: RegExp): Promise<boolean> => pattern.test((await addressIn(moved)) ?? '')
    const [ofVni, ofVlan] = [/^10\.0\.0\./, /^10\.0\.9\./]
    await until(() => isIn(ofVni), 'it begins in the Vpc with a VNI')
    const [vlanEar, vniEar] = [await listen(far.namespace, 'eth0', 100), await listen(overlay.namespace, 'eth0', 100)]
    const shouting = shoutFrom(moved.namespace, [addresses.get(far)!, addresses.get(overlay)!])
    const blocksIn = (frames: readonly string[]): readonly string[] => [...new Set(sourcesIn(frames).map((each) => each.slice(0, 6)))]
    const isHeard = (ear: typeof vlanEar, since: number): Promise<boolean> => Promise.resolve(sourcesIn(ear.heard.slice(since)).length > 0)
    try {
      await until(() => isHeard(vniEar, 0), 'it is heard there')
      await name('vlan:physnet1/100')
      await until(() => isIn(ofVlan), 'it has an address of the VLAN')
      await until(() => isHeard(vlanEar, 0), 'it is heard in the VLAN, on the other node')
      const since = vniEar.heard.length
      await name('net')
      await until(() => isIn(ofVni), 'it has an address of the Vpc with a VNI')
      await until(() => isHeard(vniEar, since), 'it is heard there again')
      await name('b/tagged')
      await until(() => isIn(ofVlan), 'by the name of the Vpc it is moved too')
      assert.deepEqual([blocksIn(vlanEar.heard), blocksIn(vniEar.heard)], [['0a0009'], ['0a0000']])
    } finally {
      shouting.stop()
      for (const ear of [vlanEar, vniEar]) await ear.close()
      await agents.rest.remove(policy)
    }
    await name('vlan:physnet1/101')
    const said = async (): Promise<string> => JSON.stringify((await agents.rest.call('GET', pathOf('Pod', 'a', 'moved'))).body)
    await until(
      async () => (await said()).includes('no Vpc that this namespace may use is vlan:physnet1/101'),
      'a VLAN that nobody gave it moves nobody',
    )
    await agents.rest.remove(policy)
    await agents.del(nodes[0]!, moved)
  })

  test('policies judge its Ports, by addresses and ports; whom selectors name nobody is there', async () => {
    const policy = pathOf('UnifiedNetworkPolicy', 'a', 'door')
    const podSelector = {}
    await make('UnifiedNetworkPolicy', 'a', 'door', { podSelector, defaults: { ingress: 'deny' } })
    await until(async () => !(await isReached(near, far)), 'nobody is let in')
    const leftOut = async (): Promise<string> => JSON.stringify((await statusOf('plain'))['node'] ?? {})
    await until(
      async () => /Unsupported.*a\/door.*the Port is closed/.test(await leftOut()),
      'the kernel judges nobody in a VLAN, and says so',
    )
    assert.equal(await isReached(plain, near), false)
    const put = async (spec: object): Promise<void> => {
      const { etag } = await agents.rest.call('GET', policy)
      const item = { apiVersion, kind: 'UnifiedNetworkPolicy', metadata: { name: 'door' }, spec: { podSelector, ...spec } }
      const { status, body } = await agents.rest.call('PUT', policy, item, { 'if-match': etag ?? '' })
      assert.equal(status, 200, body.detail)
    }
    const cidr = `${addresses.get(near)!}/32`
    await put({ defaults: { ingress: 'deny' }, ingress: [{ action: 'allow', peers: [{ cidr }] }] })
    await until(() => isReached(near, far), 'it is let in by its address')
    await nodes[1]!.killAgent()
    await nodes[1]!.startAgent()
    assert.ok(await isReached(near, far), 'its agent has come back')
    await put({ defaults: { ingress: 'deny' }, ingress: [{ action: 'allow', peers: [{ podSelector: {} }] }] })
    await until(async () => !(await isReached(near, far)), 'by labels nobody is let in')
    const { body } = await agents.rest.call('GET', policy)
    assert.match(JSON.stringify(body.status), /Unsupported/)
    assert.equal(await isReached(near, far), false)
    // It guards as before, where it is judged.
    assert.deepEqual(await heardOf(near, [arpFrame({ from: '10.0.0.1', mac: await macOf(near), asks: '10.0.0.2' })]), [])
    await agents.rest.remove(policy)
    await until(() => isReached(near, far), 'without a policy all are let in')
    await until(() => isReached(near, plain), 'and by the kernel too')
  })
})

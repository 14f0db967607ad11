// A Vpc that is a VLAN of a physical network, under real agents on two nodes whose uplinks are one wire: Ports have addresses there and
// speak as themselves, policies judge them, and a running pod is moved between it and a Vpc with a VNI by the edit of its policy.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { pathOf } from '../../cli/demo/rest.ts'
import type { Kind } from '../../core/kinds/index.ts'
import { must } from '../../lab/namespaces.ts'
import { ovsCarrier, type OvsCarrier } from '../../lab/nodes/carriers.ts'
import type { Sandbox } from '../../lab/nodes/node.ts'
import { reaches } from '../../lab/nodes/ping.ts'
import { ovsMissing } from '../../lab/programs/ovs.ts'
import { until } from '../setup/until.ts'
import { startAgents, type Agents, type NodeWith } from './agents.ts'
import { addressIn, shoutFrom, sourcesIn } from './moved-pod.ts'
import { arpFrame, ipFrame, listen, pythonSkip, sendFrames } from './raw-frames.ts'

const skip = (await ovsMissing({ install: false, print: () => undefined })) ?? pythonSkip
const apiVersion = 'megrez.io/v1alpha1'
const vlan = { physicalNetwork: 'physnet1', id: 100 }

describe('a Vpc that is a VLAN', { skip }, () => {
  let agents: Agents
  const nodes: NodeWith<OvsCarrier>[] = []
  let near: Sandbox, far: Sandbox, overlay: Sandbox
  const addresses = new Map<Sandbox, string>()

  const make = async (kind: Kind, namespace: string, name: string, spec: object): Promise<void> => {
    const answer = await agents.rest.call('POST', pathOf(kind, namespace), { apiVersion, kind, metadata: { name }, spec })
    assert.equal(answer.status, 201, answer.body.detail)
  }
  const inVlan = { 'megrez.io/vpc': 'b/tagged', 'megrez.io/nics': '[{"name":"eth0","subnet":"t"}]' }
  async function pod(node: NodeWith<OvsCarrier>, name: string, annotations: Record<string, string> = inVlan): Promise<Sandbox> {
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
    for (const name of ['n1', 'n2'])
      nodes.push(
        await agents.node(name, async (place) => {
          const carrier = await ovsCarrier(place)
          const [first] = nodes
          const end = carrier.namespace.name
          if (first === undefined) await carrier.namespace.ip('link', 'add', 'up0', 'type', 'veth', 'peer', 'name', 'wire')
          else await must('ip', '-n', first.carrier.namespace.name, 'link', 'set', 'wire', 'netns', end, 'name', 'up0')
          await carrier.namespace.ip('link', 'set', 'up0', 'up')
          return { ...carrier, settings: { ...carrier.settings, MEGREZ_UPLINKS: '{"physnet1":"up0"}' } }
        }),
      )
    const [one, two] = nodes as [NodeWith<OvsCarrier>, NodeWith<OvsCarrier>]
    near = await pod(one, 'near')
    far = await pod(two, 'far')
    overlay = await pod(two, 'overlay', {})
  })
  after(() => agents.close())

  const isReached = (from: Sandbox, to: Sandbox): Promise<boolean> => reaches(from.namespace, addresses.get(to)!, { tries: 1 })

  test('gives its Ports addresses, and says in which VLAN they are', async () => {
    const isWired = async (): Promise<boolean> =>
      ((await statusOf('near'))['node'] as { readonly wired?: boolean } | undefined)?.wired === true
    await until(isWired, 'its node says that it is wired')
    const { vlan: told, vni, phase } = await statusOf('near')
    assert.deepEqual([told, vni, phase], [vlan, undefined, 'ready'])
    assert.match(addresses.get(near)!, /^10\.0\.9\./)
  })

  test('is one network on both nodes, and apart from a Vpc with a VNI that has the same addresses', async () => {
    await until(() => isReached(near, far), 'it is reached over the physical network')
    assert.equal(await isReached(far, near), true)
    assert.equal(await isReached(overlay, near), false)
    assert.equal(await isReached(near, overlay), false)
  })

  /** Which of these frames the other one hears, before an ARP of its own that is sent behind them. */
  async function heardOf(frames: readonly string[]): Promise<readonly number[]> {
    const ear = await listen(far.namespace, 'eth0')
    const last = arpFrame({ from: addresses.get(near)!, mac: await macOf(near), asks: addresses.get(far)! })
    try {
      await sendFrames(near.namespace, 'eth0', [...frames, last])
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
    const mac = await macOf(near)
    const [from, to] = [addresses.get(near)!, '10.0.0.255']
    const destination = 'ff:ff:ff:ff:ff:ff'
    const own = ipFrame({ source: mac, destination, from, to })
    const forged = [
      ipFrame({ source: await macOf(far), destination, from, to }),
      ipFrame({ source: mac, destination, from: '10.0.0.1', to }),
      ipFrame({ source: mac, destination, from, to, tag: 100 }),
      arpFrame({ from: '10.0.0.1', mac, asks: '10.0.0.2' }),
    ]
    assert.deepEqual(await heardOf([own, ...forged]), [0])
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
    const put = async (spec: object): Promise<void> => {
      const { etag } = await agents.rest.call('GET', policy)
      const item = { apiVersion, kind: 'UnifiedNetworkPolicy', metadata: { name: 'door' }, spec: { podSelector, ...spec } }
      const { status, body } = await agents.rest.call('PUT', policy, item, { 'if-match': etag ?? '' })
      assert.equal(status, 200, body.detail)
    }
    const cidr = `${addresses.get(near)!}/32`
    await put({ defaults: { ingress: 'deny' }, ingress: [{ action: 'allow', peers: [{ cidr }] }] })
    await until(() => isReached(near, far), 'it is let in by its address')
    await put({ defaults: { ingress: 'deny' }, ingress: [{ action: 'allow', peers: [{ podSelector: {} }] }] })
    await until(async () => !(await isReached(near, far)), 'by labels nobody is let in')
    const { body } = await agents.rest.call('GET', policy)
    assert.match(JSON.stringify(body.status), /Unsupported/)
    assert.equal(await isReached(near, far), false)
    // It guards as before, where it is judged.
    assert.deepEqual(await heardOf([arpFrame({ from: '10.0.0.1', mac: await macOf(near), asks: '10.0.0.2' })]), [])
    await agents.rest.remove(policy)
    await until(() => isReached(near, far), 'without a policy all are let in')
  })
})

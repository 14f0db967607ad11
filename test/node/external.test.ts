// External networks from the object to the frame: L2Services are opened on a switch, definitions appear, our own plugin makes the
// interfaces that they speak of on two nodes, and tagged frames pass where they should and nowhere else.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { pathOf } from '../../cli/demo/rest.ts'
import { must, noNamespaces } from '../../lab/namespaces.ts'
import { ovsCarrier, type OvsCarrier } from '../../lab/nodes/carriers.ts'
import type { Sandbox } from '../../lab/nodes/node.ts'
import { ovsMissing, startOvsNode, type OvsNode } from '../../lab/programs/ovs.ts'
import { overTcp } from '../../cli/story/eno/site.ts'
import type { Kind } from '../../core/kinds/index.ts'
import { physicalBridge } from '../../core/pipeline/ovsdb/switch.ts'
import { trials } from '../setup/trials.ts'
import { until } from '../setup/until.ts'
import { ourLinks, startAgents, type Agents, type NodeWith } from './agents.ts'
import { ipFrame, listen, pythonSkip, sendFrames, type Ear } from './raw-frames.ts'

const skip = (await noNamespaces()) ?? (await ovsMissing({ install: false, print: () => undefined })) ?? pythonSkip
const namespace = 'a'
const apiVersion = 'megrez.io/v1alpha1'

type Node = NodeWith<OvsCarrier>
interface Pod {
  readonly node: Node
  readonly sandbox: Sandbox
  readonly conf: object
  readonly mac: string
  /** Last octet of what it says of itself. */
  readonly from: string
}

describe('L2Services on two nodes and a switch', { skip }, () => {
  let agents: Agents
  let tor: OvsNode
  const closers: (() => Promise<void>)[] = []
  const nodes: Node[] = []
  let a: Pod, other: Pod, b: Pod, select: Pod, trunk: Pod

  const post = async (kind: Kind, name: string, spec: object, metadata: object = {}): Promise<{ readonly uid: string }> => {
    const answer = await agents.rest.call('POST', pathOf(kind, namespace), {
      apiVersion: kind === 'Pod' ? 'v1' : apiVersion,
      kind,
      metadata: { name, ...metadata },
      spec,
    })
    assert.equal(answer.status, 201, `${kind} ${name}: ${JSON.stringify(answer.body)}`)
    return answer.body.metadata
  }
  const definitionOf = async (name: string): Promise<object> => {
    const { body, status } = await agents.rest.call('GET', pathOf('NetworkAttachmentDefinition', namespace, name))
    return status === 200 ? (JSON.parse((body as unknown as { readonly spec: { readonly config: string } }).spec.config) as object) : {}
  }
  const isReady = async (name: string): Promise<boolean> =>
    (await agents.rest.call('GET', pathOf('L2ServiceAttachment', namespace, name))).body.status?.phase === 'ready'

  /** A pod as Multus makes it: the definition that it names goes to the plugin that the definition names. */
  async function pod(node: Node, name: string, definition: string, from: string): Promise<Pod> {
    const { uid } = await post(
      'Pod',
      name,
      { nodeName: node.name, containers: [{ name: 'main', image: 'none' }] },
      { annotations: { 'k8s.v1.cni.cncf.io/networks': definition } },
    )
    const sandbox = await node.sandbox({ namespace, name, uid })
    const conf = await definitionOf(definition)
    const { code, said } = await node.cni('ADD', sandbox, conf, 'net1')
    assert.equal(code, 0, `${said.msg ?? ''}\n${(await node.log()).trim().split('\n').slice(-5).join('\n')}`)
    const [, inside] = said['interfaces'] as readonly { readonly mac: string }[]
    return { node, sandbox, conf, mac: inside!.mac, from }
  }

  before(async () => {
    agents = await startAgents()
    tor = await startOvsNode({ name: `${agents.lab.id}-tor`, folder: join(agents.lab.folder, 'tor') })
    for (const [i, name] of ['n1', 'n2'].entries()) {
      nodes.push(
        await agents.node(name, async (place) => {
          const carrier = await ovsCarrier(place)
          await must(
            'ip',
            'link',
            'add',
            'eth1',
            'netns',
            carrier.namespace.name,
            'type',
            'veth',
            'peer',
            'name',
            `node${i + 1}`,
            'netns',
            tor.namespace.name,
          )
          await carrier.namespace.ip('link', 'set', 'eth1', 'up')
          await tor.namespace.ip('link', 'set', `node${i + 1}`, 'up')
          return { ...carrier, settings: { ...carrier.settings, MEGREZ_UPLINKS: '{"physnet1":"eth1"}' } }
        }),
      )
    }
    await tor.vsctl(
      'add-br',
      'tor',
      '--',
      'set',
      'bridge',
      'tor',
      'datapath_type=netdev',
      'fail-mode=standalone',
      ...['node1', 'node2'].flatMap((each) => ['--', 'add-port', 'tor', each, 'trunks=4095']),
    )
    await post('Fabric', 'dc', {
      switches: [{ name: 'tor', driver: 'ovsdb', address: await overTcp(tor, closers), bridge: 'tor' }],
      links: [1, 2].map((i) => ({ node: `n${i}`, interface: 'eth1', switch: 'tor', switchPort: `node${i}` })),
    })
    await post('NodePool', 'pool', { nodes: ['n1', 'n2'], interfaces: [{ name: 'eth1', connectionPoint: 'cp' }] })
    await post('ConnectionPoint', 'cp', {
      physicalNet: 'physnet1',
      supportedCnis: [{ name: 'megrez', supportedInterfaceTypes: ['kernel'] }],
    })
    for (const vlan of [100, 101, 200]) await post('L2Service', `s${vlan}`, { segmentationID: vlan })
    const attachments = {
      'access-100': ['access', 's100'],
      'access-101': ['access', 's101'],
      select: ['selectivetrunk', 's100', 's200'],
      trunk: ['trunk', 's101', 's200'],
    }
    for (const [name, [vlanType, ...l2Services]] of Object.entries(attachments))
      await post('L2ServiceAttachment', name, { vlanType, l2Services, connectionPoint: 'cp' })
    for (const name of Object.keys(attachments)) await until(() => isReady(name), `${name} is ready`, 60_000)
    const [n1, n2] = nodes as [Node, Node]
    a = await pod(n1, 'a', 'access-100', '1')
    other = await pod(n1, 'other', 'access-101', '2')
    b = await pod(n2, 'b', 'access-100', '3')
    select = await pod(n2, 'select', 'select', '4')
    trunk = await pod(n1, 'trunk', 'trunk', '5')
  })
  after(async () => {
    await agents?.close()
    for (const close of closers) await close()
    await tor?.stop()
  })

  const frame = ({ mac, from }: Pod, to: string, tag?: number): string =>
    ipFrame({ source: mac, destination: 'ff:ff:ff:ff:ff:ff', from: `10.0.0.${from}`, to, ...(tag === undefined ? {} : { tag }) })
  const hex = (address: string): string =>
    address
      .split('.')
      .map((each) => Number(each).toString(16).padStart(2, '0'))
      .join('')
  const send = (from: Pod, ...frames: readonly string[]): Promise<void> => sendFrames(from.sandbox.namespace, 'net1', frames)

  /** Of a frame that was sent to this address: in which VLAN it was heard, 0 for none, each time. */
  const heardBy = ({ heard }: Ear, to: string): number[] =>
    heard
      .filter((each) => each.includes(hex(to)))
      .map((each) => (each.slice(24, 28) === '8100' ? Number.parseInt(each.slice(28, 32), 16) & 0xfff : 0))

  /** One frame for each VLAN and one without, to 10.9.0.VLAN; then whoever `last` says, whom all `ears` hear. Who heard what, by name. */
  async function spread(
    from: Pod,
    tags: readonly (number | undefined)[],
    ears: Readonly<Record<string, readonly [Pod, last: Pod, tag?: number]>>,
  ): Promise<Readonly<Record<string, readonly number[]>>> {
    const open = await Promise.all(
      Object.entries(ears).map(async ([name, [at, last, tag]]) => ({ name, last, tag, ear: await listen(at.sandbox.namespace, 'net1') })),
    )
    await send(from, ...tags.map((tag) => frame(from, `10.9.${Math.floor((tag ?? 0) / 100)}.${(tag ?? 0) % 100}`, tag)))
    for (const { ear, last, tag } of open)
      await until(
        async () => {
          await send(last, frame(last, '10.8.0.8', tag))
          return heardBy(ear, '10.8.0.8').length > 0
        },
        'the last frame is heard',
        20_000,
      )
    const heard = open.map(
      ({ name, ear }) => [name, tags.flatMap((tag) => heardBy(ear, `10.9.${Math.floor((tag ?? 0) / 100)}.${(tag ?? 0) % 100}`))] as const,
    )
    for (const { ear } of open) await ear.close()
    return Object.fromEntries(heard)
  }
  const all = [undefined, 100, 101, 200, 300] as const
  const trunksOf = async (at: OvsNode, port: string): Promise<string> => (await at.vsctl('get', 'port', port, 'trunks')).trim()

  test("a definition written by hand, with another VLAN and trunk, joins the attachment's own VLAN alone, and another namespace's none", async () => {
    const forged = { ...a.conf, vlanType: 'trunk', vlans: [200] }
    const [n1] = nodes as [Node]
    const { uid } = await post('Pod', 'forger', { nodeName: n1.name, containers: [{ name: 'main', image: 'none' }] })
    const sandbox = await n1.sandbox({ namespace, name: 'forger', uid })
    const { code, said } = await n1.cni('ADD', sandbox, forged, 'net1')
    assert.equal(code, 0, said.msg)
    const [, inside] = said['interfaces'] as readonly { readonly mac: string }[]
    const forger: Pod = { node: n1, sandbox, conf: forged, mac: inside!.mac, from: '6' }
    assert.deepEqual(await spread(forger, [undefined, 200], { b: [b, a], select: [select, a] }), { b: [0], select: [100] })
    assert.equal((await n1.cni('DEL', sandbox, forged, 'net1')).code, 0)
    const stranger = await n1.sandbox({ namespace: 'b', name: 'stranger', uid: 'uid-stranger' })
    const refused = await n1.cni('ADD', stranger, a.conf, 'net1')
    assert.notEqual(refused.code, 0)
    assert.match(refused.said.msg ?? '', /attachment a\/access-100 is of another namespace than pod b\/stranger/)
  })

  test('what is untagged of a VLAN comes to its access pods without a tag, to its trunks with one, and to nobody else', async () => {
    const heard = await spread(a, [undefined], { b: [b, a], select: [select, a], other: [other, trunk, 101], trunk: [trunk, other] })
    assert.deepEqual(heard, { b: [0], select: [100], other: [], trunk: [] })
  })

  test('a selectivetrunk sends into just the VLANs of its list, and hears just those', async () => {
    assert.deepEqual(await spread(select, all, { a: [a, b], b: [b, a], other: [other, trunk, 101], trunk: [trunk, select, 200] }), {
      a: [0],
      b: [0],
      other: [],
      trunk: [200],
    })
    assert.deepEqual(await spread(trunk, all, { select: [select, a] }), { select: [200] })
  })

  test('a trunk sends into what its attachments say, and into nothing else', async () => {
    assert.deepEqual(await spread(trunk, all, { a: [a, b], other: [other, trunk, 101] }), { a: [], other: [0] })
  })

  test('an access pod cannot speak with a tag', async () => {
    assert.deepEqual(await spread(a, [100, 101, 200], { b: [b, a], other: [other, trunk, 101], trunk: [trunk, other] }), {
      b: [],
      other: [],
      trunk: [],
    })
  })

  test('uplinks and switch ports carry the VLANs of these pods and no others', async () => {
    assert.deepEqual(await Promise.all([trunksOf(nodes[0]!.carrier.ovs, 'eth1'), trunksOf(nodes[1]!.carrier.ovs, 'eth1')]), [
      '[100, 101, 200]',
      '[100, 200]',
    ])
    assert.deepEqual(await Promise.all([trunksOf(tor, 'node1'), trunksOf(tor, 'node2')]), ['[100, 101, 200]', '[100, 101, 200]'])
  })

  test('a VLAN that leaves an attachment leaves its running pods, and one that joins comes to them', async () => {
    const path = pathOf('L2ServiceAttachment', namespace, 'select')
    const change = async (...l2Services: readonly string[]): Promise<void> => {
      const { body, etag } = await agents.rest.call('GET', path)
      const { status: _, ...item } = body as unknown as { readonly status?: object; readonly spec: object }
      const answer = await agents.rest.call('PUT', path, { ...item, spec: { ...item.spec, l2Services } }, { 'if-match': etag ?? '' })
      assert.equal(answer.status, 200, answer.body.detail)
    }
    const uplink = (text: string): Promise<void> =>
      until(async () => (await trunksOf(nodes[1]!.carrier.ovs, 'eth1')) === text, `the uplink of n2 carries ${text}`, 60_000)
    await change('s100')
    await uplink('[100]')
    assert.deepEqual(await spread(trunk, all, { select: [select, a] }), { select: [] })
    assert.deepEqual(await spread(select, all, { a: [a, b], trunk: [trunk, other] }), { a: [0], trunk: [] })
    await change('s100', 's101')
    await uplink('[100, 101]')
    assert.deepEqual(await spread(trunk, all, { select: [select, a] }), { select: [101] })
  })

  test('an agent that is killed finds all as it was, and CHECK agrees', async () => {
    const [n1] = nodes as [Node, Node]
    await n1.killAgent()
    assert.deepEqual(await spread(a, [undefined], { b: [b, a] }), { b: [0] })
    await n1.startAgent()
    for (const each of [a, other, trunk]) assert.equal((await n1.cni('CHECK', each.sandbox, each.conf, 'net1')).code, 0)
    assert.deepEqual(await spread(trunk, all, { other: [other, trunk, 101] }), { other: [0] })
    assert.equal(await trunksOf(n1.carrier.ovs, 'eth1'), '[100, 101, 200]')
  })

  test('killed in the middle of an ADD, a DEL leaves nothing of it', async () => {
    const [, n2] = nodes as [Node, Node]
    const had = (await ourLinks(n2)).length
    const { uid } = await post(
      'Pod',
      'mid',
      { nodeName: 'n2', containers: [{ name: 'main', image: 'none' }] },
      { annotations: { 'k8s.v1.cni.cncf.io/networks': 'access-101' } },
    )
    const sandbox = await n2.sandbox({ namespace, name: 'mid', uid })
    for (let trial = 0; trial < trials(10); trial++) {
      const adding = n2.cni('ADD', sandbox, other.conf, 'net1')
      await pause(trial * 5)
      await n2.killAgent()
      await n2.startAgent()
      await adding
      assert.equal((await n2.cni('DEL', sandbox, other.conf, 'net1')).code, 0)
      await until(async () => (await ourLinks(n2)).length === had, 'no link is left', 30_000)
    }
    assert.deepEqual(await spread(trunk, all, { select: [select, a] }), { select: [101] })
  })

  test('DEL leaves the uplink as it was before the first pod, and nothing in switch and kernel', async () => {
    for (const { node, sandbox, conf } of [a, other, b, select, trunk]) assert.equal((await node.cni('DEL', sandbox, conf, 'net1')).code, 0)
    for (const node of nodes) {
      await until(async () => (await trunksOf(node.carrier.ovs, 'eth1')) === '[4095]', `the uplink of ${node.name} is closed`, 30_000)
      await until(async () => (await ourLinks(node)).length === 0, 'no link is left', 30_000)
      await until(
        async () => (await node.carrier.ovs.vsctl('list-ports', physicalBridge('physnet1'))).trim() === 'eth1',
        'no port is left',
        30_000,
      )
    }
  })
})

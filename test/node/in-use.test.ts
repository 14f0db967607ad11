// What running pods rest on is deleted under them: a NodePool, a Subnet that an attached L2Service lists, a SecurityGroup, the Subnet of
// their Ports. Each says who uses it and stays, no packet is lost meanwhile, and each goes by itself after the pods.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { pathOf } from '../../cli/demo/rest.ts'
import { must, noNamespaces } from '../../lab/namespaces.ts'
import { ovsCarrier, type OvsCarrier } from '../../lab/nodes/carriers.ts'
import type { Sandbox } from '../../lab/nodes/node.ts'
import { pinged, reaches } from '../../lab/nodes/ping.ts'
import { ovsMissing, startOvsNode, type OvsNode } from '../../lab/programs/ovs.ts'
import { overTcp } from '../../cli/story/eno/site.ts'
import type { Kind } from '../../core/kinds/index.ts'
import { until } from '../setup/until.ts'
import { startAgents, type Agents, type NodeWith } from './agents.ts'

const skip = (await noNamespaces()) ?? (await ovsMissing({ install: false, print: () => undefined })) ?? false
const namespace = 'a'
const everyMs = 10

interface Pod {
  readonly node: NodeWith<OvsCarrier>
  readonly sandbox: Sandbox
  readonly name: string
  readonly address: string
}

describe('what running pods use', { skip }, () => {
  let agents: Agents
  let tor: OvsNode
  let conf: object = {}
  const closers: (() => Promise<void>)[] = []
  const pods: Pod[] = []

  const call = (...[method, kind, name, body]: readonly [string, Kind, string?, object?]) =>
    agents.rest.call(method, pathOf(kind, namespace, name), body, method === 'DELETE' ? { 'if-match': '*' } : {})
  async function post(kind: Kind, name: string, spec: object): Promise<void> {
    const { status, body } = await call('POST', kind, undefined, { apiVersion: 'megrez.io/v1alpha1', kind, metadata: { name }, spec })
    assert.equal(status, 201, `${kind} ${name}: ${JSON.stringify(body)}`)
  }
  async function remove(kind: Kind, name: string): Promise<void> {
    const { status, body } = await call('DELETE', kind, name)
    assert.ok(status < 300, `${kind} ${name}: ${JSON.stringify(body)}`)
  }
  const said = async (kind: Kind, name: string): Promise<string> => {
    const { status, body } = await call('GET', kind, name)
    return status === 404
      ? 'gone'
      : `${body.status?.phase ?? ''}: ${(body.status as { readonly message?: string } | undefined)?.message ?? ''}`
  }
  const becomes = (kind: Kind, name: string, is: RegExp): Promise<void> =>
    until(async () => is.test(await said(kind, name)), `${kind} ${name} is ${is.source}`, 60_000).catch(async (err: Error) =>
      assert.fail(`${err.message}: ${await said(kind, name)}`),
    )

  /** A Nic of its Vpc in a SecurityGroup, and one in the VLAN, to which it gives itself an address. */
  async function pod(node: NodeWith<OvsCarrier>, name: string, inVlan: string): Promise<void> {
    const nics = JSON.stringify([{ name: 'eth0', subnet: 'all', securityGroups: ['web'] }])
    const sandbox = await agents.pod(node, name, { 'megrez.io/nics': nics, 'k8s.v1.cni.cncf.io/networks': 'att' })
    const address = await agents.add(node, sandbox)
    const { code, said: answer } = await node.cni('ADD', sandbox, conf, 'net1')
    assert.equal(code, 0, answer.msg)
    await sandbox.namespace.ip('addr', 'add', `${inVlan}/24`, 'dev', 'net1')
    pods.push({ node, sandbox, name, address })
  }

  before(async () => {
    agents = await startAgents()
    tor = await startOvsNode({ name: `${agents.lab.id}-tor`, folder: join(agents.lab.folder, 'tor') })
    const nodes: NodeWith<OvsCarrier>[] = []
    for (const i of [1, 2]) {
      nodes.push(
        await agents.node(`n${i}`, async (place) => {
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
            `node${i}`,
            'netns',
            tor.namespace.name,
          )
          await carrier.namespace.ip('link', 'set', 'eth1', 'up')
          await tor.namespace.ip('link', 'set', `node${i}`, 'up')
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
    await post('L2Service', 's100', { segmentationID: 100 })
    await post('L2ServiceAttachment', 'att', { vlanType: 'access', l2Services: ['s100'], connectionPoint: 'cp' })
    await post('SecurityGroup', 'web', { rules: [{ direction: 'ingress', remoteGroup: 'web' }] })
    await becomes('L2ServiceAttachment', 'att', /^ready/)
    const { body } = await call('GET', 'NetworkAttachmentDefinition', 'att')
    conf = JSON.parse((body as unknown as { readonly spec: { readonly config: string } }).spec.config) as object
    await pod(nodes[0]!, 'one', '10.9.0.1')
    await pod(nodes[1]!, 'two', '10.9.0.2')
    // From now on the definition speaks of addresses, which nobody here hands out: the pods have theirs.
    await post('Subnet', 'v4', { l2Service: 's100', ipv4: { cidr: '10.9.0.0/24' } })
    const { body: service, etag } = await call('GET', 'L2Service', 's100')
    const { status: _, ...item } = service as unknown as { readonly status?: object; readonly spec: object }
    const listed = await agents.rest.call(
      'PUT',
      pathOf('L2Service', namespace, 's100'),
      { ...item, spec: { ...item.spec, subnets: ['v4'] } },
      { 'if-match': etag ?? '' },
    )
    assert.equal(listed.status, 200, listed.body.detail)
    await becomes('Subnet', 'v4', /^ready/)
  })
  after(async () => {
    await agents?.close()
    for (const close of closers) await close()
    await tor?.stop()
  })

  const inUse = [
    ['NodePool', 'pool', /^terminating: L2ServiceAttachment a\/att still uses it$/],
    ['Subnet', 'v4', /^terminating: L2Service s100 lists it and is attached$/],
    ['SecurityGroup', 'web', /^terminating: Port a\/\S+ and 1 more still names it$/],
    ['Subnet', 'all', /^terminating: Port \S+ and 1 more/],
  ] as const

  test('is deleted under them: it stays, says who uses it, and no packet is lost, in the Vpc and in the VLAN', async () => {
    const [one, two] = pods as [Pod, Pod]
    const ways = [two.address, '10.9.0.2'] as const
    for (const to of ways) assert.ok(await reaches(one.sandbox.namespace, to, { tries: 20 }), to)
    let going = true
    const losses = Promise.all(
      ways.map(async (to) => {
        const all = { to, sent: 0, lost: 0 }
        for (; going;) {
          const { sent, lost } = await pinged(one.sandbox.namespace, to, { count: 100, everyMs })
          all.sent += sent
          all.lost += lost
        }
        return all
      }),
    )
    try {
      for (const [kind, name, is] of inUse) {
        await remove(kind, name)
        await becomes(kind, name, is)
      }
      // Where it was not held, the switch and the nodes would hear of it by now.
      for (const { node } of pods) {
        await node.killAgent()
        await node.startAgent()
      }
      for (const [kind, name, is] of inUse) assert.match(await said(kind, name), is)
    } finally {
      going = false
    }
    for (const { to, sent, lost } of await losses) {
      assert.ok(sent >= 100, `${sent} were sent to ${to}`)
      assert.equal(lost, 0, `${lost} of ${sent} to ${to}`)
    }
    assert.deepEqual(
      [(await tor.vsctl('get', 'port', 'node1', 'trunks')).trim(), (await tor.vsctl('get', 'port', 'node2', 'trunks')).trim()],
      ['[100]', '[100]'],
    )
  })

  test('goes by itself after them', async () => {
    for (const { node, sandbox, name } of pods) {
      assert.equal((await node.cni('DEL', sandbox, conf, 'net1')).code, 0)
      await agents.del(node, sandbox)
      await remove('Pod', name)
    }
    await remove('L2ServiceAttachment', 'att')
    for (const [kind, name] of inUse) await becomes(kind, name, /^gone$/)
  })
})

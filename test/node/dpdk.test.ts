// Ports for programs with DPDK on the real Open vSwitch with DPDK: in a VNI over VXLAN and in VLANs of a physical network, by vhost-user
// sockets in folders of their pods. A guest stands for the program; at the other end are pods with interfaces of the kernel, on a node
// without DPDK.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { pathOf } from '../../cli/demo/rest.ts'
import { holdHugePages, pagesOfSwitch, startGuest, type Guest } from '../../lab/dpdk.ts'
import { must, noNamespaces } from '../../lab/namespaces.ts'
import { dpdkCarrier, ovsCarrier, type CarrierPlace, type OvsCarrier } from '../../lab/nodes/carriers.ts'
import type { CniAnswer, Sandbox } from '../../lab/nodes/node.ts'
import { startOvsNode, type OvsNode } from '../../lab/programs/ovs.ts'
import type { Kind } from '../../core/kinds/index.ts'
import { until } from '../setup/until.ts'
import { ourLinks, startAgents, type Agents, type NodeWith } from './agents.ts'
import { ipFrame, listen, pythonSkip, sendFrames } from './raw-frames.ts'

const none = 'no Open vSwitch with DPDK here (MEGREZ_TEST_DPDK is not set): what is rendered and wired is asked in test/core and test/agent'
const skip = process.env.MEGREZ_TEST_DPDK === undefined ? none : ((await noNamespaces()) ?? pythonSkip)
const namespace = 'a'
const apiVersion = 'megrez.io/v1alpha1'

type Node = NodeWith<OvsCarrier>
/** What a pod's program is told of its port. */
interface VhostPort {
  readonly sandbox: Sandbox
  readonly socket: string
  readonly mac: string
  readonly address: string
}

/** Where its frames are sent and heard. */
interface End {
  readonly of: VhostPort
  readonly ifcName: string
}
interface SaidInterface {
  readonly name: string
  readonly mac: string
  readonly socketPath?: string
  readonly sandbox?: string
}
const deviceInfo = '{"type":"vhost-user","version":"1.1.0","vhost-user":{"mode":"server","path":"/var/run/megrez/vhost/eth0.sock"}}'

describe('dpdk ports on Open vSwitch', { skip }, () => {
  let agents: Agents
  let tor: OvsNode
  let n1: Node, n2: Node
  let fast: VhostPort, plain: VhostPort, tagged: VhostPort, access: VhostPort
  const guests: Guest[] = []
  let giveBack: () => Promise<void> = () => Promise.resolve()

  const post = async (kind: Kind, name: string, spec: object, metadata: object = {}): Promise<string> => {
    const answer = await agents.rest.call('POST', pathOf(kind, namespace), {
      apiVersion: kind === 'Pod' ? 'v1' : apiVersion,
      kind,
      metadata: { name, ...metadata },
      spec,
    })
    assert.equal(answer.status, 201, `${kind} ${name}: ${JSON.stringify(answer.body)}`)
    return answer.body.metadata.uid
  }
  const toldBy = (sandbox: Sandbox, { code, said }: CniAnswer, ifname: string): VhostPort => {
    assert.equal(code, 0, said.msg)
    const found = (said['interfaces'] as readonly SaidInterface[]).find((each) => each.sandbox !== undefined && each.name === ifname)
    return { sandbox, socket: found?.socketPath ?? '', mac: found?.mac ?? '', address: said.ips?.[0]?.address ?? '' }
  }
  const inVpc = async (node: Node, name: string, type: string): Promise<VhostPort> => {
    const sandbox = await agents.pod(node, name, { 'megrez.io/nics': JSON.stringify([{ name: 'eth0', subnet: 'all', type }]) })
    return toldBy(sandbox, await node.cni('ADD', sandbox, { cniVersion: '1.1.0' }), 'eth0')
  }
  const confOf = async (attachment: string): Promise<object> => {
    const { body } = await agents.rest.call('GET', pathOf('NetworkAttachmentDefinition', namespace, attachment))
    return {
      ...(JSON.parse((body as unknown as { readonly spec: { readonly config: string } }).spec.config) as object),
      cniVersion: '1.1.0',
    }
  }
  const inVlans = async (node: Node, name: string, attachment: string): Promise<VhostPort> => {
    const uid = await post('Pod', name, { nodeName: node.name, containers: [{ name: 'main', image: 'none' }] })
    const sandbox = await node.sandbox({ namespace, name, uid })
    return toldBy(sandbox, await node.cni('ADD', sandbox, await confOf(attachment), 'net1'), 'net1')
  }
  const guest = async (of: VhostPort, ifcName: string): Promise<void> => {
    const { sandbox, socket, mac } = of
    const log = join(agents.lab.folder, `guest-${ifcName}.log`)
    guests.push(await startGuest({ namespace: sandbox.namespace, socket, serves: true, ifcName, mac, log }))
  }
  const pings = async (from: VhostPort, to: string): Promise<boolean> =>
    (await from.sandbox.namespace.exec('ping', '-n', '-c', '1', '-W', '1', to)).code === 0
  const trunk = (): End => ({ of: tagged, ifcName: 'tagged' })
  const plainEnd = (): End => ({ of: access, ifcName: 'net1' })
  const ip = ({ address }: VhostPort): string => address.replace(/\/\d+$/, '')

  /**
   * A frame for each tag, 0 for none, to 10.9.TAG/100.TAG%100; then one that is heard for sure. In which VLAN each was heard, 0 for none.
   */
  async function heard(from: End, tags: readonly number[], to: End, sure: number): Promise<string[]> {
    const ear = await listen(to.of.sandbox.namespace, to.ifcName)
    const all = { source: from.of.mac, destination: 'ff:ff:ff:ff:ff:ff', from: '10.0.9.1' }
    const frame = (tag: number, last: string): string => ipFrame({ ...all, to: last, ...(tag === 0 ? {} : { tag }) })
    const hex = (last: string): string =>
      last
        .split('.')
        .map((part) => Number(part).toString(16).padStart(2, '0'))
        .join('')
    const addressOf = (tag: number): string => `10.9.${Math.floor(tag / 100)}.${tag % 100}`
    const vlanOf = (each: string): number => (each.slice(24, 28) === '8100' ? Number.parseInt(each.slice(28, 32), 16) & 0xfff : 0)
    await sendFrames(
      from.of.sandbox.namespace,
      from.ifcName,
      tags.map((tag) => frame(tag, addressOf(tag))),
    )
    await until(
      async () => {
        await sendFrames(from.of.sandbox.namespace, from.ifcName, [frame(sure, '10.8.0.8')])
        return ear.heard.some((each) => each.includes(hex('10.8.0.8')))
      },
      'the last frame is heard',
      20_000,
    )
    await ear.close()
    const of = (tag: number): readonly string[] => ear.heard.filter((each) => each.includes(hex(addressOf(tag))))
    return tags.flatMap((tag) => of(tag).map((each) => `${tag} as ${vlanOf(each)}`))
  }

  before(async () => {
    giveBack = await holdHugePages(pagesOfSwitch)
    agents = await startAgents()
    tor = await startOvsNode({ name: `${agents.lab.id}-tor`, folder: join(agents.lab.folder, 'tor') })
    const wired =
      (carry: (place: CarrierPlace) => Promise<OvsCarrier>, number: number) =>
      async (place: CarrierPlace): Promise<OvsCarrier> => {
        const carrier = await carry(place)
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
          `node${number}`,
          'netns',
          tor.namespace.name,
        )
        await carrier.namespace.ip('link', 'set', 'eth1', 'up')
        await tor.namespace.ip('link', 'set', `node${number}`, 'up')
        return { ...carrier, settings: { ...carrier.settings, MEGREZ_UPLINKS: '{"physnet1":"eth1"}' } }
      }
    n1 = await agents.node('n1', wired(dpdkCarrier, 1))
    n2 = await agents.node('n2', wired(ovsCarrier, 2))
    await tor.vsctl(
      'add-br',
      'tor',
      '--',
      'set',
      'bridge',
      'tor',
      'datapath_type=netdev',
      'fail-mode=standalone',
      '--',
      'add-port',
      'tor',
      'node1',
      '--',
      'add-port',
      'tor',
      'node2',
    )
    await post('ConnectionPoint', 'cp', {
      physicalNet: 'physnet1',
      supportedCnis: [{ name: 'megrez', supportedInterfaceTypes: ['kernel', 'dpdk'] }],
    })
    for (const vlan of [100, 200]) await post('L2Service', `s${vlan}`, { segmentationID: vlan })
    await post('L2ServiceAttachment', 'fast', {
      vlanType: 'selectivetrunk',
      l2Services: ['s100', 's200'],
      connectionPoint: 'cp',
      podInterfaceType: 'dpdk',
    })
    await post('L2ServiceAttachment', 'access', { vlanType: 'access', l2Services: ['s100'], connectionPoint: 'cp' })
    for (const name of ['fast', 'access'])
      await until(
        async () => (await agents.rest.call('GET', pathOf('L2ServiceAttachment', namespace, name))).body.status?.phase === 'ready',
        `${name} is ready`,
        60_000,
      )
  })
  after(async () => {
    for (const each of guests) await each.stop()
    await agents?.close()
    await tor?.stop()
    await giveBack()
  })

  test('a pod finds its socket in a folder of its own, and no interface of the kernel', async () => {
    fast = await inVpc(n1, 'fast', 'dpdk')
    plain = await inVpc(n2, 'plain', 'kernel')
    assert.match(fast.socket, new RegExp(`/dpdk/${fast.sandbox.pod.uid}/eth0\\.sock$`))
    assert.equal(existsSync(dirname(fast.socket)), true)
    assert.deepEqual(await ourLinks(n1), [])
    assert.equal((await n1.cni('CHECK', fast.sandbox)).code, 0)
    await until(async () => {
      const { body } = await agents.rest.call('GET', pathOf('Pod', namespace, 'fast'))
      const status = JSON.parse(body.metadata.annotations?.['k8s.v1.cni.cncf.io/network-status'] ?? '[]') as readonly {
        readonly 'device-info'?: object
      }[]
      return JSON.stringify(status[0]?.['device-info']) === deviceInfo
    }, 'the pod says how its port is reached')
  })

  test("its packets reach a pod on another node over VXLAN and come back, and none with another's address", async () => {
    await guest(fast, 'fast')
    await fast.sandbox.namespace.ip('link', 'set', 'fast', 'mtu', '1450')
    await fast.sandbox.namespace.ip('addr', 'add', fast.address, 'dev', 'fast')
    await until(() => pings(fast, ip(plain)), 'the other node answers', 20_000)
    assert.equal(await pings(plain, ip(fast)), true)
    await fast.sandbox.namespace.ip('addr', 'add', '10.0.0.99/32', 'dev', 'fast')
    assert.notEqual((await fast.sandbox.namespace.exec('ping', '-n', '-c', '1', '-W', '1', '-I', '10.0.0.99', ip(plain))).code, 0)
    assert.equal(await pings(fast, ip(plain)), true)
  })

  test('tagged frames pass in its VLANs, both ways, and in no others', async () => {
    tagged = await inVlans(n1, 'tagged', 'fast')
    access = await inVlans(n2, 'access', 'access')
    assert.match(tagged.socket, /\/net1\.sock$/)
    await guest(tagged, 'tagged')
    assert.deepEqual(await heard(trunk(), [0, 100, 200, 300], plainEnd(), 100), ['100 as 0'])
    assert.deepEqual(await heard(plainEnd(), [0, 100], trunk(), 0), ['0 as 100'])
    assert.equal((await n1.carrier.ovs.vsctl('get', 'port', 'eth1', 'trunks')).trim(), '[100, 200]')
  })

  test('agent and switch are killed and started anew, and its packets pass again', async () => {
    await n1.killAgent()
    assert.equal(await pings(fast, ip(plain)), true)
    await n1.startAgent()
    assert.equal((await n1.cni('CHECK', fast.sandbox)).code, 0)
    assert.equal(await pings(fast, ip(plain)), true)
    await n1.carrier.ovs.restartSwitch()
    await until(() => pings(fast, ip(plain)), 'the other node answers', 30_000)
    assert.deepEqual(await heard(trunk(), [0, 300], plainEnd(), 100), [])
  })

  test('one is the most that a pod has: admission says so of two NICs, the node of one more in VLANs', async () => {
    const nics = JSON.stringify(['eth0', 'vpc1'].map((name) => ({ name, subnet: 'all', type: 'dpdk' })))
    const metadata = { name: 'twice', annotations: { 'megrez.io/vpc': 'net', 'megrez.io/nics': nics } }
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata, spec: { containers: [{ name: 'main', image: 'none' }] } }
    const twice = await agents.rest.call('POST', pathOf('Pod', namespace), pod)
    assert.equal(twice.status, 422)
    assert.match(JSON.stringify(twice.body), /megrez\.io~1nics\/1\/type.*two NICs of the pod have type dpdk, and one is the most/)
    const { code, said } = await n1.cni('ADD', fast.sandbox, await confOf('fast'), 'net7')
    assert.notEqual(code, 0)
    assert.match(said.msg ?? '', /has the dpdk interface eth0 already, and one is the most/)
  })

  test('a node without DPDK refuses one in VLANs, and says of one in a Vpc that it is an interface of the kernel', async () => {
    const uid = await post('Pod', 'slow', { nodeName: 'n2', containers: [{ name: 'main', image: 'none' }] })
    const sandbox = await n2.sandbox({ namespace, name: 'slow', uid })
    assert.match((await n2.cni('ADD', sandbox, await confOf('fast'), 'net1')).said.msg ?? '', /node n2 makes no dpdk interfaces/)
    const slow = await inVpc(n2, 'kernel', 'dpdk')
    assert.equal(slow.socket, '')
    await until(async () => {
      const { body } = await agents.rest.call('GET', pathOf('Port', namespace))
      return /has no DPDK, or not the userspace datapath/.test(JSON.stringify(body))
    }, 'its Port says so')
    assert.equal(await pings(slow, ip(fast)), true)
    assert.equal((await n2.cni('DEL', slow.sandbox)).code, 0)
  })

  test('DEL leaves neither socket nor folder nor port, and nothing passes any more', async () => {
    assert.equal((await n1.cni('DEL', fast.sandbox)).code, 0)
    assert.equal(await pings(plain, ip(fast)), false)
    assert.equal((await n1.cni('DEL', tagged.sandbox, await confOf('fast'), 'net1')).code, 0)
    assert.deepEqual(
      [fast, tagged].map(({ socket }) => existsSync(dirname(socket))),
      [false, false],
    )
    await until(
      async () => !(await n1.carrier.ovs.vsctl('--columns=type', 'list', 'interface')).includes('dpdkvhostuserclient'),
      'no port is left',
      30_000,
    )
  })
})

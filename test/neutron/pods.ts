// Pods of Vpcs at a real Neutron: objects of ours, workers, our agents on two chassis of OVN, and packets that OVN carries and filters.
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { pathOf } from '../../cli/demo/rest.ts'
import { ovsSettings, type OvsCarrier } from '../../lab/nodes/carriers.ts'
import { connects, listens } from '../../lab/nodes/connections.ts'
import type { Sandbox } from '../../lab/nodes/node.ts'
import { reaches } from '../../lab/nodes/ping.ts'
import { writeCredentials, type Person } from '../../lab/openstack/keystone.ts'
import { ownerOf, type Described } from '../../workers/drivers/cloud/neutron/owner.ts'
import { cloudAt } from '../drivers/neutron/driver.ts'
import { startAgents, type Agents, type NodeWith } from '../node/agents.ts'
import { until } from '../setup/until.ts'
import type { Caller, NeutronPort } from '../../lab/openstack/caller.ts'
import { eventSettings, type Host, type NeutronWorld } from './lab.ts'

const installationOfLaws = cloudAt('').metadata.uid
export const apiVersion = 'megrez.io/v1alpha1'
export const namespace = 'a'
const tenant: Person = 'tenant-a'

/** A Cloud that it is. Requests are given up after a quarter of a minute: each end waits until what was asked for can no longer land. */
export const cloudSpec = ({ keystone }: NeutronWorld): object => ({
  provider: 'neutron',
  endpoint: keystone!.url,
  credentials: tenant,
  bindingCredentials: 'admin',
  timeoutSeconds: 15,
})

export interface OurPort {
  readonly metadata: { readonly name: string; readonly uid: string }
  readonly spec: { readonly claim?: { readonly pod: string }; readonly subnet: string; readonly warm?: object }
  readonly status?: {
    readonly phase?: string
    readonly message?: string
    readonly providerID?: string
    readonly ifcName?: string
    readonly addresses?: readonly string[]
    readonly mac?: string
  }
}
export interface Pod {
  readonly node: NodeWith<OvsCarrier>
  readonly sandbox: Sandbox
  readonly address: string
}

type KindThere = 'Cloud' | 'Vpc' | 'Subnet' | 'Port' | 'SecurityGroup' | 'Audit' | 'UnifiedNetworkPolicy'
export interface PodTests {
  /** Of an interface in a network of tunnels. */
  readonly mtu: number
  /** Of the agents. */
  readonly settings?: Readonly<Record<string, string>>
  /** Defines what is tested between the first pods and the end. */
  readonly more?: (cloud: PodsOfCloud) => void
}
/** Once the first test has run. */
export interface PodsOfCloud {
  /** Of credentials, each in a folder of its own. */
  readonly folder: () => string
  readonly world: () => NeutronWorld
  readonly agents: () => Agents
  readonly nodes: () => readonly NodeWith<OvsCarrier>[]
  readonly pods: readonly Pod[]
  make(kind: KindThere, path: string, name: string, spec: object): Promise<void>
  ours(): Promise<readonly OurPort[]>
  /** Names at Neutron, of what Megrez has made there. */
  theirs(plural?: string): Promise<readonly string[]>
}

/** Tests in the suite around, on a world with Keystone; of what is left in the end too, where others have gone between. */
export function podTests(
  world: () => NeutronWorld,
  { mtu, settings = {}, more }: PodTests,
): { readonly cloud: PodsOfCloud; endTests(): void } {
  let folder: string
  let agents: Agents
  let nodes: readonly NodeWith<OvsCarrier>[]
  let project: Caller
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'megrez-clouds-'))
    for (const person of [tenant, 'admin'] as const) await writeCredentials(folder, person)
    project = await world().as(tenant)
    await makeGroups(project)
    agents = await startAgents({ MEGREZ_CLOUD_CREDENTIALS: folder, ...eventSettings(world()) })
    await make('Cloud', '/v1/clouds', 'c', cloudSpec(world()))
    await make('Vpc', pathOf('Vpc', namespace), 'cloudy', { provider: 'neutron', cloud: 'c' })
    await make('Subnet', pathOf('Subnet', namespace), 'there', { vpc: 'cloudy', ipv4: { cidr: '10.7.0.0/24' } })
    await until(
      async () => (await agents.rest.call('GET', pathOf('Subnet', namespace, 'there'))).body.status?.phase === 'ready',
      'the Subnet is at Neutron',
      60_000,
    )
    nodes = await Promise.all(world().hosts.map((host) => agents.node(host.name, onHost(host), settings)))
  })
  after(async () => {
    await agents?.close()
    await rm(folder, { recursive: true, force: true })
  })

  async function make(kind: KindThere, path: string, name: string, spec: object): Promise<void> {
    const answer = await agents.rest.call('POST', path, { apiVersion, kind, metadata: { name }, spec })
    assert.equal(answer.status, 201, answer.body.detail)
  }
  const pods: Pod[] = []
  async function podOn(node: NodeWith<OvsCarrier>, name: string, group: string): Promise<Pod> {
    const nics = [{ name: 'eth0', subnet: 'there', securityGroups: [group] }]
    const sandbox = await agents.pod(node, name, { 'megrez.io/vpc': 'cloudy', 'megrez.io/nics': JSON.stringify(nics) })
    const pod = { node, sandbox, address: await agents.add(node, sandbox) }
    pods.push(pod)
    return pod
  }
  const ours = async (): Promise<readonly OurPort[]> =>
    ((await agents.rest.call('GET', pathOf('Port', namespace))).body.items ?? []) as unknown as readonly OurPort[]
  /** Names at Neutron, of what Megrez has made there. */
  const theirs = async (plural = 'ports'): Promise<readonly string[]> =>
    (await project.get<readonly (Described & { readonly id: string })[]>(plural))
      .filter((each) => each.name.startsWith('megrez-') && ownerOf(each)?.installation !== installationOfLaws)
      .map(({ name }) => name)

  test('a pod is plugged in where Neutron says, and Neutron carries what it sends to another node, as its groups allow', async () => {
    const client = await podOn(nodes[0]!, 'client', 'shut')
    const server = await podOn(nodes.at(-1)!, 'server', 'open')
    const port = (await ours()).find(({ spec }) => spec.claim?.pod === 'client')!
    const { status = {} } = port
    const at = async (): Promise<NeutronPort> => await world().admin.get<NeutronPort>(`ports/${status.providerID}`)
    await until(async () => (await at()).status === 'ACTIVE', 'the port of client is ACTIVE', 30_000)
    const there = await at()
    assert.deepEqual(
      [there['binding:host_id'], there.device_id, there.fixed_ips.map(({ ip_address: ip }) => ip)],
      ['n1', client.sandbox.pod.uid, [client.address]],
    )
    assert.equal((await client.node.carrier.ovs.vsctl('port-to-br', status.ifcName!)).trim(), 'br-int')
    assert.match((await client.sandbox.namespace.exec('ip', 'link', 'show', 'eth0')).stdout, new RegExp(`mtu ${mtu} `))

    assert.ok(await reaches(client.sandbox.namespace, server.address, { tries: 20 }), 'as Neutron carries it')
    const stops = [await listens(server.sandbox.namespace), await listens(client.sandbox.namespace)]
    assert.deepEqual(
      [await connects(client.sandbox.namespace, server.address), await connects(server.sandbox.namespace, client.address)],
      [true, false],
    )
    for (const stop of stops) await stop()
  })

  test('a SecurityGroup of ours is a group of Neutron: it lets through what its rules say, and what they say then', async () => {
    const path = pathOf('SecurityGroup', namespace)
    await make('SecurityGroup', path, 'ours', { rules: [{ direction: 'ingress', protocol: 'tcp' }] })
    const guarded = await podOn(nodes.at(-1)!, 'guarded', 'ours')
    const from = pods[0]!.sandbox.namespace
    const stop = await listens(guarded.sandbox.namespace)
    const passes = async (): Promise<string> =>
      `tcp ${await connects(from, guarded.address)}, icmp ${await reaches(from, guarded.address, { tries: 1 })}`
    await until(() => connects(from, guarded.address), 'TCP passes', 30_000)
    assert.equal(await passes(), 'tcp true, icmp false')
    const spec = { rules: [{ direction: 'ingress', protocol: 'icmp' }] }
    const { etag } = await agents.rest.call('GET', `${path}/ours`)
    const merge = { 'content-type': 'application/merge-patch+json', 'if-match': etag ?? '' }
    const changed = await agents.rest.call('PATCH', `${path}/ours`, { spec }, merge)
    assert.equal(changed.status, 200, changed.body.detail)
    await until(async () => (await passes()) === 'tcp false, icmp true', 'the other way round', 30_000)
    await stop()
  })

  test('a Port has the QoS policy of Neutron that it names, as long as it names it', async () => {
    await world().admin.post('qos/policies', { policy: { name: 'slow', shared: true } })
    const { metadata, status } = (await ours()).find(({ spec }) => spec.claim?.pod === 'client')!
    const path = pathOf('Port', namespace, metadata.name)
    const at = async (): Promise<unknown> =>
      (await world().admin.get<{ qos_policy_id: unknown }>(`ports/${status?.providerID}`)).qos_policy_id
    const name = async (qosPolicy: string | null): Promise<void> => {
      const { etag } = await agents.rest.call('GET', path)
      const merge = { 'content-type': 'application/merge-patch+json', 'if-match': etag ?? '' }
      const { status: code, body } = await agents.rest.call('PATCH', path, { spec: { qosPolicy } }, merge)
      assert.equal(code, 200, body.detail)
    }
    await name('slow')
    await until(async () => (await at()) !== null, 'Neutron says so', 30_000)
    await name(null)
    await until(async () => (await at()) === null, 'Neutron says so no more', 30_000)
  })

  test('a policy that nobody does there closes the ports of pods that run at Neutron, until it says otherwise', async () => {
    const path = pathOf('UnifiedNetworkPolicy', namespace)
    const [client, server] = [pods[0]!, pods[1]!]
    const passes = (): Promise<boolean> => reaches(client.sandbox.namespace, server.address, { tries: 1 })
    await until(passes, 'it passes', 30_000)
    await make('UnifiedNetworkPolicy', path, 'strict', { podSelector: {} })
    await until(async () => !(await passes()), 'nothing passes', 30_000)
    await until(async () => (await ours()).every(({ status }) => status?.phase === 'error'), 'each Port says so', 30_000)
    await agents.rest.remove(`${path}/strict`)
    await until(passes, 'it passes again', 60_000)
  })

  const cloud: PodsOfCloud = { world, folder: () => folder, agents: () => agents, nodes: () => nodes, pods, make, ours, theirs }
  more?.(cloud)

  test('deleted they leave no interface on the bridge', async () => {
    for (const { node, sandbox } of pods) await agents.del(node, sandbox)
    for (const { sandbox } of pods) await agents.rest.remove(pathOf('Pod', namespace, sandbox.pod.name))
    const left = async (): Promise<string> =>
      (await Promise.all(nodes.map(({ carrier }) => carrier.ovs.vsctl('list-ports', 'br-int')))).join('\n')
    await until(async () => !/^mgz/m.test(await left()), 'no interface is left on br-int', 60_000)
    await agents.rest.remove(pathOf('Subnet', namespace, 'there'))
    await agents.rest.remove(pathOf('Vpc', namespace, 'cloudy'))
  })

  return {
    cloud,
    // Whatever was asked of Neutron has landed by then, which it may for a minute: other tests go between.
    endTests: () =>
      void test('and in the end no Port is left, and nothing of ours is at Neutron', async () => {
        await until(async () => (await ours()).length === 0, 'no Port is left', 180_000)
        for (const plural of ['ports', 'security-groups', 'subnets', 'networks'])
          await until(async () => (await theirs(plural)).length === 0, `none of our ${plural} is left at Neutron`, 180_000)
      }),
  }
}

/** A node that is there already, with Neutron's side of it: its end is not ours. */
export const onHost =
  ({ ovs }: Host) =>
  (): Promise<OvsCarrier> =>
    Promise.resolve({ namespace: ovs.namespace, settings: ovsSettings(ovs), ovs, stop: () => Promise.resolve() })

/** One lets nobody in, the other ICMP and TCP. */
async function makeGroups(project: Caller): Promise<void> {
  for (const [name, protocols] of [
    ['shut', []],
    ['open', ['icmp', 'tcp']],
  ] as const) {
    const { id } = await project.post<{ readonly id: string }>('security-groups', { security_group: { name } })
    for (const protocol of protocols)
      await project.post('security-group-rules', { security_group_rule: { security_group_id: id, direction: 'ingress', protocol } })
  }
}

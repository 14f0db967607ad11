// The sentences of "NIC and VPC Support in Alkaid", one after the other.
import type { Sandbox } from '../../../lab/nodes/node.ts'
import { reaches } from '../../../lab/nodes/ping.ts'
import type { NeutronPort } from '../../../lab/openstack/caller.ts'
import { pathOf } from '../../demo/rest.ts'
import { made } from '../../demo/two-nodes.ts'
import { sentenceOf, type Sentence } from '../sentence.ts'
import { added, sampleSpec, scheduled, submitted } from './samples.ts'
import { differs, portsOf, readPhase, type AlkaidStage, type PortOfPod } from './stage.ts'

const [vpc, subnet, group, madeBefore] = ['vpc-1a2b3c4d', 'subnet-1', 'aa5db150-a63d-4bd1-8d70-2dff67c6a5d9', 'made-before']
const apiVersion = 'megrez.io/v1alpha1'

/** What who uses the cloud has made there, by ID. */
interface UsersOwn {
  readonly network: string
  readonly group: string
  readonly port: string
}
interface DescribedThing {
  readonly name: string
  readonly description: string
}
interface Running {
  readonly name: string
  readonly sandbox: Sandbox
}
interface Telling {
  readonly stage: AlkaidStage
  readonly own: UsersOwn
  readonly running: Running[]
  readonly sentences: Sentence[]
}

export async function tellAlkaid(stage: AlkaidStage): Promise<readonly Sentence[]> {
  const telling: Telling = { stage, own: await makeAtNeutron(stage), running: [], sentences: [] }
  await adopt(telling)
  await tellOfOneNic(telling)
  await tellOfAddresses(telling)
  await tellOfVms(telling)
  await takeBack(telling)
  return telling.sentences
}

async function makeAtNeutron({ user }: AlkaidStage): Promise<UsersOwn> {
  interface ThingWithID {
    readonly id: string
  }
  const network = (await user.post<ThingWithID>('networks', { network: { name: vpc } })).id
  const block = { cidr: '192.168.0.0/24', ip_version: 4, allocation_pools: [{ start: '192.168.0.100', end: '192.168.0.199' }] }
  const { id: inside } = await user.post<ThingWithID>('subnets', { subnet: { network_id: network, name: subnet, ...block } })
  const { id: guarded } = await user.post<ThingWithID>('security-groups', { security_group: { name: group } })
  const port = { network_id: network, name: madeBefore, fixed_ips: [{ subnet_id: inside }] }
  return { network, group: guarded, port: (await user.post<ThingWithID>('ports', { port })).id }
}

async function adopt({ stage, own, sentences }: Telling): Promise<void> {
  const { rest, namespace, cloud, user } = stage
  const make = (kind: 'Vpc' | 'Subnet' | 'Port', name: string, spec: object): Promise<string> =>
    made(rest, pathOf(kind, namespace), { apiVersion, kind, metadata: { name }, spec })
  await make('Vpc', vpc, { provider: 'neutron', cloud, existing: vpc })
  await make('Subnet', subnet, { vpc, existing: subnet })
  await make('Port', madeBefore, { subnet, portID: own.port })
  sentences.push(
    await sentenceOf('networks and subnets are made by who uses the cloud, and none is made for him', async () => {
      const phases = await Promise.all([readPhase(stage, 'Vpc', vpc), readPhase(stage, 'Subnet', subnet)])
      if (!phases.every((each) => each.startsWith('ready'))) return phases.join('; ')
      const described = await Promise.all(['networks', 'subnets'].map((plural) => user.get<readonly DescribedThing[]>(plural)))
      const made = described.flat().filter(({ name, description }) => name.startsWith('megrez-') && description.includes(`${namespace}/`))
      return differs(
        made.map(({ description }) => description),
        [],
      )
    }),
  )
}

const noPort: Pick<PortOfPod, 'spec' | 'status'> = { spec: {}, status: { message: 'none' } }
const portAt = ({ admin }: AlkaidStage, id: string): Promise<NeutronPort> => admin.get<NeutronPort>(`ports/${id}`)

async function tellOfOneNic({ stage, running, sentences }: Telling): Promise<void> {
  const uid = await submitted(stage, 'pod1', await sampleSpec(1))
  let id = ''
  sentences.push(
    await sentenceOf('a pod without NICs has one, eth0; its port is made before the pod has a node, and is flagged as ours', async () => {
      const [{ spec, status = {} } = noPort] = await portsOf(stage, 'pod1')
      if (status.providerID === undefined) return `no port yet: ${status.message}`
      id = status.providerID
      return differs([spec.claim?.nic, status.createdByUs, (await portAt(stage, id))['binding:host_id']], ['eth0', true, ''])
    }),
  )
  await scheduled(stage, 'pod1')
  running.push({ name: 'pod1', sandbox: await added(stage, 'pod1', uid) })
  sentences.push(
    await sentenceOf("on its node the port is bound to that host, and plugged into Neutron's bridge", async () => {
      const { 'binding:host_id': host, device_id: device, status } = await portAt(stage, id)
      const bridge = (await stage.node.carrier.ovs.vsctl('port-to-br', (await portsOf(stage, 'pod1'))[0]!.status!.ifcName!)).trim()
      return differs([host, device, status, bridge], [stage.node.name, uid, 'ACTIVE', 'br-int'])
    }),
  )
  const second = await submitted(stage, 'pod2', { ...(await sampleSpec(2)), nodeName: stage.node.name })
  running.push({ name: 'pod2', sandbox: await added(stage, 'pod2', second) })
  sentences.push(
    await sentenceOf('a pod names its subnet; pods of one VPC reach each other as Neutron carries it', async () => {
      const [address] = (await portsOf(stage, 'pod2'))[0]?.status?.addresses ?? []
      return (await reaches(running[0]!.sandbox.namespace, address!, { tries: 3 })) ? undefined : `pod1 does not reach ${address}`
    }),
  )
}

async function tellOfAddresses({ stage, running, sentences }: Telling): Promise<void> {
  const spec = { ...(await sampleSpec(3)), nodeName: stage.node.name }
  running.push({ name: 'pod3', sandbox: await added(stage, 'pod3', await submitted(stage, 'pod3', spec)) })
  sentences.push(
    await sentenceOf('a NIC has the address that it asks for', async () => {
      const [port] = await portsOf(stage, 'pod3')
      const there = await portAt(stage, port?.status?.providerID ?? '')
      return differs(
        there.fixed_ips.map(({ ip_address: ip }) => ip),
        ['192.168.0.12'],
      )
    }),
  )
  await submitted(stage, 'rival', { ...spec, nodeName: undefined })
  sentences.push(
    await sentenceOf('an address that is not available is an error', async () => {
      const [port] = await portsOf(stage, 'rival')
      const { phase, message = '' } = port?.status ?? {}
      return phase === 'error' && /192\.168\.0\.12/.test(message) ? undefined : `${phase}: ${message}`
    }),
  )
  await stage.rest.remove(pathOf('Pod', stage.namespace, 'rival'))
  const nics = Array.from({ length: 9 }, () => ({ subnet }))
  const refused = await stage.rest.call('POST', pathOf('Pod', stage.namespace), {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'many' },
    spec: { containers: [{ name: 'main', image: 'none' }], vpc, nics },
  })
  const answer = JSON.stringify(refused.body)
  sentences.push({
    says: 'more NICs than are allowed are refused by admission',
    wrong: refused.status >= 400 && /\b8\b/.test(answer) ? [] : [`${refused.status} ${answer}`],
  })
}

async function tellOfVms({ stage, own, running, sentences }: Telling): Promise<void> {
  const { node } = stage
  const uid = await submitted(stage, 'pod4', { ...(await sampleSpec(4)), nodeName: node.name, nics: [{ portID: own.port }] })
  const sandbox = await added(stage, 'pod4', uid)
  let tap = ''
  sentences.push(
    await sentenceOf('a VM pod uses the port that was made before: its TAP is on the node, and the port is bound there', async () => {
      tap = (await portsOf(stage, 'pod4'))[0]?.status?.node?.tap ?? ''
      const { stdout } = await node.namespace.exec('ip', '-o', '-d', 'link', 'show', tap)
      const { 'binding:host_id': host, device_id: device } = await portAt(stage, own.port)
      return differs([/\btun\b.*type tap/.test(stdout), host, device], [true, node.name, uid])
    }),
  )
  await node.cni('DEL', sandbox)
  await stage.rest.remove(pathOf('Pod', stage.namespace, 'pod4'))
  sentences.push(
    await sentenceOf('once it is deleted the TAP is gone, and the port stays, bound to no host', async () => {
      const { stdout } = await node.namespace.exec('ip', '-o', 'link')
      return differs([stdout.includes(tap), (await portAt(stage, own.port))['binding:host_id']], [false, ''])
    }),
  )
  const nics = [{ subnet, ip: '192.168.0.13', securityGroup: group }, { portID: own.port }]
  const both = await submitted(stage, 'pod5', { ...(await sampleSpec(5)), nodeName: node.name, nics })
  running.push({ name: 'pod5', sandbox: await added(stage, 'pod5', both) })
  sentences.push(
    await sentenceOf('a VM pod with two NICs: one with address and security group, one that is the port made before', async () => {
      const [first, second] = await portsOf(stage, 'pod5')
      const there = await portAt(stage, first?.status?.providerID ?? '')
      const groups = (there as unknown as { readonly security_groups: readonly string[] }).security_groups
      return differs([there.fixed_ips[0]?.ip_address, groups, second?.status?.providerID], ['192.168.0.13', [own.group], own.port])
    }),
  )
}

/** What follows of it at Neutron may take two minutes: `endOfAlkaid` looks. */
async function takeBack({ stage, running, sentences }: Telling): Promise<void> {
  const { node, rest, namespace } = stage
  const onBridge = async (): Promise<readonly string[]> => {
    const ports = (await node.carrier.ovs.vsctl('list-ports', 'br-int')).split('\n')
    return names.filter((each) => ports.includes(each))
  }
  const plugged = (await Promise.all(running.map(({ name }) => portsOf(stage, name)))).flat()
  const names = plugged.flatMap(({ status }) => status?.node?.tap ?? status?.ifcName ?? [])
  const before = await onBridge()
  for (const { name, sandbox } of running) {
    await node.cni('DEL', sandbox)
    await rest.remove(pathOf('Pod', namespace, name))
  }
  sentences.push(
    await sentenceOf("CNI DEL takes the interfaces from Neutron's bridge", async () =>
      differs([before.length, await onBridge()], [plugged.length, []]),
    ),
  )
  for (const [kind, name] of [
    ['Port', madeBefore],
    ['Subnet', subnet],
    ['Vpc', vpc],
  ] as const)
    await rest.remove(pathOf(kind, namespace, name))
}

export async function endOfAlkaid({ rest, namespace, user }: AlkaidStage): Promise<readonly Sentence[]> {
  const says = 'ports that were made for pods are deleted with them; what who uses the cloud has made stays, as it was'
  return [
    await sentenceOf(
      says,
      async () => {
        const { status } = await rest.call('GET', pathOf('Vpc', namespace, vpc))
        if (status !== 404) return `${vpc} is still there`
        const [network] = await user.get<readonly (DescribedThing & { readonly id: string })[]>(`networks?name=${vpc}`)
        const ports = await user.get<readonly DescribedThing[]>(`ports?network_id=${network?.id}`)
        const own = ports.filter(({ name }) => name === madeBefore || name.startsWith('megrez-'))
        return differs([network?.description, own.map(({ name, description }) => [name, description])], ['', [[madeBefore, '']]])
      },
      200_000,
    ),
  ]
}

// Two Vpcs with the same addresses that send outside from a pool of the operator's, with a pod of each on the first two nodes: from objects
// on, in the group that routedPods has made.
import assert from 'node:assert/strict'
import { pathOf } from '../../cli/demo/rest.ts'
import type { Resource, SpecOf } from '../../core/kinds/index.ts'
import type { Namespace } from '../../lab/namespaces.ts'
import { until } from '../setup/until.ts'
import { gatewayAddress, type L3Node, type L3Nodes } from './nodes.ts'

const apiVersion = 'megrez.io/v1alpha1'
export const pool = '203.0.113.0/24'
export const pooledVpcs = ['red', 'blue'] as const
type PooledVpc = (typeof pooledVpcs)[number]

export interface PooledPod {
  readonly vpc: PooledVpc
  readonly node: L3Node
  readonly namespace: Namespace
}

export interface PooledWorld {
  readonly pods: readonly PooledPod[]
  /** What a Vpc sends from on a node, as it says itself. */
  sourceOf(pod: Pick<PooledPod, 'vpc' | 'node'>): Promise<string | undefined>
  /** The owner of the pool agrees to its group no more. */
  takeBack(): Promise<void>
}

export async function makePooledVpcs({ agents, nodes }: L3Nodes): Promise<PooledWorld> {
  const { rest } = agents
  const make = async (kind: 'Vpc' | 'Subnet' | 'EgressClass', key: string, spec: object): Promise<void> => {
    const [namespace = '', name = ''] = key.split('/')
    const { status, body } = await rest.call('POST', pathOf(kind, namespace), { apiVersion, kind, metadata: { name }, spec })
    assert.equal(status, 201, body.detail)
    const phase = async () => (await rest.call('GET', pathOf(kind, namespace, name))).body.status?.phase
    if (kind === 'Subnet') await until(async () => (await phase()) === 'ready', `Subnet ${key} is ready`)
  }
  await make('Vpc', 'op/public', { bgpSessionGroups: ['dc'], sharedWith: ['a'] })
  await make('Subnet', 'op/egress', { vpc: 'public', ipv4: { cidr: pool } })
  const { body, etag } = await rest.call('GET', pathOf('BGPSessionGroup', '', 'dc'))
  const spec = (body as unknown as { readonly spec: SpecOf<'BGPSessionGroup'> }).spec
  const subnets = [...(spec.advertise?.subnets ?? []), { namespace: 'op', name: 'egress' }]
  const said = await rest.call(
    'PUT',
    pathOf('BGPSessionGroup', '', 'dc'),
    { ...body, spec: { ...spec, advertise: { subnets } } },
    { 'if-match': etag ?? '' },
  )
  assert.equal(said.status, 200, said.body.detail)
  await make('EgressClass', '/internet', { vpcs: pooledVpcs.map((vpc) => `a/${vpc}`), to: ['198.51.100.0/24'], pool: 'op/egress' })
  const pods: PooledPod[] = []
  for (const { namespace } of nodes) await namespace.ip('route', 'add', '198.51.100.0/24', 'via', gatewayAddress)
  for (const vpc of pooledVpcs) {
    await make('Vpc', `a/${vpc}`, { egressClass: 'internet' })
    await make('Subnet', `a/${vpc}`, { vpc, ipv4: { cidr: '10.60.0.0/24' } })
    for (const [i, node] of nodes.slice(0, 2).entries()) {
      const nics = JSON.stringify([{ name: 'eth0', subnet: vpc, ip: `10.60.0.${10 + i}` }])
      const sandbox = await agents.pod(node, `${vpc}-${i}`, { 'megrez.io/vpc': vpc, 'megrez.io/nics': nics })
      assert.equal(await agents.add(node, sandbox), `10.60.0.${10 + i}`)
      pods.push({ vpc, node, namespace: sandbox.namespace })
    }
  }
  return {
    pods,
    async sourceOf({ vpc, node }) {
      const { status } = (await rest.call('GET', pathOf('Vpc', 'a', vpc))).body as unknown as Resource<'Vpc'>
      return status?.egress?.nodes.find((each) => each.node === node.name)?.addresses.join()
    },
    async takeBack() {
      const owner = await rest.call('GET', pathOf('Vpc', 'op', 'public'))
      const silent = { ...owner.body, spec: { sharedWith: ['a'], bgpSessionGroups: [] } }
      const answer = await rest.call('PUT', pathOf('Vpc', 'op', 'public'), silent, { 'if-match': owner.etag ?? '' })
      assert.equal(answer.status, 200, answer.body.detail)
    },
  }
}

// A Vpc of one l3 Subnet that a group of nodes and a gateway announces, with a pod on each node: from objects on.
import assert from 'node:assert/strict'
import { pathOf } from '../../cli/demo/rest.ts'
import { until } from '../setup/until.ts'
import { gatewayAddress, type L3Nodes } from './nodes.ts'
import type { ServedPod } from './served-pods.ts'

const apiVersion = 'megrez.io/v1alpha1'
const timers = { holdSeconds: 9, keepaliveSeconds: 3, connectRetrySeconds: 1 }
const groupSpec = {
  as: 64512,
  maximumPaths: 4,
  mesh: { mode: 'full', timers, bfd: { intervalMilliseconds: 100, multiplier: 3 } },
  gracefulRestart: { seconds: 30 },
  peers: [{ name: 'gateway', address: gatewayAddress, as: 64600, timers, import: [{ prefix: '198.51.100.0/24', action: 'accept' }] }],
  advertise: { subnets: [{ namespace: 'a', name: 'pods', routedBlocks: ['10.9.0.0/16'] }] },
  imports: [{ vpc: 'a/routed' }],
}

/**
 * In the order of the nodes.
 *
 * @param behind blocks of 10.9.0.0/16 behind the second of them
 */
export async function routedPods({ agents, nodes }: L3Nodes, behind: readonly string[] = []): Promise<ServedPod[]> {
  const { rest } = agents
  const make = async (kind: 'Vpc' | 'Subnet' | 'BGPSessionGroup', name: string, spec: object): Promise<void> => {
    const body = { apiVersion, kind, metadata: { name }, spec }
    const answer = await rest.call('POST', pathOf(kind, 'a'), body)
    assert.equal(answer.status, 201, answer.body.detail)
  }
  await make('Vpc', 'routed', { bgpSessionGroups: ['dc'] })
  await make('Subnet', 'pods', {
    vpc: 'routed',
    mode: 'l3',
    ipv4: { cidr: '10.1.0.0/24' },
    allowedRoutedBlocks: [{ cidr: '10.9.0.0/16' }],
  })
  await until(async () => (await rest.call('GET', pathOf('Subnet', 'a', 'pods'))).body.status?.phase === 'ready', 'the Subnet is ready')
  await make('BGPSessionGroup', 'dc', groupSpec)
  const pods: ServedPod[] = []
  for (const [i, node] of nodes.entries()) {
    const nic = { name: 'eth0', subnet: 'pods', ...(i === 1 && behind.length > 0 && { routedBlocks: behind }) }
    const nics = { 'megrez.io/vpc': 'routed', 'megrez.io/nics': JSON.stringify([nic]) }
    const sandbox = await agents.pod(node, `web-${i}`, nics)
    pods.push({ sandbox, address: await agents.add(node, sandbox) })
  }
  return pods
}

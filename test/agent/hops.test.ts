// From a pod's being asked for to packets, hop by hop, as the nodes measure it.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { agentMeter } from '../../agent/metrics.ts'
import { MetricSet } from '../../platform/metrics/set.ts'
import { openTestCluster, type TestCluster } from '../workers/test-cluster.ts'
import { makePod, withNetwork } from '../workers/network.ts'
import { eventually, openNode, type TestNode } from './node.ts'

const gauges = { ports: () => 0, endpoints: () => 0, rules: () => 0, portsClosed: () => 0, vnis: () => 0, uplinksMissing: () => 0 }

interface Measured {
  readonly node: TestNode
  /** How many values a histogram has taken. */
  count(name: string, labels?: string): Promise<number>
}

async function openMeasured(cluster: TestCluster, name: string, address: string): Promise<Measured> {
  const set = new MetricSet({ ofProcess: false })
  const node = await openNode({ store: cluster.store, name, address, meter: agentMeter(set, gauges) })
  return {
    node,
    async count(metric, labels = '') {
      const found = new RegExp(`^megrez_${metric}_count${labels.replace(/[{}]/g, '\\$&')} (\\d+)$`, 'm').exec(await set.registry.metrics())
      return Number(found?.[1] ?? 0)
    },
  }
}

describe('the hops of a Port on two nodes', () => {
  const calm = '{contention="none",waited="no"}'
  let cluster: TestCluster
  let [here, there]: [Measured, Measured] = [undefined!, undefined!]
  before(async () => {
    cluster = await openTestCluster()
    await withNetwork(cluster)
    for (const [name, address] of [
      ['n1', '192.0.2.1'],
      ['n2', '192.0.2.2'],
    ] as const) {
      await cluster.store.create({ kind: 'Node', metadata: { name }, spec: {} })
      await cluster.store.replaceForeignStatus({ kind: 'Node', name }, (await cluster.get('Node', name))!.metadata.uid, {
        addresses: [{ type: 'InternalIP', address }],
      })
    }
    here = await openMeasured(cluster, 'n1', '192.0.2.1')
    there = await openMeasured(cluster, 'n2', '192.0.2.2')
  })
  after(async () => {
    await here.node.close()
    await there.node.close()
    await cluster.close()
  })
  const none = { metadata: { annotations: { 'megrez.io/cluster-nic': 'none' } } }

  test('are the interface and the word of its own node, and the flow of the other', async () => {
    const first = await makePod(cluster, 'a/first', { node: 'n2', ...none })
    await cluster.settle()
    assert.equal((await there.node.cni('ADD', { pod: first, containerID: 'c1' })).code, 0)
    await eventually(async () => (await there.count('port_create_to_status_seconds', calm)) === 1, 'the first is told of')
    const second = await makePod(cluster, 'a/second', { node: 'n1', ...none })
    await cluster.settle()
    assert.equal((await here.node.cni('ADD', { pod: second, containerID: 'c2' })).code, 0)
    await eventually(
      async () =>
        (await here.count('port_create_to_wired_seconds', calm)) === 1 && (await here.count('port_create_to_status_seconds', calm)) === 1,
      'the second is wired and told of',
    )
    await eventually(async () => (await there.count('port_create_to_remote_flow_seconds', calm)) === 1, 'the other node has its flow')
    assert.equal(await there.count('port_address_to_remote_flow_seconds', calm), 1)
    assert.ok((await here.count('agent_status_seconds')) >= 1)
    assert.ok((await there.count('agent_apply_seconds', '{outcome="done"}')) >= 1)
  })

  test('are not measured again by an agent that starts anew: what it lists was there before it', async () => {
    await there.node.restart()
    await there.node.agent.env.loop.applied(AbortSignal.timeout(10_000))
    assert.deepEqual(
      [await there.count('port_create_to_remote_flow_seconds', calm), await there.count('port_create_to_wired_seconds', calm)],
      [1, 1],
    )
  })
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Stale } from '../../core/errors.ts'
import type { Resource } from '../../core/kinds/index.ts'
import { reportUnsupported } from '../../agent/ports/node-status.ts'
import { openTestCluster } from '../workers/test-cluster.ts'
import { makePod, withNetwork } from '../workers/network.ts'
import { until } from '../setup/until.ts'
import { eventually, openNode } from './node.ts'

/** Nobody judges by a group that nobody has made: then no data plane does what the Port asks for. */
const unjudged = { policyEnforcement: 'audit' } as const

test('what nobody does of what a Port asks for is said on the Port, and no longer once it is not asked for', async () => {
  const cluster = await openTestCluster({ config: unjudged })
  const node = await openNode({ store: cluster.store, name: 'n1', address: '192.0.2.1' })
  try {
    await withNetwork(cluster)
    const pod = await makePod(cluster, 'a/web', { node: 'n1', nics: [{ name: 'eth0' }] })
    await cluster.settle()
    assert.equal((await node.cni('ADD', { pod })).code, 0)
    const port = async (): Promise<Resource<'Port'>> => (await cluster.all('Port'))[0]!
    // Others write the Port meanwhile: whoever was between the read and the write is read too.
    const asks = async (securityGroups: string[]): Promise<unknown> => {
      const now = await port()
      return cluster.store.update({ ...now, spec: { ...now.spec, securityGroups } }).catch((err: unknown) => {
        if (err instanceof Stale) return asks(securityGroups)
        throw err
      })
    }
    await eventually(async () => (await port()).status?.node?.wired === true, 'the Port says that it is wired')
    assert.equal((await port()).status?.node?.conditions, undefined)
    await asks(['web'])
    await eventually(
      async () => (await port()).status?.node?.conditions?.[0]?.message.startsWith('security-groups: ') === true,
      'the Port says what is not done',
    )
    assert.equal((await port()).status?.node?.wired, true)
    await asks([])
    await eventually(async () => (await port()).status?.node?.conditions === undefined, 'the Port says it no longer')
  } finally {
    await node.close()
    await cluster.close()
  }
})

test('it is told once: a watch that has not brought back what was told changes no time', async () => {
  const cluster = await openTestCluster({ config: unjudged })
  const node = await openNode({ store: cluster.store, name: 'n1', address: '192.0.2.1' })
  try {
    await withNetwork(cluster)
    const pod = await makePod(cluster, 'a/web', { node: 'n1', nics: [{ name: 'eth0' }] })
    await cluster.settle()
    const bare = (await cluster.all('Port'))[0]!
    await cluster.store.update({ ...bare, spec: { ...bare.spec, securityGroups: ['web'] } })
    await cluster.settle()
    assert.equal((await node.cni('ADD', { pod })).code, 0)
    const port = async (): Promise<Resource<'Port'>> => (await cluster.all('Port'))[0]!
    await eventually(async () => (await port()).status?.node?.conditions?.[0]?.type === 'Unsupported', 'the Port says what is not done')
    const { env } = node.agent
    const told = await port()
    // Its own clock has gone on by then: a second condition would have another time.
    await until(() => env.clock.now() > Date.parse(told.status!.node!.conditions![0]!.lastTransitionTime), 'time goes on')
    reportUnsupported({ ...told, status: { ...told.status, node: { wired: true } } }, env)
    await env.outbox.idle()
    assert.deepEqual((await port()).status?.node, told.status?.node)
    assert.equal((await port()).metadata.resourceVersion, told.metadata.resourceVersion)
  } finally {
    await node.close()
    await cluster.close()
  }
})

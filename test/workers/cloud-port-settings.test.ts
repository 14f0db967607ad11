// What else a Port of a cloud is told and has there: who closes it, and its QoS policy.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SpecOf } from '../../core/kinds/index.ts'
import { around, isReason, makeReady, reasonOf, until, type Around } from './cloud-site.ts'
import type { TestCluster } from './test-cluster.ts'
import { plainSettings } from '../drivers/plain-port.ts'

const unsupportedOf = async (cluster: TestCluster, name: string): Promise<string | undefined> =>
  (await cluster.get('UnifiedNetworkPolicy', `a/${name}`))?.status?.conditions?.find(({ type }) => type === 'Unsupported')?.message

test('a policy says which Ports of clouds it selects: their cloud judges what passes there', async () => {
  const of = await around()
  const { cluster } = of
  await cluster.make('UnifiedNetworkPolicy', 'a/all', { podSelector: {}, ingress: [{ action: 'deny' }], onUnsupported: 'allow' })
  await makeReady(of)
  const said = () => unsupportedOf(cluster, 'all')
  const sentence = 'on Port a/p: cloud c carries what it sends and is sent, by its own rules'
  await until(cluster, async () => (await said()) === sentence)
  await cluster.store.delete({ kind: 'Port', namespace: 'a', name: 'p' })
  await until(cluster, async () => (await said()) === 'all of it is done')
  await cluster.close()
})

/** Port a/q on node n1, what is told of it, and as it stands at its cloud. */
async function onNode(of: Around, spec: Partial<SpecOf<'Port'>> = {}) {
  const { cluster, cloud } = of
  await cluster.make('Port', 'a/q', { subnet: 'one', node: 'n1', ...spec })
  return {
    is: async (reason: string): Promise<void> => {
      await until(cluster, isReason(of, 'Port', 'a/q', reason))
    },
    told: async () => {
      const { phase, message } = (await cluster.get('Port', 'a/q'))?.status ?? {}
      return [phase, message] as const
    },
    there: () => cloud.all('port').find(({ host, name }) => host === 'n1' || name === 'spare'),
  }
}
const policy = { podSelector: {}, ingress: [{ action: 'deny' as const }] }
const why = 'cloud c does nothing of UnifiedNetworkPolicy a/strict, which says onUnsupported: deny'

test('the policy in force on a Port of a cloud closes it there, unless it says onUnsupported: allow, and says so', async () => {
  const of = await around()
  const { cluster, cloud } = of
  await cluster.make('NetworkPolicy', 'a/of-the-cluster', { podSelector: {} })
  await until(cluster, async () => (await cluster.get('Subnet', 'a/one'))?.status?.validated === true)
  const { is, told, there } = await onNode(of)
  await until(cluster, () => Promise.resolve(there() !== undefined))
  cloud.plug(there()!.id)
  await is('Active')
  await cluster.make('UnifiedNetworkPolicy', 'a/strict', policy)
  await is('PolicyNotDone')
  assert.deepEqual(await told(), ['error', `the Port is closed: ${why}`])
  const { port, host, plugged } = there()!
  assert.deepEqual([port?.closed, host, plugged], [true, 'n1', true])
  assert.equal(
    await unsupportedOf(cluster, 'strict'),
    'on Port a/q: cloud c carries what it sends and is sent, by its own rules: the Port is closed',
  )

  // Another one comes to be in force, and lets it be open.
  await cluster.make('UnifiedNetworkPolicy', 'a/mild', { ...policy, priority: 7, onUnsupported: 'allow' })
  await is('Active')
  assert.equal(there()?.port?.closed, false)
  await cluster.store.delete({ kind: 'UnifiedNetworkPolicy', namespace: 'a', name: 'mild' })
  await is('PolicyNotDone')
  await cluster.store.delete({ kind: 'UnifiedNetworkPolicy', namespace: 'a', name: 'strict' })
  await is('Active')
  await cluster.close()
})

test('what is adopted is not closed, and is bound to no node as long as a policy asks for that', async () => {
  const of = await around()
  const { cluster, cloud } = of
  await cluster.make('UnifiedNetworkPolicy', 'a/strict', policy)
  await until(cluster, async () => (await cluster.get('Subnet', 'a/one'))?.status?.validated === true)
  cloud.put('port', 'spare', {
    subnet: cloud.all('subnet')[0]!.id,
    port: { ...plainSettings, mac: '02:00:00:00:00:07', addresses: ['10.0.0.7'] },
  })
  const { is, told, there } = await onNode(of, { portID: 'spare' })
  await is('PolicyNotDone')
  assert.deepEqual(await told(), ['error', `the Port is bound to no node: ${why}`])
  assert.deepEqual([there()?.port?.closed, there()?.host], [false, undefined])
  await cluster.store.delete({ kind: 'UnifiedNetworkPolicy', namespace: 'a', name: 'strict' })
  await until(cluster, () => Promise.resolve(there()?.host === 'n1'))
  cloud.plug(there()!.id)
  await is('Active')
  await cluster.make('UnifiedNetworkPolicy', 'a/strict', policy)
  await is('PolicyNotDone')
  assert.deepEqual(await told(), ['error', `the Port is open, as it was bound before and is not ours to close: ${why}`])
  assert.deepEqual([there()?.port?.closed, there()?.host], [false, 'n1'])
  await cluster.close()
})

test('nothing is closed at a cloud where a policy, or the cluster, is in audit', async () => {
  const of = await around()
  const { cluster } = of
  await cluster.make('UnifiedNetworkPolicy', 'a/strict', { ...policy, mode: 'audit' })
  await makeReady(of)
  await cluster.settle()
  assert.equal(reasonOf(await cluster.get('Port', 'a/p')), 'Made')
  await cluster.close()
  const auditing = await around({ enforcement: 'audit' })
  await auditing.cluster.make('UnifiedNetworkPolicy', 'a/strict', policy)
  await makeReady(auditing)
  await auditing.cluster.settle()
  assert.equal(reasonOf(await auditing.cluster.get('Port', 'a/p')), 'Made')
  await auditing.cluster.close()
})

test('a Port has the QoS policy that it names, and none that it names no more; what others have chosen stays', async () => {
  const of = await around()
  const { cluster, cloud } = of
  await makeReady(of, { qosPolicy: 'slow' })
  const ref = { kind: 'Port', namespace: 'a', name: 'p' } as const
  const edit = async (qosPolicy: string | undefined): Promise<void> => {
    const { spec, ...port } = (await cluster.store.get(ref))!
    const { qosPolicy: _, ...rest } = spec
    await cluster.store.update({ ...port, spec: { ...rest, ...(qosPolicy !== undefined && { qosPolicy }) } })
  }
  const there = (): string | undefined => cloud.all('port')[0]?.port?.qosPolicy?.name
  const told = async (): Promise<string | undefined> => (await cluster.get('Port', 'a/p'))?.status?.qosPolicy
  assert.deepEqual([there(), await told()], ['slow', 'slow'])
  await edit('qos-fast')
  await until(cluster, async () => there() === 'fast' && (await told()) === 'qos-fast')
  await edit(undefined)
  await until(cluster, async () => there() === undefined && (await told()) === undefined)
  const [port] = cloud.all('port')
  cloud.change('port', port!.id, { port: { ...port!.port!, qosPolicy: { id: 'qos-slow', name: 'slow' } } })
  await cluster.advance(600_000)
  assert.equal(there(), 'slow')
  await edit('nowhere')
  await until(cluster, isReason(of, 'Port', 'a/p', 'Refused'))
  assert.match((await cluster.get('Port', 'a/p'))?.status?.message ?? '', /there is no QoS policy nowhere/)
  await edit(undefined)
  await until(cluster, isReason(of, 'Port', 'a/p', 'Made'))
  assert.equal(there(), 'slow')
  await cluster.close()
})

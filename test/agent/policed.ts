// What workers say of policies, written by a test: rule sets, and the Ports that they judge.
import { refOf, type Resource } from '../../core/kinds/index.ts'
import type { CompiledRule, RuleSetSpec } from '../../core/kinds/policy/policy-rule-set.ts'
import { SqliteStore } from '../../platform/store/sqlite.ts'
import { makePod, withNetwork } from '../workers/network.ts'
import { openTestCluster, type TestCluster } from '../workers/test-cluster.ts'

export const vni = 5000
export const webRule: CompiledRule = {
  index: 0,
  source: '/spec/ingress/0',
  direction: 'ingress',
  level: 0,
  action: 'allow',
  transport: [{ protocol: 6, first: 80 }],
}

/** A NetworkPolicy that lets identity 7 be asked on TCP port 80, and on nothing else. */
export const ruleSetSpec = (number: number, more: Partial<RuleSetSpec> = {}): RuleSetSpec => ({
  vni,
  number,
  tier: 'networkPolicy',
  policy: { kind: 'NetworkPolicy', namespace: 'a', name: `policy-${number}`, uid: `uid-${number}` },
  priority: 0,
  subjects: [7],
  isolates: ['ingress'],
  rules: [webRule],
  ...more,
})
export const nameOf = (number: number): string => `vni-${vni}-${number}`

export interface PolicedCluster {
  /** Nobody works in it any more: what a test writes of policies stands. */
  readonly cluster: TestCluster
  readonly pod: Resource<'Pod'>
  readonly store: SqliteStore
}

/** With a pod on the Node n1, whose Port is ready. The store is the caller's to close, after the cluster. */
export async function openPoliced(): Promise<PolicedCluster> {
  const store = SqliteStore.open(':memory:')
  const begun = await openTestCluster({ store })
  await store.create({ kind: 'Node', metadata: { name: 'n1' }, spec: {} })
  await withNetwork(begun)
  const pod = await makePod(begun, 'a/web', { node: 'n1', nics: [{ name: 'eth0' }] })
  await begun.settle()
  await begun.close()
  return { cluster: await openTestCluster({ store, idle: true }), pod, store }
}

/** Made, or changed to this. */
export async function putRuleSet(cluster: TestCluster, number: number, more: Partial<RuleSetSpec> = {}): Promise<void> {
  const spec = ruleSetSpec(number, more)
  const there = await cluster.get('PolicyRuleSet', `a/${nameOf(number)}`)
  if (there === undefined) await cluster.make('PolicyRuleSet', `a/${nameOf(number)}`, spec)
  else await cluster.store.update({ ...there, spec })
}
export const dropRuleSet = (cluster: TestCluster, number: number): Promise<unknown> =>
  cluster.store.delete({ kind: 'PolicyRuleSet', namespace: 'a', name: nameOf(number) })

/** Writes who judges the only Port there is. */
export async function judge(cluster: TestCluster, identity: number, ...numbers: readonly number[]): Promise<void> {
  const port = await onlyPort(cluster)
  const policy = { identity, ruleSets: numbers.map(nameOf) }
  await cluster.store.patchStatus({ ref: refOf(port), uid: port.metadata.uid }, { policy: { policy } })
}
/** As workers do once no policy is in force any more. */
export async function judgeNoMore(cluster: TestCluster): Promise<void> {
  const port = await onlyPort(cluster)
  await cluster.store.patchStatus({ ref: refOf(port), uid: port.metadata.uid }, { policy: {} })
}

export async function onlyPort(cluster: TestCluster): Promise<Resource<'Port'>> {
  return (await cluster.all('Port'))[0]!
}

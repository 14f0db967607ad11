// More policies on one pod than are done: it is closed, all who could help it are told, and nobody else is touched.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { SpecOf, StatusOf } from '../../core/kinds/index.ts'
import { policiesMost } from '../../core/plan/policy/port-policy.ts'
import { makePod, withNetwork } from './network.ts'
import { openTestCluster, type TestCluster } from './test-cluster.ts'

let cluster: TestCluster
before(async () => {
  cluster = await openTestCluster()
  await withNetwork(cluster)
  for (const app of ['flooded', 'other']) await makePod(cluster, `a/${app}`, { node: 'n1', metadata: { labels: { app } } })
  await makePolicy('of-other', 'other')
  for (let n = 0; n <= policiesMost; n++) await makePolicy(`flood-${n}`, 'flooded')
  await cluster.advance(10_000)
})
after(() => cluster.close())

function makePolicy(name: string, app: string): Promise<unknown> {
  const spec: SpecOf<'NetworkPolicy'> = { podSelector: { matchLabels: { app } }, ingress: [{}] }
  return cluster.make('NetworkPolicy', `a/${name}`, spec)
}
async function portOf(pod: string): Promise<NonNullable<StatusOf<'Port'>>> {
  const port = (await cluster.all('Port')).find(({ spec }) => spec.claim?.pod === pod)
  return port?.status ?? assert.fail(`${pod} has no Port`)
}
async function absentOf({ policy }: NonNullable<StatusOf<'Port'>>): Promise<readonly string[]> {
  const there = new Set((await cluster.all('PolicyRuleSet')).map(({ metadata }) => metadata.name))
  return (policy?.ruleSets ?? []).filter((name) => !there.has(name))
}
const notesOn = async (name: string): Promise<readonly string[]> =>
  (await cluster.all('Event')).filter(({ spec }) => spec.regarding.name === name).map(({ spec }) => spec.note ?? '')

test('a pod that more policies judge than are done lets nothing pass: it is told so, and so is each of them', async () => {
  const flooded = await portOf('flooded')
  assert.equal(flooded.policy?.ruleSets.length, policiesMost + 1)
  assert.deepEqual(await absentOf(flooded), [`vni-${flooded.vni}-0`], 'one of them is nowhere, so that its node closes it')
  assert.match(flooded.message ?? '', /nothing passes, as 1025 policies judge it, and 1024 at most are done$/)
  const unsupported = flooded.conditions?.find(({ type }) => type === 'Unsupported')
  assert.equal(unsupported?.reason, 'TooManyPolicies')
  const [note = '', ...others] = await notesOn('flood-7')
  assert.match(note, /^nothing passes at Port a\/flooded-\S+: 1025 policies judge it, and 1024 at most are done$/)
  assert.deepEqual(others, [])
})

test('a pod that they do not judge is judged as it was, and its policy says nothing', async () => {
  const other = await portOf('other')
  assert.deepEqual([other.policy?.ruleSets.length, await absentOf(other), await notesOn('of-other')], [1, [], []])
})

test('with one of them less it is judged by all the others', async () => {
  await cluster.store.delete({ kind: 'NetworkPolicy', namespace: 'a', name: 'flood-0' })
  await cluster.advance(20_000)
  const flooded = await portOf('flooded')
  assert.deepEqual([flooded.policy?.ruleSets.length, await absentOf(flooded)], [policiesMost, []])
  assert.equal(
    flooded.conditions?.some(({ type }) => type === 'Unsupported'),
    false,
  )
})

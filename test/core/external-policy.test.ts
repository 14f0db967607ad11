// Who judges the pods of an L2ServiceAttachment: what its status says of them, and what their nodes make of that.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Resource } from '../../core/kinds/index.ts'
import { unknown } from '../../core/kinds/policy/tiers.ts'
import { isVlanSegment, vlanMax, vlanSegment, vniMax } from '../../core/net/segment.ts'
import { planAttachmentPolicy, type BoundPod } from '../../core/plan/l2/attachment-policy.ts'
import { externalPolicyNamed } from '../../core/plan/node/external-policy.ts'
import { policyHere } from '../../core/plan/node/policy.ts'
import type { PolicyBinding } from '../../core/plan/policy/port-policy.ts'

const segment = vlanSegment('physnet1', 100)
type Status = Resource<'L2ServiceAttachment'>['status']
const attachmentWith = (status: Status): Resource<'L2ServiceAttachment'> => ({
  apiVersion: 'megrez.io/v1alpha1',
  kind: 'L2ServiceAttachment',
  metadata: { namespace: 'a', name: 'blue', uid: 'u', resourceVersion: '1', creationTimestamp: '2026-01-01T00:00:00Z', generation: 1 },
  spec: { l2Services: ['blue'], connectionPoint: 'cp', vlanType: 'access' },
  ...(status && { status }),
})
const binding = (number: number, { isReady = true, sets = ['s'] }: { isReady?: boolean; sets?: string[] } = {}): PolicyBinding => {
  const draft = {
    kind: 'PolicyIdentity',
    metadata: { namespace: 'a', name: `vni-${segment}-${number}` },
    spec: { vni: segment, number, facts: { namespace: 'a' } },
  } as const
  const metadata = { ...draft.metadata, uid: `i${number}`, resourceVersion: '1', creationTimestamp: '2026-01-01T00:00:00Z', generation: 1 }
  const item = { ...draft, apiVersion: 'megrez.io/v1alpha1', metadata, status: { phase: isReady ? 'ready' : 'pending' } } as const
  return {
    identity: { number, draft, item, isUnused: false },
    sets: sets.map((name) => ({ name, hasSubject: true })),
    absent: [],
    isEnding: false,
  }
}
const policyOf = (pods: readonly BoundPod[], status?: Status) =>
  planAttachmentPolicy(attachmentWith(status), { segment, pods, audit: false }).section.policy

test('a number of a VLAN is none of a VNI, has 32 bits, and is another one for another VLAN and another network', () => {
  const numbers = ['physnet1', 'physnet2', 'x'].flatMap((network) => [1, 100, vlanMax].map((vlan) => vlanSegment(network, vlan)))
  assert.equal(new Set(numbers).size, numbers.length)
  for (const number of numbers) assert.ok(isVlanSegment(number) && number > vniMax && number < 2 ** 32, String(number))
})

test('pods of one identity are told of together, in an order that says nothing of when they came', () => {
  const pods = [
    { uid: 'c', binding: binding(7) },
    { uid: 'b', binding: binding(5) },
    { uid: 'a', binding: binding(7) },
  ]
  assert.deepEqual(policyOf(pods), {
    segment,
    judged: [
      { identity: 5, ruleSets: ['s'], pods: ['b'] },
      { identity: 7, ruleSets: ['s'], pods: ['a', 'c'] },
    ],
  })
  assert.deepEqual(policyOf(pods.toReversed()), policyOf(pods))
})

test('an identity that is not there is made once, for however many pods', () => {
  const { identity, ...rest } = binding(7)
  const missing = { ...rest, identity: { ...identity, item: undefined } }
  const plan = planAttachmentPolicy(attachmentWith(undefined), {
    segment,
    pods: ['a', 'b'].map((uid) => ({ uid, binding: missing })),
    audit: false,
  })
  assert.deepEqual(
    plan.steps.map(({ action }) => action),
    [{ do: 'makeIdentity', draft: identity.draft }],
  )
  assert.equal(plan.waitsFor?.kind, 'identity')
})

test('a pod that is told of keeps what it had while its next identity is not in all rules', () => {
  const before = { policy: { segment, judged: [{ identity: 5, ruleSets: ['s'], pods: ['a'] }] } }
  const pods = [{ uid: 'a', binding: binding(7, { isReady: false, sets: ['t'] }) }]
  assert.deepEqual(policyOf(pods, before)?.judged, before.policy.judged)
  const moved = { policy: { ...before.policy, segment: segment + 1 } }
  assert.deepEqual(policyOf(pods, moved)?.judged, [{ identity: 7, ruleSets: ['t'], pods: ['a'] }], 'of another VLAN nothing is kept')
})

test('where no policy is in force nothing is said, and where one is in force it is said of nobody too', () => {
  assert.deepEqual(planAttachmentPolicy(attachmentWith(undefined), { segment, pods: undefined, audit: false }).section, {})
  assert.deepEqual(policyOf([]), { segment, judged: [] })
})

const judged = [{ identity: 7, ruleSets: [`vni-${segment}-3`], pods: ['a'] }]
const cases: Readonly<Record<string, readonly [status: Status, podUID: string | undefined, closed: boolean | undefined]>> = {
  'workers of before say nothing of policies': [{}, 'a', undefined],
  'a pod that is told of': [{ policy: { segment, judged } }, 'a', false],
  'a pod that is not': [{ policy: { segment, judged } }, 'b', true],
  'one that is not, where the cluster audits': [{ policy: { segment, judged, audit: true } }, 'b', undefined],
  'one whose runtime tells no UID': [{ policy: { segment, judged } }, undefined, true],
  'one that is told of in another VLAN': [{ policy: { segment: segment + 1, judged } }, 'a', true],
}
for (const [name, [status, podUID, closed]] of Object.entries(cases))
  test(`${name}: ${closed === undefined ? 'nobody judges it' : closed ? 'it is closed' : 'it is judged'}`, () => {
    const named = externalPolicyNamed(attachmentWith(status), { podUID, segment })
    assert.equal(named?.identity, closed === undefined ? undefined : closed ? unknown : 7)
    const set = {
      namespace: 'a',
      vni: segment,
      number: 3,
      tier: 'unified',
      policy: { kind: 'UnifiedNetworkPolicy', name: 'p', uid: 'u' },
      priority: 0,
      subjects: [7],
      isolates: [],
      rules: [],
    } as const
    const here = {
      ruleSet: (text: string) => (text === `vni-${segment}-3` ? { ...set, subjects: [7], isolates: [], rules: [] } : undefined),
      unsupported: () => [],
    }
    assert.equal(named && policyHere(named, here).isClosed, closed)
  })

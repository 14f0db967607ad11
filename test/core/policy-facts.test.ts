import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { CommonPolicy, Selection } from '../../core/policy/one-form.ts'
import type { Requirement } from '../../core/policy/label-selector.ts'
import { memberOf } from '../../core/policy/member.ts'
import { factsText, identityNumber, numberAfter } from '../../core/policy/numbers.ts'
import { Relevance } from '../../core/policy/relevance.ts'
import { member, resource, vni } from './policy-things.ts'

const has = (key: string, ...values: readonly string[]): Requirement => ({ key, operator: 'In', values })
const isThere = (key: string): Requirement => ({ key, operator: 'Exists', values: [] })

function policy(subjects: Selection, ...peers: readonly Selection[]): CommonPolicy {
  return {
    of: { kind: 'NetworkPolicy', namespace: 'a', name: 'p', uid: 'p' },
    tier: 'networkPolicy',
    priority: 0,
    subjects,
    isolates: ['ingress'],
    rules: [{ source: '/spec/ingress/0', direction: 'ingress', action: 'allow', peers: { selections: peers, blocks: [] } }],
  }
}

describe('facts of an address', () => {
  const web = member('a/web', { app: 'web', 'pod-template-hash': 'x1', tier: 'front' })

  test('are no more than its namespace where no policy looks at more', () => {
    assert.deepEqual(new Relevance([]).factsOf(web), { namespace: 'a' })
    assert.deepEqual(new Relevance([policy({ namespace: 'b', labels: [has('app', 'web')] })]).factsOf(web), { namespace: 'a' })
  })

  test('are the labels that a selector names, and of their values those that it names', () => {
    const relevance = new Relevance([policy({ namespace: 'a', labels: [has('app', 'web'), has('tier', 'back')] })])
    assert.deepEqual(relevance.factsOf(web), { namespace: 'a', labels: { app: 'web' } })
    assert.deepEqual(relevance.factsOf(member('a/db', { app: 'db' })), { namespace: 'a' })
  })

  test('tell two values apart only where a selector does', () => {
    const relevance = new Relevance([policy({ namespace: 'a', labels: [isThere('pod-template-hash')] })])
    const [one, two] = [web, member('a/x', { 'pod-template-hash': 'x2' })].map((each) => factsText(relevance.factsOf(each)))
    assert.equal(one, two)
    assert.notEqual(one, factsText(relevance.factsOf(member('a/y'))))
  })

  test('are what a selector of another namespace looks at only where that one reaches', () => {
    const reaching = policy({ namespace: 'b' }, { namespaceLabels: [has('team', 'x')], labels: [has('app', 'web')] })
    const relevance = new Relevance([reaching])
    assert.deepEqual(relevance.factsOf(web), { namespace: 'a' })
    const inTeam = { ...web, namespaceLabels: { ...web.namespaceLabels, team: 'x' } }
    assert.deepEqual(relevance.factsOf(inTeam), { namespace: 'a', labels: { app: 'web' } })
  })

  test('are SecurityGroups and Port that a policy names', () => {
    const full = member('a/web', {}, { securityGroups: ['a/two', 'a/one', 'a/three'] })
    const relevance = new Relevance([policy({ group: 'a/two' }, { group: 'a/one' }, { port: 'a/web' })])
    assert.deepEqual(relevance.factsOf(full), { namespace: 'a', securityGroups: ['a/one', 'a/two'], port: 'a/web' })
  })

  test('have one number for each text, inside the bounds, and the next ones come round', () => {
    const one = identityNumber(vni, { namespace: 'a', labels: { x: '1', y: '2' } })
    assert.equal(one, identityNumber(vni, { labels: { y: '2', x: '1' }, namespace: 'a' }))
    assert.notEqual(one, identityNumber(vni + 1, { namespace: 'a', labels: { x: '1', y: '2' } }))
    const drawn = Array.from({ length: 1000 }, (_, i) => identityNumber(vni, { namespace: `n${i}` }))
    assert.equal(
      drawn.every((number) => number >= 1 && number <= 0xfffffe),
      true,
    )
    assert.equal(new Set(drawn).size > 990, true)
    assert.deepEqual([numberAfter(1), numberAfter(0xfffffd), numberAfter(0xfffffe)], [2, 0xfffffe, 1])
  })
})

describe('who has a Port', () => {
  const port = resource('Port', 'a/p', { subnet: 'b/net', securityGroups: ['front'] }, { labels: { app: 'vm' } })
  const containers = [
    { name: 'one', ports: [{ name: 'http', containerPort: 80 }, { containerPort: 9 }] },
    {
      name: 'two',
      ports: [
        { name: 'dns', containerPort: 53, protocol: 'UDP' },
        { name: 'http', containerPort: 81 },
      ],
    },
  ]
  const pod = resource('Pod', 'a/web', { containers }, { labels: { app: 'web' }, annotations: { 'megrez.io/unp': 'fast' } })

  test('is his pod with its labels and named ports, else the Port with its own', () => {
    const ofPod = memberOf(port, { pod, hasDefaultGroup: true })
    assert.deepEqual(ofPod.labels, { app: 'web' })
    assert.deepEqual(ofPod.containerPorts, { 'tcp/http': 80, 'udp/dns': 53 })
    assert.equal(ofPod.unified, 'fast')
    assert.deepEqual([ofPod.securityGroups, ofPod.port], [['a/front'], 'a/p'])
    assert.deepEqual(memberOf(port, { hasDefaultGroup: true }).labels, { app: 'vm' })
  })

  test('has the group `default` of his namespace where the Port names none and there is one', () => {
    const without = resource('Port', 'a/p', { subnet: 'net' })
    assert.deepEqual(memberOf(without, { hasDefaultGroup: true }).securityGroups, ['a/default'])
    assert.deepEqual(memberOf(without, { hasDefaultGroup: false }).securityGroups, [])
  })

  test('is in a namespace that has its name as a label', () => {
    const namespace = resource('Namespace', 'a', {}, { labels: { team: 'x' } })
    const name = { 'kubernetes.io/metadata.name': 'a' }
    assert.deepEqual(memberOf(port, { namespace, hasDefaultGroup: false }).namespaceLabels, { team: 'x', ...name })
    assert.deepEqual(memberOf(port, { hasDefaultGroup: false }).namespaceLabels, name)
  })
})

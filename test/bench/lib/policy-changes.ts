// What one change costs a worker that knows 75,000 policies and 100,000 Ports of one VNI: a rule that is edited, and a pod that is labelled
// otherwise. Run as a program: prints the milliseconds of each.
import { compile } from '../../../core/policy/compile.ts'
import type { Resource } from '../../../core/kinds/index.ts'
import { openCaches } from '../../../platform/cache/caches.ts'
import { SqliteStore } from '../../../platform/store/sqlite.ts'
import { Policies } from '../../../workers/policy/policies.ts'
import { policyKey } from '../../../workers/policy/policy-kinds.ts'
import { factsText } from '../../../core/policy/numbers.ts'
import { drawnPods, drawnPolicies, namespaces, policyAt, vni } from './policy-cluster.ts'

const changes = 50
const store = SqliteStore.open(':memory:')
const caches = openCaches(store)
const policies = new Policies(caches)
const pods = [...drawnPods()]

const portOf = (name: string): Resource<'Port'> => ({
  apiVersion: 'megrez.io/v1alpha1',
  kind: 'Port',
  metadata: { ...named(name), uid: name, resourceVersion: '1', generation: 1, creationTimestamp: '2026-01-01T00:00:00Z' },
  spec: { subnet: 'net/all' },
  status: { vni },
})

function named(key: string): { readonly namespace: string; readonly name: string } {
  const [namespace = '', name = ''] = key.split('/')
  return { namespace, name }
}

for (const policy of drawnPolicies()) caches.NetworkPolicy.learn(`${policy.metadata.namespace}/${policy.metadata.name}`, policy)
for (const { port } of pods) caches.Port.learn(port, portOf(port))
const numbers = new Map<string, number>()
for (const pod of pods) {
  const facts = policies.inForce(vni).relevance.factsOf(pod)
  const text = factsText(facts)
  if (numbers.has(text)) continue
  numbers.set(text, numbers.size + 1)
  policies.directory(vni).add({ number: numbers.size, facts })
}

const around = () => ({
  vni,
  families: [4] as const,
  subnets: new Map([['net/all', ['10.0.0.0/8']]]),
  directory: policies.directory(vni),
  unified: policies.inForce(vni).unified,
  ties: policies.inForce(vni).ties,
  audit: false,
})

function edit(n: number): number {
  const { metadata, ...policy } = policyAt(n, 0, 9_000)
  const edited = { ...policy, metadata: { ...metadata, resourceVersion: '2' } }
  const key = `${metadata.namespace}/${metadata.name}`
  const began = performance.now()
  caches.NetworkPolicy.learn(key, edited)
  const { spec } = compile(policies.policyOf(policyKey({ kind: 'NetworkPolicy', name: key }))!.policy!, 1, around())
  const ms = performance.now() - began
  if (spec.rules[0]?.transport?.[0]?.first !== 9_000) throw new Error('the edited rule is not in what is compiled')
  return ms
}

/** It takes the label of another: who judges it, and whose peer it is, is asked anew. */
function relabel(n: number): number {
  const pod = { ...pods[n * 4]!, labels: { app: 'db' } }
  const began = performance.now()
  const inForce = policies.inForce(vni)
  const facts = inForce.relevance.factsOf(pod)
  const matching = inForce.matching(facts, policies.directory(vni))
  for (const policy of matching) compile(policy, 1, around())
  const ms = performance.now() - began
  if (matching.length !== 2) throw new Error(`${matching.length} policies match a db, and two do`)
  return ms
}

const places = Array.from({ length: changes }, (_, i) => Math.floor((i * namespaces) / changes))
const figures = { edits: places.map(edit), relabels: places.map(relabel) }
process.stdout.write(JSON.stringify(figures))

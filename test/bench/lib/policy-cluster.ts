// A cluster's policies and pods, as Antrea measures them: 25,000 namespaces with four pods and three NetworkPolicies each, all in one VNI.
// Run as a program it compiles all of them once and prints how long that took, and the most memory that it ever had.
import type { Resource } from '../../../core/kinds/index.ts'
import { compile, type CompileOptions } from '../../../core/policy/compile.ts'
import { UnifiedChoice } from '../../../core/policy/choose-unified.ts'
import { Directory, type KnownIdentity } from '../../../core/policy/directory.ts'
import { namespaceLabelsOf, type Member } from '../../../core/policy/member.ts'
import { factsText } from '../../../core/policy/numbers.ts'
import { readPolicy } from '../../../core/policy/read.ts'
import { Relevance } from '../../../core/policy/relevance.ts'
import { Ties } from '../../../core/policy/rules/ties.ts'

export const namespaces = 25_000
const podsEach = 4
const policiesEach = 3
export const vni = 5_001
const apps = ['web', 'app', 'db', 'job']

const namespaceOf = (i: number): string => `ns-${i}`

export function* drawnPods(): Iterable<Member> {
  for (let n = 0; n < namespaces; n++)
    for (let i = 0; i < podsEach; i++)
      yield {
        namespace: namespaceOf(n),
        // A label that no policy looks at makes nobody another.
        labels: { app: apps[i]!, 'pod-template-hash': `${n}-${i}` },
        namespaceLabels: namespaceLabelsOf(namespaceOf(n)),
        securityGroups: [],
        port: `${namespaceOf(n)}/pod-${i}`,
        containerPorts: {},
      }
}

export const policyAt = (n: number, i: number, l4Port = 8_080 + i): Resource<'NetworkPolicy'> => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'NetworkPolicy',
  metadata: {
    namespace: namespaceOf(n),
    name: `policy-${i}`,
    uid: `${n}-${i}`,
    resourceVersion: '1',
    generation: l4Port,
    creationTimestamp: '2026-01-01T00:00:00Z',
  },
  spec: {
    podSelector: { matchLabels: { app: apps[i]! } },
    policyTypes: ['Ingress'],
    ingress: [{ from: [{ podSelector: { matchLabels: { app: apps[i + 1]! } } }], ports: [{ protocol: 'TCP', port: l4Port }] }],
  },
})

export function* drawnPolicies(): Iterable<Resource<'NetworkPolicy'>> {
  for (let n = 0; n < namespaces; n++) for (let i = 0; i < policiesEach; i++) yield policyAt(n, i)
}

/** What workers do of them, from objects to rules. @returns how many rules there are */
export function compileAll(pods: readonly Member[], policies: readonly Resource<'NetworkPolicy'>[]): number {
  const common = policies.map((each) => readPolicy(each).policy!)
  const relevance = new Relevance(common)
  const identities = new Map<string, KnownIdentity>()
  for (const pod of pods) {
    const facts = relevance.factsOf(pod)
    const text = factsText(facts)
    if (!identities.has(text)) identities.set(text, { number: identities.size + 1, facts })
  }
  const directory = new Directory(identities.values(), namespaceLabelsOf)
  const subnets = new Map([['net/all', ['10.0.0.0/8']]])
  const options: CompileOptions = {
    vni,
    families: [4],
    subnets,
    directory,
    unified: new UnifiedChoice(common),
    ties: new Ties(common),
    audit: false,
  }
  return common.reduce((count, policy, i) => count + compile(policy, i + 1, options).spec.rules.length, 0)
}

if (process.argv[1] === import.meta.filename) {
  const [pods, policies] = [[...drawnPods()], [...drawnPolicies()]]
  const began = performance.now()
  const rules = compileAll(pods, policies)
  const ms = performance.now() - began
  process.stdout.write(JSON.stringify({ rules, ms, rssMiB: process.resourceUsage().maxRSS / 1024 }))
}

// What the API server of agent-api.ts has of policies: ten groups of a hundred rules that judge each Port of the node, and an identity for
// every address.
import { ruleSetName } from '../../../core/kinds/policy/policy-rule-set.ts'

const rulesEach = 100
export const rules = 1_000
export const ruleSets = rules / rulesEach
const firstL4Port = 10_000
const localFirst = 2_000
/** As many as there are sets of labels. */
const [remoteIdentities, localIdentities] = [1_000, 10]

export const identityOf = (i: number): number => 1 + (i % remoteIdentities)
const localIdentityOf = (i: number): number => localFirst + (i % localIdentities)

export const judgedBy = (vni: number, i: number): object => ({
  identity: localIdentityOf(i),
  ruleSets: Array.from({ length: ruleSets }, (_, nth) => ruleSetName({ vni, number: 1 + nth })),
})

/** Each of its rules lets one other group's ten identities reach one L4 port. */
export const ruleSetSpec = (vni: number, nth: number): object => ({
  vni,
  number: 1 + nth,
  tier: 'securityGroup',
  policy: { kind: 'SecurityGroup', namespace: 'a', name: `group-${nth}`, uid: `group-${nth}` },
  priority: 0,
  subjects: Array.from({ length: localIdentities }, (_, i) => localIdentityOf(i)),
  isolates: ['ingress'],
  rules: Array.from({ length: rulesEach }, (_, index) => {
    const rule = nth * rulesEach + index
    return {
      index,
      source: `/spec/rules/${index}`,
      direction: 'ingress',
      level: 0,
      action: 'allow',
      peers: { identities: Array.from({ length: 10 }, (_, i) => identityOf(10 * rule + i)), blocks: [] },
      transport: [{ protocol: 6, first: firstL4Port + rule, last: firstL4Port + rule }],
    }
  }),
})

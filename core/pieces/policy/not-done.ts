// What data planes that follow no connections do not do of a rule set.
import type { Unsupported } from '../../node/unsupported.ts'
import type { RuleSetSpec } from '../../kinds/policy/policy-rule-set.ts'
import { isVlanSegment } from '../../net/segment.ts'
import { statefulParts } from '../../policy/rules/stateless.ts'

const saying = (all: readonly string[]): readonly Unsupported[] => all.map((why) => ({ name: 'policy', why }))

/** They limit, mark and log nothing either. */
const withoutConnections = (set: RuleSetSpec): readonly string[] => [
  ...statefulParts(set),
  ...Object.keys(set.traffic ?? {}).map((name) => `${name} is not done here`),
  ...set.rules.filter(({ max }) => max !== undefined).map(({ source }) => `${source} limits, and no rule's rate is limited here`),
  ...set.rules.filter(({ log }) => log === true).map(({ source }) => `${source} logs, and nothing is logged here`),
]

/** Of one that asks for whole families at most. */
const withoutBlocks = ({ rules }: RuleSetSpec): readonly string[] =>
  rules
    .filter(({ peers, audit }) => audit !== true && peers?.blocks.some((block) => !block.endsWith('/0')) === true)
    .map(({ source }) => `${source} asks for blocks of addresses, which BESS is not asked about yet`)

const inVlan = ({ vni }: RuleSetSpec): boolean => isVlanSegment(vni)
const noVlans = saying(['it is about a VLAN, and what passes there is not judged here'])

export const notDone = {
  bess: (set: RuleSetSpec): readonly Unsupported[] => (inVlan(set) ? noVlans : saying([...withoutConnections(set), ...withoutBlocks(set)])),
  linux: (set: RuleSetSpec): readonly Unsupported[] => (inVlan(set) ? noVlans : saying(withoutConnections(set))),
} as const

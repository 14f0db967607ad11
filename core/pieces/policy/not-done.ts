// What data planes that follow no connections do not do of a rule set.
import type { Unsupported } from '../../node/unsupported.ts'
import type { RuleSetSpec } from '../../kinds/policy/policy-rule-set.ts'
import { limitsNotDone } from '../../graph/policies/limits.ts'
import type { LinuxOptions } from '../../linux/options.ts'
import { isVlanSegment } from '../../net/segment.ts'
import { enforcedRules, oneSidedTraffic, statefulParts } from '../../policy/rules/stateless.ts'

const saying = (all: readonly string[]): readonly Unsupported[] => all.map((why) => ({ name: 'policy', why }))

/** No rule of theirs limits or marks either. */
const withoutRuled = (set: RuleSetSpec): readonly string[] => [
  ...enforcedRules(set)
    .filter(({ dscp }) => dscp !== undefined)
    .map(({ source }) => `${source} marks connections, which are not followed here`),
  ...set.rules.filter(({ max }) => max !== undefined).map(({ source }) => `${source} limits, and no rule's rate is limited here`),
]

const limitsOf = ({ traffic }: RuleSetSpec): readonly string[] => limitsNotDone([traffic?.maxIngress, traffic?.maxEgress])

const withoutLog = ({ rules }: RuleSetSpec, why: string): readonly string[] =>
  rules.filter(({ log }) => log === true).map(({ source }) => `${source} logs, and ${why}`)

/** Elements of tables of BESS, for each way one: a block is no more than one for each bit of its length, whatever is taken out of it. */
const blockElementsMost = 4_096

function tooManyBlocks({ rules }: RuleSetSpec): readonly string[] {
  const peers = rules.flatMap((rule) => (rule.audit === true ? [] : (rule.peers ?? [])))
  const lengths = [...new Set(peers.flatMap(({ blocks }) => blocks))].map((block) => Number(block.split('/')[1]))
  // Those that nobody names, anyone else and who has none are two more.
  const whom = new Set(peers.flatMap(({ identities }) => identities)).size + 3
  const elements = whom * lengths.reduce((sum, length) => sum + length, 0)
  return elements > blockElementsMost
    ? [
        `its blocks of addresses, with the identities it names, may need ${elements} elements, and BESS is given ${blockElementsMost} at most`,
      ]
    : []
}

const isRuling = (set: RuleSetSpec): boolean =>
  set.traffic !== undefined || enforcedRules(set).some(({ max, dscp }) => max !== undefined || dscp !== undefined)

const withoutChains = ({ chains }: RuleSetSpec): readonly string[] =>
  (chains?.chains ?? []).map(({ name }) => `service chain ${name} goes by functions, to which nothing is handed here`)

const withoutInspections = ({ inspections = [] }: RuleSetSpec): readonly string[] =>
  inspections.filter(({ l7 }) => l7 !== undefined).map(({ source }) => `${source} asks what is said in connections, which nobody asks here`)

const inVlan = ({ vni }: RuleSetSpec): boolean => isVlanSegment(vni)
const noVlans = saying(['it is about a VLAN, and what passes there is not judged here'])

export const notDone = {
  bess: (set: RuleSetSpec): readonly Unsupported[] =>
    inVlan(set)
      ? noVlans
      : saying([
          ...statefulParts(set),
          ...withoutRuled(set),
          ...withoutLog(set, 'nothing is logged here'),
          ...limitsOf(set),
          ...withoutChains(set),
          ...withoutInspections(set),
          ...tooManyBlocks(set),
        ]),
  linux: (set: RuleSetSpec, { noTraffic, noLog }: Pick<LinuxOptions, 'noTraffic' | 'noLog'> = {}): readonly Unsupported[] =>
    inVlan(set)
      ? noVlans
      : saying([
          ...statefulParts(set),
          ...oneSidedTraffic(set),
          ...withoutChains(set),
          ...withoutInspections(set),
          ...(noLog === undefined ? [] : withoutLog(set, noLog)),
          ...(noTraffic === undefined || !isRuling(set) ? [] : [noTraffic]),
        ]),
} as const

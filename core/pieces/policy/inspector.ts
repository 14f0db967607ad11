// The proxy that asks what is said in connections, for a VNI and a direction: made of the Ports here that policies with `l7` judge, and of
// the rule sets of these.
import { ruleSetName } from '../../kinds/policy/policy-rule-set.ts'
import { inspectorItems } from '../../node/inspectors/item.ts'
import type { InspectedPolicy, Inspector } from '../../node/inspectors/inspected.ts'
import type { InspectedDirection } from '../../node/inspectors/names.ts'
import type { LocalPort, RuleSet } from '../../node/wanted.ts'
import { gives, madeOf, type PieceKind } from '../kind.ts'
import { portPiece } from '../port.ts'
import { ruleSetPiece } from './rule-set.ts'

const directions: readonly InspectedDirection[] = ['ingress', 'egress']
export const inspectorPieceKey = (vni: number, direction: InspectedDirection): string => `${vni}/${direction}`

interface Subject {
  readonly ruleSets: readonly string[]
  readonly addresses: readonly string[]
  readonly mtu: number
}
type Share = { readonly subject: Subject } | { readonly set: RuleSet }
const why = 'nothing is asked of what is said in a connection there'

export const inspectorPiece: PieceKind<Inspector> = {
  name: 'Inspector',
  key: ({ vni, direction }) => inspectorPieceKey(vni, direction),
  sources: [],
  made: madeOf([gives(portPiece, sharesOfPort), gives(ruleSetPiece, sharesOfSet)], make),
  inspectors: (inspector) =>
    inspectorItems(inspector, {
      rule: 'rules of policies ask what is said in connections',
      of: { kind: 'SegmentLock', name: `vni-${inspector.vni}` },
    }),
  planes: {
    // What hands connections to it is another piece there (inspection-ports.ts).
    ovs: { items: () => [] },
    bess: why,
    linux: why,
    memory: 'it is in the item of its rules',
  },
}

/** Its own addresses alone: whoever sends from others of its pairs has nobody to answer to. */
function sharesOfPort({ attachment, policy, addresses, mtu }: LocalPort): readonly (readonly [string, Share])[] {
  if (attachment.kind !== 'vni' || policy === undefined || policy.isClosed) return []
  const share = { subject: { ruleSets: policy.ruleSets, addresses, mtu } }
  return directions.map((direction) => [inspectorPieceKey(attachment.vni, direction), share])
}

function sharesOfSet(set: RuleSet): readonly (readonly [string, Share])[] {
  return directions
    .filter((direction) => set.inspections?.some((each) => each.direction === direction))
    .map((direction) => [inspectorPieceKey(set.vni, direction), { set }])
}

function make(key: string, shares: readonly Share[]): Inspector {
  const [vni, direction] = key.split('/') as [string, InspectedDirection]
  const subjects = shares.flatMap((share) => ('subject' in share ? [share.subject] : []))
  const sets = shares.flatMap((share) => ('set' in share ? [share.set] : []))
  const judgedBy = (set: RuleSet): readonly Subject[] => subjects.filter(({ ruleSets }) => ruleSets.includes(ruleSetName(set)))
  return {
    vni: Number(vni),
    direction,
    mtu: Math.min(...sets.flatMap((set) => judgedBy(set).map(({ mtu }) => mtu)), mtuMost),
    policies: sets.flatMap((set) => policyOf(set, judgedBy(set), direction)),
  }
}

/** Of a veth. */
const mtuMost = 65_535

function policyOf({ inspections = [] }: RuleSet, judged: readonly Subject[], direction: InspectedDirection): readonly InspectedPolicy[] {
  const subjects = [...new Set(judged.flatMap(({ addresses }) => addresses))].sort()
  return subjects.length === 0 ? [] : [{ subjects, inspections: inspections.filter((each) => each.direction === direction) }]
}

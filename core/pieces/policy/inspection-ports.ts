// What Open vSwitch has of the inspectors of a node: their ports are numbered all together.
import { ruleSetName } from '../../kinds/policy/policy-rule-set.ts'
import { stableNumbers } from '../../net/stable-numbers.ts'
import { inspectorName, type InspectedDirection } from '../../node/inspectors/names.ts'
import type { LocalPort, RuleSet } from '../../node/wanted.ts'
import {
  inspectorItems,
  isInspecting,
  type InspectedPort,
  type InspectedSet,
  type InspectorOnSwitch,
} from '../../pipeline/inspections/inspector.ts'
import { directions } from '../../pipeline/inspections/stage.ts'
import { numbers } from '../../pipeline/settings.ts'
import { gives, madeOf, type PieceKind } from '../kind.ts'
import { portPiece } from '../port.ts'
import { ruleSetPiece } from './rule-set.ts'

export interface InspectionPorts {
  readonly inspectors: readonly InspectorOnSwitch[]
}

interface JudgedPort extends InspectedPort {
  readonly ruleSets: readonly string[]
}
type Share = { readonly port: JudgedPort } | { readonly set: RuleSet }

const key = 'node'
const why = 'nothing of what is said in a connection is asked there'

export const inspectionPortsPiece: PieceKind<InspectionPorts> = {
  name: 'InspectionPorts',
  key: () => key,
  sources: [],
  made: madeOf([gives(portPiece, shareOfPort), gives(ruleSetPiece, shareOfSet)], (_, shares: readonly Share[]) => ({
    inspectors: inspectorsOf(shares),
  })),
  failsClosed: true,
  planes: {
    ovs: {
      items: ({ inspectors }, _, { bridge, inspectors: can = false }) =>
        can ? inspectors.flatMap((inspector) => inspectorItems(bridge, inspector)) : [],
      closes: isInspecting,
    },
    bess: why,
    linux: why,
    memory: 'it is in the item of its rules',
  },
}

function shareOfPort({ uid, number, mac, addresses, attachment, policy }: LocalPort): readonly (readonly [string, Share])[] {
  if (attachment.kind !== 'vni' || policy === undefined || policy.isClosed) return []
  return [[key, { port: { uid, number, mac, addresses, ruleSets: policy.ruleSets } }]]
}

function shareOfSet(set: RuleSet): readonly (readonly [string, Share])[] {
  return set.inspections === undefined ? [] : [[key, { set }]]
}

function inspectorsOf(shares: readonly Share[]): readonly InspectorOnSwitch[] {
  const ports = shares.flatMap((share) => ('port' in share ? [share.port] : []))
  const sets = shares.flatMap((share) => ('set' in share ? [judgedBy(share.set, ports)] : [])).filter((each) => each.ports.length > 0)
  const wanted = directions.flatMap((direction) =>
    [...Map.groupBy(sets.filter(asks(direction)), ({ set }) => set.vni)].map(([vni, those]) => ({ vni, direction, sets: those })),
  )
  const { first, count } = numbers.inspectors
  const given = stableNumbers(
    wanted.map(({ vni, direction }) => inspectorName(vni, direction)),
    count,
  )
  return wanted.map((each) => {
    const number = given.get(inspectorName(each.vni, each.direction))
    return { ...each, ...(number !== undefined && { number: first + number }) }
  })
}

const asks =
  (direction: InspectedDirection) =>
  ({ set: { inspections = [] } }: InspectedSet): boolean =>
    inspections.some((entry) => entry.direction === direction)

function judgedBy(set: RuleSet, ports: readonly JudgedPort[]): InspectedSet {
  const name = ruleSetName(set)
  return {
    set,
    ports: ports.filter(({ ruleSets }) => ruleSets.includes(name)).map(({ ruleSets: _, ...port }) => port),
  }
}

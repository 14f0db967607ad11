// Parts of a rule as they are read: what cannot be read of a rule makes it narrower where it allows, and wider where it denies.
import type { LabelSelector } from '../../kinds/policy/label-selector.ts'
import type { TransportMatch } from '../../kinds/policy/transport-match.ts'
import { protocolNumbers, protocolsWithPorts } from '../../kinds/policy/protocols.ts'
import { encloses, parsePlainCidr } from '../../net/cidr.ts'
import { readSelector } from '../label-selector.ts'
import type { CommonPeers, CommonRule, NamedPort, Selection } from '../one-form.ts'
import type { Problems } from '../problem.ts'
import { subtractText } from './subtract.ts'

/** What each part came to; undefined for one that cannot be read, or is not done. The list itself is absent: anything. */
export interface Parts {
  readonly peers?: readonly (CommonPeers | undefined)[]
  readonly transport?: readonly (readonly (TransportMatch | NamedPort)[] | undefined)[]
}

type Base = Omit<CommonRule, 'peers' | 'transport'>

/**
 * A rule of what could be read. One that allows goes without the rest. One that does not allow denies everything in its place, as the API
 * of ClusterNetworkPolicies wants it ("fail closed"), unless `opens`: then it too goes without the rest.
 */
export function ruleOf(base: Base, parts: Parts, opens = false): readonly CommonRule[] {
  if (!isWhole(parts) && base.action !== 'allow' && !opens) return [{ ...base, action: 'deny' }]
  const peers = parts.peers && mergePeers(parts.peers)
  const transport = parts.transport?.flatMap((each) => each ?? [])
  return isNothing(peers, transport) ? [] : [{ ...base, ...(peers && { peers }), ...(transport && { transport }) }]
}

const isWhole = ({ peers = [], transport = [] }: Parts): boolean => !peers.includes(undefined) && !transport.includes(undefined)

const isNothing = (peers: CommonPeers | undefined, transport: CommonRule['transport']): boolean =>
  transport?.length === 0 || (peers !== undefined && isNobody(peers))

function mergePeers(peers: readonly (CommonPeers | undefined)[]): CommonPeers {
  const read = peers.filter((each) => each !== undefined)
  const subnets = read.flatMap((each) => each.subnets ?? [])
  const names = read.flatMap((each) => each.names ?? [])
  return {
    selections: read.flatMap(({ selections }) => selections),
    blocks: read.flatMap(({ blocks }) => blocks),
    ...(subnets.length > 0 && { subnets }),
    ...(names.length > 0 && { names }),
  }
}

const isNobody = ({ selections, blocks, subnets = [], names = [] }: CommonPeers): boolean =>
  selections.length + blocks.length + subnets.length + names.length === 0

export interface Selectors {
  readonly podSelector?: LabelSelector | undefined
  readonly namespaceSelector?: LabelSelector | undefined
}

/** Where a part stands, and who takes problems down. */
export interface At {
  readonly path: string
  readonly problems: Problems
}

/** @param own the namespace that is meant where no selector of namespaces is there; absent: all are */
export function readSelectors({ podSelector, namespaceSelector }: Selectors, { path, problems }: At, own?: string): Selection | undefined {
  if (!problems.takes(1 + valuesIn(podSelector) + valuesIn(namespaceSelector), path)) return undefined
  const labels = readSelector(podSelector ?? {}, `${path}/podSelector`, problems)
  const namespaceLabels = readSelector(namespaceSelector ?? {}, `${path}/namespaceSelector`, problems)
  if (labels === undefined || namespaceLabels === undefined) return undefined
  return {
    ...(namespaceSelector === undefined ? own !== undefined && { namespace: own } : { namespaceLabels }),
    ...(labels.length > 0 && { labels }),
  }
}

/** Those of one namespace, by a selector that stands there. */
export function readPods(selector: LabelSelector, { path, problems }: At, namespace: string): Selection | undefined {
  if (!problems.takes(1 + valuesIn(selector), path)) return undefined
  const labels = readSelector(selector, path, problems)
  return labels && { namespace, ...(labels.length > 0 && { labels }) }
}

const valuesIn = ({ matchLabels = {}, matchExpressions = [] }: LabelSelector = {}): number =>
  matchExpressions.reduce((sum, { values = [] }) => sum + values.length, Object.keys(matchLabels).length + matchExpressions.length)

export const selected = (selection: Selection | undefined): CommonPeers | undefined => selection && { selections: [selection], blocks: [] }

/** @param at where the block stands, and its exceptions */
export function readBlock(cidr: string, excepts: readonly string[], at: At & { readonly exceptPath: string }): CommonPeers | undefined {
  if (parsePlainCidr(cidr) === undefined) return at.problems.refuse(at.path, 'must be a block whose host bits are zero')
  if (!at.problems.takes(excepts.length, at.exceptPath)) return undefined
  const wrong = excepts.findIndex((each) => !isWithin(each, cidr))
  if (wrong >= 0) return at.problems.refuse(`${at.exceptPath}/${wrong}`, 'must be a block within the one that it is taken from')
  const blocks = subtractText(cidr, excepts)
  if (blocks === undefined) return at.problems.unsupported(at.exceptPath, 'cuts the block into too many')
  return at.problems.takes(blocks.length, at.path) ? { selections: [], blocks } : undefined
}

function isWithin(text: string, whole: string): boolean {
  const [part, of] = [parsePlainCidr(text), parsePlainCidr(whole)]
  return part !== undefined && of !== undefined && encloses(of, part)
}

/** As Kubernetes spells them. */
const protocols: ReadonlyMap<string, number> = new Map(protocolsWithPorts.map((name) => [name.toUpperCase(), protocolNumbers[name]]))

export function readProtocol(protocol: string, { path, problems }: At): number | undefined {
  return protocols.get(protocol) ?? problems.refuse(`${path}/protocol`, 'must be TCP, UDP or SCTP')
}

/** @param last absent: one port */
export function readRange(protocol: number, first: number, last: number | undefined, { path, problems }: At): TransportMatch | undefined {
  const end = last ?? first
  if (![first, end].every((each) => Number.isInteger(each) && each >= 0 && each <= 65_535))
    return problems.refuse(path, 'must be a number from 0 to 65535')
  if (end < first) return problems.refuse(path, 'must not end before it begins')
  return end === first ? { protocol, first } : { protocol, first, last: end }
}

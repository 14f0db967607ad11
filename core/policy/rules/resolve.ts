// A rule's words to numbers: whom selectors select now, and which number a named port has with whom.
import type { PolicyPeers } from '../../kinds/policy/compiled/policy-peers.ts'
import type { TransportMatch } from '../../kinds/policy/transport-match.ts'
import type { PolicyFacts } from '../../kinds/policy/policy-identity.ts'
import { hasPorts, protocolNumbers } from '../../kinds/policy/protocols.ts'
import { unknown } from '../../kinds/policy/tiers.ts'
import { everywhere, overlaps, parseCidr } from '../../net/cidr.ts'
import { isNamed, type CommonPeers, type CommonRule, type NamedPort, type Selection } from '../one-form.ts'
import type { Directory } from '../directory.ts'

export interface Around {
  readonly vni: number
  /** That the VNI's Subnets have. */
  readonly families: readonly (4 | 6)[]
  readonly directory: Directory
  /** Blocks of the VNI's Subnets, by `namespace/name`: who selects everybody in the VNI selects these. */
  readonly subnets: ReadonlyMap<string, readonly string[]>
  /** Others than those with an identity are there too, as in a VLAN of an external network: no address is everybody's. */
  readonly isOpen?: boolean
  /** allowedAddressPairs of the Ports that have a SecurityGroup (`namespace/name`), as blocks, and the blocks behind these Ports. */
  readonly pairsOf?: (group: string) => readonly string[]
}

/** One compiled rule's share of a rule: by named ports it may be several. */
export interface Part {
  readonly subjects?: readonly number[]
  readonly peers?: PolicyPeers
  readonly transport?: readonly TransportMatch[]
}

/** @param subjects of the policy */
export function partsOf(rule: CommonRule, subjects: readonly number[], around: Around): readonly Part[] {
  const { transport } = rule
  const peers = rule.peers === undefined ? 'anyone' : peersOf(rule.peers, rule, around)
  if (transport === undefined) return withPeers(peers, {})
  const plain = transport.filter((match): match is TransportMatch => !isNamed(match))
  const named = transport.filter(isNamed)
  return [
    ...(plain.length === 0 ? [] : withPeers(peers, { transport: plain })),
    ...(named.length === 0 ? [] : rule.direction === 'ingress' ? atSubjects(peers, named, subjects, around) : atPeers(rule, named, around)),
  ]
}

/** Worked out once for all parts of a rule. Undefined: nobody. */
type Who = PolicyPeers | 'anyone' | undefined

function withPeers(peers: Who, part: Part): readonly Part[] {
  if (peers === 'anyone') return [part]
  return peers === undefined ? [] : [{ ...part, peers }]
}

/** Undefined: nobody. */
function peersOf(
  { selections, blocks, subnets = [], names = [] }: CommonPeers,
  { action }: CommonRule,
  around: Around,
): PolicyPeers | undefined {
  const selected = selections.map((selection) => selectedBy(selection, action, around))
  const numbers = new Set(selected.flatMap((each) => each.identities))
  const all = new Set([
    ...blocks,
    ...subnets.flatMap((name) => around.subnets.get(name) ?? []),
    ...(around.isOpen === true && action === 'deny' && subnets.length > 0 ? everywhere : []),
    ...selected.flatMap((each) => each.blocks),
    ...outside(
      names.flatMap((each) => each.blocks),
      around,
    ),
  ])
  // An address that the rule denies may be there before its identity is known: it is not let through meanwhile.
  if (action === 'deny' && selections.length > 0 && numbers.size === 0) numbers.add(unknown)
  const kept = [...all].filter((block) => around.families.includes(parseCidr(block)?.family ?? 4)).sort()
  return numbers.size + kept.length === 0 ? undefined : { identities: [...numbers].sort(ascending), blocks: kept }
}

/** Whoever answers for a name outside says nothing of who is inside. */
function outside(blocks: readonly string[], { subnets }: Around): readonly string[] {
  if (blocks.length === 0) return []
  const inside = [...subnets.values()].flat().flatMap((block) => parseCidr(block) ?? [])
  return blocks.filter((block) => {
    const cidr = parseCidr(block)
    return cidr !== undefined && !inside.some((each) => overlaps(each, cidr))
  })
}

function selectedBy(selection: Selection, action: CommonRule['action'], { directory, subnets, pairsOf, isOpen }: Around): SelectedNow {
  if (isOpen === true && isEveryone(selection)) return { identities: [], blocks: action === 'deny' ? everywhere : [] }
  if (subnets.size > 0 && isEveryone(selection)) return { identities: [], blocks: [...subnets.values()].flat() }
  const { group } = selection
  return { identities: directory.select(selection), blocks: group === undefined ? [] : (pairsOf?.(group) ?? []) }
}

interface SelectedNow {
  readonly identities: readonly number[]
  readonly blocks: readonly string[]
}

const ascending = (a: number, b: number): number => a - b

function isEveryone({ namespace, namespaceLabels = [], labels = [], group, port }: Selection): boolean {
  const isNarrow = namespace !== undefined || group !== undefined || port !== undefined
  return !isNarrow && namespaceLabels.length === 0 && labels.length === 0
}

interface Numbered {
  readonly match: TransportMatch
  readonly who: number[]
}

/** Into the subjects: each at the number that its own containers call so. */
function atSubjects(peers: Who, named: readonly NamedPort[], subjects: readonly number[], around: Around): readonly Part[] {
  return byNumber(named, subjects, around.directory).flatMap(({ match, who }) =>
    withPeers(peers, { transport: [match], ...(who.length < subjects.length && { subjects: who }) }),
  )
}

/** To the peers: each at its own number. A block has no named ports. */
function atPeers({ peers }: CommonRule, named: readonly NamedPort[], { directory }: Around): readonly Part[] {
  const selected = new Set((peers?.selections ?? [{}]).flatMap((selection) => directory.select(selection)))
  const numbers = [...selected].sort(ascending)
  return byNumber(named, numbers, directory).map(({ match, who }) => ({ transport: [match], peers: { identities: who, blocks: [] } }))
}

function byNumber(named: readonly NamedPort[], numbers: readonly number[], directory: Directory): readonly Numbered[] {
  const all = new Map<string, Numbered>()
  for (const number of numbers)
    for (const match of matchesOf(named, directory.factsOf(number)?.containerPorts)) {
      const text = `${match.protocol}/${match.first}`
      const known = all.get(text)
      if (known === undefined) all.set(text, { match, who: [number] })
      else known.who.push(number)
    }
  return [...all.values()].sort((a, b) => a.match.protocol - b.match.protocol || a.match.first! - b.match.first!)
}

function matchesOf(named: readonly NamedPort[], ports: PolicyFacts['containerPorts'] = {}): readonly TransportMatch[] {
  const matches = new Map<string, TransportMatch>()
  for (const [text, l4Port] of Object.entries(ports)) {
    const slash = text.indexOf('/')
    const name = text.slice(0, slash)
    const protocol = hasPorts(name) ? protocolNumbers[name] : undefined
    const isAsked = named.some((each) => each.named === text.slice(slash + 1) && (each.protocol ?? protocol) === protocol)
    if (protocol !== undefined && isAsked) matches.set(`${protocol}/${l4Port}`, { protocol, first: l4Port })
  }
  return [...matches.values()]
}

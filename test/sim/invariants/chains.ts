// Packets go by the functions that the chains of policies say. Once all is quiet what a client and a server say to each other goes through
// an instance of each function, in order, and the other way through the same ones; nothing else goes through them. One that has nobody
// left is passed by or closes the chain, as the policy says, and one that no longer forwards is no instance. No flow of a chain is left
// that is not in force any more.
import { instancesIn } from '../../../core/kinds/policy/chain.ts'
import { keyOfItem, type Resource } from '../../../core/kinds/index.ts'
import { chainId } from '../../../core/pipeline/chains/chain.ts'
import { readCookie } from '../../../core/pipeline/cookie.ts'
import type { World } from '../happening.ts'
import type { Invariant } from '../invariant.ts'
import type { Truth } from '../truth.ts'
import type { Station, Walked } from '../world/traffic.ts'
import { SwitchModel } from '../world/switch/model.ts'
import { pathBy, type ChainPacket, type ChainPath } from './chain-paths.ts'
import { isEnforced } from './enforced.ts'
import { goesByRoutes } from './routed.ts'
import { Verdicts } from './verdicts.ts'

type RuleSet = Resource<'PolicyRuleSet'>
type Port = Resource<'Port'>

export const chains: Invariant = {
  name: 'chains',
  begin(world, fail) {
    const { truth } = world.site
    if (!world.machines.functions.isThere) return {}
    const verdicts = new Verdicts(() => undefined)
    return {
      landed: verdicts.landed,
      atRest() {
        const sets = [...truth.values('PolicyRuleSet')].filter(({ spec }) => spec.chains !== undefined && spec.audit !== true)
        for (const problem of doubled(sets)) fail(`at rest ${problem}`)
        for (const problem of goneWrongly({ world, sets, verdicts })) fail(`at rest ${problem}`)
        for (const problem of leftOver(world, sets)) fail(`at rest ${problem}`)
      },
    }
  },
}

interface AtRest {
  readonly world: World
  readonly sets: readonly RuleSet[]
  readonly verdicts: Verdicts
}

/** A Port is in one place of one chain. */
function* doubled(sets: readonly RuleSet[]): Generator<string> {
  const seen = new Map<string, string>()
  for (const { metadata, spec } of sets)
    for (const { port } of instancesIn(spec.chains?.chains ?? [])) {
      const before = seen.get(port)
      if (before !== undefined) yield `Port ${port} carries out functions of ${before} and ${metadata.name}`
      seen.set(port, metadata.name)
    }
}

interface Way {
  readonly from: Station
  readonly to: Station
  readonly address: string
  readonly source: string
  readonly path: ChainPath
}

function* goneWrongly(rest: AtRest): Generator<string> {
  const { world, sets, verdicts } = rest
  const ports = portsByUid(world.site.truth)
  const vnis = new Set(sets.map(({ spec }) => spec.vni))
  const all = [...world.traffic.stations()].filter(({ port: { attachment } }) => attachment.kind === 'vni' && vnis.has(attachment.vni))
  const gone = new Map<string, Walked>()
  for (const way of waysBetween(all, sets)) {
    const walked = world.traffic.reach(way.from, way.address)
    gone.set(keyOf(way), walked)
    const isLet = isLetThrough(way, { ports, verdicts, world })
    const problem = problemOf(way, walked, { isLet, world })
    if (problem !== undefined) yield `what ${nameOf(way.from)} says to ${nameOf(way.to)} at ${way.address} ${problem}`
  }
  yield* turnedBackWrongly(waysBetween(all, sets), gone)
}

const keyOf = ({ from, to, source, address }: Way): string => `${from.port.uid} ${source} ${to.port.uid} ${address}`
const nameOf = ({ port, machine }: Station): string => `Port ${port.of.namespace}/${port.of.name} on ${machine.name}`
const portsByUid = (truth: Truth): ReadonlyMap<string, Port> => new Map([...truth.values('Port')].map((port) => [port.metadata.uid, port]))

/** All packets between two of one network. */
function* waysBetween(all: readonly Station[], sets: readonly RuleSet[]): Generator<Way> {
  const pairs = all.flatMap((from) => all.filter((to) => isOther(from, to)).map((to) => ({ from, to })))
  for (const { from, to } of pairs) {
    const here = sets.filter(({ spec }) => spec.vni === vniOf(from))
    for (const address of to.port.addresses) {
      const source = from.port.addresses.find((each) => each.includes(':') === address.includes(':'))
      if (source !== undefined) yield { from, to, address, source, path: pathOf({ from: from.port, to: to.port, source, address }, here) }
    }
  }
}
const isOther = (from: Station, to: Station): boolean => from.port.uid !== to.port.uid && vniOf(from) === vniOf(to)
const vniOf = ({ port: { attachment } }: Station): number | undefined => (attachment.kind === 'vni' ? attachment.vni : undefined)

/** Through those of the sender's policy, and then those of whom it is for; between two of one policy it goes by nobody. */
function pathOf(packet: ChainPacket, sets: readonly RuleSet[]): ChainPath {
  const by = (way: 'from' | 'to'): ChainPath => sets.flatMap(({ spec }) => pathBy(spec.chains!, packet, way) ?? [])
  return [...by('from'), ...by('to')]
}

interface Letting {
  readonly ports: ReadonlyMap<string, Port>
  readonly verdicts: Verdicts
  readonly world: World
}

/** Rules of both ends let it pass, and both data planes do what they say. */
function isLetThrough({ from, to, source, address }: Way, { ports, verdicts, world }: Letting): boolean {
  const [sender, receiver] = [ports.get(from.port.uid), ports.get(to.port.uid)]
  if (sender === undefined || receiver === undefined || !world.traffic.hasWay(from, address)) return false
  if (goesByRoutes(sender, receiver, { address, isHere: from.machine === to.machine }, world.site)) return false
  const known = (uid: string): Port | undefined => ports.get(uid)
  return [from, to].every((each) => isEnforced(each, verdicts, known)) && verdicts.allows({ from: sender, to: receiver, source, address })
}

interface Judged {
  readonly isLet: boolean
  readonly world: World
}

function problemOf({ to, path }: Way, { arrived, handed }: Walked, { isLet, world }: Judged): string | undefined {
  const { functions } = world.machines
  const wrong = handed.find(({ at }, i) => path[i]?.includes(at.port.uid) !== true)
  if (wrong !== undefined) return `goes through ${nameOf(wrong.at)}, and is to go by ${textOf(path)}`
  const isThere = arrived.some(({ at, read }) => read && at.port.uid === to.port.uid)
  if (isThere && handed.length < path.length) return `comes there by ${handed.length} functions of ${textOf(path)}`
  const stop = handed.find(({ sentOn }) => !sentOn)
  if (stop !== undefined) {
    const isKnown = functions.hasAnswered(stop.at.port.uid, world.site.processOf(`agent-${stop.at.machine.name}`))
    return isKnown ? `is handed to ${nameOf(stop.at)}, which forwards nothing any more` : undefined
  }
  const isClosed = path.some((instances) => instances.length === 0)
  return !isThere && isLet && !isClosed ? `does not come there by ${textOf(path)}: it came through ${handed.length}` : undefined
}

const textOf = (path: ChainPath): string => path.map((instances) => `[${instances.join()}]`).join(' ') || 'nobody'

/** What goes one way through some goes the other way through the same ones. */
function* turnedBackWrongly(all: Iterable<Way>, gone: ReadonlyMap<string, Walked>): Generator<string> {
  const paths = new Map([...all].map((way) => [keyOf(way), way]))
  for (const way of paths.values()) {
    const { from, to, source, address } = way
    const back = paths.get(keyOf({ from: to, to: from, source: address, address: source, path: [] }))
    if (back === undefined || textOf(back.path.toReversed()) !== textOf(way.path)) continue
    const [there, again] = [way, back].map((each) => gone.get(keyOf(each))!)
    if (there!.arrived.length === 0 || again!.arrived.length === 0) continue
    const [one, other] = [there!.handed, again!.handed.toReversed()].map((handed) => handed.map(({ at }) => nameOf(at)).join(', '))
    if (one !== other) yield `what ${nameOf(from)} says to ${nameOf(to)} goes through ${one}, and is answered through ${other}`
  }
}

/** Of what a node with chains needs of all of them. */
const ofAll = 0

/** Flows of chains, and of places in them, that no rule set has in force. */
function* leftOver({ machines }: World, sets: readonly RuleSet[]): Generator<string> {
  const inForce = new Set(
    sets.flatMap(({ spec }) => (spec.chains?.chains ?? []).map((chain) => chainId(spec, chain, spec.chains?.round ?? 0))),
  )
  for (const { plane, name } of machines.all.values()) {
    if (!(plane instanceof SwitchModel)) continue
    for (const { key, value } of plane.flows) {
      const cookie = readCookie(value.flow.cookie)
      if (cookie?.feature === 'chain' && cookie.owner !== ofAll && !inForce.has(cookie.owner))
        yield `${name} has ${key}, of no chain of ${sets.map(keyOfItem).join()}`
    }
  }
}

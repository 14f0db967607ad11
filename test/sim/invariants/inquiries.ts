// What nodes are asked. An answer is by the agent of the node that workers have named, once, and tells of the Ports that it was asked of,
// in the namespace of whoever asked, and of nothing else. Nobody's Inquiry stays when its time is over. Where nothing is wrong everybody is
// answered, a namespace has no more than it may, and what a machine has is what it had before it was asked.
import { keyOfItem, type Resource } from '../../../core/kinds/index.ts'
import { inquiriesMax, ttlUsual, type InquiryAnswer } from '../../../core/kinds/node/inquiry.ts'
import { hostInterfaceName } from '../../../core/net/names.ts'
import type { LocalPort } from '../../../core/node/wanted.ts'
import { sameJson } from '../../../core/same-json.ts'
import { perKind, type Invariant } from '../invariant.ts'
import type { World } from '../happening.ts'
import type { Machine } from '../world/machines.ts'
import { Facts, strangeIn } from './answer-facts.ts'
import { goesByRoutes } from './routed.ts'
import { passesPolicies } from './traced-verdict.ts'
import { goesWithNamespace } from './with-namespace.ts'

type Inquiry = Resource<'Inquiry'>
type Port = Resource<'Port'>

/** Of a queue and a write where nothing goes wrong. */
const lateMs = 10_000

export const inquiries: Invariant = {
  name: 'inquiries',
  begin(world, fail) {
    const { site, machines } = world
    const facts = new Facts(machines)
    /** What each machine had when all had come to rest. */
    const had = new Map<string, string>()
    /** Those that were asked since, as they last were. */
    const last = new Map<string, Inquiry>()
    /** When each was made, by UID. */
    const made = new Map<string, number>()
    /** Nodes of which a Port has got something at its cloud since. */
    const served = new Set<string>()
    let rests = false

    function comes(after: Inquiry): void {
      made.set(after.metadata.uid, site.scheduler.now)
      if (!rests) return
      const there = [...site.truth.values('Inquiry')].filter(({ metadata }) => metadata.namespace === after.metadata.namespace)
      if (there.length > inquiriesMax) fail(`${after.metadata.namespace ?? ''} has ${there.length} Inquiries, and may have ${inquiriesMax}`)
    }
    /** Workers go by when they first saw it, and look again when its time is over. */
    function goes(before: Inquiry, key: string): void {
      const {
        metadata: { uid },
        spec,
      } = before
      const by = site.truth.log.at(-1)?.by ?? ''
      const ttlMs = (spec.ttlSeconds ?? ttlUsual) * 1_000
      const ageMs = site.scheduler.now - (made.get(uid) ?? 0)
      if (by.startsWith('workers-') && ageMs < ttlMs && !goesWithNamespace(before, site.truth))
        fail(`${by} deletes Inquiry ${key} after ${ageMs} ms, and it has ${ttlMs}`)
      if (rests && ageMs > ttlMs + lateMs) fail(`Inquiry ${key} is there for ${ageMs} ms, and it has ${ttlMs}`)
    }
    function changes(before: Inquiry, after: Inquiry): void {
      const by = site.truth.log.at(-1)?.by ?? ''
      const wrong = wrongAsked(before, after, by) ?? wrongAnswered(before, after, by)
      if (wrong !== undefined) return fail(`${by} ${wrong}`)
      const { answer } = after.status ?? {}
      if (answer !== undefined && before.status?.answer === undefined) tells(after, answer)
    }
    function tells(inquiry: Inquiry, answer: InquiryAnswer): void {
      const strange = strangeIn(answer, inquiry, facts)
      if (strange !== undefined) fail(`Inquiry ${keyOfItem(inquiry)} (${inquiry.spec.about}) is told ${strange}`)
    }
    return {
      landed: perKind({
        Port(_, after) {
          if (after === undefined) return
          facts.learn(after)
          // What its cloud has refused is asked for anew, and may be there by then.
          if (rests && after.status?.cloud !== undefined && after.spec.node !== undefined) served.add(after.spec.node)
        },
        Inquiry(before, after) {
          if (after === undefined) return goes(before!, keyOfItem(before!))
          if (before === undefined) comes(after)
          else changes(before, after)
          if (rests) last.set(keyOfItem(after), after)
        },
      }),
      atRest() {
        none(world, fail)
        for (const machine of machines.all.values()) had.set(machine.name, allOf(machine))
        rests = true
      },
      atEnd() {
        none(world, fail)
        for (const inquiry of last.values()) isAnswered(inquiry, world, fail)
        for (const machine of machines.all.values())
          if (!served.has(machine.name) && allOf(machine) !== had.get(machine.name))
            fail(`${machine.name} has something else, and nothing was done but that it was asked`)
      },
    }
  },
}

type Fail = (what: string) => void

function none({ site: { truth } }: World, fail: Fail): void {
  for (const left of truth.values('Inquiry')) fail(`Inquiry ${keyOfItem(left)} is still there, and its time is over`)
}

const allOf = ({ plane, links }: Machine): string =>
  JSON.stringify([[...plane.seen()].sort(([a], [b]) => (a < b ? -1 : 1)), [...links.there].sort(([a], [b]) => (a < b ? -1 : 1))])

/** Workers say once which node is asked. */
function wrongAsked({ status: was }: Inquiry, after: Inquiry, by: string): string | undefined {
  const node = after.status?.node
  if (was?.node === node) return undefined
  if (was?.node !== undefined) return `says that node ${node} is asked by Inquiry ${keyOfItem(after)}, which has asked ${was.node}`
  return by.startsWith('workers-') ? undefined : `says that node ${node} is asked by Inquiry ${keyOfItem(after)}`
}

/** That node's agent answers once. */
function wrongAnswered({ status: was }: Inquiry, after: Inquiry, by: string): string | undefined {
  if (sameJson(was?.answer, after.status?.answer)) return undefined
  if (by !== `agent-${was?.node}`) return `answers Inquiry ${keyOfItem(after)}, which asks node ${was?.node}`
  return was?.answer === undefined ? undefined : `answers Inquiry ${keyOfItem(after)} once more`
}

/** Of a Port that is named whatever its node knows of it at rest is said; that nobody is there to answer is said too. */
function isAnswered(inquiry: Inquiry, world: World, fail: Fail): void {
  const { spec, status } = inquiry
  const { port, node } = askedOf(inquiry, world)
  const { answer } = status ?? {}
  const isThere = node !== undefined && world.site.processOf(`agent-${node}`) !== undefined && !world.machines.of(node).severed
  const wrong = isThere ? wrongWhereThere(answer, port && { spec, port, world }) : wrongWhereNobodyIs(status)
  if (wrong !== undefined) fail(`Inquiry ${keyOfItem(inquiry)} (${spec.about} of ${spec.port ?? node}) ${wrong}: ${JSON.stringify(status)}`)
}

interface OpenInquiry {
  readonly spec: Inquiry['spec']
  readonly port: Port
  readonly world: World
}

function wrongWhereThere(answer: InquiryAnswer | undefined, asked: OpenInquiry | undefined): string | undefined {
  if (answer === undefined) return 'is not answered'
  return asked && wrongIn(answer, asked)
}

const wrongWhereNobodyIs = ({ phase, answer }: Inquiry['status'] & object = {}): string | undefined =>
  answer !== undefined ? 'is answered by nobody' : phase === 'error' ? undefined : 'has nobody to answer it, and is not told so'

/** No node where there is no Port of the asker's namespace. */
function askedOf(
  { metadata, spec }: Inquiry,
  { site: { truth } }: World,
): { readonly port?: Port | undefined; readonly node: string | undefined } {
  const mine = [...truth.values('Port')].filter((each) => each.metadata.namespace === metadata.namespace)
  if (spec.port === undefined) return { node: mine.find(({ spec: { node } }) => node === spec.node)?.spec.node }
  const port = mine.find(({ metadata: { name } }) => name === spec.port)
  return { port, node: port?.spec.node }
}

/** Open vSwitch alone can tell what a packet would do, where the Port has an address and a way for it. */
function outcomesOf({ spec: { about }, port, world }: OpenInquiry, wired: LocalPort | undefined): readonly InquiryAnswer['outcome'][] {
  if (about === 'wiring') return ['answered']
  if (wired === undefined) return ['failed']
  if (about === 'log') return [world.machines.of(port.spec.node!).plane.name === 'ovs' ? 'answered' : 'unsupported']
  if (about !== 'trace') return ['answered']
  // On a cloud's bridge it is the cloud that knows; its interface is there also once the cloud has lost the Port.
  return wired.attachment.kind !== 'vif' && world.machines.of(port.spec.node!).plane.name === 'ovs'
    ? ['answered', 'failed']
    : ['unsupported']
}

function wrongIn(answer: InquiryAnswer, asked: OpenInquiry): string | undefined {
  const { port, world } = asked
  // Its status says so once ADD is answered: never of a sandbox whose agent was killed before, and that nobody takes down.
  const wired = [...world.machines.of(port.spec.node!).links.there.values()].find((each) => each.port.uid === port.metadata.uid)?.port
  const isWired = wired !== undefined
  const outcomes = outcomesOf(asked, wired)
  if (!outcomes.includes(answer.outcome)) return `is ${answer.outcome}, and ought to be ${outcomes.join(' or ')}`
  if ((answer.ports?.[0]?.wired ?? isWired) !== isWired) return 'says otherwise whether it is wired'
  return wrongOfWired(answer, port, world.machines.of(port.spec.node!)) ?? wrongWay(answer, asked)
}

const isNear = ({ status }: Port, { status: { vni } = {} }: Port): boolean =>
  vni !== undefined && status?.vni === vni && status.node?.wired === true

interface Led {
  readonly port: Port
  readonly to: Port
  readonly address: string
}
/** First to a function, as the invariant of chains has it; or where a kernel knows: what leads there is a port that is nobody's here. */
const goesElsewhere = ({ port, to, address }: Led, world: World): boolean =>
  [port, to].some((each) => isChained(each, world)) ||
  goesByRoutes(port, to, { address, isHere: to.spec.node === port.spec.node }, world.site)
const isChained = ({ status }: Port, { site: { truth } }: World): boolean =>
  [...truth.values('PolicyRuleSet')].some(({ metadata, spec }) => spec.chains && status?.policy?.ruleSets.includes(metadata.name))

/** At rest all members of a network reach each other, as far as policies let them; what a cloud's network does nobody here knows. */
function wrongWay({ trace }: InquiryAnswer, { spec: { packet }, port, world }: OpenInquiry): string | undefined {
  if (trace === undefined || packet === undefined || packet.from !== undefined) return undefined
  const to = whoHas(packet.to, port, world)
  if (to === undefined || goesElsewhere({ port, to, address: packet.to }, world)) return undefined
  if (!passesPolicies({ port, to, packet }, world)) return trace.verdict === 'drop' ? undefined : 'passes, and policies deny it'
  const expected = wayTo(to, port)
  return trace.to?.join() === expected ? undefined : `does not lead to ${expected}`
}

function wayTo(to: Port, from: Port): string {
  if (to.spec.node !== from.spec.node) return 'tunnel'
  return to.metadata.namespace === from.metadata.namespace ? to.metadata.name : 'another port'
}

const whoHas = (address: string, port: Port, { site }: World): Port | undefined =>
  [...site.truth.values('Port')].find(
    (each) => each.metadata.uid !== port.metadata.uid && isNear(each, port) && each.status?.addresses?.includes(address) === true,
  )

function wrongOfWired({ items, counters }: InquiryAnswer, { metadata: { uid } }: Port, { wires }: Machine): string | undefined {
  const missing = items?.find(({ state }) => state !== 'there')
  if (missing !== undefined) return `has ${missing.key} ${missing.state}`
  const isSame = counters === undefined || sameJson(counters, wires.countersOf(hostInterfaceName(uid)))
  return isSame ? undefined : 'counts otherwise than the machine'
}

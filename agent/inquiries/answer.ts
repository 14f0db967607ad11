// What a node answers an Inquiry: of Ports of the Inquiry's own namespace that are on this node, and of nothing else that is on it.
// Nothing is changed by it. An inventory alone, which only Megrez asks, is of all that is on the node, and may put it right.
import { answeredMax, inventoryTopic, type PortCounters, type WiredPort } from '../../core/kinds/node/inquiry.ts'
import { keyOf, keyOfItem, type Resource } from '../../core/kinds/index.ts'
import { attachmentText, type LocalPort } from '../../core/node/wanted.ts'
import { portPiece } from '../../core/pieces/port.ts'
import type { AgentEnv } from '../agent-env.ts'
import { explainLive } from './explain.ts'
import { inventoryOf } from './inventory.ts'
import { itemsOfRules } from './rules.ts'
import { failed, unsupported, type UntimedAnswer } from './untimed-answer.ts'
import { traceFrom } from './trace.ts'

type Inquiry = Resource<'Inquiry'>
type Port = Resource<'Port'>
const cut = <T>(all: readonly T[]): { readonly list: T[]; readonly truncated?: true } => ({
  list: all.slice(0, answeredMax),
  ...(all.length > answeredMax && { truncated: true }),
})

export async function answerTo(inquiry: Inquiry, env: AgentEnv, signal: AbortSignal): Promise<UntimedAnswer> {
  const {
    metadata: { namespace = '' },
    spec,
  } = inquiry
  if (spec.about === inventoryTopic) return inventoryOf(env, spec.repair === true, signal)
  const mine = [...env.ports.values()].filter(({ metadata }) => metadata.namespace === namespace)
  if (spec.port === undefined) return wiringOf(mine, env)
  const port = mine.find(({ metadata }) => metadata.name === spec.port)
  if (port === undefined) return failed(`Port ${spec.port} is not on node ${env.node}`)
  return spec.about === 'wiring' ? wiringOf([port], env) : ofWired(inquiry, port, { env, signal })
}

/** As it is wanted now; in the ledger it may be as it was. */
const localPort = ({ metadata: { uid } }: Port, { ledger, loop }: AgentEnv): LocalPort | undefined =>
  loop.pieces.of(portPiece).get(uid) ?? ledger.wiredOf(uid)?.port

interface Asking {
  readonly env: AgentEnv
  readonly signal: AbortSignal
}

async function ofWired({ spec }: Inquiry, port: Port, { env, signal }: Asking): Promise<UntimedAnswer> {
  const { links } = env
  const local = localPort(port, env)
  if (local === undefined) return failed(`Port ${port.metadata.name} is not wired on node ${env.node}`)
  if (spec.about === 'explain') return explained(local, env, signal)
  if (spec.about === 'log') return loggedOf(local, env)
  if (spec.about === 'trace') return traceFrom(local, spec.packet!, env, signal)
  if (local.type === 'dpdk') return unsupported(`${spec.about}: the kernel sees nothing of a dpdk port`)
  if (spec.about === 'counters') return counted(await links.counters?.(local.ifcName))
  return links.capture === undefined
    ? unsupported('capture: packets of these links cannot be read')
    : { outcome: 'answered', capture: await links.capture(local.ifcName, spec.capture ?? {}, signal) }
}

const counted = (counters: PortCounters | undefined): UntimedAnswer =>
  counters === undefined ? unsupported('counters: these links count nothing') : { outcome: 'answered', counters }

function wiringOf(ports: readonly Port[], { ledger }: AgentEnv): UntimedAnswer {
  const { list, truncated } = cut(ports.toSorted((a, b) => (keyOfItem(a) < keyOfItem(b) ? -1 : 1)))
  return {
    outcome: 'answered',
    ports: list.map((port) => wiredAs(port, ledger.wiredOf(port.metadata.uid)?.port)),
    ...(truncated && { truncated }),
  }
}

function wiredAs({ metadata: { name } }: Port, local: LocalPort | undefined): WiredPort {
  if (local === undefined) return { port: name, wired: false }
  return {
    port: name,
    wired: true,
    interface: local.ifcName,
    mac: local.mac,
    addresses: [...local.addresses],
    segment: attachmentText(local.attachment),
  }
}
/**
 * What is there because of the Port itself, and the rules of its own namespace's policies: what it shares with others on the node, as the
 * items of its segment, or what the provider rules, a tenant may not see.
 */
async function explained(local: LocalPort, env: AgentEnv, signal: AbortSignal): Promise<UntimedAnswer> {
  const { plane, loop } = env
  const own = plane.renderer
    .render(portPiece, local, loop.pieces.neededBy(portPiece, local))
    .filter(({ because: { of } }) => of.kind === 'Port' && keyOf(of) === keyOf(local.of))
  const items = [...own, ...itemsOfRules(local, env, ({ policy }) => policy.namespace === local.of.namespace)]
  const { list, truncated } = cut(await explainLive(plane, items, signal, (key) => env.ruleHits.lastUsed(key)))
  return { outcome: 'answered', items: list, ...(truncated && { truncated }) }
}

function loggedOf({ uid, of }: LocalPort, { plane, ruleLog }: AgentEnv): UntimedAnswer {
  if (plane.onLogged === undefined) return unsupported('log: this data plane logs nothing')
  const { list, truncated } = cut(ruleLog.of(uid, of.namespace))
  return { outcome: 'answered', logged: list, ...(truncated && { truncated }) }
}

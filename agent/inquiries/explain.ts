// What this node's data plane does for one Port, item by item: wanted, why, and whether it is there.
import type { Dataplane } from '../../core/contracts/dataplane.ts'
import { NotFound } from '../../core/errors.ts'
import { keyOfItem, type Resource } from '../../core/kinds/index.ts'
import type { ItemCount, LiveItem, PortExplained } from '../../core/node/explained.ts'
import type { Item } from '../../core/node/item.ts'
import type { LocalPort } from '../../core/node/wanted.ts'
import { portPiece } from '../../core/pieces/port.ts'
import { needsOf } from '../../core/pieces/kind.ts'
import type { AgentEnv } from '../agent-env.ts'
import type { Pieces } from '../pieces/pieces.ts'
import { itemsOfRules } from './rules.ts'

/**
 * Has what is not as it should be looked after.
 *
 * @param portName `namespace/name` of the Port
 * @throws NotFound where this node has no such Port
 */
export async function explainPort(portName: string, env: AgentEnv, signal: AbortSignal): Promise<PortExplained<Resource<'Port'>>> {
  const port = [...env.ports.values()].find((each) => keyOfItem(each) === portName)
  if (port === undefined) throw new NotFound({ kind: `on ${env.node} a Port`, key: portName })
  const { plane, loop, ledger } = env
  const local = loop.pieces.of(portPiece).get(port.metadata.uid) ?? ledger.wiredOf(port.metadata.uid)?.port
  if (local === undefined) return { port, dataplane: plane.name }
  const { pieces } = loop
  const base = plane.renderer.base()
  const baseKeys = new Set(base.map(({ key }) => key))
  const all = await explainLive(
    plane,
    [
      ...base,
      ...plane.renderer.render(portPiece, local, pieces.neededBy(portPiece, local)),
      ...itemsNeeded(local, plane, pieces),
      ...itemsOfRules(local, env),
    ],
    signal,
    (key) => env.ruleHits.lastUsed(key),
  )
  if (all.some(({ state }) => state !== 'there')) loop.audit()
  return { port, dataplane: plane.name, items: all.filter(({ key, state }) => state !== 'there' || !baseKeys.has(key)) }
}

/** Those of the pieces that it is rendered with. */
function itemsNeeded(port: LocalPort, { renderer }: Dataplane, pieces: Pieces): readonly Item[] {
  return needsOf(portPiece).flatMap(({ kind, key }) => {
    const other = pieces.of(kind).get(key(port) ?? '')
    return other === undefined ? [] : renderer.render(kind, other, pieces.neededBy(kind, other))
  })
}

/** The data plane is looked at, and nothing of it changed. */
export async function explainLive<Value>(
  plane: Dataplane<Value>,
  items: readonly Item<Value>[],
  signal: AbortSignal,
  lastUsed: (key: string) => string | undefined = () => undefined,
): Promise<readonly LiveItem[]> {
  const wanted = new Map(items.map((item) => [item.key, item.text]))
  const seen = await seenOf(plane, wanted, signal)
  const counts = (await plane.counts?.(new Set(seen.keys()), signal)) ?? new Map<string, ItemCount>()
  const means = (await plane.means?.(signal)) ?? new Map<string, string>()
  return plane.renderer.explain(items).map((each): LiveItem => {
    const text = seen.get(each.key)
    if (text === undefined) return { ...each, state: 'missing' }
    const by = means.get(each.key)
    const used = lastUsed(each.key)
    const more = { ...(by !== undefined && { by }), ...counted(counts.get(each.key)), ...(used !== undefined && { lastUsed: used }) }
    return text === wanted.get(each.key) ? { ...each, state: 'there', ...more } : { ...each, state: 'different', instead: text, ...more }
  })
}

async function seenOf(plane: Dataplane, wanted: ReadonlyMap<string, string>, signal: AbortSignal): Promise<ReadonlyMap<string, string>> {
  const seen = new Map<string, string>()
  const see = (key: string, text: string): void => void (wanted.has(key) && seen.set(key, text))
  if (plane.walk === undefined) for (const [key, text] of await plane.observe(undefined, signal)) see(key, text)
  else await plane.walk(see, signal)
  for (const [key, text] of (await plane.parts?.(signal)) ?? []) see(key, text)
  return seen
}

const counted = (count: ItemCount | undefined): Pick<LiveItem, 'packets' | 'bytes'> =>
  count === undefined ? {} : { packets: count.packets, ...(count.bytes !== undefined && { bytes: count.bytes }) }

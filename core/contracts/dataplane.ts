// What a node's data plane can do. OVS, BESS, Linux and memory are four of them, under one suite of laws (test/laws/dataplane.ts).
import type { ExplainedItem, ItemCount } from '../node/explained.ts'
import type { Item } from '../node/item.ts'
import type { LoggedPacket } from '../node/logged-packet.ts'
import type { RuleDecision } from '../node/rule-decision.ts'
import type { TracedFrame, TracedWay } from '../node/traced.ts'
import type { Unsupported } from '../node/unsupported.ts'
import type { LocalPort } from '../node/wanted.ts'
import type { PieceKind } from '../pieces/kind.ts'
import type { Driver } from './driver.ts'

/** The pure half: what a piece of the wanted node comes to. Rendering one piece depends on no other one, save those that its kind needs. */
export interface Renderer<Value = unknown> {
  /** What is there whatever the pieces are: bridge, tunnel port, table misses. */
  base(): readonly Item<Value>[]
  /** By the row of its kind (core/pieces). `needed`: those that are there of the pieces that it is rendered with. */
  render<P, N extends object>(kind: PieceKind<P, N>, piece: P, needed?: N): readonly Item<Value>[]
  /** What is told of it beside its items, and comes and goes with them: `Dataplane.parts` says what of it is there. Absent: nothing. */
  parts?<P, N extends object>(kind: PieceKind<P, N>, piece: P, needed?: N): readonly Item[]
  /** What it leaves out of what the piece asks for: whoever asked reads it on the Port. */
  unsupported<P, N extends object>(kind: PieceKind<P, N>, piece: P, needed?: N): readonly Unsupported[]
  /** Whether other items are put into an item, by its key: it is there before any of them is. Absent: none is. */
  carries?(key: string): boolean
  /** Its items in words, in the order in which packets meet them. */
  explain(items: Iterable<Item<Value>>): readonly ExplainedItem[]
}

/** One change, applied as one bundle as far as the data plane can: drops first where both name one key. */
export interface NodeChange<Value = unknown> {
  readonly drop: readonly Item<Value>[]
  readonly put: readonly Item<Value>[]
}

/** key → text of everything there that is ours, and nothing of anyone else's. */
export type NodeSeen = ReadonlyMap<string, string>

/** What was asked of the machine instead of guessed: `ct`, `vxlan`, `meters`, … */
export type Capabilities = Readonly<Record<string, boolean | string | number>>

export interface InspectorCounts {
  readonly inspectors: number
  /** Since the agent has started: of proxies that had ended. */
  readonly restarts: number
}

/** A driver whose scope is this node. Its actions are changes of items. */
export interface Dataplane<Value = unknown> extends Driver<void, NodeSeen, NodeChange<Value>> {
  readonly renderer: Renderer<Value>
  /** Opens sockets, probes; refuses with the owner's name when bridge, tunnel port or tunnel address belong to somebody else. */
  open(signal: AbortSignal): Promise<Capabilities>
  /** An item of ours by what was observed of it, so that a thing nobody wants any more can be dropped. */
  itemOf(key: string, text: string): Item<Value>
  /**
   * Whether a thing follows from this node's own ports alone, and others would be taken for it: then it is put right although not every
   * source has told all it knows. Absent: none is.
   */
  isOwn?(key: string): boolean
  /** What `observe` would say, one thing after the other: for those of which there are very many. Absent: `observe` is asked. */
  walk?(see: (key: string, text: string) => void, signal: AbortSignal): Promise<void>
  /** As `observe`, of what is told of items beside them. Absent: nothing is. */
  parts?(signal: AbortSignal): Promise<NodeSeen>
  /** What each of these keys was used for, as far as that is counted; absent: nothing is. */
  counts?(keys: ReadonlySet<string>, signal: AbortSignal): Promise<ReadonlyMap<string, ItemCount>>
  /** What rules of policies have decided, as far as that is counted; absent: nothing is. */
  decisions?(signal: AbortSignal): Promise<readonly RuleDecision[]>
  /** How many connections were refused that would have left by the node, as their Vpc had all that it may have; absent: it is not known. */
  connectionsRefused?(): Promise<number>
  /** What asks what is said in connections; absent: nothing does. */
  inspectorCounts?(): InspectorCounts
  /** Calls back with each packet that a rule of a policy logs, as far as it is not too many; absent: nothing is logged. */
  onLogged?(take: (packet: LoggedPacket) => void): void
  /** By what keys are done that are there, where that is the node's choice and no text says it; absent: there is no such choice. */
  means?(signal: AbortSignal): Promise<ReadonlyMap<string, string>>
  /** What would become of a packet that a Port sends, by what is there: nothing is sent. Absent: it cannot tell. */
  trace?(port: LocalPort, frame: TracedFrame, signal: AbortSignal): Promise<TracedWay>
  /** Calls back when something of ours may have been changed by others; it need not say what. */
  onDrift(wake: () => void): void
  close(): Promise<void>
}

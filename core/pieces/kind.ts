// What a kind of pieces is. A piece is what a node is to carry of one object: a Port, an address elsewhere, a rule. Each kind is
// one file in this folder and one row in index.ts; agents, laws and renderers go by the row and know no kind by name.
import type { Element } from '../graph/elements.ts'
import type { GraphOptions } from '../graph/options.ts'
import type { LinuxOptions } from '../linux/options.ts'
import type { LinuxItem } from '../linux/linux-items.ts'
import type { InspectorThing } from '../node/inspectors/item.ts'
import type { Item } from '../node/item.ts'
import type { Unsupported } from '../node/unsupported.ts'
import type { PipelineSettings } from '../pipeline/settings.ts'
import type { SwitchValue } from '../pipeline/ovsdb/switch.ts'
import type { KernelRoute } from '../routing/kernel-routes.ts'

/** The data planes that a piece is rendered for: what their items are, and what rendering depends on beside the piece. */
export interface Planes {
  readonly ovs: { readonly value: SwitchValue; readonly settings: PipelineSettings }
  readonly bess: { readonly value: Element; readonly settings: GraphOptions }
  readonly linux: { readonly value: LinuxItem; readonly settings: LinuxOptions }
  readonly memory: { readonly value: string; readonly settings: undefined }
}
export type PlaneName = keyof Planes

/** Who tells an agent of pieces: agent/start.ts has what each of them is. */
export type Source = 'ports' | 'pods' | 'segments' | 'locks' | 'rules' | 'speaker' | 'services' | 'peerings' | 'vpcs'

/** Methods, not properties: so a row of any piece is a row of the table (`AnyPieceKind`). */
export interface Column<P, N extends object, Plane extends PlaneName> {
  /** Depends on its arguments alone. */
  items(piece: P, needed: N, settings: Planes[Plane]['settings']): readonly Item<Planes[Plane]['value']>[]
  /** What it leaves out of what was asked for; absent: nothing. */
  unsupported?(piece: P, needed: N, settings: Planes[Plane]['settings']): readonly Unsupported[]
  /** What is told of it that is no item of its own: it comes and goes with its items. Absent: nothing. */
  parts?(piece: P, needed: N, settings: Planes[Plane]['settings']): readonly Item[]
  /** Of kinds that fail closed: whether an item takes something away from what may pass. Also asked about items that were only observed. */
  closes?(key: string, text: string): boolean
}

/** Another piece that one is rendered with. */
export interface Need<P, Part> {
  readonly kind: AnyPieceKind
  /** Key of the other one; undefined: none. */
  key(piece: P): string | undefined
  /** As much of the other one as matters: a change of the rest renders nothing anew. */
  part(other: unknown): Part
}

/** What pieces of another kind give to a piece that is made of several. */
export interface Contribution<Share> {
  readonly of: AnyPieceKind
  /** Key of the piece that is made, and what is given to it. */
  shares(piece: unknown): readonly (readonly [into: string, share: Share])[]
}

/** The merge step: one piece of what several others give. Pure. */
export interface DerivedPiece<P, Share = unknown> {
  readonly from: readonly Contribution<Share>[]
  /** @param shares at least one, ordered by kind and key of the pieces that give them */
  make(key: string, shares: readonly Share[]): P
}

/** Where the pieces of one kind are, by key. */
export interface PieceMap<P> {
  readonly size: number
  get(key: string): P | undefined
  set(key: string, piece: P): void
  delete(key: string): void
  keys(): Iterable<string>
  values(): Iterable<P>
  /** Those with one of these names. */
  named(names: ReadonlySet<string>): Iterable<P>
}

export interface PieceKind<P, N extends object = object, M extends PieceMap<P> = PieceMap<P>> {
  /** Of a kind that is kept it stands in ledgers: once given, it stays. */
  readonly name: Capitalize<string>
  /** Unique among the pieces of the kind. */
  key(piece: P): string
  /** Until each of them has told all it knows, nothing is dropped. None: it is made of pieces of other kinds. */
  readonly sources: readonly Source[]
  /**
   * Names of what an item may be about. Any two pieces that want one item have a name in common, whatever their kinds: then the other one
   * gets the item when the first goes. Of several kinds the first in the table counts; two of one kind agree, or a kind is made of them.
   * Absent: nobody else wants an item of it.
   */
  names?(piece: P): readonly string[]
  /** What it depends on: pieces that it is rendered with, by the name that rendering has for them. */
  readonly needs?: { readonly [K in keyof N]-?: Need<P, N[K]> }
  readonly made?: DerivedPiece<P>
  /** Of a kind with very many pieces: a map that is small. What changed of it is applied in parts. */
  readonly many?: () => M
  /** Of a kind that is kept in the ledger, so that it is enforced while the store is away: whether a value there is such a piece. */
  isKept?(value: unknown): value is P
  /**
   * No piece of it may be half there. What closes is put before, and dropped after, all that is changed at the same time: at no step does
   * anything pass that passes neither before nor after the change.
   */
  readonly failsClosed?: true
  /** What the node's kernel routes of it, whatever the data plane is; absent: nothing. */
  routes?(piece: P, needed: N): readonly Item<KernelRoute>[]
  /** Proxies that ask what is said in connections, beside a data plane that hands these to them; absent: none. */
  inspectors?(piece: P, needed: N): readonly Item<InspectorThing>[]
  /** A sentence: why that data plane does not have it. */
  readonly planes: { readonly [Plane in PlaneName]: Column<P, N, Plane> | string }
}

export type AnyPieceKind = PieceKind<unknown>
export type PieceKinds = readonly AnyPieceKind[]

/** @param part as much of the other piece as matters */
export const need = <P, Other, Part>(
  kind: PieceKind<Other>,
  key: (piece: P) => string | undefined,
  part: (other: Other) => Part,
): Need<P, Part | undefined> => ({ kind, key, part })

export const gives = <Other, Share>(
  of: PieceKind<Other>,
  shares: (piece: Other) => readonly (readonly [into: string, share: Share])[],
): Contribution<Share> => ({ of, shares })

export const madeOf = <P, Share>(
  from: readonly Contribution<Share>[],
  make: (key: string, shares: readonly Share[]) => P,
): DerivedPiece<P> => ({
  from,
  make,
})

/** The half of a renderer that uses the rows. @param settings asked each time: what was probed after the renderer was made counts */
export function renderingBy<Plane extends PlaneName>(plane: Plane, settings: () => Planes[Plane]['settings']) {
  const columnOf = <P, N extends object>({ planes }: PieceKind<P, N>): Column<P, N, Plane> | string => planes[plane]
  return {
    render<P, N extends object>(kind: PieceKind<P, N>, piece: P, needed?: N): readonly Item<Planes[Plane]['value']>[] {
      const column = columnOf(kind)
      return typeof column === 'string' ? [] : column.items(piece, needed ?? noNeeds(), settings())
    },
    parts<P, N extends object>(kind: PieceKind<P, N>, piece: P, needed?: N): readonly Item[] {
      const column = columnOf(kind)
      return typeof column === 'string' ? [] : (column.parts?.(piece, needed ?? noNeeds(), settings()) ?? [])
    },
    unsupported<P, N extends object>(kind: PieceKind<P, N>, piece: P, needed?: N): readonly Unsupported[] {
      const column = columnOf(kind)
      return typeof column === 'string'
        ? [{ name: kind.name, why: column }]
        : (column.unsupported?.(piece, needed ?? noNeeds(), settings()) ?? [])
    },
  }
}

/** What a node's kernel routes of a piece, by the row of its kind. */
export const routesOf = <P, N extends object>(kind: PieceKind<P, N>, piece: P, needed?: N): readonly Item<KernelRoute>[] =>
  kind.routes?.(piece, needed ?? noNeeds()) ?? []

export const inspectorsOf = <P, N extends object>(kind: PieceKind<P, N>, piece: P, needed?: N): readonly Item<InspectorThing>[] =>
  kind.inspectors?.(piece, needed ?? noNeeds()) ?? []

/** Whatever is needed may be absent. */
const noNeeds = <N extends object>(): N => ({}) as N

/** Whether an item closes, by the rows of the kinds that fail closed; undefined where there are none: then no order matters. */
export function closingBy(kinds: PieceKinds, plane: string): ((item: Pick<Item, 'key' | 'text'>) => boolean) | undefined {
  const columns = kinds.flatMap(({ failsClosed, planes }) => {
    const column =
      failsClosed === true ? (planes as Readonly<Record<string, Column<unknown, object, PlaneName> | string>>)[plane] : undefined
    return column === undefined || typeof column === 'string' || column.closes === undefined ? [] : [column]
  })
  return columns.length === 0 ? undefined : ({ key, text }) => columns.some((column) => column.closes?.(key, text) === true)
}

export const needsOf = ({ needs = {} }: AnyPieceKind): readonly Need<unknown, unknown>[] => Object.values(needs)

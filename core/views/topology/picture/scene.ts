// What a picture is made on: the boxes that stand for what there is, and what is drawn so far.
import { keyOf, type Kind, type Resource } from '../../../kinds/index.ts'
import type { VertexKind } from '../graph.ts'
import type { NetworkIndex } from '../network-index.ts'
import type { Counts } from './count.ts'
import { isRange, nameOf, type Unit } from './fold.ts'
import { rangeKinds, type PictureEdge, type PictureNode, type PictureQuestion, type RangedKind } from './question.ts'

export class Scene {
  readonly index: NetworkIndex
  readonly question: PictureQuestion
  readonly counts: Counts
  readonly nodes = new Map<string, PictureNode>()
  readonly edges = new Map<string, PictureEdge>()
  /** By the id of what it is, the id of the box that stands for it. */
  readonly #boxes = new Map<string, string>()

  constructor(index: NetworkIndex, question: PictureQuestion, counts: Counts) {
    this.index = index
    this.question = question
    this.counts = counts
  }

  get room(): number {
    return this.question.most - this.nodes.size - this.edges.size
  }

  boxOf = (id: string): string | undefined => this.#boxes.get(id)

  /** Draws the boxes of a kind; each id is then found by them. */
  stand(kind: RangedKind, units: readonly Unit[], draw: (id: string) => PictureNode, more: (unit: Unit) => Partial<PictureNode>): void {
    for (const unit of units) {
      for (const id of unit.ids) this.#boxes.set(id, unit.id)
      const node = isRange(unit) ? rangeOf(kind, unit) : draw(unit.id)
      this.nodes.set(unit.id, { ...node, ...more(unit) })
    }
  }

  put(node: PictureNode): void {
    this.nodes.set(node.id, node)
    this.#boxes.set(node.id, node.id)
  }

  join(edge: PictureEdge): void {
    this.edges.set(edge.id, edge)
  }

  item<K extends Kind>(kind: K, key: string): Resource<K> | undefined {
    return (this.index.objects as unknown as Readonly<Record<string, ReadonlyMap<string, Resource<K>>>>)[kind]?.get(key)
  }
}

const rangeOf = (kind: RangedKind, { id, ids }: Unit): PictureNode => ({
  id,
  kind: rangeKinds[kind],
  name: nameOf(id),
  seen: true,
  members: ids.length,
  first: nameOf(ids[0] ?? ''),
  last: nameOf(ids.at(-1) ?? ''),
})

/** Of a kind and key: what an object says of itself, or that it is only named. */
export function vertexOf(kind: VertexKind, key: string, item: Resource | undefined): PictureNode {
  const slash = key.indexOf('/')
  const { phase, message } = (item?.status ?? {}) as { readonly phase?: string; readonly message?: string }
  return {
    id: `${kind}/${key}`,
    kind,
    ...(slash >= 0 && { namespace: key.slice(0, slash) }),
    name: key.slice(slash + 1),
    seen: item !== undefined,
    ...(phase !== undefined && { phase }),
    ...(message !== undefined && { message }),
  }
}

export const keyOfPod = ({ metadata, spec }: Resource<'Port'>): string | undefined =>
  spec.claim === undefined ? undefined : keyOf({ namespace: metadata.namespace ?? '', name: spec.claim.pod })

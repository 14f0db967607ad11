// Deployments of a cluster that is none: a number each, and who has set it last.
import type { DeploymentName, NoScale, Scale, Scales } from '../../core/contracts/scales.ts'

interface MemoryScale extends Scale {
  readonly setBy: 'megrez' | 'owner'
}
const keyOf = ({ namespace, name }: DeploymentName): string => `${namespace}/${name}`

export class MemoryScales implements Scales {
  readonly #all = new Map<string, MemoryScale>()
  readonly #spend: () => void
  #version = 0
  /** Asked so far. */
  reads = 0
  forbidden = false

  /** @param spend called before what is done by `up` and `down`; what it throws, they do */
  constructor(spend: () => void = () => undefined) {
    this.#spend = spend
  }

  /** The same Deployments, as somebody else asks for them. */
  as(spend: () => void): MemoryScales {
    const other = new MemoryScales(spend)
    Object.defineProperty(other, 'keep', { value: this.keep.bind(this) })
    Object.defineProperty(other, 'kept', { value: this.kept.bind(this) })
    return other
  }

  kept(of: DeploymentName): MemoryScale | undefined {
    return this.#all.get(keyOf(of))
  }

  keep(of: DeploymentName, replicas: number, setBy: MemoryScale['setBy']): void {
    const had = this.#all.get(keyOf(of))
    if (had?.replicas === replicas && setBy === 'owner') return
    this.#all.set(keyOf(of), { replicas, setBy, resourceVersion: String(++this.#version) })
  }

  /** Makes it, or sets its number, as its owner. */
  set(of: DeploymentName, replicas: number): void {
    this.keep(of, replicas, 'owner')
  }

  remove(of: DeploymentName): void {
    this.#all.delete(keyOf(of))
  }

  replicasOf(of: DeploymentName): number | undefined {
    return this.kept(of)?.replicas
  }

  async read(of: DeploymentName): Promise<Scale | NoScale> {
    this.reads++
    if (this.forbidden) return 'Forbidden'
    const kept = this.kept(of)
    return kept === undefined ? 'NotFound' : { replicas: kept.replicas, resourceVersion: kept.resourceVersion }
  }

  async isOurs(of: DeploymentName, scale: Scale): Promise<boolean | NoScale> {
    const why = this.#whyNot(of)
    return why ?? this.#isFree(of, scale)
  }

  async up(of: DeploymentName, scale: Scale): Promise<boolean | NoScale> {
    this.#spend()
    const why = this.#whyNot(of)
    if (why !== undefined) return why
    if (this.kept(of)!.resourceVersion !== scale.resourceVersion) return false
    this.keep(of, 1, 'megrez')
    return true
  }

  async down(of: DeploymentName, scale: Scale): Promise<boolean | NoScale> {
    this.#spend()
    const why = this.#whyNot(of)
    if (why !== undefined) return why
    if (!this.#isFree(of, scale)) return false
    this.keep(of, 0, 'megrez')
    return true
  }

  #whyNot(of: DeploymentName): NoScale | undefined {
    if (this.forbidden) return 'Forbidden'
    return this.kept(of) === undefined ? 'NotFound' : undefined
  }

  #isFree(of: DeploymentName, scale: Scale): boolean {
    const kept = this.kept(of)
    return kept?.resourceVersion === scale.resourceVersion && kept.setBy === 'megrez'
  }
}

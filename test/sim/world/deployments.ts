// Deployments: how many pods each is to have, who has set that, and the controller that makes and deletes them.
import { keyOf, type Resource } from '../../../core/kinds/index.ts'
import type { DeploymentName, Scales } from '../../../core/contracts/scales.ts'
import { isPodFinished } from '../../../core/plan/pod/pod.ts'
import { MemoryScales } from '../../workers/memory-scales.ts'
import type { Process } from '../process.ts'
import type { Site } from '../site.ts'
import type { Outside } from './outside.ts'

/** What Megrez has set. */
export interface ReplicasChange extends DeploymentName {
  readonly before: number
  readonly after: number
}

export class Deployments {
  readonly all = new MemoryScales()
  readonly #site: Site
  readonly #listeners: (() => void)[] = []
  readonly #scaled: ((change: ReplicasChange) => void)[] = []

  constructor(site: Site) {
    this.#site = site
  }

  /** As a worker asks for them: each call takes a while, and what the dead have asked for may be done. */
  scalesFor(process: Process): Scales {
    const asked = async <T>(of: DeploymentName, what: string, asking: () => Promise<T>): Promise<T> => {
      await process.pass(process.way(), `${what} of Deployment ${keyOf(of)}`)
      const before = this.all.replicasOf(of)
      const answer = await asking()
      const after = this.all.replicasOf(of)
      if (before !== undefined && after !== undefined && before !== after) {
        this.#site.scheduler.say(process.name, `${what} of Deployment ${keyOf(of)}: ${before} to ${after}`)
        for (const listener of this.#scaled) listener({ ...of, before, after })
        this.#changed()
      }
      await process.pass(process.way(), `the answer for Deployment ${keyOf(of)}`)
      return answer
    }
    return {
      read: (of) => asked(of, 'the scale', () => this.all.read(of)),
      isOurs: (of, scale) => asked(of, 'who set the scale', () => this.all.isOurs(of, scale)),
      up: (of, scale) => asked(of, 'scaling up', () => this.all.up(of, scale)),
      down: (of, scale) => asked(of, 'scaling down', () => this.all.down(of, scale)),
    }
  }

  /** As its owner; undefined: it goes. */
  set(of: DeploymentName, replicas: number | undefined): void {
    if (replicas === undefined) this.all.remove(of)
    else this.all.set(of, replicas)
    this.#changed()
  }

  /** Hears of what workers have set. */
  onScaled(listener: (change: ReplicasChange) => void): void {
    this.#scaled.push(listener)
  }

  onChange(listener: () => void): void {
    this.#listeners.push(listener)
  }

  #changed(): void {
    for (const listener of this.#listeners) listener()
  }
}

const [actingMs, againMs] = [1_500, 4_000]

interface Template {
  readonly of: DeploymentName
  /** Asks for a pod of that name. */
  readonly ask: (name: string) => void
}

/** Pods have names of their own, which no pod has again. */
export function runDeployment({ of, ask }: Template, outside: Outside, deployments: Deployments): void {
  const { truth, scheduler, dice: given } = outside.site
  const dice = given.fork('deployment')
  let [asked, isPlanned] = [0, false]
  const isOfDeployment = ({ metadata: { namespace, name } }: Resource): boolean => namespace === of.namespace && /^d\d+$/.test(name)
  const plan = (ms: number): void => {
    if (isPlanned) return
    isPlanned = true
    scheduler.after(ms, `the controller of Deployment ${keyOf(of)}`, act)
  }
  const act = (): void => {
    isPlanned = false
    const pods = [...truth.values('Pod')].filter((pod) => isOfDeployment(pod) && isThere(pod))
    const wanted = deployments.all.replicasOf(of) ?? 0
    for (const { metadata } of pods.slice(wanted))
      outside.spawn('delete-pod', () => outside.remove({ kind: 'Pod', namespace: of.namespace, name: metadata.name }, 'deployments'))
    if (pods.length >= wanted) return
    ask(`d${++asked}`)
    plan(againMs)
  }
  deployments.onChange(() => plan(dice.next() * actingMs))
  truth.on(({ kind, before, after }) => {
    if (kind === 'Pod' && isOfDeployment((after ?? before)!)) plan(dice.next() * actingMs)
  })
}
const isThere = (pod: Resource<'Pod'>): boolean => pod.metadata.deletionTimestamp === undefined && !isPodFinished(pod)

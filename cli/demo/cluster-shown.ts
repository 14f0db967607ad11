// What the demo of a cluster has to show.
import type { Rollout } from '../../lab/megrez/times.ts'

export interface PodLine {
  readonly pod: string
  readonly node: string
  readonly podIP: string
  readonly interfaces: readonly { readonly name: string; readonly address: string }[]
}
export interface ClusterDemo {
  readonly samples: readonly PodLine[]
  readonly blue: readonly PodLine[]
  readonly red: readonly PodLine[]
  /** Pairs of the same tenant that were tried, and sentences about those that failed. */
  readonly pings: { readonly tried: number; readonly failed: readonly string[]; readonly crossed: readonly string[] }
  /** After the agent of a node was killed while pods came. */
  readonly killed: { readonly running: number; readonly failed: readonly string[] }
  readonly own: readonly PodLine[]
  readonly times: Times
  readonly left: readonly string[]
}
/** Twenty pods from created to Running, in turns. */
export interface Times {
  /** Before there was anything of ours in the cluster. */
  readonly bare: readonly Rollout[]
  readonly without: readonly Rollout[]
  readonly withNics: readonly Rollout[]
  /** Median with our NICs over median without, in the same cluster. */
  readonly ratio: number
}

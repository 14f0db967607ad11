// What a container runtime does beside what its pods ask for.
import type { Resource } from '../../../core/kinds/index.ts'

export type Verb = 'ADD' | 'DEL' | 'CHECK' | 'GC' | 'STATUS'
/** When the old sandbox of a pod is taken down that has another one. */
export type OldGoes = 'before' | 'after' | 'late' | 'never'

export interface Runtime {
  /** A pod that runs has another sandbox. */
  renew(pod: Resource<'Pod'>, old: OldGoes): void
  /** One more call on a node, of a sandbox that is there or once was. */
  ask(verb: Verb, node: string, nth: number): void
}

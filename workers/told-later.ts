// When a pod is told that its NICs are ready. That is a write, an Event, and one more look of its kubelet at it, in the middle of
// the time in which a rollout's pods are started. Where agents wire, it waits for the pod's own: by then nothing of it waits for us.
import { nicStatusAnnotation } from '../core/kinds/annotations.ts'
import { keyOf, type Resource } from '../core/kinds/index.ts'
import { isAskedAbout } from '../core/plan/notices.ts'
import { isMadeFor } from '../core/plan/pod.ts'
import type { Turn } from '../platform/cache.ts'
import { reporting, type Env } from './env.ts'

type Port = Resource<'Port'>

/** Longest that a pod is not told: its node may be busy, or its agent away. */
const tellMs = 4_000

/** What becomes of a pod's report at a turn of its Port: undefined where that is decided as ever. */
export function reportAt({ before, after }: Turn<'Port'>, env: Env): 'now' | 'later' | undefined {
  if (after === undefined || env.store.identify !== undefined || !env.config.agents || !mayWait(after, env)) return undefined
  if (isWiredNow(after)) return isWiredNow(before) ? undefined : 'now'
  return before?.status?.phase === 'ready' ? undefined : 'later'
}

/** By a clock of this process: a worker that ends before looks at every pod when it starts again. */
export function tellLater(port: Port, { clock, add }: Env): void {
  clock.after(tellMs, () => add('pod', podKeyOf(port)))
}

const isWiredNow = (port: Port | undefined): boolean => port?.status?.node?.wired === true

/** It is on its node and served, and its pod has been told nothing yet, nor is there anybody who waits for that. */
function mayWait(port: Port, env: Env): boolean {
  const pod = env.caches.Pod.get(podKeyOf(port))
  return pod?.metadata.uid === port.spec.claim?.podUID && pod !== undefined && isServed(port) && isToldNothing(pod) && !isAskedAbout(pod, reporting(env, 0))
}

const isServed = (port: Port): boolean => port.metadata.deletionTimestamp === undefined && port.status?.phase === 'ready' && port.spec.node !== undefined && isMadeFor(port)
const isToldNothing = ({ metadata }: Resource<'Pod'>): boolean => metadata.deletionTimestamp === undefined && metadata.annotations?.[nicStatusAnnotation] === undefined
const podKeyOf = ({ metadata, spec }: Port): string => keyOf({ namespace: metadata.namespace ?? '', name: spec.claim?.pod ?? '' })

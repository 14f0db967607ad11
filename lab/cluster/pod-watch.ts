// When pods of a namespace were first seen, and when running: as a watch of the API server tells it, to the millisecond.
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { ControlPlane } from './control-plane.ts'

export interface PodTimes {
  /** Milliseconds of a clock that only goes forward. */
  readonly seenMs: number
  readonly runningMs?: number
}
export interface PodWatch {
  /** By name; those that were deleted stay. */
  readonly times: ReadonlyMap<string, PodTimes>
  stop(): Promise<void>
}

const line = '{.metadata.name} {.status.containerStatuses[*].ready}{"\\n"}'

/** Resolves once the watch stands: what is made from then on is seen. */
export async function watchPods({ kubectl: [program = '', ...before] }: ControlPlane, namespace: string): Promise<PodWatch> {
  const child = spawn(program, [...before, 'get', 'pods', '--namespace', namespace, '--watch', '-v=6', '-o', `jsonpath=${line}`], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const times = new Map<string, PodTimes>()
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  createInterface({ input: child.stdout }).on('line', (text) => {
    const [name = '', ...ready] = text.split(' ')
    const seen = times.get(name) ?? { seenMs: performance.now() }
    const running = ready.length > 0 && ready.every((each) => each === 'true')
    times.set(name, running && seen.runningMs === undefined ? { ...seen, runningMs: performance.now() } : seen)
  })
  // It speaks of each request that was answered; the second is the watch.
  await new Promise<void>((resolve, reject) => {
    void ended.then(() => reject(new Error('kubectl ended before it watched')))
    createInterface({ input: child.stderr }).on('line', (text) => (/watch=true/.test(text) ? resolve() : undefined))
  })
  return {
    times,
    async stop() {
      child.kill()
      await ended
    },
  }
}

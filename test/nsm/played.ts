// One scenario, played as reference/run.sh plays it: processes of nsm-peer, whose lines are kept by name.
import { spawn, type ChildProcess } from 'node:child_process'
import { createInterface } from 'node:readline'
import { once } from 'node:events'
import { until } from '../setup/until.ts'
import { eventsOf, type PeerEvent } from './transcripts.ts'

export interface Played {
  /** In the background. */
  start(name: string, ...args: readonly string[]): void
  /** One of ours, in the background: resolves when it serves, and is registered. */
  startOurs(name: string, ...args: readonly string[]): Promise<void>
  /** To its end. */
  run(name: string, ...args: readonly string[]): Promise<void>
  note(name: string, text: string): void
  end(name: string, signal?: 'SIGTERM' | 'SIGKILL'): Promise<void>
  events(name: string): readonly PeerEvent[]
  /** Waits until it has said so. */
  heard(name: string, event: string): Promise<void>
  /** All that still run, the youngest first. */
  finish(): Promise<void>
}

/** @param common flags of every process */
export function play(common: () => readonly string[] = () => []): Played {
  const program = process.env.MEGREZ_TEST_NSM_PEER
  if (program === undefined) throw new Error('MEGREZ_TEST_NSM_PEER names no program: run it by node bootstrap.mjs test/run.ts nsm')
  const events = new Map<string, PeerEvent[]>()
  const running = new Map<string, { readonly child: ChildProcess; readonly ended: Promise<unknown> }>()
  const of = (name: string): PeerEvent[] => {
    const known = events.get(name) ?? []
    events.set(name, known)
    return known
  }
  const start = (name: string, args: readonly string[]) => keep(name, program, [...args, '--short-tokens', ...common()])
  const keep = (name: string, command: string, args: readonly string[]) => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'ignore'] })
    createInterface({ input: child.stdout }).on('line', (line) => of(name).push(...eventsOf(line)))
    const ended = once(child, 'close')
    running.set(name, { child, ended })
    return ended
  }
  const end = async (name: string, signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<void> => {
    const found = running.get(name)
    if (found === undefined) return
    running.delete(name)
    found.child.kill(signal)
    await found.ended
  }
  return {
    start: (name, ...args) => void start(name, args),
    async startOurs(name, ...args) {
      const before = of(name).length
      void keep(name, process.execPath, ['--disable-warning=ExperimentalWarning', 'test/nsm/hop.ts', ...args])
      await until(() => of(name).length > before, `${args[0]} of ours starts`)
    },
    async run(name, ...args) {
      await start(name, args)
      running.delete(name)
    },
    note: (name, text) => void of(name).push({ event: 'note', text }),
    end,
    events: of,
    heard: (name, event) => until(() => of(name).some((each) => each.event === event), `${name} says ${event}`),
    async finish() {
      for (const name of [...running.keys()].reverse()) await end(name)
    },
  }
}

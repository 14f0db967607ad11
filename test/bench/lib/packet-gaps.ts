// A stream of packets at a pace, and the times in which none of it arrived.
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { Namespace } from '../../../lab/namespaces.ts'

export interface PacedStream {
  /** Milliseconds: the longest time without a packet that was over while this ran, or soon after. */
  longestWhile(run: () => Promise<unknown>): Promise<number>
  /** @returns how many packets arrived */
  end(): Promise<number>
}

const paceUs = 100
/** Times below are not told of; what is paced is not that even. */
const leastUs = 150
/** Of what was held back the first packet tells how long. */
const soonMs = 100
const longestMs = 600_000

/** @param tool of buildPacketRate; interfaces of both are `eth0` */
export async function pacedStream(tool: string, from: Namespace, frame: string, to: Namespace): Promise<PacedStream> {
  const start = (inside: Namespace, ...args: readonly (string | number)[]) => {
    const child = spawn('ip', ['netns', 'exec', inside.name, tool, ...args.map(String)], { stdio: ['ignore', 'pipe', 'inherit'] })
    const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
    return { child, ended }
  }
  const gaps: { readonly endedMs: number; readonly ms: number }[] = []
  let packets = 0
  const ear = start(to, 'gaps', 'eth0', longestMs, leastUs)
  const ready = Promise.withResolvers<void>()
  createInterface({ input: ear.child.stdout }).on('line', (line) => {
    const [first = '', second = ''] = line.split(' ')
    if (first === 'ready') ready.resolve()
    else if (first === 'packets') packets = Number(second)
    else gaps.push({ endedMs: Number(first) / 1e6, ms: Number(second) / 1e6 })
  })
  await Promise.race([ready.promise, ear.ended.then(() => Promise.reject(new Error('nobody listens')))])
  const mouth = start(from, 'send', 'eth0', frame, 1, 1_024, 1, 5_000, 0, longestMs, paceUs)
  return {
    async longestWhile(run) {
      const began = monotonicMs()
      await run()
      const ended = monotonicMs()
      await new Promise((resolve) => setTimeout(resolve, soonMs))
      return Math.max(leastUs / 1_000, ...gaps.flatMap(({ endedMs, ms }) => (endedMs > began && endedMs - ms < ended ? [ms] : [])))
    },
    async end() {
      mouth.child.kill()
      await mouth.ended
      ear.child.kill()
      await ear.ended
      return packets
    },
  }
}

const monotonicMs = (): number => Number(process.hrtime.bigint()) / 1e6

// Frames as fast as they can be sent, and how many arrive: packet-rate.c, built where it is needed.
import { join } from 'node:path'
import { must, type Namespace } from '../../../lab/namespaces.ts'

/** UDP from each of some L4 ports to each of some: that many flows. */
export interface Flows {
  readonly sources: number
  readonly source: number
  readonly destinations: number
  readonly destination: number
}
export const turned = ({ sources, source, destinations, destination }: Flows): Flows => ({
  sources: destinations,
  source: destination,
  destinations: sources,
  destination: source,
})

export interface Arrived {
  readonly packets: number
  readonly perSecond: number
  /** Microseconds of processor time of the process that was watched, per packet. */
  readonly microseconds: number
}

export interface Paced {
  readonly count: number
  readonly paceUs: number
}

export interface PacketRate {
  readonly tool: string
  /** So many frames, slowly: all arrive where nobody drops them, and the switch gets to run. */
  send(from: Namespace, frame: string, flows: Flows, how: Paced): Promise<void>
  /** While frames are sent without end. @param pid whose processor time counts */
  rate(from: Namespace, frame: string, flows: Flows, to: { readonly namespace: Namespace; readonly pid: number }): Promise<Arrived>
}

const ifcName = 'eth0'
const [warmMs, countMs] = [500, 1_500]

/** @param folder that the program is built in */
export async function buildPacketRate(folder: string): Promise<PacketRate> {
  const tool = join(folder, 'packet-rate')
  await must('gcc', '-O2', '-o', tool, join(import.meta.dirname, 'packet-rate.c'))
  const inside = async (namespace: Namespace, ...args: readonly (string | number)[]): Promise<string> =>
    (await must('ip', 'netns', 'exec', namespace.name, tool, ...args.map(String))).stdout
  const wordsOf = ({ sources, source, destinations, destination }: Flows) => [sources, source, destinations, destination]
  return {
    tool,
    async send(from, frame, flows, { count, paceUs }) {
      const all = Number(await inside(from, 'send', ifcName, frame, ...wordsOf(flows), count, 10_000, paceUs))
      if (all !== count) throw new Error(`${all} of ${count} frames were sent within 10 s`)
    },
    async rate(from, frame, flows, to) {
      const [counted] = await Promise.all([
        inside(to.namespace, 'count', ifcName, to.pid, warmMs, countMs),
        inside(from, 'send', ifcName, frame, ...wordsOf(flows), 0, warmMs + countMs + 200, 0),
      ])
      const [packets = 0, nanoseconds = 0, used = 0] = counted.trim().split(' ').map(Number)
      return { packets, perSecond: (packets * 1e9) / nanoseconds, microseconds: used / 1_000 / packets }
    },
  }
}

// What pods of a lab can reach, asked of the packets themselves.
import { run } from '../../platform/programs/run.ts'
import type { Namespace } from '../namespaces.ts'

/**
 * Whether an address answers. A tunnel's first packet may be lost to finding its far end, so what should answer is asked more than once.
 */
export async function reaches(from: Namespace, address: string, { tries }: { readonly tries: number }): Promise<boolean> {
  for (let tried = 0; tried < tries; tried++) if ((await from.exec('ping', '-c', '1', '-W', '1', address)).code === 0) return true
  return false
}

export interface Lost {
  readonly sent: number
  readonly lost: number
}

/** A busy machine answers late; what is answered within this is not lost. */
const lateSeconds = 10

/**
 * Pings at a steady rate until so many are answered. With a deadline ping goes on until it has that many answers, so that the last of
 * them are waited for: one that is missing below the last that was answered is lost, and where the deadline ends it, all unanswered are.
 */
export async function pinged(
  from: Namespace,
  address: string,
  { count, everyMs }: { readonly count: number; readonly everyMs: number },
): Promise<Lost> {
  const deadline = Math.ceil((count * everyMs) / 1000) + lateSeconds
  const { stdout } = await from.exec('ping', '-c', String(count), '-i', String(everyMs / 1000), '-w', String(deadline), address)
  return lostIn(stdout, count)
}

/** From what ping printed. */
export function lostIn(printed: string, count: number): Lost {
  const answered = new Set([...printed.matchAll(/ icmp_seq=(\d+) ttl=/g)].map(([, number]) => Number(number)))
  const sent = Number(/(\d+) packets transmitted/.exec(printed)?.[1] ?? 0)
  if (answered.size < count) return { sent, lost: sent - answered.size }
  const last = Math.max(...answered)
  return { sent: last, lost: last - answered.size }
}

/** Echo requests that a pod's kernel has seen so far. */
export async function echoesAt(namespace: Namespace): Promise<number> {
  const { stdout } = await run('ip', ['netns', 'exec', namespace.name, 'cat', '/proc/net/snmp'])
  const [names, values] = stdout
    .split('\n')
    .filter((line) => line.startsWith('Icmp:'))
    .map((line) => line.split(' '))
  return Number(values?.[names?.indexOf('InEchos') ?? -1] ?? 0)
}

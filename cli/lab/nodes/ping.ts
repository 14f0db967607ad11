// What pods of a lab can reach, asked of the packets themselves.
import { run } from '../../../platform/programs/run.ts'
import type { Namespace } from '../namespaces.ts'

/** Whether an address answers. A tunnel's first packet may be lost to finding its far end, so what should answer is asked more than once. */
export async function reaches(from: Namespace, address: string, { tries }: { readonly tries: number }): Promise<boolean> {
  for (let tried = 0; tried < tries; tried++) if ((await from.exec('ping', '-c', '1', '-W', '1', address)).code === 0) return true
  return false
}

export interface Lost {
  readonly sent: number
  readonly lost: number
}

/** Pings at a steady rate until it has sent so many. */
export async function pinged(from: Namespace, address: string, { count, everyMs }: { readonly count: number; readonly everyMs: number }): Promise<Lost> {
  const { stdout } = await from.exec('ping', '-c', String(count), '-i', String(everyMs / 1000), '-W', '2', address)
  const [, sent = '0', received = '0'] = /(\d+) packets transmitted, (\d+) received/.exec(stdout) ?? []
  return { sent: Number(sent), lost: Number(sent) - Number(received) }
}

/** Echo requests that a pod's kernel has seen so far. */
export async function echoesAt(namespace: Namespace): Promise<number> {
  const { stdout } = await run('ip', ['netns', 'exec', namespace.name, 'cat', '/proc/net/snmp'])
  const [names, values] = stdout.split('\n').filter((line) => line.startsWith('Icmp:')).map((line) => line.split(' '))
  return Number(values?.[names?.indexOf('InEchos') ?? -1] ?? 0)
}

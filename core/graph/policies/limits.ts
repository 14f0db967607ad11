// How much a port may send and get: a traffic class over the task of its PortInc, and one over that of a Queue in front of its PortOut.
// What is above waits there, and is dropped where too much waits: in the ring of the interface, and in the Queue.
import type { LocalPort } from '../../node/wanted.ts'
import type { MadeElement as Element } from '../elements.ts'
import { module } from '../modules.ts'

/**
 * With less a class would stand still for too long: a round of a worker takes 32 packets of 2,048 bytes at most, and what it has taken too
 * much is waited for, half a second's worth of this. bessd ends no class, so who has it next would wait too.
 */
export const leastBitsPerSecond = 1_000_000
/** No port of bessd carries more; with more what a class counts with would run over (kUsageAmplifierPow in core/traffic_class.h). */
const mostBitsPerSecond = 1_000_000_000_000
/** A class counts what may come at once in 64 bits, of which 32 are fractions. */
const mostBurstBits = 2 ** 32 - 1

/** What may pass at once: a tenth of a second's worth, as in Open vSwitch. */
export const burstOf = (bitsPerSecond: number): number => Math.min(Math.ceil(bitsPerSecond / 10), mostBurstBits)

/** Packets that wait to go out of a port. Of those there are for all ports together no more than bessd has buffers: 2,048 such queues. */
const slots = 128

const isDone = (bits: number | undefined): bits is number => bits !== undefined && bits >= leastBitsPerSecond

/** What is not done of how much a policy says, a sentence each. */
export const limitsNotDone = (limits: readonly (number | undefined)[]): readonly string[] =>
  limits.some((bits) => bits !== undefined && !isDone(bits))
    ? [`it limits to less than ${leastBitsPerSecond} bits a second, and BESS takes 32 packets at once, which would stop it for too long`]
    : []

const limit = (role: string, bits: number | undefined): readonly Element[] =>
  isDone(bits) ? [{ kind: 'limit', role, bitsPerSecond: Math.min(bits, mostBitsPerSecond) }] : []

type Limited = Pick<LocalPort, 'number' | 'policy'>
const trafficOf = ({ policy }: Limited) => (policy?.isClosed === true ? undefined : policy?.traffic)

export const sendingLimit = (port: Limited): readonly Element[] => limit(`in.${port.number}`, trafficOf(port)?.maxEgress)

/** The way out of a port. What leads to it is the same with a limit and without. */
export function waysOut(port: Limited, of: { readonly port: string; readonly device: string }): readonly Element[] {
  const out = { mclass: 'PortOut', ...of } as const
  const role = `out.${port.number}`
  const most = trafficOf(port)?.maxIngress
  if (!isDone(most)) return [module(role, out)]
  const sends = `tx.${port.number}`
  return [module(role, { mclass: 'Queue', slots }, [sends]), module(sends, out), ...limit(role, most)]
}

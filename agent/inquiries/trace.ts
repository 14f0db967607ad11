// What would become of a packet of a Port: the data plane is asked, where it can tell.
import type { TracedPacket } from '../../core/kinds/inquiry.ts'
import type { LocalPort } from '../../core/node/wanted.ts'
import type { AgentEnv } from '../env.ts'
import type { UntimedAnswer } from './found.ts'

export async function traceFrom(local: LocalPort, packet: TracedPacket, { plane }: AgentEnv, signal: AbortSignal): Promise<UntimedAnswer> {
  void [local, packet, signal]
  return Promise.resolve({ outcome: 'unsupported', message: `trace: ${plane.name} cannot tell what would become of a packet` })
}

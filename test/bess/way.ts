// What a law puts between an agent and the daemon.
import type { Channel } from '../../platform/grpc/channel.ts'

/**
 * Passes `way` before each call that changes something, and before each look: what lies between two of them, nobody else can tell apart.
 */
export function onTheWay(channel: Channel, way: () => Promise<void>): Channel {
  return {
    ...channel,
    async unary(method, asked, options) {
      if (!/\/(ListPorts|ListWorkers|Get|Check)/.test(method.path)) await way()
      return channel.unary(method, asked, options)
    },
  }
}

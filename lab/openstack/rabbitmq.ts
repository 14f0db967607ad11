// A RabbitMQ on loopback, between neutron-server and the agents of one lab.
import { connect } from 'node:net'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { until } from '../../platform/programs/until.ts'
import { keep } from '../../platform/redis-server/keep.ts'

export interface RabbitMq {
  readonly l4Port: number
  stop(): Promise<void>
}

/** As whoever listens on this port of loopback names it to oslo.messaging. */
export const transportOf = (l4Port: number): string => `rabbit://guest:guest@127.0.0.1:${l4Port}/`

/** @param ports three that are free: of AMQP, of Erlang's distribution, of its port mapper */
export async function startRabbitMq(folder: string, [l4Port, distribution, mapper]: readonly number[]): Promise<RabbitMq> {
  await mkdir(folder, { recursive: true })
  const env = {
    HOME: folder,
    RABBITMQ_NODENAME: `lab${l4Port}@localhost`,
    RABBITMQ_NODE_IP_ADDRESS: '127.0.0.1',
    RABBITMQ_NODE_PORT: String(l4Port),
    RABBITMQ_DIST_PORT: String(distribution),
    ERL_EPMD_ADDRESS: '127.0.0.1',
    ERL_EPMD_PORT: String(mapper),
    RABBITMQ_MNESIA_BASE: join(folder, 'mnesia'),
    RABBITMQ_LOG_BASE: join(folder, 'log'),
    RABBITMQ_ENABLED_PLUGINS_FILE: join(folder, 'enabled_plugins'),
    RABBITMQ_PID_FILE: join(folder, 'pid'),
    RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS: '-kernel inet_dist_use_interface {127,0,0,1}',
  }
  // Ours, as the one that Erlang would start by itself outlives it.
  const epmd = await keep('epmd', ['-port', String(mapper), '-address', '127.0.0.1'], { log: join(folder, 'epmd.log'), env })
  // Not the one on PATH, which changes the user.
  const kept = await keep('/usr/lib/rabbitmq/bin/rabbitmq-server', [], { log: join(folder, 'rabbitmq.log'), env })
  await until(() => answers(l4Port!), 'RabbitMQ takes connections', 60_000)
  return {
    l4Port: l4Port!,
    async stop() {
      await kept.stop()
      await epmd.stop()
    },
  }
}

const answers = (l4Port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port: l4Port }, () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })

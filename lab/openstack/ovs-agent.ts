// Neutron's agent of Open vSwitch on a node of the lab. The node's loopback is its own, so that a relay leads from there to RabbitMQ.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { keep, type KeptServer } from '../../platform/redis-server/keep.ts'
import type { OvsNode } from '../programs/ovs.ts'
import { killAll } from './descendants.ts'
import { transportOf } from './rabbitmq.ts'
import { iniOf } from './settings.ts'

export interface OvsAgentOptions {
  /** The node's, as Neutron names it in `binding:host_id`. */
  readonly host: string
  /** That others tunnel to, on an interface of the node. */
  readonly address: string
  /** Of neutron-server. */
  readonly config: readonly string[]
  readonly rabbitL4Port: number
  readonly firewall?: Firewall | undefined
}

/** What holds security groups: flows, or iptables on a Linux bridge between each interface and the switch. */
export type Firewall = 'openvswitch' | 'iptables_hybrid'

const amqpL4Port = 5672
const openflowL4Port = 6633

/** @returns what ends it */
export async function startOvsAgent(
  { namespace, folder, db, vsctl }: OvsNode,
  { host, address, config, rabbitL4Port, firewall = 'openvswitch' }: OvsAgentOptions,
): Promise<() => Promise<void>> {
  const inside = ['netns', 'exec', namespace.name]
  const kept: KeptServer[] = []
  const relay = join(folder, 'amqp.sock')
  for (const [program, ...args] of [
    ['socat', `UNIX-LISTEN:${relay},fork`, `TCP:127.0.0.1:${rabbitL4Port}`],
    ['ip', ...inside, 'socat', `TCP-LISTEN:${amqpL4Port},bind=127.0.0.1,reuseaddr,fork`, `UNIX-CONNECT:${relay}`],
  ] as const)
    kept.push(await keep(program, args, { log: join(folder, 'socat.log') }))
  for (const bridge of ['br-int', 'br-ex'])
    await vsctl('--may-exist', 'add-br', bridge, '--', 'set', 'bridge', bridge, 'datapath_type=netdev')
  const own = join(folder, 'neutron-agent.conf')
  const files = [...config, own]
  await writeFile(
    own,
    iniOf({
      DEFAULT: { host, transport_url: transportOf(amqpL4Port), log_file: join(folder, 'neutron-agent.log') },
      ovs: {
        ovsdb_connection: db,
        datapath_type: 'netdev',
        local_ip: address,
        bridge_mappings: 'physnet1:br-ex',
        of_listen_address: '127.0.0.1',
        of_listen_port: openflowL4Port,
      },
      agent: { tunnel_types: 'vxlan', l2_population: false, root_helper: '/usr/bin/env', report_interval: 5 },
      securitygroup: { firewall_driver: firewall },
      privsep: { helper_command: ['/usr/bin/privsep-helper', ...files.map((file) => `--config-file ${file}`)].join(' ') },
    }),
  )
  const args = files.flatMap((file) => ['--config-file', file])
  kept.push(
    await keep('ip', [...inside, 'neutron-openvswitch-agent', ...args], {
      log: join(folder, 'neutron-agent.out'),
      // Its firewall calls ovs-ofctl with a bridge's name, which looks there.
      env: { OVS_RUNDIR: folder },
    }),
  )
  return async () => {
    // Asked to end it takes up to a quarter of a minute.
    await killAll(kept.at(-1)!.pid)
    for (const each of kept.toReversed()) await each.stop()
  }
}

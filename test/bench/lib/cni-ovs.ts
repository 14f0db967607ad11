// The part of the cni benchmark with Open vSwitch: ADDs through the agent, and beside them the same done bare: links over netlink, a port
// in one OVSDB transaction until the switch has it, its flows and a barrier.
import { ovs } from '../../../agent/dataplanes/ovs.ts'
import type { OvsNode } from '../../../lab/programs/ovs.ts'
import { mapOf, named, setOf, type Operation } from '../../../core/wire/ovsdb/ovsdb.ts'
import { realClock } from '../../../platform/clock.ts'
import { silentLog } from '../../../platform/log.ts'
import { Ovsdb } from '../../../platform/ovsdb/database.ts'
import { applied, configColumns } from '../../../platform/ovsdb/vswitch.ts'
import { here, openBenchAgent } from './cni-agent.ts'
import { againstFloor, type Metric } from './metric.ts'
import { bareFlowMods, BareSwitch, bridge, startBenchSwitch } from './ovs.ts'
import { median, quantile } from './rounds.ts'

export interface OvsAdds {
  readonly pods: number
  readonly rounds: number
  /** A tool of cni-floor, run in the node's namespace; microseconds of each. */
  measure(netns: string, ...args: readonly string[]): Promise<readonly number[]>
  /** A file with one line a sandbox. */
  list(round: number, args: readonly string[]): Promise<string>
  readonly shim: string
  /** A configuration that is answered by nobody of ours. */
  readonly nobody: string
}

const signal = AbortSignal.timeout(600_000)

export async function ovsAdds({ pods, rounds, measure, list, shim, nobody }: OvsAdds): Promise<Metric> {
  const node = await startBenchSwitch()
  const netns = `/run/netns/${node.namespace.name}`
  const all = { add: [] as number[], shim: [] as number[], links: [] as number[], port: [] as number[], flows: [] as number[] }
  try {
    const plane = ovs({
      node: 'n1',
      db: node.db,
      runDir: node.folder,
      bridge,
      datapath: 'netdev',
      tunnelAddress: here,
      tunnelL4Port: 4789,
      uplinks: {},
      clock: realClock,
      random: Math.random,
      log: silentLog(),
    })
    const agent = await openBenchAgent(netns, pods, plane)
    const bare = await openBare(node, pods)
    try {
      for (let round = 0; round <= rounds; round++) {
        const [ours, theirs] = [
          await list(round, agent.args),
          await list(
            round,
            agent.args.map(() => 'IgnoreUnknown=1'),
          ),
        ]
        // The first round warms up.
        const keep = (name: keyof typeof all, values: readonly number[]): unknown => round > 0 && all[name].push(...values)
        keep('shim', await measure(netns, 'call', theirs, 'CHECK', shim, nobody))
        keep('links', await measure(netns, 'links', theirs, '-'))
        keep('add', await measure(netns, 'call', ours, 'ADD', shim, agent.conf))
        const flows = agent.itemsOfOne().filter(({ key }) => key.startsWith('flow/')).length
        await measure(netns, 'call', ours, 'DEL', shim, agent.conf)
        await agent.reap()
        await bare.round((port, flow) => (keep('port', [port]), keep('flows', [flow])), flows)
      }
    } finally {
      bare.close()
      await agent.close()
    }
  } finally {
    await node.stop()
  }
  const ms = (values: readonly number[]): number => median(values) / 1000
  for (const [name, values] of Object.entries(all))
    console.log(
      `ovs ${name.padEnd(10)} median ${ms(values).toFixed(2)} ms, p99 ${(quantile(values, 0.99) / 1000).toFixed(2)} ms, ${values.length} times`,
    )
  return againstFloor(
    'ovs.add',
    'ms',
    { value: ms(all.add), floor: ms(all.shim) + ms(all.links) + ms(all.port) + ms(all.flows) },
    { atMost: 1.5 },
  )
}

interface Bare {
  /** Each port and its flows once, as nobody else asks for anything; microseconds. */
  round(tell: (portUs: number, flowsUs: number) => void, flows: number): Promise<void>
  close(): void
}

async function openBare(node: OvsNode, pods: number): Promise<Bare> {
  const db = new Ovsdb({
    address: node.db,
    database: 'Open_vSwitch',
    tables: { ...configColumns, Bridge: ['name', 'ports'] },
    log: silentLog(),
  })
  await db.ready(signal)
  const names = Array.from({ length: pods }, (_, i) => `bare${i}`)
  for (const name of names) await node.namespace.ip('link', 'add', name, 'type', 'veth', 'peer', 'name', `p${name}`)
  const to = new BareSwitch(node)
  return {
    async round(tell, flows) {
      for (const [i, name] of names.entries()) {
        const began = performance.now()
        await applied(db, added(db, name, 1_000 + i), signal)
        const there = performance.now()
        await someFlows(to, flows, i)
        tell((there - began) * 1000, (performance.now() - there) * 1000)
      }
      await node.vsctl(...names.flatMap((name) => ['--', '--if-exists', 'del-port', name]).slice(1))
      if (to.errors > 0) throw new Error(`the switch refused ${to.errors} bare flows`)
    },
    close() {
      to.close()
      db.close()
    },
  }
}

function added(db: Ovsdb, name: string, number: number): readonly Operation[] {
  const [id = ''] = [...db.rows('Bridge')].find(([, row]) => row.name === bridge) ?? []
  return [
    {
      op: 'insert',
      table: 'Interface',
      row: { name, ofport_request: number, external_ids: mapOf({ 'iface-id': name }) },
      'uuid-name': 'i',
    },
    { op: 'insert', table: 'Port', row: { name, interfaces: named('i'), external_ids: mapOf({ bare: 'port' }) }, 'uuid-name': 'p' },
    { op: 'mutate', table: 'Bridge', where: [['_uuid', '==', ['uuid', id]]], mutations: [['ports', 'insert', setOf([named('p')])]] },
  ]
}

/** As many as one of our ports has, and what tells that the switch has them. */
async function someFlows(to: BareSwitch, count: number, nth: number): Promise<void> {
  const bytes = Buffer.alloc(256 * (count + 2))
  let at = 0
  for (let i = 0; i < count; i += 2)
    at = bareFlowMods(bytes, at, { vni: 7, ip: 0x0b000000 + nth * 256 + i, mac: 0x060000000000 + nth * 256 + i, host: 0xc0000209 })
  await to.write(bytes.subarray(0, at))
  await to.barrier(100 + nth)
}

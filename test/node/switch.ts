// One real Open vSwitch for a file of tests, emptied for each of them.
import { join } from 'node:path'
import { ovs, type OvsOptions } from '../../agent/dataplanes/ovs.ts'
import { labPrefix } from '../../lab/namespaces.ts'
import { startOvsNode, type OvsNode } from '../../lab/programs/ovs.ts'
import { physicalBridge } from '../../core/pipeline/ovsdb/switch.ts'
import { realClock } from '../../platform/clock.ts'
import { silentLog } from '../../platform/log.ts'
import { ovsFolder } from '../setup/ovs.ts'

export const bridge = 'mgz'
export const uplinks = { physnet1: 'up0' }
const ours = [bridge, physicalBridge('physnet1')]

export interface SwitchUnderTest {
  readonly node: OvsNode
  plane(more?: Partial<OvsOptions>): ReturnType<typeof ovs>
  /** Interfaces of these names are there afterwards; they stay until the end. */
  plug(names: Iterable<string>): Promise<void>
  /** Nothing of ours is there afterwards. */
  empty(): Promise<void>
}

export async function startSwitch(): Promise<SwitchUnderTest> {
  const node = await startOvsNode({ name: labPrefix(), folder: ovsFolder() })
  const plugged = new Set<string>()
  const own = {
    node,
    plane: (more: Partial<OvsOptions> = {}) =>
      ovs({
        node: 'here',
        db: node.db,
        runDir: join(node.folder),
        bridge,
        datapath: 'netdev',
        tunnelAddress: '192.0.2.1',
        tunnelL4Port: 4789,
        uplinks,
        clock: realClock,
        random: Math.random,
        log: silentLog(),
        times: { reapMs: 5 },
        ...more,
      }),
    async plug(names: Iterable<string>) {
      for (const name of names) {
        if (plugged.has(name)) continue
        plugged.add(name)
        await node.namespace.ip('link', 'add', name, 'type', 'veth', 'peer', 'name', `p${plugged.size}`)
      }
    },
    async empty() {
      await node.vsctl(...ours.flatMap((name) => ['--', '--if-exists', 'del-br', name]).slice(1))
      // Nothing deletes these with their port. A queue is let go of by its QoS first.
      for (const table of ['qos', 'queue']) {
        const ids = (await node.vsctl('--no-headings', '--columns=_uuid', 'find', table, `external_ids:megrez=${table}`)).split('\n')
        for (const id of ids) if (id !== '') await node.vsctl('destroy', table, id)
      }
    },
  }
  await own.plug(Object.values(uplinks))
  return own
}

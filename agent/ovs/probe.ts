// What this Open vSwitch is and can do, asked instead of guessed; and whether what we are told to use is somebody else's.
import { readFile } from 'node:fs/promises'
import type { Capabilities } from '../../core/contracts/dataplane.ts'
import { InUse, SwitchUnavailable } from '../../core/errors.ts'
import { numberOf, recordOf, stringsOf, textOf, type Row } from '../../core/wire/ovsdb.ts'
import type { Ovsdb } from '../../platform/ovsdb/database.ts'
import { applied } from '../../platform/ovsdb/vswitch.ts'
import { deleteBridge, insertBridge } from './port-operations.ts'
import { bridgeRows, portRows } from './rows.ts'

export type Datapath = 'system' | 'netdev'

const rootOf = (db: Ovsdb): Row => [...db.rows('Open_vSwitch').values()][0] ?? {}

/** Who has the bridge or the tunnel's UDP port, if it is not us. @throws InUse with the owner's name */
export async function refuseTaken(db: Ovsdb, { bridge, tunnelL4Port }: { readonly bridge: string; readonly tunnelL4Port: number }): Promise<void> {
  const there = bridgeRows(db).find(({ name }) => name === bridge)
  if (there !== undefined && !there.ours) throw new InUse({ what: `the bridge ${bridge}`, owner: ownerOf(there.row) })
  const tunnels = [...portRows(db).values()].filter(({ ifc }) => textOf(ifc.type) === 'vxlan' && Number(recordOf(ifc.options).dst_port ?? 4_789) === tunnelL4Port)
  const theirs = tunnels.find(({ mark }) => mark === undefined)
  if (theirs !== undefined) throw new InUse({ what: `UDP port ${tunnelL4Port} for tunnels`, owner: `${theirs.name} on bridge ${theirs.bridge} of this Open vSwitch` })
  if (tunnels.length === 0 && (await udpIsBound(tunnelL4Port))) throw new InUse({ what: `UDP port ${tunnelL4Port} for tunnels`, owner: 'another program or tunnel of this node' })
}

/** Their own words about themselves, if they have any. */
function ownerOf(row: Row): string {
  const said = Object.entries(recordOf(row.external_ids)).map(([name, value]) => `${name}=${value}`)
  return said.length === 0 ? 'somebody who has left no mark on it' : `whoever marked it ${said.join(' ')}`
}

/** Also by the kernel: its tunnels are in the same list. Of the namespace that the agent is in. */
async function udpIsBound(l4Port: number): Promise<boolean> {
  const wanted = `:${l4Port.toString(16).toUpperCase().padStart(4, '0')}`
  const lists = await Promise.all(['udp', 'udp6'].map((name) => readFile(`/proc/net/${name}`, 'utf8').catch(() => '')))
  return lists.some((list) => list.split('\n').slice(1).some((line) => line.split(': ')[1]?.split(' ')[0]?.endsWith(wanted) === true))
}

/**
 * The datapath of our bridges: the one that they have, else the kernel's if the switch can make a bridge with it, else its own.
 *
 * @throws SwitchUnavailable where it can do neither
 */
export async function probeDatapath(db: Ovsdb, bridge: string, signal: AbortSignal): Promise<Datapath> {
  const there = bridgeRows(db).find(({ name, ours }) => ours && name === bridge)
  if (there !== undefined) return textOf(there.row.datapath_type) === 'netdev' ? 'netdev' : 'system'
  const types = stringsOf(rootOf(db).datapath_types)
  for (const datapath of ['system', 'netdev'] as const) if (types.includes(datapath) && (await tried(db, datapath, signal))) return datapath
  throw new SwitchUnavailable({ bridge, reason: `it works with none of its datapaths: ${types.join(', ') || 'it names none'}` })
}

/** A bridge is made with it and taken away again. */
async function tried(db: Ovsdb, datapath: Datapath, signal: AbortSignal): Promise<boolean> {
  const name = `mgzprobe${process.pid % 100_000}`
  await applied(db, insertBridge({ name, datapath }, 0), signal)
  const made = portRows(db).get(name)
  const works = made !== undefined && (numberOf(made.ifc.ofport) ?? -1) > 0
  const row = bridgeRows(db).find((each) => each.name === name)
  if (row !== undefined) await applied(db, [deleteBridge(row.id)], signal)
  return works
}

export function capabilitiesOf(db: Ovsdb, datapath: Datapath, uplinks: Readonly<Record<string, string>>): Capabilities {
  const root = rootOf(db)
  const types = stringsOf(root.iface_types)
  const can = recordOf(db.rows('Datapath').get(pathsOf(root).get(datapath) ?? '')?.capabilities)
  return {
    version: textOf(root.ovs_version),
    datapath,
    vxlan: types.includes('vxlan'),
    geneve: types.includes('geneve'),
    ct: can.ct_state === 'true',
    ctZones: can.ct_zone === 'true',
    dpdk: root.dpdk_initialized === true,
    ...Object.fromEntries(Object.keys(uplinks).map((network) => [`vlan:${network}`, true])),
  }
}

/** UUID of its row by the datapath's name. */
function pathsOf(root: Row): Map<string, string> {
  const value = root.datapaths
  const pairs = Array.isArray(value) && value[0] === 'map' ? (value[1] as readonly (readonly [string, readonly ['uuid', string]])[]) : []
  return new Map(pairs.map(([name, [, id]]) => [name, id]))
}

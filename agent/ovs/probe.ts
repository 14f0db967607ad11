// What this Open vSwitch is and can do, asked instead of guessed; and whether what we are told to use is somebody else's.
import { readFile } from 'node:fs/promises'
import type { Capabilities } from '../../core/contracts/dataplane.ts'
import { InUse, SwitchTooOld, SwitchUnavailable } from '../../core/errors.ts'
import { named, numberOf, recordOf, setOf, stringsOf, textOf, type Operation, type Row, type Uuid } from '../../core/wire/ovsdb/ovsdb.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Ovsdb } from '../../platform/ovsdb/database.ts'
import { applied } from '../../platform/ovsdb/vswitch.ts'
import { deleteBridge, insertBridge } from './ovsdb/port-operations.ts'
import { flowCapabilities } from './openflow/probe-openflow.ts'
import { bridgeRows, ownerMarks, portRows, type BridgeRow, type PortRow } from './ovsdb/rows.ts'

export type Datapath = 'system' | 'netdev'

const rootOf = (db: Ovsdb): Row => [...db.rows('Open_vSwitch').values()][0] ?? {}

/** Who has the bridge or the tunnel's UDP port, if it is not us. @throws InUse with the owner's name */
export async function refuseTaken(
  db: Ovsdb,
  { bridge, tunnelL4Port }: { readonly bridge: string; readonly tunnelL4Port: number },
): Promise<void> {
  const there = bridgeRows(db).find(({ name }) => name === bridge)
  if (there !== undefined && !there.ours) throw new InUse({ what: `the bridge ${bridge}`, owner: ownerOf(there.row) })
  const tunnels = tunnelsTo(db, tunnelL4Port)
  const theirs = tunnels.find(({ mark }) => mark === undefined)
  if (theirs !== undefined)
    throw new InUse({
      what: `UDP port ${tunnelL4Port} for tunnels`,
      owner: `${theirs.name} on bridge ${theirs.bridge} of this Open vSwitch`,
    })
  if (tunnels.length === 0 && (await udpIsBound(tunnelL4Port)))
    throw new InUse({ what: `UDP port ${tunnelL4Port} for tunnels`, owner: 'another program or tunnel of this node' })
}

/** Interfaces that take what comes for this UDP port. */
export const tunnelsTo = (db: Ovsdb, l4Port: number): readonly PortRow[] =>
  [...portRows(db).values()].filter(({ ifc }) => textOf(ifc.type) === 'vxlan' && Number(recordOf(ifc.options).dst_port ?? 4_789) === l4Port)

/** Their own words about themselves, if they have any. */
function ownerOf(row: Row): string {
  const externalIds = Object.entries(recordOf(row.external_ids)).map(([name, value]) => `${name}=${value}`)
  return externalIds.length === 0 ? 'somebody who has left no mark on it' : `whoever marked it ${externalIds.join(' ')}`
}

/** Also by the kernel: its tunnels are in the same list. Of the namespace that the agent is in. */
async function udpIsBound(l4Port: number): Promise<boolean> {
  const wanted = `:${l4Port.toString(16).toUpperCase().padStart(4, '0')}`
  const lists = await Promise.all(['udp', 'udp6'].map((name) => readFile(`/proc/net/${name}`, 'utf8').catch(() => '')))
  return lists.some((list) =>
    list
      .split('\n')
      .slice(1)
      .some((line) => line.split(': ')[1]?.split(' ')[0]?.endsWith(wanted) === true),
  )
}

/** All tests run on it: Debian 12 has it. What came before was never tried. */
export const oldestVersion = '3.1'

/** One that does not say its version is not judged. @throws SwitchTooOld */
export function refuseOld(version: string): void {
  const [of, oldest] = [version, oldestVersion].map((text) => /^(\d+)\.(\d+)/.exec(text)?.slice(1).map(Number))
  if (of === undefined || oldest === undefined) return
  if (of[0]! < oldest[0]! || (of[0] === oldest[0] && of[1]! < oldest[1]!)) throw new SwitchTooOld({ version, oldest: oldestVersion })
}

/** What the switch says of itself and of the datapath that our bridges have. */
export interface ProbeResult {
  readonly datapath: Datapath
  readonly capabilities: Capabilities
}

export interface ProbeRequest {
  readonly bridge: string
  /** `auto`, or the one and only that is to be tried. */
  readonly configured: Datapath | 'auto'
  readonly uplinks: Readonly<Record<string, string>>
  readonly random: () => number
  readonly clock: Clock
  /** Of a bridge's management socket. */
  readonly pathOf: (bridge: string) => string
}

/**
 * The datapath of our bridges: the one that they have, else the kernel's if the switch can make a bridge with it, else its own.
 *
 * @throws SwitchUnavailable where it can do none
 */
export async function probe(
  db: Ovsdb,
  { bridge, configured: asked, uplinks, ...making }: ProbeRequest,
  signal: AbortSignal,
): Promise<ProbeResult> {
  const types = stringsOf(rootOf(db).datapath_types)
  for (const datapath of candidates(db, bridge, asked)) {
    const can = types.includes(datapath) ? await tried(db, { datapath, bridge, ...making }, signal) : undefined
    if (can !== undefined)
      return { datapath, capabilities: { ...capabilitiesOf(rootOf(db), datapath, can.datapath, uplinks), ...can.flows } }
  }
  throw new SwitchUnavailable({ bridge, reason: `it works with none of its datapaths: ${types.join(', ') || 'it names none'}` })
}

function candidates(db: Ovsdb, bridge: string, configured: Datapath | 'auto'): readonly Datapath[] {
  if (configured !== 'auto') return [configured]
  const there = datapathOf(db, bridge)
  return there === undefined ? ['system', 'netdev'] : [there]
}

/** Of our bridge, if it is there. */
function datapathOf(db: Ovsdb, bridge: string): Datapath | undefined {
  const there = bridgeRows(db).find(({ name, ours }) => ours && name === bridge)
  if (there === undefined) return undefined
  return textOf(there.row.datapath_type) === 'netdev' ? 'netdev' : 'system'
}

interface Tried {
  readonly datapath: Readonly<Record<string, string>>
  readonly flows: Capabilities
}
type Making = Pick<ProbeRequest, 'bridge' | 'random' | 'clock' | 'pathOf'> & { readonly datapath: Datapath }

/** @returns what it can do, asked through our bridge if that is up, else through one of the probe's own; undefined where none comes up */
async function tried(db: Ovsdb, { datapath, bridge, random, clock, pathOf }: Making, signal: AbortSignal): Promise<Tried | undefined> {
  // A bridge that comes or goes costs the userspace datapath a packet now and then, also of other bridges: not while pods use it.
  const used = datapathOf(db, bridge) === datapath && isUp(db, bridge)
  const name = used ? bridge : `mgzprobe${Math.floor(random() * 36 ** 5).toString(36)}`
  const asking = datapathRow(db, datapath) === undefined
  await applied(
    db,
    [...(used ? [] : insertBridge({ name, datapath }, 0, ownerMarks.probe)), ...(asking ? insertDatapath(datapath) : [])],
    signal,
  )
  // The switch knows what a datapath can do once a bridge of it is up, and tells it with the next change.
  await applied(db, [], signal)
  const can = isUp(db, name)
    ? { datapath: recordOf(datapathRow(db, datapath)?.capabilities), flows: await flowCapabilities(pathOf(name), clock, signal) }
    : undefined
  const made = used ? undefined : bridgeRows(db).find((each) => each.name === name)
  await applied(db, [...(made === undefined ? [] : [deleteBridge(made.id)]), ...(asking ? [deleteDatapath(datapath)] : [])], signal)
  return can
}

const isUp = (db: Ovsdb, bridge: string): boolean => (numberOf(portRows(db).get(bridge)?.ifc.ofport) ?? -1) > 0

/** Bridges of probes that were cut off: those that are there now and after so long that no probe takes. @returns what cancels it */
export function removeProbeBridges(db: Ovsdb, clock: Clock): () => void {
  const probes = (): BridgeRow[] => bridgeRows(db).filter(({ mark }) => mark === ownerMarks.probe)
  const now = new Set(probes().map(({ id }) => id))
  return clock.after(10_000, () => {
    const left = probes().filter(({ id }) => now.has(id))
    if (left.length > 0) db.transact(left.map(({ id }) => deleteBridge(id))).catch(() => undefined)
  })
}

const insertDatapath = (datapath: Datapath): readonly Operation[] => [
  { op: 'insert', table: 'Datapath', row: {}, 'uuid-name': 'd' },
  { op: 'mutate', table: 'Open_vSwitch', where: [], mutations: [['datapaths', 'insert', ['map', [[datapath, named('d')]]]]] },
]
const deleteDatapath = (datapath: Datapath): Operation => ({
  op: 'mutate',
  table: 'Open_vSwitch',
  where: [],
  mutations: [['datapaths', 'delete', setOf([datapath])]],
})

function datapathRow(db: Ovsdb, datapath: Datapath): Row | undefined {
  const value = rootOf(db).datapaths
  const pairs = Array.isArray(value) && value[0] === 'map' ? (value[1] as readonly (readonly [string, Uuid])[]) : []
  return db.rows('Datapath').get(pairs.find(([name]) => name === datapath)?.[1][1] ?? '')
}

function capabilitiesOf(
  root: Row,
  datapath: Datapath,
  can: Readonly<Record<string, string>>,
  uplinks: Readonly<Record<string, string>>,
): Capabilities {
  const types = stringsOf(root.iface_types)
  return {
    version: textOf(root.ovs_version),
    datapath,
    // Nobody fills in a checksum that a kernel has left to a card: pods must not leave them.
    userspace: datapath === 'netdev',
    vxlan: types.includes('vxlan'),
    geneve: types.includes('geneve'),
    ct: can.ct_state === 'true',
    ctZones: can.ct_zone === 'true',
    ctNat: can.ct_state_nat === 'true',
    ctMark: can.ct_mark === 'true',
    ctLabel: can.ct_label === 'true',
    ctFirstPacket: can.ct_orig_tuple === 'true',
    // In user space the number of a queue is taken and nothing comes of it: the whole of a port is shaped, and that alone.
    queues: datapath === 'system',
    vlanHeaders: Number(can.max_vlan_headers ?? 0),
    dpdk: root.dpdk_initialized === true && datapath === 'netdev' && types.includes('dpdkvhostuserclient'),
    podServes: true,
    ...Object.fromEntries(Object.keys(uplinks).map((network) => [`vlan:${network}`, true])),
  }
}

// Switch ports as operations of the OVSDB. Pure.
import { theirsText, type Bridge, type SwitchPort } from '../../../core/pipeline/ovsdb/switch.ts'
import { byUuid, mapOf, named, setOf, uuid, type Operation, type Row, type Value } from '../../../core/wire/ovsdb/ovsdb.ts'
import { carriesColumn, identityKeys, ownerColumn, ownerMarks, protocols, theirsColumn, uidColumn, type PortRow } from './rows.ts'

/** The VLANs of an uplink are a matter of all ports of its bridge: `setUplink` says them, in the same transaction. */
const portColumns = ({ vlan, uid, theirs }: SwitchPort): Row => ({
  ...(vlan === 'of its bridge' || theirs !== undefined ? {} : vlanColumns(vlan)),
  external_ids: mapOf({
    [ownerColumn]: ownerMarks.port,
    [uidColumn]: uid,
    ...(vlan === 'of its bridge' && { [carriesColumn]: 'bridge' }),
    ...(theirs && { [theirsColumn]: theirsText(theirs) }),
  }),
})
const vlanColumns = (vlan: Exclude<SwitchPort['vlan'], 'of its bridge'>): Row => ({
  tag: setOf(vlan !== undefined && 'tag' in vlan ? [vlan.tag] : []),
  trunks: setOf(vlan !== undefined && 'trunks' in vlan ? vlan.trunks : []),
  vlan_mode: setOf(vlan === undefined ? [] : ['tag' in vlan ? 'access' : 'trunk']),
})
export const setUplink = (name: string, trunks: readonly number[]): Operation => ({
  op: 'update',
  table: 'Port',
  where: [['name', '==', name]],
  row: vlanColumns({ trunks }),
})
const interfaceColumns = ({ type, options, number, uid, mtu, theirs }: SwitchPort): Row => ({
  type,
  options: mapOf(options),
  ...(theirs === undefined && { ofport_request: number }),
  ...(mtu !== undefined && { mtu_request: mtu }),
  external_ids: mapOf(uid === '' ? {} : identityOf(uid, theirs)),
})

const identityOf = (uid: string, theirs: SwitchPort['theirs']): Readonly<Record<string, string>> =>
  theirs === undefined
    ? { [identityKeys.id]: uid }
    : { [identityKeys.id]: theirs.interfaceID, [identityKeys.mac]: theirs.mac, [identityKeys.status]: 'active' }

/** What others have written beside it stays. */
const setIdentity = ({ uid, theirs }: SwitchPort, interfaceId: string): Operation => ({
  op: 'mutate',
  table: 'Interface',
  where: byUuid(interfaceId),
  mutations: [
    ['external_ids', 'delete', setOf(Object.values(identityKeys))],
    ['external_ids', 'insert', mapOf(identityOf(uid, theirs))],
  ],
})

/**
 * Columns of a new row begin empty: the server need not read that they are to be (a third of its time for 200 ports, 2026-11). Those of
 * most ports are written out: a row that is put together column by column takes three times as long to make and to print.
 */
const filledIn = (row: Row): Row =>
  Object.fromEntries(
    Object.entries(row).filter(([, value]) => value !== '' && !(Array.isArray(value) && Array.isArray(value[1]) && value[1].length === 0)),
  )
const newInterface = (port: SwitchPort): Row =>
  port.theirs === undefined && port.type === '' && port.uid !== '' && Object.keys(port.options).length === 0
    ? { name: port.name, ofport_request: port.number, external_ids: mapOf({ 'iface-id': port.uid }) }
    : { name: port.name, ...filledIn(interfaceColumns(port)) }
const newPort = (port: SwitchPort, interfaces: Value): Row =>
  port.vlan === undefined && port.theirs === undefined
    ? { name: port.name, interfaces, external_ids: mapOf({ [ownerColumn]: ownerMarks.port, [uidColumn]: port.uid }) }
    : { name: port.name, interfaces, ...filledIn(portColumns(port)) }

/** Rows for a port; `addPorts` takes them into their bridge. @param nth makes the names of new rows unique in the transaction */
export const insertPort = (port: SwitchPort, nth: number): readonly Operation[] => [
  { op: 'insert', table: 'Interface', row: newInterface(port), 'uuid-name': `i${nth}` },
  { op: 'insert', table: 'Port', row: newPort(port, named(`i${nth}`)), 'uuid-name': `p${nth}` },
]

/** All of one bridge at once: each change of its list is a copy of the list. */
export const addPorts = (bridgeId: string, nths: readonly number[]): Operation => ({
  op: 'mutate',
  table: 'Bridge',
  where: byUuid(bridgeId),
  mutations: [['ports', 'insert', setOf(nths.map((nth) => named(`p${nth}`)))]],
})

/** As it should be, in the rows that it has. */
export function updatePort(port: SwitchPort, { id, interfaceId }: PortRow): readonly Operation[] {
  const { external_ids, ...columns } = interfaceColumns(port)
  const isTheirs = port.theirs !== undefined
  return [
    { op: 'update', table: 'Port', where: byUuid(id), row: portColumns(port) },
    { op: 'update', table: 'Interface', where: byUuid(interfaceId), row: isTheirs ? columns : { ...columns, external_ids: external_ids! } },
    ...(isTheirs ? [setIdentity(port, interfaceId)] : []),
  ]
}

/** The rows go with the last reference to them. */
export const deletePort = ({ id, bridgeId }: PortRow): Operation => ({
  op: 'mutate',
  table: 'Bridge',
  where: byUuid(bridgeId),
  mutations: [['ports', 'delete', uuid(id)]],
})

/** From now on it counts as gone, and somebody will delete it: every agent that sees it. */
export const markForReaping = ({ id }: PortRow): Operation => ({
  op: 'mutate',
  table: 'Port',
  where: byUuid(id),
  mutations: [
    ['external_ids', 'delete', mapOf({ [ownerColumn]: ownerMarks.port })],
    ['external_ids', 'insert', mapOf({ [ownerColumn]: ownerMarks.reap })],
  ],
})

const bridgeColumns = ({ datapath }: Bridge, mark: string = ownerMarks.bridge): Row => ({
  datapath_type: datapath,
  fail_mode: 'secure',
  protocols: setOf(protocols),
  external_ids: mapOf({ [ownerColumn]: mark }),
})

export const insertBridge = (bridge: Bridge, nth: number, mark: string = ownerMarks.bridge): readonly Operation[] => [
  { op: 'insert', table: 'Interface', row: { name: bridge.name, type: 'internal' }, 'uuid-name': `bi${nth}` },
  { op: 'insert', table: 'Port', row: { name: bridge.name, interfaces: named(`bi${nth}`) }, 'uuid-name': `bp${nth}` },
  {
    op: 'insert',
    table: 'Bridge',
    row: { name: bridge.name, ports: named(`bp${nth}`), ...bridgeColumns(bridge, mark) },
    'uuid-name': `b${nth}`,
  },
  { op: 'mutate', table: 'Open_vSwitch', where: [], mutations: [['bridges', 'insert', named(`b${nth}`)]] },
]
export const updateBridge = (bridge: Bridge, id: string): Operation => ({
  op: 'update',
  table: 'Bridge',
  where: byUuid(id),
  row: bridgeColumns(bridge),
})
export const deleteBridge = (id: string): Operation => ({
  op: 'mutate',
  table: 'Open_vSwitch',
  where: [],
  mutations: [['bridges', 'delete', uuid(id)]],
})

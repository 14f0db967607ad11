// The rows of the OVSDB that are ours, as keys and texts: bridges, and ports with their one interface.
import { bridgeKey, bridgeText, portKey, portText, type SwitchPort } from '../../../core/pipeline/ovsdb/switch.ts'
import { numberOf, recordOf, stringsOf, textOf, uuidsOf, type Row } from '../../../core/wire/ovsdb/ovsdb.ts'
import type { Ovsdb } from '../../../platform/ovsdb/database.ts'
import { configColumns } from '../../../platform/ovsdb/vswitch.ts'
import { sameJson } from '../../../core/same-json.ts'

/** What the OVSDB client keeps for us. */
export const switchTables: Readonly<Record<string, readonly string[]>> = {
  Open_vSwitch: [
    ...configColumns.Open_vSwitch!,
    'bridges',
    'ovs_version',
    'iface_types',
    'datapath_types',
    'datapaths',
    'dpdk_initialized',
  ],
  Datapath: ['capabilities'],
  Bridge: ['name', 'ports', 'datapath_type', 'fail_mode', 'protocols', 'external_ids'],
  Port: ['name', 'interfaces', 'tag', 'trunks', 'vlan_mode', 'qos', 'external_ids'],
  Interface: ['name', 'type', 'options', 'ofport', 'ofport_request', 'mtu_request', 'error', 'external_ids'],
  QoS: ['type', 'other_config', 'queues', 'external_ids'],
  Queue: ['other_config', 'dscp', 'external_ids'],
}

/** In external_ids: whose it is. `reap`: to be deleted, and counted as gone; `probe`: there for a moment. */
export const ownerColumn = 'megrez'
export const ownerMarks = { bridge: 'bridge', port: 'port', reap: 'reap', probe: 'probe', qos: 'qos', queue: 'queue' } as const
export const uidColumn = 'megrez-uid'
/** Marks a port of ours on a bridge that is not. */
export const theirsColumn = 'megrez-vif'
/** `bridge`: this port carries the VLANs of the other ports of its bridge. */
export const carriesColumn = 'megrez-carries'

export const protocols = ['OpenFlow13', 'OpenFlow14', 'OpenFlow15'] as const

export interface BridgeRow {
  readonly id: string
  readonly name: string
  readonly ours: boolean
  readonly mark: string | undefined
  readonly row: Row
}
export interface PortRow {
  readonly id: string
  readonly interfaceId: string
  readonly bridgeId: string
  readonly bridge: string
  readonly name: string
  /** Undefined: somebody else's. */
  readonly mark: 'port' | 'reap' | undefined
  /** It carries the VLANs of the other ports of its bridge. */
  readonly isUplink: boolean
  readonly row: Row
  readonly ifc: Row
}

export function bridgeRows(db: Ovsdb): BridgeRow[] {
  return [...db.rows('Bridge')].map(([id, row]) => ({
    id,
    name: textOf(row.name),
    ours: markOf(row) === ownerMarks.bridge,
    mark: markOf(row),
    row,
  }))
}
const markOf = (row: Row): string | undefined => recordOf(row.external_ids)[ownerColumn]

/** Of all bridges, by name. */
export function portRows(db: Ovsdb): Map<string, PortRow> {
  const found = new Map<string, PortRow>()
  for (const { id: bridgeId, name: bridge, row: of } of bridgeRows(db)) {
    for (const id of uuidsOf(of.ports)) {
      const port = portRow(db, id, { bridgeId, bridge })
      if (port !== undefined) found.set(port.name, port)
    }
  }
  return found
}

/** What was read of a row before: a row is never changed, and each change of one port looks at all of its bridge. */
const read = new WeakMap<Row, PortRow>()

function portRow(db: Ovsdb, id: string, of: { readonly bridgeId: string; readonly bridge: string }): PortRow | undefined {
  const row = db.rows('Port').get(id)
  const interfaceId = uuidsOf(row?.interfaces)[0] ?? ''
  const ifc = db.rows('Interface').get(interfaceId)
  if (row === undefined || ifc === undefined) return undefined
  const before = read.get(row)
  if (before?.ifc === ifc && before.bridgeId === of.bridgeId) return before
  const { [ownerColumn]: mark, [carriesColumn]: carries } = recordOf(row.external_ids)
  const port: PortRow = {
    ...of,
    id,
    interfaceId,
    name: textOf(row.name),
    mark: mark === 'port' || mark === 'reap' ? mark : undefined,
    isUplink: carries !== undefined,
    row,
    ifc,
  }
  read.set(row, port)
  return port
}

/** What is there of ours; ports that wait for their deletion are not. */
export function rowsSeen(db: Ovsdb): Map<string, string> {
  const seen = new Map<string, string>()
  for (const bridge of bridgeRows(db)) if (bridge.ours) seen.set(bridgeKey(bridge.name), seenBridge(bridge))
  const rows = portRows(db)
  for (const port of rows.values())
    if (port.mark === 'port') seen.set(portKey(port.name), port.isUplink ? portText(seenUplink(port, rows)) : textOfPort(port))
  return seen
}

const texts = new WeakMap<PortRow, string>()

/** Not for an uplink: that is right or wrong by the other ports of its bridge. */
function textOfPort(port: PortRow): string {
  const text = texts.get(port) ?? portText(seenPort(port))
  texts.set(port, text)
  return text
}

const trunksOf = ({ row }: PortRow): readonly number[] =>
  stringsOf(row.trunks)
    .map(Number)
    .sort((a, b) => a - b)

/**
 * No VLAN of anybody: reserved (IEEE 802.1Q), and so a port that carries it alone carries nothing, where an empty list would carry
 * everything.
 */
const closed: readonly number[] = [4095]

/** VLANs of a bridge's ports, in order; of nobody's, those of a closed port. @param more ports as they are about to be */
export function carriedBy(bridge: string, rows: ReadonlyMap<string, PortRow>, more: readonly SwitchPort[] = []): readonly number[] {
  const named = new Set(more.map(({ name }) => name))
  const there = [...rows.values()]
    .filter((row) => row.bridge === bridge && row.mark === 'port' && !row.isUplink && !named.has(row.name))
    .map(seenPort)
  const vlans = [...there, ...more.filter((port) => port.bridge === bridge)].flatMap(({ vlan }) =>
    vlan === undefined || vlan === 'of its bridge' ? [] : 'tag' in vlan ? [vlan.tag] : vlan.trunks,
  )
  return vlans.length === 0 ? closed : [...new Set(vlans)].sort((a, b) => a - b)
}

/** Whether it carries just what it should, tagged. */
export const isRight = (uplink: PortRow, vlans: readonly number[]): boolean =>
  sameJson(trunksOf(uplink), vlans) && textOf(uplink.row.vlan_mode) === 'trunk' && numberOf(uplink.row.tag) === undefined

function seenUplink(uplink: PortRow, rows: ReadonlyMap<string, PortRow>): SwitchPort {
  return { ...seenPort(uplink), vlan: isRight(uplink, carriedBy(uplink.bridge, rows)) ? 'of its bridge' : { trunks: trunksOf(uplink) } }
}

function seenBridge({ name, row }: BridgeRow): string {
  const text = bridgeText({ name, datapath: textOf(row.datapath_type) === 'netdev' ? 'netdev' : 'system' })
  const right = textOf(row.fail_mode) === 'secure' && protocols.every((each) => stringsOf(row.protocols).includes(each))
  return right ? text : `${text},fail_mode=${textOf(row.fail_mode)},protocols=${stringsOf(row.protocols).join(' ')}`
}

/** The number that it has, or has asked for where it has none: an interface that is not there cannot be mended here. */
export function seenPort({ bridge, name, row, ifc }: PortRow): SwitchPort {
  const type = textOf(ifc.type)
  const has = numberOf(ifc.ofport) ?? -1
  const trunks = stringsOf(row.trunks).map(Number)
  const tag = numberOf(row.tag)
  const { [uidColumn]: uid = '', [theirsColumn]: theirs } = recordOf(row.external_ids)
  return {
    bridge,
    name,
    // Whatever else an operator has made of it is not as it should be.
    type: type as SwitchPort['type'],
    options: recordOf(ifc.options),
    number: has > 0 ? has : (numberOf(ifc.ofport_request) ?? 0),
    vlan: tag !== undefined ? { tag } : trunks.length > 0 ? { trunks } : undefined,
    uid,
    ...(theirs !== undefined && { theirs: identityIn(ifc) }),
    ...(type === 'dpdkvhostuserclient' && { mtu: numberOf(ifc.mtu_request) ?? 0 }),
  }
}

/**
 * In external_ids of an interface: by which whoever programs the bridge knows it (Open vSwitch, "Integration Guide for Centralized
 * Control"). What that one writes beside them (`ovn-installed`) is read here where it is ever gone by, and stays.
 */
export const identityKeys = { id: 'iface-id', mac: 'attached-mac', status: 'iface-status' } as const

function identityIn({ external_ids: ids }: Row): NonNullable<SwitchPort['theirs']> {
  const { [identityKeys.id]: interfaceID = '', [identityKeys.mac]: mac = '' } = recordOf(ids)
  return { interfaceID, mac }
}

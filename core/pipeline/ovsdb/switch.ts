// Bridges and their ports as values: rows of the OVSDB that are ours; and all that a switch of ours has beside them.
import { hash80 } from '../../net/names.ts'
import type { Flow } from '../openflow/flow.ts'
import type { Group } from '../openflow/group.ts'
import type { Meter } from '../openflow/meter.ts'
import type { Qos, Queue } from './queueing.ts'

export interface Bridge {
  readonly name: string
  readonly datapath: 'system' | 'netdev'
}

export interface SwitchPort {
  readonly bridge: string
  /** Of the interface and of its port. */
  readonly name: string
  /** '' is an interface of the system. */
  readonly type: '' | 'vxlan' | 'patch' | 'dpdkvhostuserclient'
  readonly options: Readonly<Record<string, string>>
  /** The OpenFlow port number that is asked for. */
  readonly number: number
  /**
   * For NORMAL on the bridge of a physical network. Trunks are never empty: to Open vSwitch that would mean all VLANs. An uplink carries
   * what the
   * other ports of its bridge carry, whichever those are.
   */
  readonly vlan: { readonly tag: number } | { readonly trunks: readonly number[] } | 'of its bridge' | undefined
  /** UID of the Port; '' for the tunnel and uplinks. */
  readonly uid: string
  /** On a bridge that is not ours: number and VLAN are its owner's to say, who knows it by this ID. */
  readonly theirs?: { readonly interfaceID: string; readonly mac: string }
  /** Bytes, where the switch itself has to know: an interface of the system has its own. */
  readonly mtu?: number
}

/**
 * What stands between an interface of ours and a bridge that is not: a Linux bridge that the cloud's filters see, and a pair from there to
 * the switch. The interface goes on being its own.
 */
export interface Hybrid {
  readonly bridge: string
  /** The pair's ends: in the Linux bridge, and on the switch. */
  readonly inner: string
  readonly outer: string
  readonly member: string
  readonly uid: string
  /** Bytes. */
  readonly mtu: number
}

export type SwitchValue =
  | { readonly kind: 'hybrid'; readonly hybrid: Hybrid }
  | { readonly kind: 'bridge'; readonly bridge: Bridge }
  | { readonly kind: 'port'; readonly port: SwitchPort }
  | { readonly kind: 'qos'; readonly qos: Qos }
  | { readonly kind: 'queue'; readonly queue: Queue }
  | { readonly kind: 'group'; readonly bridge: string; readonly group: Group }
  | { readonly kind: 'meter'; readonly bridge: string; readonly meter: Meter }
  | { readonly kind: 'flow'; readonly bridge: string; readonly flow: Flow }

/** The bridge of a physical network: 15 characters, as its local interface has the same name. */
export const physicalBridge = (physicalNetwork: string): string => `mgp${hash80('physical network', physicalNetwork).slice(0, 12)}`

/** Ends of the pair by which a port that policies judge is in its VLAN: on the overlay's bridge, and on that of the physical network. */
export const patchNames = (uid: string): { readonly inner: string; readonly outer: string } => {
  const hash = hash80('patch', uid).slice(0, 12)
  return { inner: `mgi${hash}`, outer: `mgo${hash}` }
}

export const bridgeKey = (name: string): string => `bridge/${name}`
export const isBridgeKey = (key: string): boolean => key.startsWith('bridge/')
export const portKey = (name: string): string => `port/${name}`
/** A port that has another's number stands for another tenant's, in whatever flow names it. */
export const isPortKey = (key: string): boolean => key.startsWith('port/')
export const groupKey = (bridge: string, id: number): string => `group/${bridge}/${id}`
export const meterKey = (bridge: string, id: number): string => `meter/${bridge}/${id}`
export const flowKeyOf = (bridge: string, key: string): string => `flow/${bridge}/${key}`

export const hybridKey = (bridge: string): string => `hybrid/${bridge}`
export const hybridText = ({ inner, outer, member, uid, mtu }: Omit<Hybrid, 'bridge'>): string =>
  `pair=${inner} ${outer},member=${member},uid=${uid},mtu=${mtu}`

export const bridgeText = ({ datapath }: Bridge): string => `datapath=${datapath}`

/** All that matters of it, in one spelling. */
export function portText({ bridge, type, options, number, vlan, uid, mtu, theirs }: SwitchPort): string {
  if (theirs !== undefined) return `bridge=${bridge},uid=${uid},theirs=${theirsText(theirs)}`
  const pairs = Object.entries(options)
    .map(([name, value]) => `${name}:${value}`)
    .sort()
  return [
    `bridge=${bridge}`,
    `number=${number}`,
    `type=${type}`,
    `options=${pairs.join(' ')}`,
    `vlan=${vlanText(vlan)}`,
    `uid=${uid}`,
    ...(mtu === undefined ? [] : [`mtu=${mtu}`]),
  ].join(',')
}

export const theirsText = ({ interfaceID, mac }: NonNullable<SwitchPort['theirs']>): string => `${mac} ${interfaceID}`

/** The number that a port's text says. */
export const numberIn = (text: string): number => Number(/(?:^|,)number=(\d+)/.exec(text)?.[1] ?? 0)

function vlanText(vlan: SwitchPort['vlan']): string {
  if (vlan === undefined || vlan === 'of its bridge') return vlan ?? ''
  return 'tag' in vlan ? String(vlan.tag) : `trunk ${[...vlan.trunks].sort((a, b) => a - b).join(' ')}`
}

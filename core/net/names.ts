// The one encoder of derived names. Whoever needs the name of something that another thing causes asks here, so that two
// workers, or one worker before and after a crash, arrive at the same name (names before ids).
import { parseSixteens, parseV4, sixteens, type Ip } from './ip.ts'
import { sha256 } from './sha256.ts'

const alphabet = '0123456789abcdefghijklmnopqrstuv'
const hashBits = 80

/** 80 bits of SHA-256 over the parts, as 16 characters of base32hex in lower case (RFC 4648 section 7). */
export function hash80(...parts: readonly string[]): string {
  // Lengths in front keep ('ab', 'c') and ('a', 'bc') apart.
  let whole = ''
  for (const part of parts) whole += `${part.length}:${part}`
  const bytes = sha256(whole)
  let text = ''
  let rest = 0
  let has = 0
  for (let i = 0; i < hashBits / 8; i++) {
    rest = ((rest << 8) | bytes[i]!) & 0xfff
    for (has += 8; has >= 5; has -= 5) text += alphabet[(rest >>> (has - 5)) & 31]
  }
  return text
}

/**
 * A readable prefix and a hash of all parts.
 *
 * @param readable what a person should recognise; cut and cleaned, so it need not be unique
 * @param parts    what the name is a function of
 * @param limit    253 for names of objects, 63 for labels
 */
export function derivedName(readable: string, parts: readonly string[], limit: 63 | 253 = 63): string {
  const hash = hash80(...parts)
  const clean = readable
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, limit - hash.length - 1)
    .replace(/^-+|-+$/g, '')
  return clean === '' ? `x-${hash}` : `${clean}-${hash}`
}

/** The Secret of Megrez's own namespace that holds what a Subscription came with. */
export const credentialsName = (namespace: string, name: string): string =>
  derivedName(`${credentialsPrefix}${name}`, ['credentials', namespace, name])
/** No other Secret of a Subscription has a name that begins so. */
export const credentialsPrefix = 'credentials-'

/** The name of the IPLock that is the right to use an address in a VNI: KOS's for IPv4, eight full groups for IPv6. */
export function addressLockName(vni: number, ip: Ip): string {
  return ip.family === 6 ? nameV6(vni, sixteens(ip.value)) : nameV4(vni, Number(ip.value))
}

/** As addressLockName, from text; undefined where the text is no address. */
export function addressLockNameOf(vni: number, text: string): string | undefined {
  if (text.includes(':')) {
    const groups = parseSixteens(text)
    return groups && nameV6(vni, groups)
  }
  const value = parseV4(text)
  return value === undefined ? undefined : nameV4(vni, value)
}

const nameV4 = (vni: number, value: number): string =>
  `v1-${vni}-${value >>> 24}-${(value >>> 16) & 255}-${(value >>> 8) & 255}-${value & 255}`
const nameV6 = (vni: number, groups: readonly number[]): string =>
  `v1-${vni}-${groups.map((group) => group.toString(16).padStart(4, '0')).join('-')}`

/** The name of the IPLock of a MAC that is not KOS's function of an address. */
export const macLockName = (vni: number, mac: string): string => `mac-${vni}-${mac.replaceAll(':', '').toLowerCase()}`

/** The name of the IPLock that keeps a portID unique in its Vpc. */
export const portIDLockName = (vni: number, portID: string): string => `id-${vni}-${hash80(portID)}`

export const vniLockName = (vni: number): string => `vni-${vni}`
export const vlanLockName = (physicalNetwork: string, vlan: number): string =>
  derivedName(`vlan-${vlan}-${physicalNetwork}`, ['vlan', physicalNetwork, String(vlan)])

/** The Port that answers one Nic of one pod. The UID is in it, so a pod made anew under the same name gets Ports of its own. */
export const portNameOf = (pod: { readonly name: string; readonly uid: string }, nic: string): string =>
  derivedName(`${pod.name}-${nic}`, ['port', pod.uid, nic], 253)

/** The SecurityGroups of a Port that is an endpoint of a NetworkService: its own, and that of its clients. */
export const endpointGroupName = (port: string, of: 'endpoint' | 'clients'): string =>
  derivedName(`${port}-${of}`, ['group', port, of], 253)

/** A host interface's name, 15 characters at most (IFNAMSIZ of Linux less the end mark): 60 bits of the Port's UID. */
export const hostInterfaceName = (portUID: string): string => `mgz${hash80('interface', portUID).slice(0, 12)}`

/** `<uid>-<sequence>`, so that listing by name keeps an object's notices together. */
export const noticeName = (uid: string, sequence: number): string => `${uid}-${String(sequence).padStart(10, '0')}`

/**
 * The devices of a plug with a Linux bridge in between, as os-vif names them (vif_plug_ovs/ovs.py): by the first 11 characters of the
 * cloud's ID of the port. `tap` is the member that filters of the cloud's go by.
 */
export function hybridNames(interfaceID: string): Readonly<Record<'bridge' | 'inner' | 'outer' | 'tap', string>> {
  const short = (/^[\w.-]+$/.test(interfaceID) ? interfaceID : hash80('hybrid', interfaceID)).slice(0, 11)
  return { bridge: `qbr${short}`, inner: `qvb${short}`, outer: `qvo${short}`, tap: `tap${short}` }
}

/** What a Vpc has of a pool on a node; `place`: one that was given back keeps its name for as long as it rests. */
export const egressAddressName = (of: {
  readonly vpc: string
  readonly uid: string
  readonly node: string
  readonly pool: string
  readonly place: number
}): string => derivedName(`${of.vpc}-${of.node}`, ['egress', of.uid, of.node, of.pool, String(of.place)], 253)

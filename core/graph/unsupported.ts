// What BESS cannot do of what a port asks for, by name and with the reason. docs/bess.md has the same list for people.
import { mayLearnBehind } from '../node/broadcast.ts'
import { noInterface, noVif, unlimited, type Unsupported } from '../node/unsupported.ts'
import type { Endpoint, LocalPort, PortSegment, VifAttachment } from '../node/wanted.ts'
import { isV4 } from './bytes.ts'
import { advertisementRules } from './guards/discovery.ts'
import { guardMasksMax, guardRules, masksOf } from './guards/guard.ts'

/** DPDK's limit for the devices we use, as bessd has it. */
const mtuMax = 2048

/** The port carries nothing where this is told. */
export function refusalOf(port: LocalPort): Unsupported | undefined {
  if (port.type === 'tap' && port.attachment.kind !== 'vif')
    return { name: 'tap', why: 'BESS opens no TAP that a hypervisor has: it is in no network' }
  const masks = Math.max(masksOf(guardRules(port, 'guard')), masksOf(advertisementRules(port, 'na', 'six')))
  if (masks > guardMasksMax)
    return { name: 'guard-masks', why: `its address pairs need ${masks} combinations of masks, and a WildcardMatch has ${guardMasksMax}` }
  return port.mtu > mtuMax ? { name: 'mtu', why: `${port.mtu} bytes are more than ${mtuMax}` } : undefined
}

/** All that is not as asked for, the refusal included. @param uplinks interface by physical network */
export function unsupportedOf(
  port: LocalPort,
  segment: PortSegment | undefined,
  uplinks: Readonly<Record<string, string>> = {},
): readonly Unsupported[] {
  const refusal = refusalOf(port)
  const { attachment } = port
  if (attachment.kind === 'vif') return unsupportedVif(attachment)
  if (attachment.kind === 'vlan') {
    const away: Unsupported = { name: 'vlan', why: `no interface of this node leads to ${attachment.physicalNetwork}` }
    return [...(uplinks[attachment.physicalNetwork] === undefined ? [away] : []), ...(refusal === undefined ? [] : [refusal])]
  }
  return [
    ...(refusal === undefined ? [] : [refusal]),
    ...(segment?.flood === true ? unsupportedBroadcast(port) : silentSix(port)),
    ...unroutedSix(port, segment),
  ]
}

function silentSix({ addresses }: LocalPort): readonly Unsupported[] {
  const why = 'BESS has no module that answers for IPv6 addresses, and this VNI does not flood: IPv6 reaches nobody'
  return addresses.every(isV4) ? [] : [{ name: 'neighbour-discovery', why }]
}

/** Where neighbours answer for themselves, the gateway does not. */
function unroutedSix({ addresses }: LocalPort, segment: PortSegment | undefined): readonly Unsupported[] {
  if (segment?.router === undefined || !segment.flood || addresses.every(isV4)) return []
  return [{ name: 'l3', why: 'BESS has no module that answers for a gateway of IPv6: by IPv6 it reaches its own Subnet alone' }]
}

function unsupportedBroadcast(port: LocalPort): readonly Unsupported[] {
  const learning: Unsupported = {
    name: 'learning',
    why: 'BESS has no module that learns: frames for MACs behind this Port go to all nodes of the VNI, and to all Ports that may have such MACs',
  }
  return [unlimited('BESS has no module that counts frames of several ports'), ...(mayLearnBehind(port) ? [learning] : [])]
}

/** What is theirs as a whole, BESS has nothing to do with. */
function unsupportedVif({ plug, bridge, interface: theirs }: VifAttachment): readonly Unsupported[] {
  if (plug === 'interface') return theirs === undefined ? [noInterface] : []
  return plug === 'tap' && bridge === undefined ? [] : [noVif('BESS')]
}

/** Of an endpoint: it is left out. */
export const farUnsupported = ({ hostIP }: Endpoint): Unsupported | undefined =>
  isV4(hostIP) ? undefined : { name: 'tunnel-over-ipv6', why: `IPEncap writes IPv4 headers, and ${hostIP} is none` }

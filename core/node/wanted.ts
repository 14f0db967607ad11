// What one node should carry, as values that every data plane renders in its own way. Nothing here knows OVS, BESS or Linux.
import type { Ref } from '../kinds/index.ts'
import { vlanSegment } from '../net/segment.ts'
import type { PortType, TapUse } from '../kinds/vpc/port.ts'
import type { PolicyTraffic, RuleSetSpec } from '../kinds/policy/policy-rule-set.ts'

/** Where the fabric is not ours: no VNI, no lock and no tunnel, and what passes is the cloud's to say. */
export interface VifAttachment {
  readonly kind: 'vif'
  /** bridge: our interface on a bridge of theirs; tap: a TAP; interface: one that they make, moved into the pod. */
  readonly plug: 'bridge' | 'tap' | 'interface'
  readonly bridge?: string
  /** By which the cloud knows the interface on its bridge. */
  readonly interfaceID?: string
  readonly hybrid?: true
  /** What their interface is called on the node. */
  readonly interface?: string
}

/** Where a port's frames belong: one VNI of a VPC or L2 service, or VLANs of a physical network. */
export type SegmentAttachment =
  | { readonly kind: 'vni'; readonly vni: number }
  /**
   * access: one VLAN, untagged inside. selectivetrunk: those VLANs, tagged. trunk: all VLANs of the network's services that are listed,
   * tagged. Never empty.
   */
  | {
      readonly kind: 'vlan'
      readonly physicalNetwork: string
      readonly mode: 'access' | 'trunk' | 'selectivetrunk'
      readonly vlans: readonly number[]
    }
  | VifAttachment

export function attachmentText(a: SegmentAttachment): string {
  switch (a.kind) {
    case 'vni':
      return `vni ${a.vni}`
    case 'vlan':
      return `${a.mode} ${a.vlans.join(',')} of ${a.physicalNetwork}`
    case 'vif':
      return `${a.plug} ${a.bridge ?? a.interface ?? ''} as ${a.interfaceID ?? ''}`
  }
}

/** By which policies know where it is: its VNI, or the number of its VLAN, the first of several; undefined: it is in none of ours. */
export function segmentNumberOf(a: SegmentAttachment): number | undefined {
  if (a.kind === 'vlan') return a.vlans[0] === undefined ? undefined : vlanSegment(a.physicalNetwork, a.vlans[0])
  return a.kind === 'vni' ? a.vni : undefined
}

/** One more source that anti-spoofing lets pass. */
export interface AddressPair {
  /** An address or a block. */
  readonly ip: string
  /** Absent: the port's own. */
  readonly mac?: string
}

/** One interface of one Port on this node. */
export interface LocalPort {
  /** The Port's UID: the key. */
  readonly uid: string
  readonly of: Ref
  /** Node-local, 1–60000, kept in the ledger while the port lives: OpenFlow port number asked for, conntrack zone, gate. */
  readonly number: number
  /** The interface on the host, 15 characters at most. */
  readonly ifcName: string
  readonly attachment: SegmentAttachment
  readonly mac: string
  /** Plain addresses, at most one of each family. */
  readonly addresses: readonly string[]
  readonly allowedAddressPairs: readonly AddressPair[]
  /** Blocks behind it that its VNI leads to it; they are among its pairs, so that it may send from them. Absent: none. */
  readonly routedBlocks?: readonly string[]
  /** false: no anti-spoofing. */
  readonly portSecurity: boolean
  readonly type: PortType
  /** Of a TAP, as its Port says. */
  readonly tap?: TapUse
  /**
   * Where it is reached in place of an interface of the kernel: path on the host of a dpdk port's socket. Absent also where this node makes
   * none.
   */
  readonly socket?: string
  /** Bytes, inside the overlay. */
  readonly mtu: number
  /** Absent: no policy of its VNI, or of its VLAN, is in force. */
  readonly policy?: PortPolicy
  /** A number as `number`, of one in a VLAN that policies judge: OpenFlow port number of its way there. */
  readonly wayNumber?: number
  /** Of one in several VLANs that policies judge: a number as `number` for each VLAN, its conntrack zone. What has none there is closed. */
  readonly zones?: readonly VlanZone[]
}

export interface VlanZone {
  readonly vlan: number
  readonly number: number
}

/** Who judges what a port sends and receives. */
export interface PortPolicy {
  /** Of its PolicyIdentity. */
  readonly identity: number
  /** Names of the PolicyRuleSets that judge it. */
  readonly ruleSets: readonly string[]
  /** The rules that judge it are not all here, or cannot be done here: nothing passes but ARP, neighbour discovery and DHCP. */
  readonly isClosed: boolean
  /** Of the UnifiedNetworkPolicy that judges it. */
  readonly traffic?: PolicyTraffic
  /** Bits a second of the node's uplink that are kept for what it sends; absent: none. */
  readonly booked?: number
}

/** The rules of one policy in one VNI: a PolicyRuleSet. */
export interface RuleSet extends RuleSetSpec {
  readonly namespace: string
}

/** An address of a VNI that lives on another node: what an IPLock says once bound. */
export interface Endpoint {
  readonly vni: number
  readonly address: string
  readonly mac: string
  readonly hostIP: string
  /** Of its PolicyIdentity; absent: it has none. */
  readonly identity?: number
}

/** A VNI with at least one local port. */
export interface Segment {
  readonly vni: number
  /** Subnets on it: the gateway's address is answered by us, with one MAC everywhere. */
  readonly subnets: readonly SegmentSubnet[]
  /** Broadcast, multicast and unknown MACs are replicated to the VNI's nodes: one of its Subnets says so. */
  readonly flood: boolean
  /**
   * Tunnel addresses of the other nodes that have an address in the VNI: nobody else tunnels into it, and they get copies where it floods.
   */
  readonly hosts: readonly string[]
  /** Those of VNIs that it is peered with: they tunnel into it too, and get no copies; absent: none. */
  readonly peerHosts?: readonly string[]
  /** LocalPort.number of the ports here that no policy closes; empty unless flood. */
  readonly numbers: readonly number[]
  /**
   * Those of `numbers` that may have more MACs than their own: what is for unknown ones goes to them, and they are learnt by
   * what these send. Absent: none.
   */
  readonly loose?: readonly number[]
  /** LocalPort.number of the ports here that policies judge, and do not close; absent: none. */
  readonly judged?: readonly number[]
  /** Absent: no BGPSessionGroup announces any of it, nor are its routes for it. */
  readonly router?: SegmentRouter
  /** Blocks of the VNI's l3 Subnets, those too that no Port here is in; absent: none. */
  readonly l3?: readonly string[]
  /** Blocks behind Ports, those of other nodes too, where a tunnel leads to them; absent: none. */
  readonly routedBlocks?: readonly BlockBehind[]
}

export interface BlockBehind {
  readonly cidr: string
  /** Address of the Port, in this VNI. */
  readonly via: string
}

export interface SegmentSubnet {
  readonly cidr: string
  readonly gateway?: string
}

/** What the kernel of a node routes of a VNI: the gateways are a device of its own there. */
export interface SegmentRouter {
  /** LocalPort.number of a data plane's port that leads there: of none of its ports. */
  readonly number: number
  /** What others reach by the kernel. */
  readonly blocks: readonly RoutedBlock[]
  /** Blocks of the VNI that other nodes announce, and this one does not; absent: none. */
  readonly elsewhere?: readonly Transit[]
  /** Where what its ports send is looked up, if it goes to such a block. */
  readonly ways: readonly RoutedWay[]
  /** VNIs of Vpcs that its Vpc is peered with; absent: none. */
  readonly peers?: readonly RoutedPeer[]
  /** What nobody of these knows may leave by the node; absent: nothing. */
  readonly egress?: RoutedEgress
  /** How the node announces service addresses; leaving: others are preferred; withheld: not at all; absent: as ever. */
  readonly serviceAddresses?: 'leaving' | 'withheld'
}

/** Both the operator and the owner of the Vpc have agreed to it. */
export interface RoutedEgress {
  /** Blocks. */
  readonly to: readonly string[]
  /** Blocks that it does not leave for, whatever `to` says. */
  readonly except: readonly string[]
  /** Addresses that it leaves from, as the outside sees it: at most one of each family; a family without one does not leave. */
  readonly sources: readonly string[]
}

/** Both sides have agreed to it, and no two blocks of theirs overlap. */
export interface RoutedPeer {
  readonly vni: number
  /** Blocks of our VNI that the peer has routes to: what else is in it gets no further. */
  readonly own: readonly string[]
  /** The peer's, that ours have routes to. */
  readonly blocks: readonly string[]
  /** Those of them that no tunnel leads to: nodes announce each address; absent: none. */
  readonly announced?: readonly Transit[]
  /** Bytes that its Ports take; absent: what all take. */
  readonly mtu?: number
}

export interface RoutedBlock {
  readonly cidr: string
  /** The kernel's, of the group that announces it. */
  readonly table: number
  /** Each Port's address is a route of its own; else all of the block leads to the VNI. */
  readonly hostRoutes: boolean
}

/** What the kernel of a node passes on, whoever hands it over. */
export interface Transit {
  readonly cidr: string
  /** The kernel's, of the group that some node announces it in. */
  readonly table: number
}

export interface RoutedWay {
  /** A block. */
  readonly to: string
  /** The kernel's, of the group whose routes those are. */
  readonly table: number
}

/** A service address in a VNI of this node, with its endpoints here. */
export interface NodeServiceAddress {
  readonly namespace: string
  readonly name: string
  readonly vni: number
  /** At most one of each family. */
  readonly addresses: readonly string[]
  readonly ports: readonly ServicePortNumber[]
  /** Who comes from one address comes to one endpoint. */
  readonly byClient: boolean
  readonly endpoints: readonly NodeServiceEndpoint[]
  /** On other nodes, where connections are spread over them too; absent: over those here alone. */
  readonly elsewhere?: readonly NodeServiceEndpoint[]
  /** namespace/name of what this node sends to those as from; absent with them. */
  readonly source?: string
  /** It is no client's: this node sends to endpoints elsewhere as from here. */
  readonly isSource?: boolean
}

export interface ServicePortNumber {
  readonly protocol: 'TCP' | 'UDP' | 'SCTP'
  readonly l4Port: number
}

/** A Port. */
export interface NodeServiceEndpoint {
  /** Of the Port, in the namespace of the service. */
  readonly port: string
  readonly addresses: readonly string[]
  /** In the order of the service's ports; 0: it has no such port. */
  readonly l4Ports: readonly number[]
  /** draining: it keeps the connections that it has. */
  readonly state: 'ready' | 'draining'
}

/** As much of its Segment as a port is rendered with: who else is in the VNI is no matter to it. */
export type PortSegment = Pick<Segment, 'subnets' | 'flood' | 'router' | 'l3'>

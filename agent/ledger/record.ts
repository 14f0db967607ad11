// What a node remembers over restarts of its agent: which interface of which sandbox is which Port, and how it was wired.
import type { Resource } from '../../core/kinds/index.ts'
import type { Guest } from '../../core/node/guest.ts'
import type { LocalPort } from '../../core/node/wanted.ts'
import type { NetworkStatus } from '../../core/wire/cni/network-status.ts'
import type { Inside } from '../links/links.ts'

/** What the agent says of a Port in its status. */
export type NodeStatus = NonNullable<NonNullable<Resource<'Port'>['status']>['node']>

/** One Port's interface in one sandbox; for a Port without a pod the node itself is the sandbox. */
export interface Wired {
  /** As CNI_CONTAINERID has it; `node` for a Port without a pod. */
  readonly containerID: string
  /** What the Nic is called inside. */
  readonly ifname: string
  readonly port: LocalPort
  readonly inside: Inside
  /** Namespace of its Vpc: where its locks are. */
  readonly vpcNamespace: string
  /** Of a TAP of ours: what its guest is told where the store is away, and the key of the Subnet that says it otherwise. */
  readonly guest?: Guest
  readonly subnetKey?: string
  /** The pod it is for. */
  readonly pod?: { readonly namespace: string; readonly name: string; readonly uid: string }
  /**
   * Of a Port without a pod, once nothing is left to do for it: how its program ended, where it has one. A program that was cut off with
   * its agent runs again; one that has ended does not.
   */
  readonly done?: Pick<NodeStatus, 'postCreateExecReport' | 'message'>
  /** No Port's: an interface in VLANs of a physical network, that a CNI call of its own asked for. */
  readonly external?: External
}

export interface External {
  /** Of the network, as its configuration has it: GC speaks of one. */
  readonly network: string
  /** `namespace/name` of the L2ServiceAttachment; empty where none is named. */
  readonly attachment: string
  /** As it was called, where an IPAM plugin has to be told of the end. */
  readonly asked?: { readonly conf: object; readonly args: Readonly<Record<string, string>> }
  /** What ADD answered, once it has. */
  readonly result?: object
}

/** One CNI ADD that was answered: what DEL has to undo beside our own interfaces. */
export interface Sandbox {
  readonly containerID: string
  /** As CNI_IFNAME has it: who is eth0. */
  readonly ifname: string
  readonly netns: string
  readonly pod: { readonly namespace: string; readonly name: string; readonly uid: string }
  /** The delegate's configuration, as it was called, and what it answered. */
  readonly delegate?: { readonly conf: object; readonly result: object }
  /** What the pod's network-status says of it. */
  readonly networkStatus?: readonly NetworkStatus[]
  /** What ADD answered. */
  readonly result?: object
}

export const wiredKey = ({ containerID, ifname }: Pick<Wired, 'containerID' | 'ifname'>): string => `wired/${containerID}/${ifname}`
/** Under which a ledger has the second number of an interface that policies judge in a VLAN. */
export const wayNumberKey = (uid: string): string => `${uid} way`
/** The same of each VLAN of several. */
export const zoneKey = (uid: string, vlan: number): string => `${uid} VLAN ${vlan}`
/** Whether a number is a Port's, or one beside it. */
export const isHeldBy = (holder: string, uid: string): boolean => holder === uid || holder.startsWith(`${uid} `)
/** The numbers that a Port has, and the name that a ledger has each by. */
export const numbersOf = ({ uid, number, wayNumber, zones = [] }: LocalPort): readonly (readonly [number: number, holder: string])[] => [
  [number, uid],
  ...(wayNumber === undefined ? [] : [[wayNumber, wayNumberKey(uid)] as const]),
  ...zones.map((zone) => [zone.number, zoneKey(uid, zone.vlan)] as const),
]
export const sandboxKey = ({ containerID, ifname }: Pick<Sandbox, 'containerID' | 'ifname'>): string => `sandbox/${containerID}/${ifname}`
export const pieceKey = (kind: string, key: string): string => `piece/${kind}/${key}`
/** The containerID of Ports without a pod. */
export const nodeItself = 'node'

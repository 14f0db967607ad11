// What admission, workers and agent look at when they work out a pod's Nics: the same questions, so the same answers.
import type { Resource } from '../kinds/index.ts'
import type { PortType, TapUse } from '../kinds/vpc/port.ts'
import type { PolicyPod } from '../kinds/policy/policy-pod.ts'

/** All answers come from memory; an object that is not there yet is simply undefined. */
export interface NetworkView {
  namespace(name: string): Resource<'Namespace'> | undefined
  cloud(name: string): Resource<'Cloud'> | undefined
  vpc(namespace: string, name: string): Resource<'Vpc'> | undefined
  subnet(namespace: string, name: string): Resource<'Subnet'> | undefined
  /** The Vpcs that have a VNI, or a VLAN by its number, or ask for it. */
  vpcsOfSegment(segment: number): Iterable<Resource<'Vpc'>>
  subnetsOf(vpc: Resource<'Vpc'>): Iterable<Resource<'Subnet'>>
  port(namespace: string, name: string): Resource<'Port'> | undefined
  /** The Port of a namespace that a Nic's portID names: by spec.portID, else by UID. */
  portByID(namespace: string, portID: string): Resource<'Port'> | undefined
  /** All that a portID may mean: it is unique in a Vpc, and a namespace may have Ports of several. */
  portsByID(namespace: string, portID: string): Iterable<Resource<'Port'>>
  /** What the UnifiedNetworkPolicy that is in force on a pod names as its network. */
  networkByPolicy(pod: PolicyPod): string | undefined
  /** How much that policy books for each of its Ports, bits a second; absent: who asks makes no pods. */
  minimumByPolicy?(pod: PolicyPod): number | undefined
  sessionGroups(): Iterable<Resource<'BGPSessionGroup'>>
  /** Absent: who asks knows none of them, and goes by the Subnets that admission has written. */
  networkService?(namespace: string, name: string): Resource<'NetworkService'> | undefined
  inquiriesIn(namespace: string): Iterable<Resource<'Inquiry'>>
}

/** What a Nic is to a network service. */
export interface NicRole {
  /** `namespace/name`. */
  readonly name: string
  readonly as: 'client' | 'endpoint'
  readonly labels: Readonly<Record<string, string>>
}

/** How many Nics a pod may have. */
export interface NicLimits {
  readonly default: number
  readonly flavors: Readonly<Record<string, number>>
}

/** One Nic as it will be made: defaults filled in, references resolved. */
export interface ResolvedNic {
  readonly name: string
  /** Index in its annotation's list; a default Nic has 0. */
  readonly index: number
  /** It is of the list that may change while the pod runs. */
  readonly hot?: true
  readonly subnet: { readonly namespace: string; readonly name: string }
  readonly ips: readonly string[]
  /** Which field named them: refusals point at it. */
  readonly ipsField: 'ip' | 'ips'
  readonly mac: string | undefined
  readonly securityGroups: readonly string[]
  readonly qosPolicy: string | undefined
  readonly routedBlocks: readonly string[]
  readonly service?: NicRole
  readonly type: PortType
  /** Of a TAP that is made for it. */
  readonly tap?: TapUse | undefined
  /** Names a Port that exists already; then nothing is made. */
  readonly portID: string | undefined
  /** The name of that Port, in the pod's namespace. */
  readonly portName: string | undefined
  readonly defaultRoute: boolean
  /** Bytes of a packet; undefined: the Vpc's. */
  readonly mtu: number | undefined
  /** What the interface is called inside the pod (core/admit/pod/interfaces.ts). */
  readonly interfaceName: string
}

/** Who makes the interface that the runtime asks for (architecture: who is eth0). */
export type ClusterNic = 'delegate' | 'none'
/** The settings that a pod's Nics depend on; a process's Config has them. */
export interface NicSettings {
  readonly nicLimits: NicLimits
  readonly clusterNic: ClusterNic
}

/** What a pod asks for. */
export type NicResolution =
  | { readonly kind: 'none' }
  | {
      readonly kind: 'nics'
      readonly vpc: Resource<'Vpc'>
      readonly nics: readonly ResolvedNic[]
      readonly clusterNic: ClusterNic
      readonly warnings: readonly string[]
      /** Its Vpc is its policy's to say: another one moves the pod. */
      readonly byPolicy?: true
    }
  /**
   * `at`: JSON pointer into the pod; `/metadata/annotations/megrez.io~1nics/0/ip` for a field inside the annotation's JSON. `later`: what
   * is missing may still come (a worker waits, admission refuses).
   */
  | { readonly kind: 'refused'; readonly at: string; readonly message: string; readonly later: boolean }

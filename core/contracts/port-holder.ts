// Who makes Ports for a Vpc.
import type { Since } from '../kinds/hops.ts'
import type { Vlan } from '../kinds/vpc/segment.ts'
import type { Driver } from './driver.ts'

/** What a provider holds for one Port. It may be less than was asked for: a worker stopped half-way. */
export interface HeldPort {
  readonly providerID: string
  readonly addresses: readonly string[]
  /** Undefined while it has none that nobody else can have, or its addresses disagree about it. */
  readonly mac: string | undefined
  /** The name that it is kept under in its Vpc, where its maker gave it one. */
  readonly portID: string | undefined
  /** Of the node it is bound to. */
  readonly hostIP: string | undefined
  /** Number of the PolicyIdentity that other nodes know its addresses by. */
  readonly identity: number | undefined
}

export interface PortScope {
  readonly vpc: { readonly namespace: string; readonly name: string }
  /** Its VNI, or the number of its VLAN. */
  readonly vni: number
  readonly vlan?: Vlan | undefined
  /** Name of the Subnet, in the Vpc's namespace. */
  readonly subnet: string
  readonly port: { readonly namespace: string; readonly name: string; readonly uid: string }
  /** The addresses that its status tells of: a provider that looks into a cache looks for these at the source. */
  readonly known: readonly string[]
  /** Since when it is asked for: what is measured from then goes with what it is given. */
  readonly since?: Since
}

export type HolderAction =
  | {
      readonly do: 'createPort'
      readonly scope: PortScope
      /**
       * All of them, one of each family: those it holds already and those that are new. Taken by a rival, the action throws AlreadyExists
       * and the next pass chooses anew.
       */
      readonly addresses: readonly string[]
      readonly mac: string
      readonly macNeedsLock: boolean
      readonly portID: string | undefined
      readonly securityGroups: readonly string[]
      readonly hostIP: string | undefined
      readonly identity: number | undefined
      readonly claim: { readonly podUID: string; readonly owner: string; readonly nic: string } | undefined
    }
  /** hostIP undefined: the Port is no longer on a node. */
  | {
      readonly do: 'bindPort'
      readonly scope: PortScope
      readonly port: HeldPort
      readonly hostIP: string | undefined
      readonly identity: number | undefined
    }
  /** Gives back addresses that it holds beyond those it needs, and any MAC but this: two workers have served it at once. */
  | { readonly do: 'freeAddresses'; readonly scope: PortScope; readonly addresses: readonly string[]; readonly mac: string }
  /** Frees what this Port holds and nothing else. */
  | { readonly do: 'deletePort'; readonly scope: PortScope; readonly port: HeldPort }

export interface PortHolder extends Driver<PortScope, { readonly port: HeldPort | undefined }, HolderAction> {
  /** The id that a Port will have, where that is known before it is made; then it is ready as soon as its steps are taken. */
  readonly idOf?: (scope: PortScope) => string
}

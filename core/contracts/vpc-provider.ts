// Who makes Ports for a Vpc.
import type { Driver } from './driver.ts'

/** What a provider holds for one Port. */
export interface ProviderPort {
  readonly providerID: string
  readonly addresses: readonly string[]
  readonly mac: string
}

export interface PortScope {
  readonly vpc: { readonly namespace: string; readonly name: string }
  readonly vni: number
  readonly port: { readonly namespace: string; readonly name: string; readonly uid: string }
}

export type VpcAction =
  | {
      readonly do: 'createPort'
      readonly scope: PortScope
      readonly subnet: string
      /** One of each family wanted, already chosen; taken by a rival, the action throws AlreadyExists and the next pass chooses anew. */
      readonly addresses: readonly string[]
      readonly mac: string
      readonly macNeedsLock: boolean
      readonly portID: string | undefined
      readonly securityGroups: readonly string[]
      readonly hostIP: string | undefined
    }
  /** hostIP undefined: the Port is no longer on a node. */
  | { readonly do: 'bindPort'; readonly scope: PortScope; readonly port: ProviderPort; readonly hostIP: string | undefined }
  /** Frees what this Port holds and nothing else. */
  | { readonly do: 'deletePort'; readonly scope: PortScope; readonly port: ProviderPort }

export type VpcProvider = Driver<PortScope, { readonly port: ProviderPort | undefined }, VpcAction>

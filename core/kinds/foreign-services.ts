// Kubernetes' own Services, and who serves them: as much of them as we look at or write.
import type { Condition } from './meta.ts'

type Protocol = 'TCP' | 'UDP' | 'SCTP'

/** Of TCP, UDP or SCTP; Kubernetes' own fields call it a port. */
type L4Port = number

export interface ServicePort {
  readonly name?: string
  readonly protocol?: Protocol
  readonly port: L4Port
  /** A number, or the name of a container's port; that of the Service when absent. */
  readonly targetPort?: number | string
  readonly [more: string]: unknown
}
/** core/v1. */
export interface ServiceSpec {
  readonly type?: string
  readonly loadBalancerClass?: string
  readonly loadBalancerIP?: string
  readonly selector?: Readonly<Record<string, string>>
  readonly ports?: readonly ServicePort[]
  readonly externalTrafficPolicy?: 'Cluster' | 'Local'
  readonly sessionAffinity?: 'None' | 'ClientIP'
  readonly sessionAffinityConfig?: { readonly clientIP?: { readonly timeoutSeconds?: number } }
  readonly publishNotReadyAddresses?: boolean
  readonly [more: string]: unknown
}
export interface ServiceIngress {
  readonly ip?: string
  readonly ipMode?: 'VIP' | 'Proxy'
  readonly [more: string]: unknown
}
export interface ServiceStatus {
  readonly loadBalancer?: { readonly ingress?: readonly ServiceIngress[] }
  readonly conditions?: readonly Condition[]
  readonly [more: string]: unknown
}

/** discovery.k8s.io/v1. */
export interface SliceEndpoint {
  readonly addresses: readonly string[]
  readonly conditions: { readonly ready: boolean; readonly serving: boolean; readonly terminating: boolean }
  readonly targetRef: { readonly kind: 'Pod'; readonly namespace: string; readonly name: string; readonly uid: string }
  readonly nodeName?: string
}
export interface SlicePort {
  /** Empty where the Service names none, as Kubernetes' own are. */
  readonly name: string
  readonly protocol: Protocol
  readonly port: L4Port
}
/** Its own fields kept under spec, as an Event's. */
export interface EndpointSliceSpec {
  readonly addressType: 'IPv4' | 'IPv6'
  readonly endpoints: readonly SliceEndpoint[]
  readonly ports: readonly SlicePort[]
}

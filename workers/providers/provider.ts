// What a provider brings: how Vpcs, Subnets and Ports are gathered, planned and driven that are its own.
import type { AnyController } from '../loop/controller.ts'

export const providedKinds = ['Vpc', 'Subnet', 'Port'] as const
export type ProvidedKind = (typeof providedKinds)[number]
/** Of one process. */
export type Provider = { readonly [K in ProvidedKind]: AnyController }

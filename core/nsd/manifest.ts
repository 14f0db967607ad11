import type { Fields } from './problems.ts'

/** An object before it is sent. */
export interface Manifest {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: { readonly name: string }
  readonly spec: object
}
/** One entry of virtual_link_protocol_data, and where it stands. */
export interface Listed {
  readonly at: string
  readonly protocol: Fields
}

// By which names clients know NetworkServices and endpoints: an object's own is an API server's affair.
import type { NsmKind } from '../kinds/foreign-network-services.ts'
import { inNamespaceOf, type Resource } from '../kinds/index.ts'
import { derivedName } from '../net/names.ts'

/** In spec.name, or the object's own where that is absent or empty. */
export const nsmNameOf = ({ metadata, spec }: Resource<NsmKind>): string =>
  spec.name === undefined || spec.name === '' ? metadata.name : spec.name

/** `namespace/name`. */
export const nsmKeyOf = (item: Resource<NsmKind>): string => inNamespaceOf(item, nsmNameOf(item))

const objectName = /^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$/

/** The name of the object that a registration of that name is kept in: itself, where objects may be called so. */
export const nsmObjectName = (name: string): string =>
  objectName.test(name) && !name.includes('..') ? name : derivedName(name, ['nsm', name], 253)

// Where REST has an object.
import { pluralOf, type Ref } from './index.ts'

/** From the root of the server on. */
export const addressOf = ({ kind, namespace, name }: Ref): string =>
  namespace === undefined ? `/v1/${pluralOf(kind)}/${name}` : `/v1/namespaces/${namespace}/${pluralOf(kind)}/${name}`

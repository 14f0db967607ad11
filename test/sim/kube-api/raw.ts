// Objects as an API server keeps and says them.
export interface RawMeta {
  readonly name: string
  readonly namespace?: string
  readonly generateName?: string
  readonly uid: string
  readonly resourceVersion: string
  readonly generation?: number
  readonly creationTimestamp: string
  readonly deletionTimestamp?: string
  readonly deletionGracePeriodSeconds?: number
  readonly finalizers?: readonly string[]
  readonly labels?: Readonly<Record<string, string>>
  readonly annotations?: Readonly<Record<string, string>>
  readonly ownerReferences?: readonly { readonly kind: string; readonly name: string; readonly uid: string }[]
}
export interface Raw {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: RawMeta
  readonly [more: string]: unknown
}
export interface RawEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR'
  readonly object: object
}

/** etcd's order: by namespace and name. */
export const keyOf = ({ namespace = '', name }: { readonly namespace?: string; readonly name: string }): string => `${namespace}/${name}`

export function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    for (const each of Object.values(value)) frozen(each)
  }
  return value
}

/** As it arrives over the wire: undefined is nothing, and nobody else's. */
export const wired = (value: unknown): unknown => (value === undefined ? undefined : (JSON.parse(JSON.stringify(value)) as unknown))

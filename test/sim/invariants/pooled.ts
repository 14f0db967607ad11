// What holds of every kind that has addresses of a pool: none is told of without its lock.
import { keyOfItem, type Resource } from '../../../core/kinds/index.ts'
import { lockName } from '../../../core/plan/builtin/locks.ts'
import type { PooledKind } from '../../../core/plan/pool/pool-address.ts'
import type { Truth } from '../truth.ts'

type Address<K extends PooledKind> = Resource<K>
type Lock = Resource<'IPLock'>

export function isLocked<K extends PooledKind>(
  before: Address<K> | undefined,
  after: Address<K>,
  truth: Truth,
  fail: (what: string) => void,
): void {
  const { vni, addresses, subnet } = after.spec
  for (const address of addresses.filter((each) => before?.spec.addresses.includes(each) !== true)) {
    const lock = truth.at('IPLock', `${subnet.split('/')[0]}/${lockName(vni, { address })}`)
    if (lock?.spec.holder?.uid !== after.metadata.uid)
      fail(`${after.kind} ${keyOfItem(after)} tells of ${address}, which it has not locked`)
  }
}

/** Who holds it, and tells of it. */
export function tellingOf<K extends PooledKind>(kind: K, { spec: { holder, address = '' } }: Lock, truth: Truth): Address<K> | undefined {
  if (holder?.kind !== kind) return undefined
  const there = truth.at(kind, `${holder.namespace}/${holder.name}`)
  return there?.metadata.uid === holder.uid && there.spec.addresses.includes(address) ? there : undefined
}

export const isUntold = (kind: PooledKind, lock: Lock, truth: Truth): boolean =>
  lock.spec.holder?.kind === kind && tellingOf(kind, lock, truth) === undefined

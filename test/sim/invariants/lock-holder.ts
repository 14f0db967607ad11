import type { Resource } from '../../../core/kinds/index.ts'

/** Whether a lock is for it, alone or beside others. */
export const isHolder = ({ spec }: Resource<'IPLock'>, uid: string): boolean =>
  [spec.holder, ...(spec.shared ?? [])].some((holder) => holder?.uid === uid)

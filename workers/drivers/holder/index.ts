// Who holds what Ports of ours have: locks, unless a test says otherwise.
import type { PortHolder } from '../../../core/contracts/port-holder.ts'
import { lockHolder, type LocksDeps } from './locks.ts'

export type OpenHolder = (deps: LocksDeps) => PortHolder

export const openHolder: OpenHolder = lockHolder

// How Ports come by their port at a Cloud: whether what was made ahead is enough for those that come.
import type { Write } from '../../contracts/store.ts'
import type { Resource } from '../../kinds/index.ts'
import { beforeWrite } from '../before-write.ts'

export interface FirstAsk {
  readonly cloud: string
  /** taken: one that was made ahead; made: one of its own. What is made ahead is neither. */
  readonly how: 'taken' | 'made'
}
interface ProviderSection {
  readonly cloud?: string
  readonly requestedAt?: string
  readonly from?: object
}

/** @param item what the writes were planned from; a Port that has asked already does not count again */
export function firstAsksIn(writes: readonly Write[], item: Resource | undefined): readonly FirstAsk[] {
  return writes.flatMap((write) => {
    if (write.do !== 'patchStatus' || write.ref.kind !== 'Port') return []
    const { provider }: { readonly provider?: ProviderSection } = write.sections
    const before = portBefore(write.uid, writes, item)
    if (before === undefined || before.status?.requestedAt !== undefined || provider?.requestedAt === undefined) return []
    return firstAskOf(provider, before)
  })
}

function firstAskOf({ cloud, from }: ProviderSection, { status }: Pick<Resource<'Port'>, 'status'>): readonly FirstAsk[] {
  const named = cloud ?? status?.cloud
  return named === undefined ? [] : [{ cloud: named, how: from === undefined ? 'made' : 'taken' }]
}

/** What is made ahead is nobody's. */
function portBefore(uid: string, writes: readonly Write[], item: Resource | undefined): Pick<Resource<'Port'>, 'status'> | undefined {
  const port = beforeWrite(uid, writes, item) as Resource<'Port'> | undefined
  return port === undefined || port.spec.warm !== undefined ? undefined : port
}

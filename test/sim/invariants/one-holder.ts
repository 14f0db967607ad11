// No address and no MAC of a VNI is served to two at once.
import { segmentOf } from '../../../core/kinds/vpc/segment.ts'
import type { Resource } from '../../../core/kinds/index.ts'
import { keyOfItem } from '../../../core/kinds/index.ts'
import type { InvariantOfStore } from '../invariant.ts'
import { isLettingGo } from './letting-go.ts'

/** What a Port is served with, each with its VNI. */
function claimsOf(port: Resource<'Port'> | undefined): readonly string[] {
  const { addresses = [], mac } = port?.status ?? {}
  const vni = port && segmentOf(port)
  if (port === undefined || vni === undefined || isLettingGo(port)) return []
  return [...addresses, ...(mac === undefined ? [] : [mac])].map((each) => `${vni} ${each}`)
}

export const oneHolder: InvariantOfStore = {
  name: 'one-holder',
  begin({ site }, fail) {
    const holders = new Map<string, string>()
    return {
      landed({ kind, before, after }) {
        if (kind !== 'Port') return
        const [was, is] = [claimsOf(before as Resource<'Port'> | undefined), claimsOf(after as Resource<'Port'> | undefined)]
        const { uid } = (after ?? before)!.metadata
        for (const claim of was) if (!is.includes(claim) && holders.get(claim) === uid) holders.delete(claim)
        for (const claim of is) {
          const other = holders.get(claim)
          if (other !== undefined && other !== uid && !isShared(claim))
            fail(`${claim} is served to Port ${keyOfItem(after!)} (${uid}) and to the Port with UID ${other}`)
          holders.set(claim, uid)
        }
      },
    }

    /** Several holders of one lock share its address. */
    function isShared(claim: string): boolean {
      const [vni, address] = claim.split(' ')
      for (const lock of site.truth.values('IPLock'))
        if (String(lock.spec.vni) === vni && lock.spec.address === address && (lock.spec.shared ?? []).length > 0) return true
      return false
    }
  },
}

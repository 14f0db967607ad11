// A service address is told of under its lock, and the lock is kept as long as it is told of, and where nodes may announce it a minute
// longer; once all is quiet status and finalizers say what is so, and nothing is left of what is gone.
import { isOurService } from '../../../core/admit/service/pool.ts'
import { serviceFinalizer } from '../../../core/kinds/annotations.ts'
import { keyOfItem, type Resource } from '../../../core/kinds/index.ts'
import { withdrawnMs } from '../../../core/plan/pool/pool-address.ts'
import { blocksOf } from '../../../core/plan/services/announced.ts'
import { isSource, sendersOf, sourceKeyOf } from '../../../core/plan/services/sources.ts'
import { perKind, type Invariant } from '../invariant.ts'
import { epochMs } from '../process.ts'
import type { Truth } from '../truth.ts'
import { isLocked, isUntold, tellingOf } from './pooled.ts'

type Lock = Resource<'IPLock'>
type Fail = (what: string) => void
const nobody: ReadonlySet<string> = new Set()

export const serviceAddresses: Invariant = {
  name: 'service-addresses',
  begin({ site: { truth, scheduler } }, fail) {
    /** UID of one that goes → nodes whose speaker has had a block with it ever since: one from later on tells of no such address. */
    const announcing = new Map<string, ReadonlySet<string>>()
    return {
      landed: perKind({
        ServiceAddress(before, after) {
          if (after === undefined) return
          isLocked(before, after, truth, fail)
          const { deletionTimestamp, uid } = after.metadata
          if (deletionTimestamp !== undefined && !announcing.has(uid))
            announcing.set(uid, new Set(blocksOf(after, [...truth.values('BGPSpeaker')])))
        },
        BGPSpeaker() {
          for (const address of truth.values('ServiceAddress')) {
            const since = announcing.get(address.metadata.uid)
            const now = since && new Set(blocksOf(address, [...truth.values('BGPSpeaker')]))
            if (now !== undefined) announcing.set(address.metadata.uid, new Set([...since!].filter((node) => now.has(node))))
          }
        },
        IPLock(before, after) {
          if (before === undefined || after !== undefined) return
          isFree(before, { truth, now: epochMs + scheduler.now, announcing: announcing.get(before.spec.holder?.uid ?? '') ?? nobody }, fail)
        },
      }),
      atRest() {
        for (const service of truth.values('Service')) isServed(service, truth, fail)
        nothingIsLeft(truth, fail)
      },
    }
  },
}

interface Freed {
  readonly truth: Truth
  readonly now: number
  readonly announcing: ReadonlySet<string>
}

/** Somebody may take a lock away by force; whoever is ours does so only where nobody counts on it. */
function isFree(lock: Lock, { truth, now, announcing }: Freed, fail: Fail): void {
  const there = tellingOf('ServiceAddress', lock, truth)
  if (there === undefined) return
  const { deletionTimestamp } = there.metadata
  const { address } = lock.spec
  if (deletionTimestamp === undefined) return fail(`${address} is free, and ServiceAddress ${keyOfItem(there)} tells of it`)
  const [announcer] = announcing
  if (announcer !== undefined && now < Date.parse(deletionTimestamp) + withdrawnMs - 1_000)
    fail(`${address} of ServiceAddress ${keyOfItem(there)} is free, and ${announcer} may announce it`)
}

function isServed(service: Resource<'Service'>, truth: Truth, fail: Fail): void {
  const key = keyOfItem(service)
  const address = truth.at('ServiceAddress', key)
  const ingress = toldTo(service)
  if (service.metadata.deletionTimestamp !== undefined) return fail(`Service ${key} was deleted and is still there`)
  if (!isOurService(service)) return isLetGo(service, [...ingress, ...(address?.spec.addresses ?? [])], fail)
  const wanted = address?.status?.phase === 'ready' ? address.spec.addresses : []
  if (String(ingress) !== String(wanted)) fail(`Service ${key} is told ${ingress.join()}, and has ${wanted.join()}`)
}

const toldTo = ({ status }: Resource<'Service'>): readonly unknown[] => (status?.loadBalancer?.ingress ?? []).map(({ ip }) => ip)

function isLetGo(service: Resource<'Service'>, left: readonly unknown[], fail: Fail): void {
  const key = keyOfItem(service)
  if (service.metadata.finalizers?.includes(serviceFinalizer) === true) fail(`Service ${key} is not ours any more and has our finalizer`)
  if (left.length > 0) fail(`Service ${key} is not ours any more and has ${left.join()}`)
}

function nothingIsLeft(truth: Truth, fail: Fail): void {
  for (const address of truth.values('ServiceAddress'))
    if (!isSource(address) && truth.at('Service', keyOfItem(address)) === undefined)
      fail(`ServiceAddress ${keyOfItem(address)} is left over: its Service is gone`)
  sourcesAreNeeded(truth, fail)
  for (const lock of truth.values('IPLock'))
    if (isUntold('ServiceAddress', lock, truth)) fail(`${lock.spec.address} is locked for a ServiceAddress that does not tell of it`)
}

/** Each node that sends on to endpoints of others has what it sends from, and no other has. */
function sourcesAreNeeded(truth: Truth, fail: Fail): void {
  const all = [...truth.values('ServiceAddress')]
  const speakers = [...truth.values('BGPSpeaker')]
  const needed = new Set(
    all
      .filter(({ status }) => status?.phase === 'ready')
      .flatMap((each) => sendersOf(each, speakers).map((node) => sourceKeyOf(each.spec.subnet, node))),
  )
  const there = new Set(all.filter(isSource).map(keyOfItem))
  for (const key of needed) if (!there.has(key)) fail(`a node sends on to endpoints of others, and there is no ServiceAddress ${key}`)
  for (const address of all.filter(isSource))
    if (!all.some((each) => sendersOf(each, speakers).includes(address.spec.node ?? '') && each.spec.subnet === address.spec.subnet))
      fail(`ServiceAddress ${keyOfItem(address)} is left over: ${address.spec.node} sends nothing from there`)
}

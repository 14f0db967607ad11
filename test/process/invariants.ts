// What must hold of a settled store, whatever was killed before.
import type { Rest, Item } from '../../cli/demo/rest.ts'

interface Held extends Item {
  readonly spec: {
    readonly vni?: number
    readonly address?: string
    readonly holder?: { readonly uid: string }
    readonly reservation?: { readonly until: string }
    readonly claim?: { readonly podUID: string; readonly until?: string }
    readonly podUID?: string
  }
  readonly status?: Item['status'] & { readonly addresses?: readonly string[]; readonly vni?: number }
}

/** Every breach as a sentence; none is what a test wants. */
export async function breaches(rest: Rest): Promise<string[]> {
  const all = (await rest.everything()) as readonly Held[]
  const of = (kind: string): readonly Held[] => all.filter((item) => item.kind === kind)
  const uids = new Set(all.map((item) => item.metadata.uid))
  return [
    ...doubled(of('Port')),
    ...of('Port').flatMap((port) => lockless(port, of('IPLock'))),
    ...of('Port')
      .filter((port) => port.spec.podUID !== undefined && !uids.has(port.spec.podUID))
      .map((port) => `Port ${port.metadata.name} outlives its pod`),
    ...[...of('IPLock'), ...of('SegmentLock')].flatMap((lock) => unheld(lock, uids)),
  ]
}

function doubled(ports: readonly Held[]): string[] {
  const taken = new Map<string, string>()
  const found: string[] = []
  for (const port of ports) {
    for (const address of port.status?.addresses ?? []) {
      const key = `${port.status?.vni} ${address}`
      if (taken.has(key)) found.push(`${key} belongs to two Ports: ${taken.get(key)} and ${port.metadata.name}`)
      taken.set(key, port.metadata.name)
    }
  }
  return found
}

const lockless = (port: Held, locks: readonly Held[]): string[] =>
  (port.status?.addresses ?? [])
    .filter(
      (address) =>
        !locks.some(({ spec }) => spec.vni === port.status?.vni && spec.address === address && spec.holder?.uid === port.metadata.uid),
    )
    .map((address) => `Port ${port.metadata.name} has ${address} without its lock`)

function unheld(lock: Held, uids: ReadonlySet<string>): string[] {
  const { holder, reservation } = lock.spec
  if (holder === undefined) return reservation === undefined ? [`${lock.kind} ${lock.metadata.name} belongs to nobody`] : []
  return uids.has(holder.uid) ? [] : [`${lock.kind} ${lock.metadata.name} outlives its holder`]
}

// What stands at a cloud: of each object one thing at most, at every step; and in the end nothing whose object is gone, and of each object
// that is ready what its status tells.
import type { CloudKind } from '../../../core/contracts/cloud.ts'
import { keyOfItem, resolveReference, type Resource } from '../../../core/kinds/index.ts'
import type { Invariant } from '../invariant.ts'
import { perKind } from '../invariant.ts'
import type { Clouds } from '../world/clouds.ts'
import type { Truth } from '../truth.ts'

const kinds = { network: 'Vpc', subnet: 'Subnet', port: 'Port', group: 'CloudSecurityGroup' } as const
type PlacedKind = (typeof kinds)[keyof typeof kinds]
type PlacedObject = Resource<PlacedKind>

export const clouds: Invariant = {
  name: 'clouds',
  begin({ site: { truth }, clouds: world }, fail) {
    const gone = (before: PlacedObject | undefined, after: PlacedObject | undefined): void => {
      if (before !== undefined && after === undefined) leavesNothing(before, world, fail)
    }
    return {
      landed: perKind({ Vpc: gone, Subnet: gone, Port: gone, CloudSecurityGroup: gone }),
      atRest: () => isWhole(truth, world, fail),
      atEnd: () => isWhole(truth, world, fail),
    }
  },
}

function leavesNothing({ kind, metadata }: PlacedObject, { cloud }: Clouds, fail: (what: string) => void): void {
  const of = Object.keys(kinds).find((each) => kinds[each as CloudKind] === kind) as CloudKind
  const left = cloud.all(of).find(({ owner }) => owner === metadata.uid)
  if (left !== undefined) fail(`${kind} ${metadata.namespace ?? ''}/${metadata.name} is gone, and ${left.id} of it is at the cloud`)
}

/** An audit may have begun with clocks that differ by so much. */
const skewMs = 60_000

/** What is others' is never touched; what was left before a repair began is gone when that is over, and stays where nobody asks for one. */
function strewnIsTreated(truth: Truth, { cloud, strewn }: Clouds, fail: (what: string) => void): void {
  const repairs = [...truth.values('Audit')].filter(({ spec }) => spec.repair === true)
  const over = repairs.flatMap(({ status }) => (status?.phase === 'ready' ? Date.parse(status.lookedAt ?? '') : []))
  for (const [id, { whose, atMs }] of strewn) {
    const isThere = cloud.get('network', id) !== undefined
    const mayGo = whose === 'ours' && repairs.length > 0
    if (!isThere && !mayGo) fail(`${id} is gone from the cloud, and nobody may have deleted it`)
    if (isThere && whose === 'ours' && over.some((ms) => ms - skewMs > atMs)) fail(`${id} was left at the cloud, and a repair is over`)
  }
}

function isWhole(truth: Truth, world: Clouds, fail: (what: string) => void): void {
  const { cloud, strewn } = world
  strewnIsTreated(truth, world, fail)
  addressesAreTheirOwn(truth, fail)
  for (const [of, kind] of Object.entries(kinds) as [CloudKind, PlacedKind][]) {
    const items: readonly PlacedObject[] = [...truth.values(kind)]
    const owners = cloud.all(of).flatMap(({ id, owner }) => (strewn.has(id) ? [] : (owner ?? [])))
    if (new Set(owners).size < owners.length) fail(`an object has two of a ${of} at the cloud`)
    for (const owner of owners)
      if (!items.some(({ metadata }) => metadata.uid === owner)) fail(`a ${of} at the cloud is left over: its ${kind} is gone`)
    for (const item of items) isAsTold(item, cloud.get(of, item.status?.providerID ?? ''), fail)
  }
}

/** Of Ports of the cloud that are ready: what was made ahead is one's or another's. */
function addressesAreTheirOwn(truth: Truth, fail: (what: string) => void): void {
  const told = new Map<string, string>()
  for (const port of truth.values('Port')) {
    const { cloud, phase, addresses = [] } = port.status ?? {}
    if (cloud === undefined || phase !== 'ready') continue
    const { namespace, name } = resolveReference(port.spec.subnet, port.metadata.namespace ?? '')
    for (const address of addresses) {
      const at = `${namespace}/${name} ${address}`
      if (told.has(at)) fail(`Port ${keyOfItem(port)} and Port ${told.get(at) ?? ''} both tell of ${address}`)
      told.set(at, keyOfItem(port))
    }
  }
}

function isAsTold(item: PlacedObject, there: { readonly owner: string | undefined } | undefined, fail: (what: string) => void): void {
  const { cloud, providerID = 'nothing', phase } = item.status ?? {}
  if (cloud !== undefined && phase === 'ready' && there?.owner !== item.metadata.uid)
    fail(`${item.kind} ${keyOfItem(item)} is ready, and ${providerID} is not at the cloud, or another's`)
}

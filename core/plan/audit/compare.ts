// What the store, clouds, nodes and pods say of each other, compared. Objects are read before the clouds are, and once more after them: a
// thing whose object is in neither list is an orphan, since a UID is stored before anything is made for it, and never comes again; a thing
// that an object had before and after, and that is in no list between, is missing.
import type { CloudItem } from '../../contracts/cloud.ts'
import { refOf, type Resource } from '../../kinds/index.ts'
import type { Finding, FindingClass } from '../../kinds/vpc/audit.ts'
import type { PlacedObject } from '../cloud/life.ts'
import { byUid, textOf, type AuditSeen, type Difference } from './difference.ts'
import { nodesAmiss } from './inventories.ts'
import { podsAmiss, portsAmiss } from './nodes-and-pods.ts'

/** In the order in which things may go: a port before its subnet and its groups, a subnet before its network. */
const order = { port: 0, subnet: 1, network: 2, group: 3 } as const

export function compare(seen: AuditSeen): readonly Difference[] {
  const objects = byUid(seen.after)
  const things = [...seen.clouds].flatMap(([cloud, items]) => items.map((item) => ({ cloud, item })))
  things.sort((a, b) => order[a.item.kind] - order[b.item.kind])
  return [
    ...things.flatMap(({ cloud, item }) => orphanIn(cloud, item, objects)),
    ...doublesIn(things, objects),
    ...[...byUid(seen.before).values()].flatMap((item) => missingOf(item, objects.get(item.metadata.uid), seen.clouds)),
    ...things.flatMap(({ cloud, item }) => elsewhere(cloud, item, objects)),
    ...portsAmiss(seen),
    ...podsAmiss(seen),
    // Last: of what nodes say of themselves no other finding goes unlisted.
    ...nodesAmiss(seen),
  ]
}

interface Thing {
  readonly cloud: string
  readonly item: CloudItem
}
type ByUid = ReadonlyMap<string, PlacedObject>

const ofThing = (what: FindingClass, { cloud, item }: Thing, message: string): Finding => ({
  class: what,
  cloud,
  kind: item.kind,
  id: item.there.id,
  message,
})

function orphanIn(cloud: string, item: CloudItem, objects: ByUid): readonly Difference[] {
  const { owner = '', name } = item.there
  if (objects.has(owner)) return []
  const message = `${name} is of an object with UID ${owner}, which is gone: it was ${item.isMade ? 'made' : 'adopted'} by Megrez`
  return [{ finding: ofThing('orphan', { cloud, item }, message), repair: { do: 'end', cloud, item } }]
}

/** The one that its status tells of is its own. Where it tells of none of them, nobody knows which is. */
function doublesIn(things: readonly Thing[], objects: ByUid): readonly Difference[] {
  const byOwner = Map.groupBy(things, ({ item: { kind, there } }) => `${kind} ${there.owner ?? ''}`)
  return [...byOwner.values()].flatMap((all) => {
    const object = objects.get(all[0]!.item.there.owner ?? '')
    const its = all.find(({ item }) => item.there.id === object?.status?.providerID)
    if (all.length < 2 || object === undefined || its === undefined) return []
    return all
      .filter((each) => each !== its)
      .map((each): Difference => {
        const message = `${textOf(object)} has ${its.item.there.id} beside it`
        const finding = { ...ofThing('doubled', each, message), object: textOf(object) }
        return { finding, repair: { do: 'end', cloud: each.cloud, item: each.item } }
      })
  })
}

function missingOf(was: PlacedObject, is: PlacedObject | undefined, clouds: AuditSeen['clouds']): readonly Difference[] {
  if (is === undefined || is.metadata.deletionTimestamp !== undefined) return []
  const { cloud = '', providerID: id } = is.status ?? {}
  const items = clouds.get(cloud)
  if (id === undefined || items === undefined || was.status?.providerID !== id || items.some(({ there }) => there.id === id)) return []
  const object = textOf(is)
  const finding: Finding = { class: 'missing', cloud, id, object, message: `${object} is told to be ${id}, which is not there as its own` }
  return [{ finding, repair: { do: 'wake', ref: refOf(is) } }]
}

/** Only where nothing is on its way: it is active, and on its node. */
function elsewhere(cloud: string, item: CloudItem, objects: ByUid): readonly Difference[] {
  const object = objects.get(item.there.owner ?? '')
  if (item.kind !== 'port' || object?.kind !== 'Port' || object.status?.phase !== 'ready') return []
  const port = object as Resource<'Port'>
  if (port.spec.node === undefined || item.there.host === port.spec.node) return []
  const message = `${textOf(port)} is on node ${port.spec.node}, and bound to ${item.there.host ?? 'none'}`
  return [
    { finding: { ...ofThing('elsewhere', { cloud, item }, message), object: textOf(port) }, repair: { do: 'wake', ref: refOf(port) } },
  ]
}

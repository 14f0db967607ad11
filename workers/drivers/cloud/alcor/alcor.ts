// Alcor as a cloud. What is made has our UID as its ID, and of ports a MAC that follows from it: whoever comes second is refused, and
// looks. Nothing there can be changed on a condition, so each change looks just before it.
import type { CloudAction, CloudDriver, CloudItem, CloudScope, CloudThingDriver } from '../../../../core/contracts/cloud.ts'
import { CloudOvertaken, CloudRefused, CloudUnreachable } from '../../../../core/errors.ts'
import type { Resource } from '../../../../core/kinds/index.ts'
import { timeoutMsOf } from '../../../../core/kinds/vpc/cloud.ts'
import { sameJson } from '../../../../core/same-json.ts'
import { limited, type Clock } from '../../../../platform/clock.ts'
import { halving } from '../bulk.ts'
import { Gathering } from '../gathering.ts'
import { AlcorApi, type AlcorApiOptions, type Ask } from './api.ts'
import { changeOf, type Change } from './changes.ts'
import { madeOf, nameOf, revisionOf, seenAs, type AlcorKind, type Entities, type Entity, type Naming } from './entities.ts'
import { usualHostInterface } from './host-interface.ts'
import { installationIn, isMadeForOne, ownerIn } from './tags.ts'

interface Way {
  readonly api: AlcorApi
  /** Ports that are asked for while others are made are made together. */
  readonly creates: Gathering<object, undefined>
  readonly naming: Naming
  readonly cloud: string
}
const kinds = ['network', 'subnet', 'port'] as const satisfies readonly AlcorKind[]

/** @throws ConfigInvalid */
export function alcor(cloud: Resource<'Cloud'>, deps: Pick<AlcorApiOptions, 'credentials' | 'clock'>, ask?: Ask): CloudDriver {
  const { credentials, clock } = deps
  const {
    metadata: { name, uid },
    spec,
  } = cloud
  const timeoutMs = timeoutMsOf(cloud)
  const api = new AlcorApi({ cloud: name, endpoint: spec.endpoint, credentials, clock, timeoutMs, ask })
  const naming = { installation: uid, hostInterface: spec.hostInterface ?? usualHostInterface }
  const way: Way = { api, creates: createsOf(api, clock, timeoutMs), naming, cloud: name }
  return {
    network: driverOf('network', way),
    subnet: driverOf('subnet', way),
    port: driverOf('port', way),
    // Two requests, one after the other, and what a manager does after its caller has gone.
    landsWithinMs: 2 * timeoutMs,
    inventory: (of, signal) => inventoryOf(of, way, signal),
    close: () => api.close(),
  }
}

/** 25 are what a deployment asks for at once; a call stays short. */
const bulkMost = 25

function createsOf(api: AlcorApi, clock: Clock, timeoutMs: number): Gathering<object, undefined> {
  return new Gathering({
    most: () => bulkMost,
    clock,
    // Of what breaks nobody knows whether it was made: each looks for its own.
    ask: (ports) => halving(ports, (some) => limited(timeoutMs, clock, (signal) => api.createPorts(some, signal))),
  })
}

const driverOf = <K extends AlcorKind>(kind: K, way: Way): CloudThingDriver<K> => ({
  name: 'alcor',
  async observe(scope, signal) {
    const entity = await find(kind, scope, way.api, signal)
    return { there: entity && seenAs(kind, entity, way.naming) }
  },
  apply: (action, signal) => act(kind, action, way, signal),
})

/**
 * By ID, which is sure: its own UID, or that of whom it was made for where it was claimed. What is named, or nobody knows the ID of, a list
 * tells, and lists may lag: it is read once more.
 */
async function find<K extends AlcorKind>(
  kind: K,
  { existing, of, known, formerly }: Pick<CloudScope, 'existing' | 'of' | 'known' | 'formerly'>,
  api: AlcorApi,
  signal: AbortSignal,
): Promise<Entities[K] | undefined> {
  const isIt = (entity: Entities[K] | undefined): entity is Entities[K] =>
    entity !== undefined && (existing !== undefined || ownerIn(entity) === of.uid)
  for (const id of existing === undefined ? new Set([of.uid, known ?? of.uid, formerly ?? of.uid]) : [existing]) {
    const there = await api.get(kind, id, signal)
    if (isIt(there)) return there
  }
  const named = (await api.list(kind, existing ?? nameOf(of.uid), signal)).find(isIt)
  const second = named && (await api.get(kind, named.id, signal))
  return isIt(second) ? second : undefined
}

async function act<K extends AlcorKind>(kind: K, action: CloudAction<K>, way: Way, signal: AbortSignal): Promise<void> {
  if (action.do === 'create') return create(kind, action, way, signal)
  const now = await way.api.get(kind, action.there.id, signal)
  if (action.do === 'delete') return isOwn(now, action.scope) ? way.api.remove(kind, now.id, signal) : undefined
  const isDone = now !== undefined && (await change({ kind, action, now }, way, signal))
  // What is gone is on no node, and nobody's.
  if (!isDone && action.do !== 'release') throw new CloudOvertaken({ cloud: way.cloud, what: `a ${kind}` })
}

const isOwn = <E extends Entity>(now: E | undefined, { of }: CloudScope): now is E => now !== undefined && ownerIn(now) === of.uid
const fieldOf = (entity: object, field: string): unknown => (entity as Readonly<Record<string, unknown>>)[field] ?? ''

interface Changing<K extends AlcorKind> {
  readonly kind: K
  readonly action: Change<K>
  readonly now: Entities[K]
}

/** @returns whether it is as wanted; not: it is another's by now, or gone. @throws CloudOvertaken */
async function change<K extends AlcorKind>({ kind, action, now }: Changing<K>, way: Way, signal: AbortSignal): Promise<boolean> {
  const { api, naming, cloud } = way
  const wanted = changeOf(action, { kind, now, naming })
  if (wanted === undefined) return false
  if (Object.entries(wanted).every(([field, value]) => sameJson(value, fieldOf(now, field)))) return true
  if (revisionOf(now) !== action.there.revision) throw new CloudOvertaken({ cloud, what: `a ${kind}` })
  if (!(await api.change(kind, now.id, wanted, signal))) return false
  // Of two who take one at once the last has it: whoever lost is told so.
  return (action.do !== 'adopt' && action.do !== 'claim') || isOwn(await api.get(kind, now.id, signal), action.scope)
}

async function create<K extends AlcorKind>(
  kind: K,
  { scope, wanted }: Extract<CloudAction<K>, { readonly do: 'create' }>,
  { api, creates, naming }: Way,
  signal: AbortSignal,
): Promise<void> {
  if ((await find(kind, { ...scope, existing: undefined }, api, signal)) !== undefined) return
  const body = madeOf(kind, scope, wanted, naming)
  try {
    await (kind === 'port' ? creates.of(body, signal) : api.create(kind, body, signal))
  } catch (err) {
    if (!(err instanceof CloudRefused || err instanceof CloudUnreachable)) throw err
    // A rival was faster, or it broke once it was made.
    const made = await api.get(kind, scope.of.uid, signal)
    if (!isOwn(made, scope)) throw err
  }
}

async function inventoryOf(of: 'ours' | 'nobodys', { api, naming }: Way, signal: AbortSignal): Promise<readonly CloudItem[]> {
  const isAmong = (entity: Entities[AlcorKind]): boolean =>
    of === 'nobodys' ? ownerIn(entity) === undefined : ownerIn(entity) !== undefined && installationIn(entity) === naming.installation
  const all = await Promise.all(
    kinds.map(async (kind) => (await api.list(kind, undefined, signal)).filter(isAmong).map((entity) => itemOf(kind, entity, naming))),
  )
  return all.flat()
}

function itemOf<K extends AlcorKind>(kind: K, entity: Entities[K], naming: Naming): CloudItem {
  const { network_id: network, fixed_ips: fixed } = entity as Partial<Entities['port']>
  return {
    kind,
    there: seenAs(kind, entity, naming),
    network,
    subnet: fixed?.find(({ subnet_id }) => subnet_id)?.subnet_id,
    isMade: isMadeForOne(entity),
  } as CloudItem
}

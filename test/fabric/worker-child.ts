// Workers in a process of their own, for trials that kill them: what is to be done comes as one line of JSON once all is loaded. It kills
// itself, as kill -9 does, at the step that it is told, a step being on the way to the store or to the switch; where it is not told, or
// comes to its end before that, it says what is wanted and which locks are held.
// Argument: the switch's address.
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import type { FabricDriver } from '../../core/contracts/fabric-driver.ts'
import { realClock } from '../../platform/clock.ts'
import { SqliteStore } from '../../platform/store/sqlite.ts'
import { fabricRegistry } from '../../workers/drivers/fabric/index.ts'
import { until } from '../setup/until.ts'
import { openTestCluster, type TestCluster } from '../workers/test-cluster.ts'

export interface Deed {
  readonly do: 'site' | 'serve' | 'edit' | 'detach' | 'end'
  readonly name?: string
  readonly vlan?: number
}
export interface Order {
  /** Of the store. */
  readonly file: string
  readonly deeds: readonly Deed[]
  /** Absent: all of them. */
  readonly steps?: number
}
export interface Ended {
  readonly wanted: readonly number[]
  readonly locks: readonly string[]
}

const [address = ''] = process.argv.slice(2)
let left = Number.POSITIVE_INFINITY
const step = (): void => {
  if (left-- <= 0) process.kill(process.pid, 'SIGKILL')
}
async function stepped<T>(run: () => Promise<T>): Promise<T> {
  step()
  const result = await run()
  step()
  return result
}

process.stdout.write('loaded\n')
const [line] = (await once(createInterface({ input: process.stdin }), 'line')) as [string]
const order = JSON.parse(line) as Order
const store = SqliteStore.open(order.file)
const counted = new Proxy(store, {
  get(target, name) {
    const value: unknown = Reflect.get(target, name, target)
    if (name === 'commit') return (...given: Parameters<SqliteStore['commit']>) => stepped(() => target.commit(...given))
    return typeof value === 'function' ? (value.bind(target) as unknown) : value
  },
})
const through = (driver: FabricDriver): FabricDriver => ({
  ...driver,
  observe: (...given) => stepped(() => driver.observe(...given)),
  apply: (...given) => stepped(() => driver.apply(...given)),
})
const registry = {
  ...fabricRegistry,
  ovsdb: (...[spec, deps]: Parameters<typeof fabricRegistry.ovsdb>) => through(fabricRegistry.ovsdb(spec, { ...deps, clock: realClock })),
}

const deeds: Readonly<Record<Deed['do'], (cluster: TestCluster, deed: Deed) => Promise<unknown>>> = {
  async site(cluster) {
    await cluster.make('Fabric', 'dc', {
      switches: [{ name: 'tor', driver: 'ovsdb', address }],
      links: ['n1', 'n2'].map((node) => ({ node, interface: 'e', switch: 'tor', switchPort: node })),
      gateways: [{ physicalNetwork: 'physnet', switch: 'tor', switchPort: 'gw' }],
    })
    await cluster.make('NodePool', 'pool', { nodes: ['n1', 'n2'], interfaces: [{ name: 'e', connectionPoint: 'cp' }] })
    await cluster.make('ConnectionPoint', 'cp', { supportedCnis: [{ name: 'ovs', supportedInterfaceTypes: ['kernel'], bridgeName: 'br' }] })
  },
  /** Who comes to a service that is going would keep it for ever. */
  async serve({ make }, { name, vlan }) {
    const [service, attachment] = [
      await store.get({ kind: 'L2Service', namespace: 'a', name: name! }),
      await store.get({ kind: 'L2ServiceAttachment', namespace: 'a', name: name! }),
    ]
    if (service?.metadata.deletionTimestamp !== undefined) return
    if (service === undefined) await make('L2Service', `a/${name}`, { segmentationID: vlan!, physicalNW: ['physnet'] })
    if (attachment === undefined)
      await make('L2ServiceAttachment', `a/${name}`, { l2Services: [name!], connectionPoint: 'cp', vlanType: 'access' })
  },
  /** The workers write to it too: again, where they were faster. */
  edit: (_, { name, vlan }) =>
    until(async () => {
      const service = await store.get({ kind: 'L2Service', namespace: 'a', name: name! })
      if (service !== undefined && service.metadata.deletionTimestamp === undefined)
        await store.update({ ...service, spec: { ...service.spec, segmentationID: vlan! } })
      return true
    }, 'it is edited'),
  detach: (_, { name }) => store.delete({ kind: 'L2ServiceAttachment', namespace: 'a', name: name! }).catch(() => undefined),
  async end(cluster, deed) {
    await deeds.detach(cluster, deed)
    await store.delete({ kind: 'L2Service', namespace: 'a', name: deed.name! }).catch(() => undefined)
  },
}

/**
 * Nothing is on its way any more: all that stands is ready as it is now, and nothing goes or drains. An edit leaves the phase of before
 * until it is looked at.
 */
async function settled(): Promise<boolean> {
  const domains = (await store.list('L2BridgeDomain')).items
  const all = [...(await store.list('L2Service')).items, ...(await store.list('L2ServiceAttachment')).items, ...domains]
  return (
    all.every(
      ({ metadata, status }) =>
        metadata.deletionTimestamp === undefined && status?.phase === 'ready' && status.observedGeneration === metadata.generation,
    ) && domains.every(({ spec }) => (spec.draining ?? []).length === 0)
  )
}

async function ended(): Promise<Ended> {
  const attached = new Set((await store.list('L2ServiceAttachment')).items.map(({ metadata }) => metadata.name))
  const services = (await store.list('L2Service')).items.filter(({ metadata }) => attached.has(metadata.name))
  return {
    wanted: services.map(({ spec }) => spec.segmentationID).sort((a, b) => a - b),
    locks: (await store.list('SegmentLock')).items.map(({ spec }) => `${spec.physicalNetwork} ${spec.vlan} ${spec.holder.name}`).sort(),
  }
}

const cluster = await openTestCluster({ store: counted, fabricRegistry: registry })
for (const deed of order.deeds) await deeds[deed.do](cluster, deed)
left = order.steps ?? left
const deadline = Date.now() + 60_000
while (!(await settled()) && Date.now() < deadline) {
  await cluster.advance(30_000)
  await pause(5)
}
process.stdout.write(`${JSON.stringify(await ended())}\n`)
if (!(await settled()))
  process.stderr.write(
    `${JSON.stringify((await Promise.all((['L2Service', 'L2ServiceAttachment', 'L2BridgeDomain'] as const).map((kind) => store.list(kind)))).flatMap(({ items }) => items as readonly object[]))}\n`,
  )
process.exit((await settled()) ? 0 : 1)

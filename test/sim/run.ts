// One case, from an empty store to rest: a storm, in which everything may go wrong, and then quiet, in which all must come right.
import type { Draft } from '../../core/contracts/store.ts'
import { nodePoolFinalizer } from '../../core/kinds/annotations.ts'
import { epochMs } from './process.ts'
import { guard } from './guard.ts'
import { drawServer } from './events/connection.ts'
import { happeningKinds } from './events/index.ts'
import { createPod } from './events/pod.ts'
import { scaled } from './events/scaler.ts'
import { stormMs } from './drawing.ts'
import type { Case, World } from './happening.ts'
import { invariants } from './invariants/index.ts'
import type { Following } from './invariant.ts'
import { namespaces, nodeNames } from './layout.ts'
import { rolesOf } from './roles/index.ts'
import { Site } from './site.ts'
import { runKubernetes } from './world/kubernetes.ts'
import { runKubelets } from './world/kubelet.ts'
import { Machines } from './world/machines.ts'
import { addNode } from './world/nodes.ts'
import { Outside } from './world/outside.ts'
import { Pages } from './world/pages.ts'
import { askNodes } from './world/questions.ts'
import { Clouds } from './world/clouds.ts'
import { Deployments, runDeployment } from './world/deployments.ts'
import { Resolvers } from './world/resolvers.ts'
import { connectionPoints, fabrics, poolOf, Switches } from './world/switches.ts'
import { uplink } from './world/switch/names.ts'
import { Routing } from './world/routing/routing.ts'
import { Traffic } from './world/traffic.ts'
import { physicalNetwork, VlanTraffic } from './world/vlan-traffic.ts'

export interface Failure {
  readonly invariant: string
  readonly what: string
  readonly step: number
  /** Virtual milliseconds. */
  readonly at: number
}
export interface Result {
  readonly failure: Failure | undefined
  readonly steps: number
  /** So many workers were killed before they heard of what they had done at a cloud. */
  readonly kills: number
  readonly trace: readonly string[]
  readonly site: Site
  readonly outside: Outside
}

/** Within so long everything must have come right once nothing goes wrong any more. */
export const restMs = 300_000
/** What a full Subnet of a cloud has refused is asked for once its pools have given way: in a minute, and then after twice as long. */
const restOfCloudsMs = 2 * restMs
const restOf = ({ clouds }: Case): number => (clouds === true ? restOfCloudsMs : restMs)
/** And so long it must stay so, whatever nodes are asked. */
export const stayMs = 600_000
/** A case that takes more steps is one that never comes to rest. */
const stepsMost = 60_000
/** Functions of chains are asked every second whether they forward, endpoints more often: three times as many steps as in other cases. */
const stepsMostOfPulses = 180_000
const stepsMostOf = ({ chains, neighbours }: Case): number => (chains === true || neighbours === true ? stepsMostOfPulses : stepsMost)

/**
 * @param guarded throws at code that takes time, chance, files or sockets by itself: ten times slower, since each caller is looked for
 */
export async function runCase(
  given: Case,
  { traces = true, guarded = false }: { readonly traces?: boolean; readonly guarded?: boolean } = {},
): Promise<Result> {
  const site = new Site({ seed: given.seed, mode: given.mode, traces, bgp: given.bgp === true })
  if (!guarded) return heeding(given, site)
  const { scheduler, dice } = site
  const chance = dice.fork('libraries')
  const unguard = guard({
    now: () => epochMs + scheduler.now,
    random: () => chance.next(),
    after: (ms, call) => scheduler.after(ms, 'timer of a library', call),
  })
  try {
    return await heeding(given, site)
  } finally {
    unguard()
  }
}

/** A promise that is rejected and that nobody waits for ends a real process, whoever it was. */
async function heeding(given: Case, site: Site): Promise<Result> {
  const outside = new Outside(site)
  const machines = new Machines(site, given.planes, {
    ...(given.vlans === true && { uplinks: { [physicalNetwork]: uplink } }),
    chains: given.chains === true,
    neighbours: given.neighbours === true,
  })
  const routing = new Routing(site, machines)
  const world: World = {
    site,
    outside,
    machines,
    routing,
    traffic: new Traffic(site, machines, routing),
    vlanTraffic: new VlanTraffic(site, machines),
    switches: new Switches(),
    clouds: new Clouds(site.scheduler, providerOf(given), given),
    resolvers: new Resolvers(site.scheduler),
    deployments: new Deployments(site),
    pages: new Pages(site),
  }
  const checks = new InvariantChecks(world)
  const lost = (err: unknown): void =>
    checks.fail('crash', `a promise was rejected that nobody waits for: ${err instanceof Error ? (err.stack ?? err.message) : String(err)}`)
  process.on('unhandledRejection', lost)
  try {
    return await played(given, world, checks)
  } finally {
    process.off('unhandledRejection', lost)
  }
}

function beginMore({ bgp, pages }: Case, world: World): void {
  if (bgp === true) world.routing.begin()
  if (pages === true) world.pages.begin()
}

async function played(given: Case, world: World, checks: InvariantChecks): Promise<Result> {
  const { site, outside } = world
  const { scheduler, truth } = site
  runKubernetes(outside)
  runKubelets(world)
  for (const role of rolesOf(world)) site.add(role)
  furnish(world)
  furnishMore(given, world)
  site.startAll()
  beginMore(given, world)
  for (const { at, name, args } of given.happenings) {
    scheduler.after(at, `${name} ${JSON.stringify(args)}`, () => happeningKinds.get(name)?.run(args, world))
  }
  const most = stepsMostOf(given)
  const goesOn = (): boolean => checks.failure === undefined && scheduler.steps < most
  await scheduler.until(stormMs, goesOn)
  calm(world)
  const restedMs = stormMs + restOf(given)
  await scheduler.until(restedMs, goesOn)
  const restedAt = truth.version
  if (goesOn()) checks.atRest()
  if (goesOn()) askNodes(world, (what) => checks.fail('inquiries', what))
  await scheduler.until(restedMs + stayMs, goesOn)
  if (goesOn()) checks.atEnd()
  const later = truth.log.filter(({ version, kind }) => version > restedAt && kind !== 'Inquiry').filter((each) => !isAskedAnew(each))
  if (goesOn() && later.length > 0)
    checks.fail(
      'rest',
      `it does not stay as it was: ${later
        .slice(0, 3)
        .map(({ kind, after, before, by }) => `${by} wrote ${kind} ${(after ?? before)!.metadata.name}`)
        .join('; ')}`,
    )
  if (scheduler.steps >= most) checks.fail('rest', `after ${most} steps it has not come to rest`)
  return { failure: checks.failure, steps: scheduler.steps, kills: world.clouds.ended, trace: scheduler.trace, site, outside }
}

/**
 * What a cloud has refused is asked for again now and then, and before that it is written down that it is; names outside are asked for as
 * long as somebody is about them.
 */
function isAskedAnew({ before, after }: { readonly before?: object | undefined; readonly after?: object | undefined }): boolean {
  const rest = (item: object | undefined): string =>
    JSON.stringify(item, (field, value: unknown) =>
      field === 'requestedAt' || field === 'keptUntil' || field === 'resourceVersion' ? undefined : value,
    )
  return before !== undefined && after !== undefined && rest(before) === rest(after)
}

/** The invariants of one world, and the first that does not hold. */
class InvariantChecks {
  failure: Failure | undefined
  readonly #site: Site
  readonly #following: readonly Following[]

  constructor(world: World) {
    this.#site = world.site
    this.#following = invariants.map(({ name, begin }) => begin(world, (what) => this.fail(name, what)))
    world.site.truth.on((landed) => {
      for (const each of this.#following) each.landed?.(landed)
    })
  }

  fail(invariant: string, what: string): void {
    const { steps: step, now: at } = this.#site.scheduler
    this.failure ??= { invariant, what, step, at }
  }

  atRest(): void {
    for (const each of this.#following) each.atRest?.()
  }

  atEnd(): void {
    for (const each of this.#following) each.atEnd?.()
  }
}

function furnish(world: World): void {
  const {
    site: { truth },
    outside,
  } = world
  for (const name of [...namespaces, 'megrez'])
    outside.write('admin', () => truth.commit([{ do: 'create', draft: { kind: 'Namespace', metadata: { name }, spec: {} } }], 'admin'))
  for (const name of nodeNames) addNode(name, world)
}

function furnishMore(given: Case, world: World): void {
  if (given.fabrics === true || given.vlans === true) furnishFabrics(world, given.vlans === true)
  if (given.clouds === true) furnishCloud(world)
  if (given.deployments === true) furnishDeployment(world)
}

function furnishDeployment(world: World): void {
  const dice = world.site.dice.fork('pods of a Deployment')
  const ask = (name: string): void => createPod.run(drawServer(dice, name), world)
  runDeployment({ of: scaled, ask }, world.outside, world.deployments)
}

/** @param ours whether our own plugin plumbs pods there */
function furnishFabrics({ site: { truth }, outside }: World, ours: boolean): void {
  const make = (draft: Draft): void => outside.write('admin', () => truth.commit([{ do: 'create', draft }], 'admin'))
  for (const [name, spec] of Object.entries(fabrics)) make({ kind: 'Fabric', metadata: { name }, spec })
  for (const name of Object.keys(connectionPoints)) {
    make({ kind: 'NodePool', metadata: { name, finalizers: [nodePoolFinalizer] }, spec: poolOf(name) })
    make({
      kind: 'ConnectionPoint',
      metadata: { name },
      spec: {
        supportedCnis: [
          ours
            ? { name: 'megrez', supportedInterfaceTypes: ['kernel'] }
            : { name: 'ovs', supportedInterfaceTypes: ['kernel'], bridgeName: 'br-data' },
        ],
      },
    })
  }
}

const providerOf = ({ neutron, alcor }: Case): 'memory' | 'neutron' | 'alcor' =>
  neutron === true ? 'neutron' : alcor === true ? 'alcor' : 'memory'

function furnishCloud({ site: { truth }, outside, clouds: { provider, macs } }: World): void {
  const spec = { provider, endpoint: 'http://simulated', ...(macs && { macs }) }
  const draft: Draft<'Cloud'> = { kind: 'Cloud', metadata: { name: 'c' }, spec }
  outside.write('admin', () => truth.commit([{ do: 'create', draft }], 'admin'))
}

/** Nothing goes wrong any more: what was laid and has not happened does not. */
function calm({ site, machines, routing, switches, clouds, resolvers, deployments, pages }: World): void {
  routing.calm()
  clouds.calm()
  resolvers.downUntil = 0
  deployments.all.forbidden = false
  pages.calm()
  switches.cutUntil.clear()
  switches.lostAnswers.clear()
  for (const machine of machines.all.values()) {
    machine.linksMs = machine.diskMs = machine.cutLines = machine.delegate.faults.length = 0
    machine.disk.full = false
    machine.cutUntil = 0
  }
  site.calm = true
  site.reconnect()
  site.broker.doubled = 0
  for (const process of site.processes) {
    process.faults.length = 0
    // Who waits for a watch that is late waits it out.
    for (const { until } of process.stalls.values()) process.trouble(until)
    process.stalls.clear()
  }
}

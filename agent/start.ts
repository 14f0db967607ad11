// One node's agent: what it remembers, what it watches, what it has promised the runtime, and the loop that makes it so.
import type { Capabilities, Dataplane } from '../core/contracts/dataplane.ts'
import type { Store } from '../core/contracts/store.ts'
import { backoffMs, backoffs } from '../core/backoff.ts'
import { retryOf } from '../core/errors.ts'
import type { Resource } from '../core/kinds/index.ts'
import { sameJson } from '../core/same-json.ts'
import type { NoUplink, Uplink } from '../core/node/booking/booking.ts'
import { endpointPiece } from '../core/pieces/endpoint.ts'
import type { PieceKinds, Source } from '../core/pieces/kind.ts'
import { segmentNumberOf } from '../core/node/wanted.ts'
import { portPiece } from '../core/pieces/port.ts'
import { routersOf, transitsOf } from '../core/plan/node/router.ts'
import { Cache } from '../platform/cache/cache.ts'
import { pause, type Clock } from '../platform/clock.ts'
import type { Config } from '../platform/config.ts'
import type { Log } from '../platform/log.ts'
import { answering } from './cni/answer.ts'
import { followConf, type ConfFollowed } from './cni/follow-conf.ts'
import { Readiness } from './cni/readiness.ts'
import { onPodChange, reportAdd } from './cni/result.ts'
import { leaveOutWithoutInterface } from './ports/without-interface.ts'
import { repairWithoutPod } from './ports/without-pod.ts'
import type { AgentEnv } from './agent-env.ts'
import { followSpeaker, speakersOf, type BGPPrograms } from './bgp/follow.ts'
import type { SpeakerStatus } from './bgp/status.ts'
import { Externals } from './external/follow.ts'
import { Guests } from './guests/guests.ts'
import { InquiryDesk } from './inquiries/desk.ts'
import { restoreNode } from './restore-node.ts'
import { ObjectCache } from './sources/object-cache.ts'
import { RemoteHops } from './hops.ts'
import type { Ledger } from './ledger/ledger.ts'
import type { Links } from './links/links.ts'
import { LockWatches } from './sources/lock-watches.ts'
import { KeptPieces } from './pieces/kept-pieces.ts'
import { NodeLoop } from './loop.ts'
import type { Machine } from './machine/machine.ts'
import { onArrivalChange } from './ports/arrivals.ts'
import { removeOrphans } from './ports/orphans.ts'
import { InterfacesBeingMade } from './ports/interfaces-being-made.ts'
import type { AgentMeter } from './metrics.ts'
import { Debounce } from './debounce.ts'
import { Outbox } from './outbox.ts'
import { unwireForgotten } from './put-right.ts'
import { onHotPlug, onPortChange } from './ports/ports.ts'
import { ServiceWatches } from './sources/service-watches.ts'
import { setTransits } from './sources/transits.ts'
import { VniObjects } from './sources/vni-objects.ts'
import { Segments } from './sources/segments.ts'
import { reportLogged, reportRouted } from './ports/node-status.ts'
import { ChangeSignal } from './change-signal.ts'
import { Uplinks } from './sources/uplinks.ts'
import { judgedExternal } from './external/policy.ts'
import { judgedAnew } from './ports/policy.ts'
import { rejudge } from './ports/rejudge.ts'
import { ofEndpoints } from './pulses/endpoints.ts'
import { ofFunctions } from './pulses/functions.ts'
import { Pulses } from './pulses/pulses.ts'
import { RuleHits } from './rule-hits.ts'
import { RuleLog } from './rule-log.ts'
import { RuleSets } from './sources/rule-sets.ts'

export interface AgentDeps {
  readonly store: Store
  readonly config: Config
  readonly clock: Clock
  readonly random: () => number
  readonly log: Log
  readonly node: string
  readonly here: string
  readonly mtuMost: number
  /** AgentEnv.uplink */
  readonly uplink: Uplink | NoUplink
  readonly plane: Dataplane
  readonly links: Links
  readonly machine: Machine
  readonly ledger: Ledger
  readonly meter: AgentMeter
  /** Absent: the programs of the node. */
  readonly bgp?: BGPPrograms
  /** Kinds of pieces; absent: all that there are. */
  readonly kinds?: PieceKinds
}
export interface Agent {
  readonly env: AgentEnv
  /** What keeps it from wiring, in words; undefined when nothing does. */
  readonly problem: () => string | undefined
  /** Resolves once every source has told all it knows and the node is as it should be. */
  readonly ready: Promise<void>
  readonly uplinks: Uplinks
  /** Of the node's BGP daemon, as they were told of last. */
  readonly sessions: () => SpeakerStatus['sessions']
  /** Takes no more calls, and lets go of the data plane: traffic flows on. For good: all of ours goes from the node. */
  stop(how?: { readonly forGood?: boolean }): Promise<void>
}

/** @throws InUse where bridge, tunnel or the like are somebody else's; what the CNI socket or the data plane throw for good */
export async function startAgent(deps: AgentDeps): Promise<Agent> {
  const { config, log, machine } = deps
  const stopping = new AbortController()
  const capabilities = await opened(deps, stopping.signal)
  log.info({ node: deps.node, dataplane: deps.plane.name, here: deps.here, mtuMost: deps.mtuMost, capabilities }, 'the data plane is open')
  const env = envOf(deps, capabilities)
  const readiness = new Readiness(env)
  const server = await machine.listen(config.cniSocket, answering(readiness))
  await repairWithoutPod(env)
  recall(env)
  env.ports.on((event) => {
    onPortChange(event, env)
    env.portChanges.notify()
  })
  env.arrivals.ports.on((event) => onArrivalChange(event, env))
  env.pods.on((event) => {
    onPodChange(event, env)
    onHotPlug(event, env)
  })
  env.loop.start()
  const speaker = followSpeaker({ ...env, ...(deps.bgp && { bgp: deps.bgp }) })
  // A data plane that could not open it tries again.
  const uplinks = new Uplinks({ uplinks: config.uplinks, machine, clock: deps.clock, log, onCome: () => env.loop.audit() })
  await uplinks.follow()
  let conf: ConfFollowed | undefined
  const ready = settle(env, deps, stopping.signal, speaker?.known).then(async () => {
    await machine.install(config, log)
    conf = await followConf({ machine, config, clock: deps.clock, log })
    stopping.signal.addEventListener('abort', conf.end)
    if (stopping.signal.aborted) conf.end()
    readiness.open()
    new InquiryDesk(env).start(stopping.signal)
    env.ruleHits.start(stopping.signal)
    for (const pulse of [ofFunctions, ofEndpoints]) new Pulses(env, pulse).start(stopping.signal)
    log.info(
      { ports: env.loop.pieces.of(portPiece).size, vnis: env.locks.vnis.length, endpoints: env.loop.pieces.of(endpointPiece).size },
      'the agent is ready',
    )
  })
  ready.catch((err: unknown) => void (stopping.signal.aborted || log.error({ err }, 'the agent does not become ready')))
  return {
    env,
    problem: () => env.loop.problem ?? (readiness.isOpen ? conf?.problem() : 'not every source has told all it knows yet'),
    ready,
    uplinks,
    sessions: () => speaker?.seen()?.sessions ?? [],
    async stop({ forGood = false }: { readonly forGood?: boolean } = {}) {
      await server.close()
      stopping.abort()
      env.debounce.stop()
      uplinks.stop()
      env.outbox.stop()
      env.locks.stop()
      env.ruleSets.stop()
      env.segments.stop()
      env.externals.stop()
      env.guests.stop()
      for (const { stop } of env.arrivals.of.values()) stop()
      await speaker?.stop({ forGood })
      await env.loop.stop()
      if (forGood) await restoreNode(env)
      await env.plane.close()
      await env.links.close()
      await env.ledger.close()
      if (forGood) await env.ledger.remove()
    },
  }
}

/** A data plane that is not up yet is waited for; one that is somebody else's never comes. */
const opened = (deps: AgentDeps, signal: AbortSignal): Promise<Capabilities> =>
  answered('the data plane', () => deps.plane.open(signal), deps, signal)

async function answered<T>(
  who: string,
  ask: () => Promise<T>,
  { clock, random, log }: Pick<AgentDeps, 'clock' | 'random' | 'log'>,
  signal: AbortSignal,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await ask()
    } catch (err) {
      if (retryOf(err) === 'never') throw err
      log.warn({ err, attempt }, `${who} does not answer yet`)
      await pause(backoffMs(attempt, random(), backoffs.startUp), clock, signal)
      signal.throwIfAborted()
    }
  }
}

function envOf(deps: AgentDeps, capabilities: Capabilities): AgentEnv {
  const { store, config, clock, random, log, node, here, plane, meter, kinds } = deps
  const onProblem = (err: unknown, key: string): void => log.error({ err, key }, 'cache listener failed')
  const ports = new Cache(store, 'Port', { within: { fields: { '.spec.node': node } }, indexes: portIndexes, onError: onProblem })
  const arrivals = new Cache(store, 'Port', { within: { fields: { '.spec.migratingTo': node } }, onError: onProblem })
  const speakers = config.bgp === 'off' ? undefined : speakersOf(deps)
  const pods = new Cache(store, 'Pod', { within: { fields: { '.spec.nodeName': node } }, onError: onProblem })
  const sources: Readonly<Record<Source, () => boolean>> = {
    ports: () => ports.synced,
    pods: () => pods.synced,
    segments: () => segments.known,
    speaker: () => speakers?.synced !== false,
    peerings: () => peerings.synced,
    vpcs: () => vpcs.synced,
    locks: () => locks.synced,
    rules: () => ruleSets.synced,
    services: () => services.synced,
  }
  const kept = new KeptPieces(deps)
  const loop: NodeLoop = new NodeLoop({
    plane,
    node,
    clock,
    random,
    log,
    meter,
    kept,
    synced: (source) => sources[source](),
    auditMs: config.auditMs,
    onRefused: () =>
      void leaveOutWithoutInterface(env).catch((err: unknown) => log.warn({ err }, 'interfaces of Ports were not looked for')),
    ...(kinds && { kinds }),
  })
  const objects = new ObjectCache(store, clock)
  const remote = new RemoteHops({ clock, meter, loop })
  const locks: LockWatches = new LockWatches({
    store,
    here,
    pieces: loop.pieces,
    onHosts: (vni) => segments.refresh(vni),
    onSynced: () => loop.audit(),
    onNewcomer: (lock) => remote.noteAddress(lock),
  })
  const ruleSets: RuleSets = new RuleSets({
    store,
    pieces: loop.pieces,
    onChange: (uids) => rejudge(uids, env),
    onNews: () => {
      const began = clock.elapsed()
      const taken = (): void => meter.rules((clock.elapsed() - began) / 1000)
      loop.applied(new AbortController().signal).then(taken, () => undefined)
    },
    onSynced: () => loop.audit(),
  })
  const onSynced = (): void => loop.audit()
  const services = new ServiceWatches({ store, node, pieces: loop.pieces, onSynced })
  const subnets = new VniObjects({ store, kind: 'Subnet', onChange: (vni) => segments.refresh(vni), onSynced })
  const peerings = new VniObjects({ store, kind: 'VpcPeering', onChange: () => segments.reroute(), onSynced })
  const vniLocks = new VniObjects({ store, kind: 'SegmentLock', onChange: (vni) => segments.relock(vni), onSynced })
  const vpcs = new VniObjects({ store, kind: 'Vpc', onChange: () => segments.reroute(), onSynced })
  const table = config.bgp === 'foreign' ? config.bgpForeignTable : undefined
  const segments: Segments = new Segments({
    pieces: loop.pieces,
    objects,
    locks,
    ruleSets,
    subnets,
    services: config.bgp === 'off' ? undefined : services,
    log,
    peerings,
    onRouted: (vni) => reportRouted(vni, env),
    vniLocks,
    vpcs,
    node,
    routersOf: (around) => routersOf({ speaker: speakers?.get(node)?.spec, table, ...around }),
  })
  speakers?.on(({ before, after }) => {
    // Its status is the agent's own word.
    if (sameJson(before?.spec, after?.spec)) return
    setTransits(loop.pieces, transitsOf({ speaker: after?.spec, table }))
    segments.reroute()
  })
  const outbox = new Outbox({ clock, random, log })
  const externals = new Externals({
    store,
    ledger: deps.ledger,
    loop,
    outbox,
    log,
    judged: (port, place) => judgedExternal(port, place, env),
  })
  const env: AgentEnv = {
    ...deps,
    capabilities,
    kept,
    loop,
    locks,
    ruleSets,
    ruleHits: new RuleHits({ plane, ruleSets, clock, log, meter }),
    ruleLog: new RuleLog({
      plane,
      ruleSets,
      pieces: loop.pieces,
      clock,
      log,
      meter,
      report: (uid, logged) => reportLogged(uid, logged, env),
    }),
    segments,
    objects,
    externals,
    guests: new Guests({ links: deps.links, objects, clock, log }),
    ports,
    arrivals: { ports: arrivals, of: new Map() },
    pods,
    speakers,
    outbox,
    reported: new Map(),
    making: new InterfacesBeingMade(),
    deleting: new Set(),
    debounce: new Debounce(clock),
    portChanges: new ChangeSignal(),
  }
  return env
}

const some = (value: string | undefined): readonly string[] => (value === undefined ? [] : [value])
const portIndexes = {
  uid: (port: Resource<'Port'>) => [port.metadata.uid],
  portID: (port: Resource<'Port'>) =>
    [...new Set([...some(port.spec.portID), port.metadata.uid])].map((id) => `${port.metadata.namespace ?? ''}/${id}`),
}

/** What was wired before this process: wanted from the first moment on, whoever is away. */
function recall(env: AgentEnv): void {
  const { ledger, kept, loop, segments, externals } = env
  kept.recall(loop.pieces)
  for (const wired of ledger.wired()) {
    const { port, vpcNamespace, external } = wired
    // Beside the cluster's, rules are followed where they judge.
    const segment = external !== undefined && port.policy === undefined ? undefined : segmentNumberOf(port.attachment)
    segments.use(segment, port.uid, external === undefined ? vpcNamespace : (port.of.namespace ?? ''))
    loop.pieces.set(portPiece, port.uid, judgedAnew(port, env))
    env.guests.answer(wired)
  }
  externals.follow()
}

/** Every source is heard out; only then is anything that nobody wants taken away. */
async function settle(env: AgentEnv, deps: AgentDeps, signal: AbortSignal, speakerKnown?: Promise<void>): Promise<void> {
  await Promise.all([env.ports.start(signal), env.pods.start(signal), env.arrivals.ports.start(signal), speakerKnown])
  signal.throwIfAborted()
  await Promise.all(
    [...env.ports.values()].map((port) =>
      env.segments.learn(port).catch((err: unknown) => env.log.warn({ err }, 'a Subnet is not told of yet')),
    ),
  )
  for (const wired of [...env.ledger.wired()]) await answered('the store', () => unwireForgotten(wired.port.uid, env), deps, signal)
  // Who these are peered with is followed from then on.
  await Promise.all(env.locks.vnis.map((vni) => env.segments.heard(vni, signal)))
  await Promise.all(
    env.locks.vnis.flatMap((vni) => [env.locks.known(vni, signal), env.ruleSets.known(vni, signal), env.segments.heard(vni, signal)]),
  )
  env.ruleSets.tidy()
  for (const sandbox of env.ledger.sandboxes()) reportAdd(sandbox, env)
  await answered('the store', () => removeOrphans(env), deps, signal)
  env.loop.audit()
  await env.loop.applied(signal)
}

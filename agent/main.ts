// The agent of one node, privileged and in the node's own network. Exactly one runs on a node.
import { hostname } from 'node:os'
import type { Store } from '../core/contracts/store.ts'
import { capacityOf } from '../core/node/booking/booking.ts'
import { endpointPiece } from '../core/pieces/endpoint.ts'
import type { AnyPieceKind } from '../core/pieces/kind.ts'
import { portPiece } from '../core/pieces/port.ts'
import { realRandom, realUids } from '../platform/chance.ts'
import { realClock } from '../platform/clock.ts'
import { readConfig, type Config } from '../platform/config.ts'
import { listenHealth } from '../platform/health.ts'
import type { KubeApi } from '../platform/kube/client.ts'
import { probeApiServer, usualProbeTimes } from '../platform/kube/api-server-probe.ts'
import { makeLog, type Log } from '../platform/log.ts'
import { makeMetrics } from '../platform/metrics.ts'
import { startMetrics } from '../platform/metrics/listen.ts'
import type { MetricSet } from '../platform/metrics/set.ts'
import { runProcess } from '../platform/run.ts'
import { openKubeStore } from '../platform/store/kube/open.ts'
import { RestStore } from '../platform/store/rest.ts'
import { dataplanes } from './dataplanes/index.ts'
import { isBeingUninstalled } from './is-being-uninstalled.ts'
import { bootID, thisDisk } from './ledger/disk.ts'
import { Ledger } from './ledger/ledger.ts'
import { memoryLinks } from './links/memory.ts'
import { openLinks } from './links/open.ts'
import { builtNative } from './native/build.ts'
import { sessionGauges } from './bgp/metrics.ts'
import { agentMeter, egressCounter, inspectorMetrics, policyGauges } from './metrics.ts'
import { startAgent, type Agent } from './start.ts'
import { withNodeTable } from './tables/with-node-table.ts'
import { nftTunnelGuard } from './tables/tunnel-guard.ts'
import { thisMachine } from './machine/this-machine.ts'
import { reportCapacities } from './uplink/node-capacity.ts'
import { uplinkHere } from './uplink/uplink-here.ts'
import { overlayMtu, tunnelAddressHere, tunnelL4Ports } from './machine/node-addresses.ts'

await runProcess(async (stops) => {
  const config = withShim(readConfig(process.env))
  const log = makeLog(config.logLevel)
  const node = config.node ?? hostname()
  const metrics = makeMetrics()
  const store: Store & { readonly client?: KubeApi } = await openStore(config, { log, metrics: metrics.set })
  stops.add(() => store.close())
  const running: { agent?: Agent } = {}
  const pulse = store.client && probeApiServer(store.client, usualProbeTimes, { clock: realClock, log })
  stops.add(() => pulse?.stop())
  const isApart = (await startMetrics(config, metrics.registry, { clock: realClock, log, stops })) !== undefined
  const health = await listenHealth(
    { host: config.listenHost, l4Port: config.healthL4Port },
    {
      registry: isApart ? undefined : metrics.registry,
      problems: () =>
        [running.agent === undefined ? 'the agent is still starting' : running.agent.problem(), pulse?.problem].filter(
          (each) => each !== undefined,
        ),
    },
  )
  stops.add(() => health.close())
  const clock = realClock
  const ledger = await Ledger.open({ disk: thisDisk, folder: config.ledger, node, log, now: () => clock.now(), boot: await bootID() })
  const here = await tunnelAddressHere(node, { store, config, ledger, clock, log })
  const mtuMost = await overlayMtu(here, config, log)
  const uplink = await uplinkHere(here, config)
  const bare = await dataplanes[config.dataplane]!({ config, clock, random: realRandom, log, tunnelAddress: here, uplink })
  const plane = config.dataplane === 'memory' ? bare : withNodeTable(bare, nftTunnelGuard(tunnelL4Ports(config)))
  const links = config.dataplane === 'memory' ? memoryLinks() : await openLinks({ clock, log })
  const count = (kind: AnyPieceKind): number => running.agent?.env.loop.pieces.of(kind).size ?? 0
  const meter = agentMeter(metrics.set, {
    ports: () => count(portPiece),
    endpoints: () => count(endpointPiece),
    ...policyGauges(() => running.agent?.env.loop.pieces),
    vnis: () => running.agent?.env.locks.vnis.length ?? 0,
    uplinksMissing: () => running.agent?.uplinks.missing.length ?? 0,
  })
  inspectorMetrics(metrics.set, plane.inspectorCounts?.bind(plane))
  egressCounter(metrics.set, plane.connectionsRefused?.bind(plane))
  sessionGauges(metrics.set, () => running.agent?.sessions() ?? [])
  running.agent = await startAgent({
    store,
    config,
    clock,
    random: realRandom,
    log,
    node,
    here,
    mtuMost,
    uplink,
    plane,
    links,
    machine: thisMachine,
    ledger,
    meter,
  })
  if (config.nsmgrListen !== undefined) {
    // gRPC and tokens are in the memory of agents alone that have an nsmgr.
    const { startNsmgrOfNode } = await import('./nsm/nsmgr.ts')
    await startNsmgrOfNode(config, { node, here, mtuMost, clock, random: realRandom, newId: realUids, log, stops })
  }
  const { client } = store
  const capacities = client && reportCapacities({ client, node, uplink, clock, log })
  stops.add(() => capacities?.stop())
  stops.add(async () =>
    running.agent?.stop({ forGood: client !== undefined && (await isBeingUninstalled(config, client, { clock, log })) }),
  )
  log.info({ healthL4Port: health.l4Port, cniSocket: config.cniSocket }, 'listening')
})

/** The shim that was built beside this source, where no other is named. */
function withShim(config: Config): Config {
  const built = builtNative('shim')
  return config.cniShim === undefined && 'path' in built ? { ...config, cniShim: built.path } : config
}

async function openStore(
  config: Config,
  { log, metrics }: { readonly log: Log; readonly metrics: MetricSet },
): Promise<Store & { readonly client?: KubeApi }> {
  const { kubeconfig, kubeContext: context, storeSocket, tunnelAddress: address, portsWithoutPod, node = hostname() } = config
  if (storeSocket !== undefined) {
    const store = new RestStore({ socket: storeSocket, node, clock: realClock, random: realRandom })
    if (address !== undefined) {
      const uplink = await uplinkHere(address, config)
      await store.register(address, portsWithoutPod, 'rate' in uplink ? capacityOf(uplink) : undefined)
    }
    return store
  }
  return openKubeStore({
    ...(kubeconfig !== undefined && { kubeconfig }),
    ...(context !== undefined && { context }),
    metrics,
    log,
    plain: true,
  })
}

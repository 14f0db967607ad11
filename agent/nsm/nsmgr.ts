// The node's half of Network Service Mesh: an nsmgr for its clients and endpoints, and a forwarder unless somebody else's are there.
import { X509Certificate } from 'node:crypto'
import { ConfigInvalid } from '../../core/errors.ts'
import { mechanismOf } from '../../core/nsm/connection/mechanisms.ts'
import { endpointPreferences } from '../../core/nsm/connection/preferences.ts'
import type { TunnelPlace } from '../../core/nsm/connection/tunnel.ts'
import type { Random, Uids } from '../../platform/chance.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Config } from '../../platform/config.ts'
import type { Log } from '../../platform/log.ts'
import { certificateOf } from '../../platform/grpc/caller.ts'
import { identityIn } from '../../platform/nsm/identity.ts'
import { startForwarder } from '../../platform/nsm/roles/forwarder.ts'
import { startNsmgr, type RunningNsmgr } from '../../platform/nsm/roles/nsmgr.ts'
import type { Program } from '../../platform/nsm/roles/program.ts'
import { spiffeTokens } from '../../platform/nsm/tokens/spiffe-tokens.ts'
import type { Stops } from '../../platform/run.ts'
import type { CertificateSource } from '../../platform/tls.ts'
import { followFiles } from '../../platform/tls/files.ts'
import { openKernel } from '../netlink/open.ts'
import { openFileSockets, type OpenedFileSockets } from '../unix/file-sockets.ts'
import type { HeldNamespaces } from './held-namespaces.ts'
import { heldNamespaces } from './namespaces.ts'
import { kernelWires, type KernelWires } from './wires.ts'

export interface NsmgrOfNode {
  readonly node: string
  /** That others tunnel to. */
  readonly here: string
  /** Of packets that fit into a tunnel. */
  readonly mtuMost: number
  readonly clock: Clock
  readonly random: Random
  readonly newId: Uids
  readonly log: Log
  readonly stops: Stops
}

/** Nothing where it has no address to listen on. @throws ConfigInvalid */
export async function startNsmgrOfNode(config: Config, around: NsmgrOfNode): Promise<void> {
  const { node, here, mtuMost, clock, random, newId, log, stops } = around
  const { nsmgrListen: listen, nsmgrRegistry: registry, nsmgrForwarderService: forwarderService } = config
  if (listen === undefined) return
  const files = { cert: config.nsmgrCert, key: config.nsmgrKey, clientCa: config.nsmgrCa }
  const certificate = await followFiles(files, { clock, log })
  stops.add(() => certificate.close())
  const tokens = spiffeTokens({ certificate, lifeMs: config.nsmgrTokenSeconds * 1000, clock })
  const sockets = config.nsmgrSocket === undefined ? undefined : socketsOf({ clock, log })
  const program: Program = { name: `nsmgr-${node}`, tokens, certificate, clock, random, newId, log, sockets }
  const held = config.nsmgrForwarder === 'kernel' && sockets !== undefined ? heldNamespaces(sockets.namespaceType) : undefined
  const nsmgr = await startNsmgr(program, {
    listen,
    socket: config.nsmgrSocket,
    url: config.nsmgrUrl,
    registry,
    forwarderService,
    excludedPrefixes: config.nsmgrExcludedPrefixes,
    namespaces: held,
  })
  stops.add(() => nsmgr.stop())
  log.info({ address: nsmgr.address, socket: config.nsmgrSocket, registry }, 'clients of Network Service Mesh are heard')
  if (config.nsmgrForwarder === 'foreign') return
  const tunnels: TunnelPlace = {
    address: here,
    l4Port: config.nsmgrTunnelL4Port,
    vniMin: config.nsmgrVniMin,
    vniMax: config.nsmgrVniMax,
    isShared: config.nsmgrTunnelL4Port === config.tunnelL4Port,
    mtu: mtuMost,
  }
  await startForwarderOfNode(config, { program: { ...program, name: `forwarder-${node}` }, nsmgr, tunnels, held, stops })
}

interface ForwarderOfNode {
  readonly program: Program
  readonly nsmgr: RunningNsmgr
  readonly tunnels: TunnelPlace
  readonly held: HeldNamespaces | undefined
  readonly stops: Stops
}

async function startForwarderOfNode(config: Config, { program, nsmgr, tunnels, held, stops }: ForwarderOfNode): Promise<void> {
  const { log, certificate, clock } = program
  const netlink = config.nsmgrForwarder === 'kernel' ? await openKernel({ log }) : undefined
  if (netlink !== undefined) stops.add(() => netlink.close())
  const wires = netlink && kernelWires(netlink, (url) => held?.pathOf(url))
  const isOfNode = (url: string): boolean => nsmgr.isOfNode(url)
  const ended = new AbortController()
  const starting = startForwarder(program, {
    listen: 'tcp://127.0.0.1:0',
    // An address of every interface is one of loopback too.
    nsmgr: nsmgr.address.replace('tcp://:', 'tcp://127.0.0.1:'),
    service: config.nsmgrForwarderService,
    mechanisms: wires === undefined ? ['NOOP'] : ['KERNEL', 'VXLAN', 'NOOP'],
    preferences: wires === undefined ? () => [mechanismOf('NOOP')] : endpointPreferences(tunnels, isOfNode),
    wires,
    tunnels: wires && tunnels,
    // It is the nsmgr that has seen whose namespace it is.
    callers: held && ((spiffeId) => spiffeId === spiffeIdOf(certificate)),
    signal: ended.signal,
  })
  starting.catch((err: unknown) => !ended.signal.aborted && log.error({ err }, 'the forwarder did not start'))
  // By then whoever still has a connection has asked for it again, as no token of ours holds longer.
  const sweeping = wires && clock.after(config.nsmgrTokenSeconds * 1000, () => void sweep(wires, log))
  stops.add(async () => {
    sweeping?.()
    ended.abort()
    await starting.then(
      (forwarder) => forwarder.stop(),
      () => undefined,
    )
  })
}

const sweep = (wires: KernelWires, log: Log): Promise<void> =>
  wires.sweep().catch((err: unknown) => log.warn({ err }, 'devices of connections that are no more could not be taken away'))

function socketsOf(around: Parameters<typeof openFileSockets>[0]): OpenedFileSockets {
  const sockets = openFileSockets(around)
  if ('missing' in sockets) throw new ConfigInvalid({ name: 'MEGREZ_NSMGR_SOCKET', reason: sockets.missing })
  return sockets
}

const spiffeIdOf = (certificate: CertificateSource | undefined): string | undefined =>
  certificate && identityIn(certificateOf(new X509Certificate(certificate.current().cert)))?.spiffeId

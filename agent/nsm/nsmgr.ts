// The node's half of Network Service Mesh: an nsmgr for its clients and endpoints, and a forwarder unless somebody else's are there.
import { ConfigInvalid } from '../../core/errors.ts'
import { mechanismOf } from '../../core/nsm/connection/mechanisms.ts'
import { endpointMechanism } from '../../core/nsm/connection/wire.ts'
import type { Random, Uids } from '../../platform/chance.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Config } from '../../platform/config.ts'
import type { Log } from '../../platform/log.ts'
import { startForwarder } from '../../platform/nsm/roles/forwarder.ts'
import { startNsmgr } from '../../platform/nsm/roles/nsmgr.ts'
import type { Program } from '../../platform/nsm/roles/program.ts'
import { spiffeTokens } from '../../platform/nsm/tokens/spiffe-tokens.ts'
import type { Stops } from '../../platform/run.ts'
import { followFiles } from '../../platform/tls/files.ts'
import { openKernel } from '../netlink/open.ts'
import { kernelWires } from './wires.ts'

export interface NsmgrOfNode {
  readonly node: string
  readonly clock: Clock
  readonly random: Random
  readonly newId: Uids
  readonly log: Log
  readonly stops: Stops
}

/** Nothing where it has no address to listen on. @throws ConfigInvalid */
export async function startNsmgrOfNode(config: Config, { node, clock, random, newId, log, stops }: NsmgrOfNode): Promise<void> {
  const { nsmgrListen: listen, nsmgrRegistry: registry, nsmgrForwarderService: forwarderService } = config
  if (listen === undefined) return
  if (registry === undefined) throw new ConfigInvalid({ name: 'MEGREZ_NSMGR_REGISTRY', reason: 'is needed with MEGREZ_NSMGR_LISTEN' })
  const files = { cert: config.nsmgrCert, key: config.nsmgrKey, clientCa: config.nsmgrCa }
  const certificate = await followFiles(files, { clock, log })
  stops.add(() => certificate.close())
  const tokens = spiffeTokens({ certificate, lifeMs: config.nsmgrTokenSeconds * 1000, clock })
  const program: Program = { name: `nsmgr-${node}`, tokens, certificate, clock, random, newId, log }
  const nsmgr = await startNsmgr(program, {
    listen,
    url: config.nsmgrUrl,
    registry,
    forwarderService,
    excludedPrefixes: config.nsmgrExcludedPrefixes,
  })
  stops.add(() => nsmgr.stop())
  log.info({ address: nsmgr.address, registry }, 'clients of Network Service Mesh are heard')
  if (config.nsmgrForwarder === 'foreign') return
  const netlink = config.nsmgrForwarder === 'kernel' ? await openKernel({ log }) : undefined
  if (netlink !== undefined) stops.add(() => netlink.close())
  const ended = new AbortController()
  const starting = startForwarder(
    { ...program, name: `forwarder-${node}` },
    {
      listen: 'tcp://127.0.0.1:0',
      // An address of every interface is one of loopback too.
      nsmgr: nsmgr.address.replace('tcp://:', 'tcp://127.0.0.1:'),
      service: forwarderService,
      mechanisms: netlink === undefined ? ['NOOP'] : ['KERNEL', 'NOOP'],
      // As its client is carried.
      preferences: (connection) => [connection.mechanism?.type === 'KERNEL' ? endpointMechanism(connection) : mechanismOf('NOOP')],
      wires: netlink && kernelWires(netlink),
      signal: ended.signal,
    },
  )
  starting.catch((err: unknown) => !ended.signal.aborted && log.error({ err }, 'the forwarder did not start'))
  stops.add(async () => {
    ended.abort()
    await starting.then(
      (forwarder) => forwarder.stop(),
      () => undefined,
    )
  })
}

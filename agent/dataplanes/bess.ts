// A node's data plane on BESS: the graph of core/graph, in a bessd that runs beside us. docs/bess.md says what it can and cannot do.
import type { Capabilities, Dataplane, NodeChange } from '../../core/contracts/dataplane.ts'
import { InUse } from '../../core/errors.ts'
import type { Element } from '../../core/graph/elements.ts'
import { graphRenderer } from '../../core/graph/renderer.ts'
import { openChannel, type Channel } from '../../platform/grpc/channel.ts'
import { Change } from './bess/change.ts'
import { countsOf } from './bess/count.ts'
import { daemonOn, type Daemon } from './bess/daemon.ts'
import { driversOf } from './bess/devices.ts'
import { hopChange, hostOf, hostsOf, hostsPut, misplacedHosts, type Macs, type Underlay } from './bess/hops.ts'
import { ourName } from './bess/names.ts'
import { unsafeModules } from './bess/safe.ts'
import { readGraph, textsOf } from './bess/read-graph.ts'
import { oneAtATime } from './bess/one-at-a-time.ts'
import { Watch } from './bess/watch.ts'

export interface BessOptions {
  /** `unix:/path` or `host:10514`. */
  readonly target: string
  /** Absent: a node on its own, without a tunnel. */
  readonly underlay?: Underlay
  /** Interface by physical network: they stay the kernel's, we send and receive beside it. Absent: none. */
  readonly uplinks?: Readonly<Record<string, string>>
  /** How pods with dpdk ports reach them; vhost-user. */
  readonly dpdkBy?: 'vhost-user' | 'memif'
  /** Where sockets of dpdk ports are made: by the daemon, in its own mounts. */
  readonly socketFolder: string
  /** true: modules and ports of others may be there, and stay as they are; their forwarding pauses when ours does. false: then InUse. */
  readonly besideOthers?: boolean
  /** Of one's own making, in place of one to `target`; it is closed with the data plane. */
  readonly channel?: Channel
  /** How long a first connection may take. */
  readonly readyMs?: number
}

/** The contract's promises, and: bessd started again is found empty at once, and filled again by whoever listens to onDrift. */
export function bess(options: BessOptions): Dataplane<Element> {
  const { target, underlay, socketFolder, uplinks = {}, dpdkBy = 'vhost-user', besideOthers = false, readyMs = 5000 } = options
  const channel = options.channel ?? openChannel({ target, reconnectMs: 500 })
  const watch = new Watch(channel, { daemon: (signal) => daemonOn(channel, signal), ...(underlay && { underlay }) })
  let release: (() => Promise<void>) | undefined

  return {
    name: 'bess',
    renderer: graphRenderer({ ...(underlay && { uplink: underlay.uplink }), uplinks, dpdkBy, socketFolder }),
    async open(signal) {
      await channel.ready(readyMs)
      const daemon = daemonOn(channel, signal)
      await refuseOthers(daemon, besideOthers, [...(underlay === undefined ? [] : [underlay.uplink.ifcName]), ...Object.values(uplinks)])
      release = await underlay?.claim()
      return { ...capabilitiesOf(await daemon.version(), Object.keys(uplinks)), dpdk: true, dpdkBy }
    },
    async observe(_, signal) {
      const graph = await readGraph(daemonOn(channel, signal))
      const misplaced = new Set(
        underlay === undefined ? [] : misplacedHosts(graph, underlay, await underlay.macsOf(hostsOf(graph), signal)),
      )
      watch.saw(graph)
      return textsOf(graph, (module) => (misplaced.has(hostOf(module) ?? '') ? ' and no way to its host' : ''))
    },
    counts: (keys, signal) => countsOf(daemonOn(channel, signal), keys),
    means: async (signal) => driversOf(await daemonOn(channel, signal).ports()),
    async apply(change, signal) {
      watch.changing()
      await oneAtATime(target, () => changed(daemonOn(channel, signal), change, { underlay, signal }))
      watch.changing()
    },
    itemOf: (key, text) => ({
      key,
      text,
      value: { kind: 'gone', key },
      because: { rule: 'it was here', of: { kind: 'Node', name: 'here' } },
    }),
    onDrift: (wake) => watch.onDrift(wake),
    async close() {
      watch.stop()
      await release?.()
      channel.close()
    },
  }
}

/** One PauseAll, all of the graph, one ResumeAll: also where a call fails, for what was forwarding before is to go on. */
async function changed(
  daemon: Daemon,
  change: NodeChange<Element>,
  { underlay, signal }: { readonly underlay: Underlay | undefined; readonly signal: AbortSignal },
): Promise<void> {
  // Asked before the pause: a host that does not answer at once is waited for a moment.
  const macs: Macs = underlay === undefined ? new Map() : await underlay.macsOf(hostsPut(change), signal)
  const made = new Change(daemon, change)
  await made.prepare()
  await daemon.pause()
  try {
    await made.make()
    if (underlay !== undefined && touchesHosts(change)) await settleHops(daemon, underlay, macs)
  } catch (err) {
    // Half a change: resumed only where that cannot end the daemon. Paused workers are seen, and put right by the next change.
    await resumeHalf(daemon).catch(() => undefined)
    throw err
  }
  await daemon.resume()
  await made.finish()
}

async function resumeHalf(daemon: Daemon): Promise<void> {
  if (unsafeModules(await readGraph(daemon)).length === 0) await daemon.resume()
}

const touchesHosts = (change: NodeChange<Element>): boolean =>
  hostsPut(change).length > 0 || change.drop.some(({ key }) => /^module\/(to|flood)\./.test(key))

async function settleHops(daemon: Daemon, underlay: Underlay, macs: Macs): Promise<void> {
  const there = (await daemon.modules()).flatMap(({ name, mclass }) => {
    const named = ourName(name)
    return named === undefined ? [] : [{ ...named, mclass }]
  })
  const change = hopChange(there, underlay, macs)
  if (change.put.length + change.drop.length === 0) return
  const hops = new Change(daemon, change)
  await hops.prepare()
  await hops.make()
}

async function refuseOthers(daemon: Daemon, besideOthers: boolean, ifcNames: readonly string[]): Promise<void> {
  const [modules, ports] = await Promise.all([daemon.modules(), daemon.ports()])
  const theirs = [
    ...modules.map(({ name, mclass }) => ({ name, what: `module ${name} (${mclass})` })),
    ...ports.map(({ name, driver }) => ({ name, what: `port ${name} (${driver})` })),
  ].filter(({ name }) => ourName(name) === undefined)
  if (theirs.length > 0 && !besideOthers)
    throw new InUse({
      what: `bessd at ${daemon.target}`,
      owner: `whoever made ${theirs[0]!.what}${theirs.length > 1 ? ` and ${theirs.length - 1} more` : ''}`,
    })
  const text = (arg: Uint8Array | undefined): string => Buffer.from(arg ?? []).toString('latin1')
  for (const ifcName of ifcNames) {
    const taken = ports.find(
      ({ name, driverArg }) => ourName(name) === undefined && new RegExp(`iface=${ifcName}(,|$)`).test(text(driverArg?.value)),
    )
    if (taken !== undefined) throw new InUse({ what: `interface ${ifcName}`, owner: `port ${taken.name} of bessd at ${daemon.target}` })
  }
}

const capabilitiesOf = (version: string, networks: readonly string[]): Capabilities => ({
  bess: version,
  userspace: true,
  vxlan: true,
  ct: false,
  meters: false,
  nd: false,
  ...Object.fromEntries(networks.map((network) => [`vlan:${network}`, true])),
})

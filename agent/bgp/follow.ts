// The node's BGPSpeaker, followed in the store: the daemon of the node does what it says, and its status says what the daemon does.
import { leavingSpeaker, type SpeakerSpec } from '../../core/bgp/speaker.ts'
import type { Store } from '../../core/contracts/store.ts'
import { refOf, type Resource } from '../../core/kinds/index.ts'
import { Cache } from '../../platform/cache/cache.ts'
import { pause, type Clock } from '../../platform/clock.ts'
import type { Config } from '../../platform/config.ts'
import type { Log } from '../../platform/log.ts'
import { FollowedLists } from '../netlink/followed-lists.ts'
import type { Netlink } from '../netlink/netlink.ts'
import { openKernel } from '../netlink/open.ts'
import type { Outbox } from '../outbox.ts'
import { BirdDaemon } from './bird-daemon.ts'
import type { Daemon } from './daemon.ts'
import { ForeignDaemon } from './foreign.ts'
import { FrrDaemon } from './frr-daemon.ts'
import { BGPHost } from './host.ts'
import { Speaker } from './speaker.ts'
import type { SpeakerStatus } from './status.ts'

/** What speaks BGP on a node, and what is asked of the node for it. */
export interface BGPPrograms {
  readonly host: BGPHost
  /** Absent: as the settings say. */
  readonly daemon?: Daemon
  /** What the kernel's network is asked by, in the namespace of the host; absent: the node's own. */
  readonly netlink?: (host: BGPHost, log: Log) => Promise<Netlink>
}
interface Deps {
  readonly store: Store
  readonly config: Config
  readonly node: string
  readonly outbox: Outbox
  readonly clock: Clock
  readonly log: Log
  readonly speakers: Cache<'BGPSpeaker'> | undefined
  /** Absent: the programs of the node, in the network of this process. */
  readonly bgp?: BGPPrograms
}
export interface SpeakerFollowed {
  /** Resolves once the store has said what the BGPSpeaker is, or that there is none. */
  readonly known: Promise<void>
  /** As it was told of last. */
  seen(): SpeakerStatus | undefined
  /** The daemon goes on; for good: its sessions close, and its routes go. */
  stop(how?: { readonly forGood?: boolean }): Promise<void>
}

const openKernelOf = ({ netns }: BGPHost, log: Log): Promise<Netlink> => openKernel({ ...(netns !== undefined && { netns }), log })

/** Of all BGPSpeakers that of this node. */
export const speakersOf = ({ store, node, log }: Pick<Deps, 'store' | 'node' | 'log'>): Cache<'BGPSpeaker'> =>
  new Cache(store, 'BGPSpeaker', {
    within: { fields: { '.metadata.name': node } },
    onError: (err) => log.error({ err }, 'a change of the BGPSpeaker was not heard'),
  })

/** @returns undefined where this node is to have nothing to do with BGP */
export function followSpeaker(deps: Deps): SpeakerFollowed | undefined {
  const { config, speakers, node, log } = deps
  if (config.bgp === 'off' || speakers === undefined) return undefined
  const stopping = new AbortController()
  let seen: SpeakerStatus | undefined
  const report = (status: SpeakerStatus): void => {
    seen = status
    putStatus(speakers.get(node), status, deps)
  }
  const { host, netlink = openKernelOf } = deps.bgp ?? { host: new BGPHost() }
  const kernel = new FollowedLists({ open: () => netlink(host, log), clock: deps.clock, onChange: (event) => follower.hear?.(event) })
  const follower = followerOf(config.bgp, { ...deps, ...deps.bgp, host, kernel }, report)
  const hear = (): void => {
    const speaker = speakers.get(node)
    if (speakers.synced) follower.want(speaker?.spec, speaker?.metadata.generation)
  }
  speakers.on(hear)
  const known = speakers.start(stopping.signal).then(hear)
  known.catch((err: unknown) => void (stopping.signal.aborted || log.error({ err }, 'the BGPSpeaker is not watched')))
  follower.follow(stopping.signal)
  log.info({ program: config.bgp }, 'BGP is followed')
  return {
    known,
    seen: () => seen,
    async stop({ forGood = false } = {}) {
      stopping.abort()
      await follower.ended()
      if (forGood) await leave(follower, speakers.get(node)?.spec, deps.clock)
      await kernel.stop()
    },
  }
}

/** For neighbours to have found other ways, and told each other of them. */
const leavingMs = 2_000

/** First all that this node says is said to be about to go (RFC 8326); then sessions close, and their routes go. */
async function leave(follower: Follower, spec: SpeakerSpec | undefined, clock: Clock): Promise<void> {
  if (spec !== undefined && spec.groups.some(({ sessions }) => sessions.length > 0)) {
    follower.want(leavingSpeaker(spec))
    await follower.observe()
    await pause(leavingMs, clock)
  }
  follower.want(undefined)
  await follower.observe()
}

type Follower = Pick<Speaker, 'want' | 'follow' | 'ended' | 'observe'> & Partial<Pick<Speaker, 'hear'>>

function followerOf(
  program: Exclude<Config['bgp'], 'off'>,
  deps: Deps & BGPPrograms & { readonly kernel: FollowedLists },
  report: (status: SpeakerStatus) => void,
): Follower {
  const { config, host, kernel, clock, log, store } = deps
  if (program === 'foreign')
    return new ForeignDaemon({ kernel, clock, log, report, table: config.bgpForeignTable, protocol: config.bgpForeignProtocol })
  const folder = config.bgpFolder
  const daemon =
    deps.daemon ??
    (program === 'bird'
      ? new BirdDaemon({ program: config.birdProgram, folder, host, clock })
      : new FrrDaemon({ programs: config.frrPrograms, folder, host, clock }))
  const password = async ({ name, key }: { readonly name: string; readonly key: string }): Promise<string | undefined> => {
    const secret = await store.get({ kind: 'Secret', namespace: config.namespace, name })
    const value = secret?.spec.data[key]
    return value === undefined ? undefined : Buffer.from(value, 'base64').toString()
  }
  return new Speaker({ daemon, host, kernel, starts: config.bgpStart, password, report, clock, log })
}

function putStatus(speaker: Resource<'BGPSpeaker'> | undefined, status: SpeakerStatus, { store, outbox }: Deps): void {
  if (speaker === undefined) return
  outbox.put('status of the BGPSpeaker', () =>
    store.patchStatus({ ref: refOf(speaker), uid: speaker.metadata.uid }, { node: { ...status } }),
  )
}

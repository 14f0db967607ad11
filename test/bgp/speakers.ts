// Speakers of a network: what each is to do, and what it has told.
import { BirdDaemon } from '../../agent/bgp/bird-daemon.ts'
import type { Daemon } from '../../agent/bgp/daemon.ts'
import { FrrDaemon } from '../../agent/bgp/frr-daemon.ts'
import { Speaker } from '../../agent/bgp/speaker.ts'
import type { SpeakerStatus } from '../../agent/bgp/status.ts'
import type { SpeakerGroup, SpeakerSession, SpeakerSpec } from '../../core/bgp/speaker.ts'
import { frrFolder } from '../../lab/programs/bgp.ts'
import { realClock } from '../../platform/clock.ts'
import { makeLog } from '../../platform/log.ts'
import { until } from '../setup/until.ts'
import type { BGPNode } from './network.ts'

export const table = 0x4d00_0001
export const secret = { name: 'peers', key: 'password' }

export const birdOf = ({ folder, host }: BGPNode): Daemon => new BirdDaemon({ program: 'bird', folder, host, clock: realClock })
export const frrOf = ({ folder, host }: Pick<BGPNode, 'folder' | 'host'>): Daemon =>
  new FrrDaemon({ programs: frrFolder, folder, host, clock: realClock })

export const session = (to: BGPNode, more: Partial<SpeakerSession> = {}): SpeakerSession => ({
  name: `node-${to.name}`,
  address: to.ipv4,
  as: 64_512,
  holdSeconds: 9,
  keepaliveSeconds: 3,
  connectRetrySeconds: 1,
  import: [],
  export: [],
  external: false,
  addressFamilies: ['ipv4'],
  ...more,
})
export const meshed = { passwordSecret: secret, bfd: { intervalMilliseconds: 100, multiplier: 3 } } as const

export const group = (of: BGPNode, sessions: readonly SpeakerSession[], more: Partial<SpeakerGroup> = {}): SpeakerGroup => ({
  name: 'fabric',
  as: 64_512,
  routerID: of.ipv4,
  table,
  addresses: { ipv4: of.ipv4, ipv6: of.ipv6 },
  sessions,
  advertise: [
    { cidr: '10.9.0.0/24', hostRoutes: true, vni: 5 },
    { cidr: 'fd09::/64', hostRoutes: true, vni: 5 },
  ],
  imports: [{ vpc: 'a/blue', vni: 5, allow: [], gateways: [] }],
  gracefulRestartSeconds: 20,
  maximumPaths: 8,
  ...more,
})
export const spec = (of: BGPNode, ...groups: readonly SpeakerGroup[]): SpeakerSpec => ({ node: of.name, groups })

export interface Running {
  readonly daemon: Daemon
  readonly speaker: Speaker
  readonly passwords: Map<string, string>
  status(): SpeakerStatus | undefined
  stateOf(session: string): string | undefined
  isUp(...sessions: readonly string[]): Promise<void>
  want(groups: readonly SpeakerGroup[], generation: number): void
  /** The agent ends; the daemon does not. */
  end(): Promise<void>
}

export function follow(node: BGPNode, daemon: Daemon, starts = true): Running {
  const stopping = new AbortController()
  const passwords = new Map([[`${secret.name}/${secret.key}`, "s3cret'"]])
  let told: SpeakerStatus | undefined
  const speaker = new Speaker({
    daemon,
    host: node.host,
    kernel: node.kernel,
    starts,
    password: ({ name, key }) => Promise.resolve(passwords.get(`${name}/${key}`)),
    report: (status) => void (told = status),
    clock: realClock,
    log: makeLog('silent'),
  })
  const stateOf = (name: string): string | undefined => told?.sessions.find((each) => each.session === name)?.state
  speaker.follow(stopping.signal)
  return {
    daemon,
    speaker,
    passwords,
    status: () => told,
    stateOf,
    async isUp(...names) {
      await until(
        () => names.every((name) => stateOf(name) === 'established'),
        `${names.join(', ')} of ${node.name} established`,
        30_000,
      ).catch((err: unknown) => {
        throw new Error(JSON.stringify(told), { cause: err })
      })
    },
    want: (groups, generation) => speaker.want({ node: node.name, groups }, generation),
    async end() {
      stopping.abort()
      await speaker.ended()
    },
  }
}

/** A foreign router: FRR with a configuration that is not of ours, started once. */
export async function foreignFrr(node: Pick<BGPNode, 'folder' | 'host'>, text: string): Promise<Daemon> {
  const daemon = frrOf(node)
  await daemon.apply(text)
  await daemon.start()
  return daemon
}

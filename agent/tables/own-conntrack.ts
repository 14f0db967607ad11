// The table of core/linux/own-conntrack.ts, and the word that what it cannot do has been done by whoever runs the node.
import { LinkRefused } from '../../core/errors.ts'
import { ownConntrack } from '../../core/linux/own-conntrack.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Netlink } from '../netlink/netlink.ts'
import type { NodeTable } from './with-node-table.ts'
import { nftTable } from './nft.ts'
import { isFilterShown, tryPassage } from './passage.ts'

export interface OwnConntrackDeps {
  readonly uplinks: readonly string[]
  /** Opened for each try. */
  readonly netlink: () => Promise<Netlink>
  readonly clock: Clock
  /** The node's namespace, where it is not that of this process. */
  readonly netns?: string
}

const programs = { v4: 'iptables', v6: 'ip6tables' } as const

/** What lets frames pass, as it is typed. */
export const letPass = (family: keyof typeof programs): string => `${programs[family]} -I FORWARD -i mgbr+ -o mgbr+ -j ACCEPT`

export function ownConntrackTable({ uplinks, netlink, clock, netns }: OwnConntrackDeps): NodeTable {
  const table = nftTable(ownConntrack(uplinks), netns)
  const stopped = async (): Promise<readonly (keyof typeof programs)[]> => {
    if (!(await isFilterShown(netns))) return []
    const to = await netlink()
    try {
      const passed = await tryPassage(to, clock)
      return (['v4', 'v6'] as const).filter((family) => !passed[family])
    } finally {
      await to.close()
    }
  }
  return {
    key: 'apart/the filter of this node',
    rule: "what Ports send each other is no business of the node's own packet filter",
    ...table,
    async seen() {
      const text = await table.seen()
      return text === table.text && (await stopped()).length > 0 ? 'frames between Ports do not pass' : text
    },
    async check() {
      const families = await stopped()
      if (families.length > 0) throw new LinkRefused({ what: 'passing frames between Ports', reason: sentence(families) })
    },
  }
}

const sentence = (families: readonly (keyof typeof programs)[]): string =>
  `br_netfilter shows them to this node's packet filter, which drops them: ${families.map(letPass).join('; ')} (a rule of nftables that drops them has to be changed where it is), or, where nothing else needs it, sysctl -w net.bridge.bridge-nf-call-iptables=0 net.bridge.bridge-nf-call-ip6tables=0`

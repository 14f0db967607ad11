// A node of the Linux data plane in a namespace of its own, for its laws: with interfaces of ports, and things of others.
import type { NodeWanted } from '../laws/node-wanted.ts'
import type { NetlinkRequest } from '../../core/wire/netlink/netlink.ts'
import { linux } from '../../agent/dataplanes/linux.ts'
import { openNetlink } from '../../agent/netlink/addon.ts'
import type { Netlink } from '../../agent/netlink/netlink.ts'
import { run } from '../../platform/programs/run.ts'
import type { DataplaneWorld } from '../laws/dataplane.ts'
import type { Through } from '../laws/driver.ts'
import { builtAddon, openSpaces, type Space } from './kernel.ts'

export const tunnelAddress = '192.0.2.100'
export const l4Port = 14_789

/** Each request is a step of the way. */
function passing(netlink: Netlink, { way }: Through): Netlink {
  const passed = async <T>(act: () => Promise<T>): Promise<T> => {
    await way()
    const answer = await act()
    await way()
    return answer
  }
  return {
    carrier: netlink.carrier,
    request: (asks, where) => passed(() => netlink.request(asks, where)),
    requestWithoutOffload: (asks, where, ifname) => passed(() => netlink.requestWithoutOffload(asks, where, ifname)),
    ...(netlink.chain && { chain: (chain) => passed(() => netlink.chain!(chain)) }),
    list: (what, where) => passed(() => netlink.list(what, where)),
    listen: (what, wake) => netlink.listen(what, wake),
    frame: (ifname, bytes, where) => netlink.frame(ifname, bytes, where),
    tap: (ifname, mode, where, more) => netlink.tap(ifname, mode, where, more),
    close: () => netlink.close(),
  }
}

const theirRules =
  'table bridge theirs {\n chain forward {\n  type filter hook forward priority 0; policy accept;\n }\n}\ntable netdev theirs {\n chain out {\n  type filter hook egress device lo priority 0; policy accept;\n }\n}\n'

/** Some have names like ours, made by somebody else. */
const theirLinks = `link add br-theirs type bridge
link add mgbr00ffff type bridge
link add up0 type veth peer name wire0
link add veth-theirs master br-theirs type veth peer name too-theirs
neigh add 10.0.0.7 lladdr 02:00:00:00:00:77 dev br-theirs nud permanent
`

async function makeTheirs({ name }: Space): Promise<void> {
  const inside = async (input: string, ...command: readonly string[]): Promise<void> => {
    const { code, stderr } = await run('nsenter', [`--net=/run/netns/${name}`, '--', ...command], { input })
    if (code !== 0) throw new Error(`${command.join(' ')}: ${stderr}`)
  }
  await Promise.all([inside(theirLinks, 'ip', '-batch', '-'), inside(theirRules, 'nft', '-f', '-')])
}

async function seenOfTheirs({ namespace }: Space): Promise<readonly string[]> {
  const links = (await namespace.ip('-o', 'link')).stdout
    .split('\n')
    .filter((line) => /theirs|mgbr00ffff/.test(line))
    .map((line) => line.replace(/\\.*$/, ''))
  const neighbours = (await namespace.ip('neigh', 'show', 'dev', 'br-theirs')).stdout
  const tables = await Promise.all(
    (['bridge', 'netdev'] as const).map(async (family) => (await namespace.exec('nft', 'list', 'table', family, 'theirs')).stdout),
  )
  return [...links, neighbours, ...tables]
}

/** Shell commands in the node's namespace; one that finds nothing to spoil ends with `none`. */
const none = 3
const inside = (kind: string, which: string): string =>
  `dev=$(ip -o link show type ${kind} | grep -o '${which}' | head -1 | cut -d: -f1 | cut -d@ -f1); [ -n "$dev" ] || exit ${none};`
const member = (of: string): string =>
  `dev=$(ip -o link show type veth | grep 'master ${of}' | tail -1 | cut -d: -f2 | cut -d@ -f1); [ -n "$dev" ] || exit ${none};`
const spoilers: readonly string[] = [
  'ip link del group 28007',
  `${inside('vxlan', 'mgvx[0-9a-f]*')} ip link del $dev`,
  `${member('mgbr')} ip link set $dev nomaster`,
  `${inside('vxlan', 'mgvx[0-9a-f]*')} bridge link set dev $dev learning on`,
  `dev=$(ip -o link show type bridge | grep -o 'mgbr[0-9a-f]*' | grep -v 00ffff | head -1); [ -n "$dev" ] || exit ${none}; ip neigh add 10.9.9.9 lladdr 02:00:00:00:00:99 dev $dev nud permanent`,
  `nft list set bridge megrez guarded | grep -q elements || exit ${none}; for set in guarded source4 source6; do nft flush set bridge megrez $set; done`,
  'nft delete table bridge megrez',
  'nft delete table netdev megrez',
  `nft list map netdev megrez bridges | grep -q elements || exit ${none}; nft flush map netdev megrez bridges`,
  `chain=$(nft list chains netdev | grep -o 'mgvx[0-9a-f]*' | head -1); [ -n "$chain" ] || exit ${none}; nft delete chain netdev megrez $chain`,
  `${inside('veth', 'mggw[0-9a-f]*')} ip link del $dev`,
  `${inside('veth', 'mggx[0-9a-f]*')} ip link set $dev down`,
  `set=$(nft list table netdev megrez | grep -B2 'elements = { "mg' | grep -o 'gateways[46]' | head -1); [ -n "$set" ] || exit ${none}; nft flush set netdev megrez $set`,
  `${member('mgp')} ip link set $dev nomaster`,
  `${member('mgp')} tc filter del dev $dev egress`,
]

export async function openLinuxWorld(): Promise<DataplaneWorld> {
  const spaces = openSpaces()
  const space = await spaces.make()
  const addon = await builtAddon()
  const hand = await openNetlink(addon, space.path)
  await makeTheirs(space)
  return {
    async instance(through) {
      const netlink = await openNetlink(addon, space.path)
      const kernel = { netlink: through === undefined ? netlink : passing(netlink, through), addon, netns: space.path }
      const plane = linux({ kernel: () => Promise.resolve(kernel), tunnelAddress, l4Port, uplinks: { physnet1: 'up0' } })
      await plane.open(new AbortController().signal)
      return plane
    },
    async plug(wanted: NodeWanted) {
      const there = new Set((await hand.list('links')).map(({ ifname }) => ifname))
      const missing = [...wanted.ports.values()].filter(({ ifcName }) => !there.has(ifcName))
      await hand.request(
        missing.map(({ ifcName }): NetlinkRequest => ({
          do: 'addLink',
          link: { ifname: ifcName, shape: { kind: 'veth', peer: { ifname: `p${ifcName.slice(3)}` } } },
        })),
      )
    },
    theirs: () => seenOfTheirs(space),
    async spoil(random) {
      for (;;) {
        const command = spoilers[Math.floor(random() * spoilers.length)]!
        const { code, stderr } = await run('nsenter', [`--net=/run/netns/${space.name}`, '--', 'sh', '-c', command])
        if (code === 0) return command
        if (code !== none) throw new Error(`${command}: ${stderr}`)
      }
    },
    async close() {
      await hand.close()
      await spaces.close()
    },
  }
}

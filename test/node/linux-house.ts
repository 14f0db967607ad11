// A node of the Linux data plane in a namespace of its own, for its laws: with interfaces of ports, and things of others.
import type { NodeWanted } from '../../core/node/wanted.ts'
import type { Ask } from '../../core/wire/netlink.ts'
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
    list: (what, where) => passed(() => netlink.list(what, where)),
    listen: (what, wake) => netlink.listen(what, wake),
    frame: (ifname, bytes, where) => netlink.frame(ifname, bytes, where),
    tap: (ifname, mode, where) => netlink.tap(ifname, mode, where),
    close: () => netlink.close(),
  }
}

const theirRules = 'table bridge theirs {\n chain forward {\n  type filter hook forward priority 0; policy accept;\n }\n}\ntable netdev theirs {\n chain out {\n  type filter hook egress device lo priority 0; policy accept;\n }\n}\n'

/** Some have names like ours, made by somebody else. */
const theirLinks = `link add br-theirs type bridge
link add mgbr00ffff type bridge
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
  const links = (await namespace.ip('-o', 'link')).stdout.split('\n').filter((line) => /theirs|mgbr00ffff/.test(line)).map((line) => line.replace(/\\.*$/, ''))
  const neighbours = (await namespace.ip('neigh', 'show', 'dev', 'br-theirs')).stdout
  const tables = await Promise.all((['bridge', 'netdev'] as const).map(async (family) => (await namespace.exec('nft', 'list', 'table', family, 'theirs')).stdout))
  return [...links, neighbours, ...tables]
}

const spoilers: readonly ((name: string) => readonly string[])[] = [
  (name) => ['ip', '-n', name, 'link', 'del', 'group', '28007'],
  (name) => ['sh', '-c', `dev=$(ip -n ${name} -o link show type vxlan | head -1 | cut -d: -f2); ip -n ${name} link del $dev`],
  (name) => ['sh', '-c', `dev=$(ip -n ${name} -o link show type veth | grep 'master mgbr' | head -1 | cut -d: -f2 | cut -d@ -f1); ip -n ${name} link set $dev nomaster`],
  (name) => ['sh', '-c', `dev=$(ip -n ${name} -o link show type vxlan | tail -1 | cut -d: -f2); bridge -n ${name} link set dev $dev learning on`],
  (name) => ['sh', '-c', `dev=$(ip -n ${name} -o link show type bridge | grep -o 'mgbr[0-9a-f]*' | grep -v 00ffff | head -1); ip -n ${name} neigh add 10.9.9.9 lladdr 02:00:00:00:00:99 dev $dev nud permanent`],
  (name) => ['nsenter', `--net=/run/netns/${name}`, '--', 'nft', 'flush', 'set', 'bridge', 'megrez', 'source4'],
  (name) => ['nsenter', `--net=/run/netns/${name}`, '--', 'nft', 'delete', 'table', 'bridge', 'megrez'],
  (name) => ['nsenter', `--net=/run/netns/${name}`, '--', 'nft', 'delete', 'table', 'netdev', 'megrez'],
  (name) => ['nsenter', `--net=/run/netns/${name}`, '--', 'nft', 'flush', 'map', 'netdev', 'megrez', 'bridges'],
  (name) => ['nsenter', `--net=/run/netns/${name}`, '--', 'sh', '-c', 'nft delete chain netdev megrez $(nft list chains netdev | grep -o "mgvx[0-9a-f]*" | head -1)'],
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
      const plane = linux({ kernel: () => Promise.resolve(kernel), tunnelAddress, l4Port })
      await plane.open(new AbortController().signal)
      return plane
    },
    async plug(wanted: NodeWanted) {
      const there = new Set((await hand.list('links')).map(({ ifname }) => ifname))
      const missing = [...wanted.ports.values()].filter(({ ifcName }) => !there.has(ifcName))
      await hand.request(missing.map(({ ifcName }): Ask => ({ do: 'addLink', link: { ifname: ifcName, shape: { kind: 'veth', peer: { ifname: `p${ifcName.slice(3)}` } } } })))
    },
    theirs: () => seenOfTheirs(space),
    async spoil(random) {
      const [program, ...args] = spoilers[Math.floor(random() * spoilers.length)]!(space.name)
      const { code, stderr } = await run(program!, args)
      if (code !== 0) throw new Error(`${[program, ...args].join(' ')}: ${stderr}`)
      return args.join(' ')
    },
    async close() {
      await hand.close()
      await spaces.close()
    },
  }
}


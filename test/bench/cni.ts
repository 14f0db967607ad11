import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { linux, openKernelOf } from '../../agent/dataplanes/linux.ts'
import { buildNative } from '../../agent/native/build.ts'
import { installPackages } from '../../platform/programs/debian.ts'
import { run } from '../../platform/programs/run.ts'
import { openSpaces, type Space } from '../node/kernel.ts'
import { here, openBenchAgent } from './lib/cni-agent.ts'
import { ovsAdds } from './lib/cni-ovs.ts'
import { absolute, againstFloor, type Metric } from './lib/metric.ts'
import { median, quantile } from './lib/rounds.ts'

export const description =
  "CNI ADD and DEL by shim, agent, and the Linux data plane or Open vSwitch, against the same messages sent bare and the distribution's bridge plugin"

const pods = 24
const rounds = 6
const plugin = '/usr/lib/cni/bridge'
const floorBridge = 'bare-bridge'
/** The sets that sources go into, as agent/dataplanes/linux/guard.ts has them. */
const floorTable =
  'table bridge bare { set guarded { type ifname; }; set source4 { type ifname . ether_addr . ipv4_addr; flags interval; }; }'

interface Bench {
  readonly folder: string
  readonly node: Space
  readonly sandboxes: readonly Space[]
  readonly tool: string
  readonly shim: string
  /** Calls of this tool in the node's namespace; microseconds each. */
  measure(...args: readonly string[]): Promise<readonly number[]>
  /** The same in another namespace. */
  measureIn(netns: string, ...args: readonly string[]): Promise<readonly number[]>
}

export default async function cni(): Promise<readonly Metric[]> {
  if (!existsSync(plugin)) {
    const why = await installPackages(['containernetworking-plugins'], console.log)
    if (why !== undefined) throw new Error(`the distribution's plugins: ${why}`)
  }
  const spaces = openSpaces()
  const folder = await mkdtemp(join(tmpdir(), 'mz-bench-'))
  try {
    const node = await spaces.make()
    const sandboxes: Space[] = []
    for (let i = 0; i < pods; i++) sandboxes.push(await spaces.make())
    return await measured({ folder, node, sandboxes, ...(await programs(folder, node)) })
  } finally {
    await spaces.close()
    await rm(folder, { recursive: true, force: true })
  }
}

async function programs(folder: string, node: Space): Promise<Pick<Bench, 'tool' | 'shim' | 'measure' | 'measureIn'>> {
  const [shim, addon] = [await buildNative('shim'), await buildNative('addon')]
  if ('missing' in shim) throw new Error(shim.missing)
  if ('missing' in addon) throw new Error(addon.missing)
  const tool = join(folder, 'cni-floor')
  const built = await run('gcc', ['-O2', '-o', tool, join(import.meta.dirname, 'lib/cni-floor.c')])
  if (built.code !== 0) throw new Error(built.stderr)
  const measureIn = async (netns: string, ...args: readonly string[]): Promise<readonly number[]> => {
    const { code, stdout, stderr } = await run('nsenter', [`--net=${netns}`, '--', tool, ...args])
    if (code !== 0) throw new Error(`${args.join(' ')}: ${stderr}`)
    return stdout.trim().split('\n').map(Number)
  }
  return { tool, shim: shim.path, measureIn, measure: (...args) => measureIn(node.path, ...args) }
}

async function measured(bench: Bench): Promise<readonly Metric[]> {
  const { folder, node, sandboxes, shim, measure } = bench
  await node.namespace.ip('link', 'add', floorBridge, 'type', 'bridge')
  await node.namespace.ip('link', 'set', floorBridge, 'up')
  await node.namespace.exec('nft', floorTable)
  const agent = await openBenchAgent(node.path, pods, linux({ tunnelAddress: here, l4Port: 4789, kernel: () => openKernelOf(node.path) }))
  const nobody = await listen(join(folder, 'nobody.sock'))
  const confs = { bridge: join(folder, 'bridge.json'), nobody: join(folder, 'nobody.json') }
  await writeFile(confs.nobody, JSON.stringify({ cniVersion: '1.0.0', name: 'x', type: 'x', socket: join(folder, 'nobody.sock') }))
  await writeFile(
    confs.bridge,
    JSON.stringify({
      cniVersion: '1.0.0',
      name: 'net',
      type: 'bridge',
      bridge: 'cni0',
      ipam: { type: 'host-local', dataDir: join(folder, 'ipam'), ranges: [[{ subnet: '10.88.0.0/16' }]], routes: [{ dst: '0.0.0.0/0' }] },
    }),
  )
  const all: Record<'add' | 'del' | 'bare' | 'shim' | 'bridge' | 'bridgeDel', number[]> = {
    add: [],
    del: [],
    bare: [],
    shim: [],
    bridge: [],
    bridgeDel: [],
  }
  try {
    for (let round = 0; round <= rounds; round++) {
      const ours = await list(bench, round, agent.args)
      const theirs = await list(
        bench,
        round,
        sandboxes.map(() => 'IgnoreUnknown=1'),
      )
      // The first round warms up.
      const keep = (name: keyof typeof all, values: readonly number[]): unknown => round > 0 && all[name].push(...values)
      keep('shim', await measure('call', theirs, 'CHECK', shim, confs.nobody))
      keep('bare', await measure('links', theirs, floorBridge))
      keep('add', await measure('call', ours, 'ADD', shim, agent.conf))
      keep('del', await measure('call', ours, 'DEL', shim, agent.conf))
      await agent.reap()
      keep('bridge', await measure('call', theirs, 'ADD', plugin, confs.bridge))
      keep('bridgeDel', await measure('call', theirs, 'DEL', plugin, confs.bridge))
    }
  } finally {
    await agent.close()
  }
  for (const [name, values] of Object.entries(all))
    console.log(
      `${name.padEnd(10)} median ${(median(values) / 1000).toFixed(2)} ms, p99 ${(quantile(values, 0.99) / 1000).toFixed(2)} ms, ${values.length} calls`,
    )
  const ms = (values: readonly number[]): number => median(values) / 1000
  const inSwitch = await ovsAdds({
    pods,
    rounds,
    shim,
    nobody: confs.nobody,
    measure: (netns, ...args) => bench.measureIn(netns, ...args),
    list: (round, args) => list(bench, round, args),
  })
  nobody.close()
  return [
    inSwitch,
    againstFloor('linux.add', 'ms', { value: ms(all.add), floor: ms(all.bare) + ms(all.shim) }, { atMost: 1.5 }),
    againstFloor('vs-bridge-plugin', 'ms', { value: ms(all.add), floor: ms(all.bridge) }, { atMost: 1 }),
    absolute('del', 'ms', ms(all.del), { atMost: 3 }),
  ]
}

/** One line a sandbox: containerID, namespace, CNI_ARGS. */
async function list({ folder, sandboxes }: Bench, round: number, args: readonly string[]): Promise<string> {
  const path = join(folder, `list-${args[0]?.length ?? 0}`)
  await writeFile(path, sandboxes.map((each, i) => `c${round}-${i} ${each.path} ${args[i]}\n`).join(''))
  return path
}

/** Whoever is asked answers at once: what starting a shim and a way to a Node.js process and back cost. */
function listen(path: string): Promise<ReturnType<typeof createServer>> {
  const server = createServer({ allowHalfOpen: true }, (socket) => socket.on('end', () => socket.end('0\n{}')).resume())
  return new Promise((resolve) => server.listen(path, () => resolve(server)))
}

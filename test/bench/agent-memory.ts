// Memory of an agent: 110 Ports wired on a real Open vSwitch, judged by 1,000 rules, and a hundred thousand addresses on other nodes, each
// with an identity.
import { mkdir, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { stringify } from 'yaml'
import { writeFile } from 'node:fs/promises'
import { openLab } from '../../lab/lab.ts'
import { agentFlags } from '../../lab/nodes/node.ts'
import { startOvsNode, type OvsNode } from '../../lab/programs/ovs.ts'
import { makeUnderlay } from '../../lab/underlay.ts'
import type { KeptServer } from '../../platform/redis-server/keep.ts'
import { tables } from '../../core/pipeline/tables.ts'
import { rules } from './lib/agent-api-rules.ts'
import { until } from '../setup/until.ts'
import { absolute, type Metric } from './lib/metric.ts'
import { median } from './lib/rounds.ts'

export const description =
  'resident memory of an agent with 110 Ports on Open vSwitch, 1,000 rules and 100,000 addresses with identities, comparisons included'

const ports = 110
const endpoints = 100_000
/** Where the address is, where its MAC is, and who it is. */
const flowsEach = 3
const l4Port = 18_080
/** Starts of the agent: the first puts all flows, those after it find them. */
const runs = 3
const samples = 10

export default async function agentMemory(): Promise<readonly Metric[]> {
  const lab = await openLab()
  const underlay = await makeUnderlay(`${lab.id}-u`)
  const home = join(lab.folder, 'n1')
  await mkdir(home)
  const ovs = await startOvsNode({ name: `${lab.id}-n1`, folder: join(home, 'ovs') })
  try {
    await underlay.join(ovs, '192.168.50.1')
    const space = { name: ovs.namespace.name, pid: 0, enter: ['ip', 'netns', 'exec', ovs.namespace.name] }
    await lab.start(
      process.execPath,
      [
        '--disable-warning=ExperimentalWarning',
        join(import.meta.dirname, 'lib/agent-api.ts'),
        String(l4Port),
        'n1',
        String(ports),
        String(endpoints),
      ],
      { log: 'api', space },
    )
    const kubeconfig = join(home, 'kubeconfig')
    await writeFile(
      kubeconfig,
      stringify({
        'current-context': 'x',
        contexts: [{ name: 'x', context: { cluster: 'x', user: 'x' } }],
        clusters: [{ name: 'x', cluster: { server: `http://127.0.0.1:${l4Port}` } }],
        users: [],
      }),
    )
    const env = {
      MALLOC_ARENA_MAX: '1',
      NODE_COMPILE_CACHE: join(home, 'modules'),
      MEGREZ_NODE: 'n1',
      MEGREZ_AGENTS: 'true',
      MEGREZ_KUBECONFIG: kubeconfig,
      MEGREZ_OVS_DB: ovs.db,
      MEGREZ_OVS_RUN_DIR: ovs.folder,
      MEGREZ_OVS_DATAPATH: 'netdev',
      MEGREZ_TUNNEL_ADDRESS: '192.168.50.1',
      MEGREZ_CNI_SOCKET: join(home, 'cni.sock'),
      MEGREZ_CNI_BIN: join(home, 'bin'),
      MEGREZ_CNI_CONF: join(home, 'conf'),
      MEGREZ_CNI_DELEGATE: join(home, 'delegate'),
      MEGREZ_LEDGER: join(home, 'ledger'),
      MEGREZ_LISTEN_HOST: '127.0.0.1',
      MEGREZ_HEALTH_L4PORT: '0',
    }
    const start = (log: string): Promise<KeptServer> =>
      lab.start(process.execPath, [...agentFlags, resolve(import.meta.dirname, '../../agent/main.ts')], { log, space, env })
    // Once for what it remembers of its own modules.
    const first = await start('first')
    await until(
      async () => (await readFile(join(lab.folder, 'first.log'), 'utf8')).includes('"msg":"listening"'),
      'an agent has started',
      120_000,
    )
    await first.stop()
    const seen: Memory[] = []
    for (let run = 0; run < runs; run++) {
      const agent = await start(`agent-${run}`)
      const log = (): Promise<string> => readFile(join(lab.folder, `agent-${run}.log`), 'utf8')
      await until(async () => (await log()).includes('"msg":"the agent is ready"'), 'the agent is ready', 120_000)
      await until(
        async () =>
          (await portsOf(ovs)) === ports &&
          Number((await ovs.ofctl('dump-aggregate', 'mgz-int')).match(/flow_count=(\d+)/)?.[1]) > endpoints * flowsEach &&
          ((await ovs.ofctl('dump-flows', 'mgz-int', '--no-stats', `table=${tables.policyGroups.number}`)).match(/conj_id=/g)?.length ??
            0) === rules,
        'the Ports are wired, and the flows of all endpoints and rules are there',
        120_000,
      ).catch(async (err: unknown) => {
        throw new Error((await log()).split('\n').slice(-4).join('\n'), { cause: err })
      })
      seen.push(await settled(agent.pid))
      await agent.stop()
    }
    const of = (part: keyof Memory): number => median(seen.map((each) => each[part]))
    process.stdout.write(
      `of ${seen.map(({ rss }) => rss.toFixed(0)).join(', ')} MiB; its own pages ${of('anon').toFixed(0)}, pages of files ${of('file').toFixed(0)}, most ever ${of('peak').toFixed(0)}\n`,
    )
    return [absolute('rss', 'MiB', of('rss'), { atMost: 150 })]
  } finally {
    await ovs.stop()
    await underlay.remove()
    await lab.close()
  }
}

/** Of those on the switch, those that are Ports. */
const portsOf = async ({ vsctl }: OvsNode): Promise<number> => (await vsctl('list-ports', 'mgz-int')).match(/^mgz\w+$/gm)?.length ?? 0

/** MiB, medians of ten seconds. */
interface Memory {
  readonly rss: number
  readonly anon: number
  readonly file: number
  /** Since the process began. */
  readonly peak: number
}

async function settled(pid: number): Promise<Memory> {
  const texts: string[] = []
  for (let i = 0; i < samples; i++) {
    await pause(1_000)
    texts.push(await readFile(`/proc/${pid}/status`, 'utf8'))
  }
  const of = (name: string): number => median(texts.map((text) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(text)?.[1]) / 1024))
  return { rss: of('VmRSS'), anon: of('RssAnon'), file: of('RssFile'), peak: of('VmHWM') }
}

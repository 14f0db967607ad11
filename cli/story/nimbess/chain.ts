// What Nimbess' deck says of chains, where a data plane has them: packets of a policy go through functions, which are pods that forward.
import { must } from '../../../lab/namespaces.ts'
import { connects } from '../../../lab/nodes/connections.ts'
import { until } from '../../../platform/programs/until.ts'
import { settleMs } from '../../demo/story.ts'
import { place, type PlacedPod, type TwoNodes } from '../../demo/two-nodes.ts'
import type { AgentNode } from '../../../lab/nodes/node.ts'
import type { Sentence } from '../sentence.ts'

const names = ['f1', 'f2'] as const
const nodeOf = { f1: 'n2', f2: 'n1' } as const
const addressOf = { f1: '10.0.0.41', f2: '10.0.0.42' } as const

interface ChainStage {
  readonly tenant: string
  readonly two: Pick<TwoNodes<AgentNode>, 'rest' | 'nodes'>
  readonly from: PlacedPod
  readonly to: PlacedPod
  /** From now on what `from` says to `to`, and is answered, goes through pods with these labels `app`. */
  readonly send: (functions: readonly string[]) => Promise<void>
}

export async function chainSentences({ tenant, two, from, to, send }: ChainStage): Promise<readonly Sentence[]> {
  const placed = await Promise.all(
    names.map((name) => place({ tenant, name, node: nodeOf[name], address: addressOf[name], labels: { app: name } }, two)),
  )
  for (const each of placed) await forward(each, true)
  const [first, second] = [placed[0]!, placed[1]!]
  const reaches = (): Promise<boolean> => connects(from.sandbox.namespace, to.pod.address)
  /** Packets that each has forwarded for a new connection that is answered; undefined: it is not. */
  const forwarded = async (): Promise<readonly number[] | undefined> => {
    const before = await Promise.all(placed.map(packetsOf))
    if (!(await reaches())) return undefined
    return (await Promise.all(placed.map(packetsOf))).map((now, i) => now - before[i]!)
  }
  const holds = async (says: string, isSo: () => Promise<boolean>): Promise<Sentence> =>
    until(isSo, says, settleMs).then(
      () => ({ says, wrong: [] }),
      async () => ({ says, wrong: [`the functions forward ${String(await forwarded())} packets`] }),
    )
  // Of a connection each way has two packets at the least.
  const goesBy = async (areUsed: readonly boolean[]): Promise<boolean> =>
    (await forwarded())?.every((count, i) => (areUsed[i] === true ? count >= 4 : count === 0)) === true
  await send(['f1'])
  const sentences = [
    await holds('a policy sends packets through a function on another node, and answers through the same', () => goesBy([true, false])),
  ]
  await send(['f2', 'f1'])
  sentences.push(await holds('a function is put before it while pods run: packets go through both', () => goesBy([true, true])))
  await forward(first, false)
  sentences.push(await holds('of a function that no longer forwards nothing passes, as its chain says', async () => !(await reaches())))
  await send(['f2'])
  sentences.push(await holds('and it is taken out of the chain while pods run', () => goesBy([false, true])))
  await forward(second, false)
  await send([])
  sentences.push(await holds('without a chain packets go past the functions', () => goesBy([false, false])))
  return sentences
}

async function forward({ sandbox }: PlacedPod, does: boolean): Promise<void> {
  const of = (name: string, value: number): readonly string[] => ['all', 'eth0'].map((each) => `net.ipv4.conf.${each}.${name}=${value}`)
  const settings = [`net.ipv4.ip_forward=${does ? 1 : 0}`, ...of('rp_filter', 0), ...of('send_redirects', 0)]
  await must('ip', 'netns', 'exec', sandbox.namespace.name, 'sysctl', '-qw', ...settings)
}

/** ForwDatagrams of IP (RFC 4293). */
async function packetsOf({ sandbox }: PlacedPod): Promise<number> {
  const { stdout } = await sandbox.namespace.exec('cat', '/proc/net/snmp')
  const [keys = [], values = []] = stdout.split('\n').map((line) => line.split(' '))
  return Number(values[keys.indexOf('ForwDatagrams')])
}

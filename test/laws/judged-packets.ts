// Random rule sets that need no connections, in force on real nodes, and random packets between pods: each does what the verdict says,
// whatever it carries and whichever way. A law of the data planes that follow no connections.
import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import type { TestContext } from 'node:test'
import type { LocalPort, RuleSet } from '../../core/node/wanted.ts'
import { verdictOn } from '../../core/policy/verdict.ts'
import type { Namespace } from '../../lab/namespaces.ts'
import { frameBetween, listen, sendFrames, udpPayload, type Ear } from '../node/raw-frames.ts'
import { trials } from '../setup/trials.ts'
import { until } from '../setup/until.ts'
import { seeded } from '../workers/test-cluster.ts'
import { drawRuleSets, identities, mirrored } from './rule-sets.ts'
import { assertWalked, type Places, type WalkedPod } from './walked-path.ts'

const packetsInRound = 50
/** UDP, TCP, ICMP, GRE, and one that nobody knows. */
const protocols = [17, 6, 1, 47, 253]

export interface JudgedPod {
  readonly port: LocalPort
  readonly namespace: Namespace
}
export interface Judging<Pod extends JudgedPod> {
  readonly sets: readonly RuleSet[]
  readonly identityOf: (pod: Pod) => number
}
interface SentPacket<Pod extends JudgedPod> {
  readonly from: Pod
  readonly to: Pod
  readonly frame: string
}

export interface JudgedPackets<Pod extends JudgedPod> {
  readonly vni: number
  readonly pods: readonly Pod[]
  /** Puts it in force. */
  readonly judge: (judging: Judging<Pod>) => Promise<void>
  /** What a trace tells of the way is compared with what is on the nodes. */
  readonly walked: {
    readonly dataplane: string
    readonly at: (pod: Pod) => Pick<WalkedPod, 'node' | 'hostIP'>
    readonly places: () => Promise<Places>
  }
}
/** Rounds in which it is. */
const walkedRounds = 6

export async function judgedPacketsLaw<Pod extends JudgedPod>(t: TestContext, law: JudgedPackets<Pod>): Promise<void> {
  const { pods } = law
  const ears = new Map<Pod, Ear>()
  const [first, rounds] = [randomInt(2 ** 40), trials(40)]
  t.diagnostic(`${rounds} seeds from ${first}, ${packetsInRound} packets each`)
  const counted = { passed: 0, dropped: 0 }
  try {
    for (const pod of pods) ears.set(pod, await listen(pod.namespace, 'eth0', 400))
    // Few rounds may be of policies that drop nothing: a few more are not.
    const isOneSided = (): boolean => counted.passed === 0 || counted.dropped === 0
    for (let nth = 0; nth < rounds || (isOneSided() && nth < 4 * rounds); nth++)
      for (const passes of await round(first + nth, nth, law, ears)) counted[passes ? 'passed' : 'dropped']++
  } finally {
    for (const ear of ears.values()) await ear.close()
  }
  assert.ok(counted.passed > 0 && counted.dropped > 0, JSON.stringify(counted))
}

/** @returns of each packet whether it had to pass, as it did */
async function round<Pod extends JudgedPod>(
  seed: number,
  nth: number,
  { vni, pods, judge, walked }: JudgedPackets<Pod>,
  ears: ReadonlyMap<Pod, Ear>,
): Promise<readonly boolean[]> {
  const random = seeded(seed)
  const sets = drawRuleSets(random, vni, 5).map(mirrored)
  const who = new Map(pods.map((pod) => [pod, identities[Math.floor(random() * identities.length)]!]))
  const judging: Judging<Pod> = { sets, identityOf: (pod) => who.get(pod)! }
  await judge(judging)
  // No two of all rounds are of one connection.
  const sent = Array.from({ length: packetsInRound }, (_, i) => draw(random, pods, 1024 + nth * packetsInRound + i))
  const byPod = Map.groupBy(sent, ({ from }) => from)
  const framesOf = (all: readonly SentPacket<Pod>[]): readonly string[] => all.map(({ frame }) => frame)
  await Promise.all([...byPod].map(([from, all]) => sendFrames(from.namespace, 'eth0', framesOf(all))))
  const isWanted = ({ from, to }: SentPacket<Pod>): boolean => mayPass(judging, from, to)
  const hasCome = ({ to, frame }: SentPacket<Pod>): boolean => ears.get(to)!.heard.some((each) => each.startsWith(frame))
  const allCame = (): boolean => sent.every((each) => !isWanted(each) || hasCome(each))
  await until(() => Promise.resolve(allCame()), 'what may pass has come', 3_000).catch(() => undefined)
  await new Promise((resolve) => setTimeout(resolve, 50))
  for (const each of sent) {
    const ends = `${each.from.port.uid} to ${each.to.port.uid}`
    assert.equal(hasCome(each), isWanted(each), `seed ${seed}: ${ends}, ${JSON.stringify([...who.values()])} under ${JSON.stringify(sets)}`)
  }
  if (nth < walkedRounds) await compareWalks(sent, judging, { vni, walked, passes: hasCome })
  return sent.map(isWanted)
}

interface Compared<Pod extends JudgedPod> extends Pick<JudgedPackets<Pod>, 'vni' | 'walked'> {
  readonly passes: (sent: SentPacket<Pod>) => boolean
}

/** One packet of each two pods: what it carries makes no difference here. */
async function compareWalks<Pod extends JudgedPod>(
  sent: readonly SentPacket<Pod>[],
  { sets, identityOf }: Judging<Pod>,
  { vni, walked: { dataplane, at, places }, passes }: Compared<Pod>,
): Promise<void> {
  const walkedPod = (pod: Pod): WalkedPod => ({ port: pod.port, identity: identityOf(pod), ...at(pod) })
  const there = await places()
  for (const each of new Map(sent.map((packet) => [`${packet.from.port.uid} ${packet.to.port.uid}`, packet])).values())
    assertWalked({ vni, sets, dataplane, from: walkedPod(each.from), to: walkedPod(each.to) }, passes(each), there)
}

function draw<Pod extends JudgedPod>(random: () => number, pods: readonly Pod[], l4From: number): SentPacket<Pod> {
  const [from, to] = [...pods].sort(() => random() - 0.5) as [Pod, Pod]
  const proto = protocols[Math.floor(random() * protocols.length)]!
  return { from, to, frame: frameBetween(from.port, to.port, proto, udpPayload(l4From, 80)) }
}

function mayPass<Pod extends JudgedPod>({ sets, identityOf }: Judging<Pod>, from: Pod, to: Pod): boolean {
  const peer = (pod: Pod) => ({ identity: identityOf(pod), address: pod.port.addresses[0]! })
  const transport = { protocol: 17, l4Port: 80 }
  return (
    verdictOn(sets, { subject: identityOf(from), direction: 'egress', peer: peer(to), transport }).isAllowed &&
    verdictOn(sets, { subject: identityOf(to), direction: 'ingress', peer: peer(from), transport }).isAllowed
  )
}

// Nimbess' story: one policy says who may talk to whom, it is changed while pods run, and at most one of them is in force on a pod. Two
// nodes; each sentence is shown by connections. Where a data plane follows none, policies say the same of both directions.
import { availableParallelism, loadavg } from 'node:os'
import { until } from '../../platform/programs/until.ts'
import { inLab, type Lab, type Stops } from '../../lab/lab.ts'
import { bessCarrier, linuxCarrier, type Carrier, type CarrierPlace } from '../../lab/nodes/carriers.ts'
import { bessProgram } from '../../lab/programs/bess.ts'
import { ovsMissing } from '../../lab/programs/ovs.ts'
import { pathOf, type Rest } from '../demo/rest.ts'
import { settleMs } from '../demo/story.ts'
import { made, makeNetwork, place, startTwoNodes, startTwoNodesOn, type PlacedPod } from '../demo/two-nodes.ts'
import { answerSeconds, connects, heldOpen, listens, shareArriving } from '../../lab/nodes/connections.ts'
import { haproxyMissing } from '../../lab/programs/haproxy.ts'
import { chainSentences } from './nimbess/chain.ts'
import { urlSentences } from './nimbess/urls.ts'
import { printSentences, type Sentence } from './sentence.ts'

const tenant = 'nimbess'
/** Twice what the pods book; the wires of a lab say nothing themselves. */
const uplinks = { MEGREZ_UNDERLAY_INTERFACE: 'phy0', MEGREZ_UNDERLAY_MBPS: '50000' }
const cast = [
  { tenant, name: 'x1', node: 'n1', address: '10.0.0.11', labels: { app: 'x' } },
  { tenant, name: 'y1', node: 'n1', address: '10.0.0.21', labels: { app: 'y' } },
  { tenant, name: 'y2', node: 'n2', address: '10.0.0.22', labels: { app: 'y' } },
  { tenant, name: 'z1', node: 'n2', address: '10.0.0.31', labels: { app: 'z' } },
] as const
type Name = (typeof cast)[number]['name']
type Pair = readonly [from: Name, to: Name]

const label = (app: string): object => ({ matchLabels: { app } })
const toY = { action: 'allow', peers: [{ podSelector: label('y') }] }
const fromX = { action: 'allow', peers: [{ podSelector: label('x') }] }
const closed = { ingress: 'deny', egress: 'deny' }
const fromY = toY
const policiesOn = (isStateful: boolean) => ({
  x: {
    podSelector: label('x'),
    defaults: closed,
    egress: [toY],
    ...(!isStateful && { ingress: [fromY] }),
    bandwidth: { min: '25G' },
  },
  y: { podSelector: label('y'), defaults: closed, ...fromOn(isStateful, [fromX]), priority: 10 },
  other: { podSelector: label('y'), defaults: closed, priority: 1 },
})
/** Who may begin; and where answers are not told from that, who may answer. */
const fromOn = (isStateful: boolean, rules: readonly object[]): object => ({ ingress: rules, ...(!isStateful && { egress: rules }) })

const dataplanes = ['ovs', 'bess', 'linux'] as const
type Dataplane = (typeof dataplanes)[number]

/** @returns the exit code */
export async function playNimbess(json: boolean, dataplane = 'ovs'): Promise<number> {
  const carried = await carrierOf(dataplane)
  if ('missing' in carried) {
    process.stderr.write(`story nimbess: ${carried.missing}\n`)
    return 1
  }
  const sentences = await inLab((lab, stops) => play(lab, stops, carried.carry))
  return printSentences(sentences, json)
}

type Carried = { readonly missing: string } | { readonly carry: ((place: CarrierPlace) => Promise<Carrier>) | undefined }

/** Without one of its own: Open vSwitch. */
async function carrierOf(dataplane: string): Promise<Carried> {
  if (!(dataplanes as readonly string[]).includes(dataplane))
    return { missing: `there is no data plane ${dataplane}: ${dataplanes.join(', ')}` }
  const print = (line: string): unknown => process.stderr.write(`${line}\n`)
  if ((dataplane as Dataplane) === 'linux') return { carry: linuxCarrier }
  if ((dataplane as Dataplane) === 'ovs') {
    const missing = await ovsMissing({ install: false, print })
    return missing === undefined ? { carry: undefined } : { missing }
  }
  const program = await bessProgram({ install: false, print })
  return 'missing' in program ? program : { carry: bessCarrier(program.path) }
}

interface Stage {
  readonly rest: Rest
  readonly isStateful: boolean
  readonly policies: ReturnType<typeof policiesOn>
  readonly pods: ReadonlyMap<Name, PlacedPod>
  readonly sentences: Sentence[]
}

async function play(lab: Lab, stops: Stops, carry: ((place: CarrierPlace) => Promise<Carrier>) | undefined): Promise<readonly Sentence[]> {
  const two = await (carry === undefined ? startTwoNodes(lab, false, stops, uplinks) : startTwoNodesOn(carry, lab, stops))
  await makeNetwork(two.rest, tenant)
  const placed = await Promise.all(cast.map((each) => place(each, two)))
  const pods = new Map(placed.map((each) => [each.pod.name, each]))
  for (const { sandbox } of placed) stops.push(await listens(sandbox.namespace))
  const isStateful = carry === undefined
  const stage: Stage = { rest: two.rest, isStateful, policies: policiesOn(isStateful), pods, sentences: [] }
  await checkWhoMayTalk(stage)
  if (isStateful) await checkHowFast(stage)
  await checkChanges(stage)
  if (isStateful) {
    const [from, to] = [pods.get('x1')!, pods.get('y1')!]
    if ((await haproxyMissing({ install: false, print: () => undefined })) === undefined)
      stage.sentences.push(...(await urlSentences({ from, to, stops, refuse: (urls) => refuse(stage, urls) })))
    stage.sentences.push(...(await chainSentences({ tenant, two, from, to, send: (functions) => sendThrough(stage, functions) })))
  }
  return stage.sentences
}

async function checkWhoMayTalk(stage: Stage): Promise<void> {
  const { rest, policies, isStateful } = stage
  await check(stage, 'without a policy all of a Vpc talk to each other', { may: everyPair, mayNot: [] })
  await apply(rest, 'x', policies.x)
  await apply(rest, 'y', policies.y)
  const onlyXToY = {
    may: [
      ['x1', 'y1'],
      ['x1', 'y2'],
    ],
    mayNot: [['z1', 'y1'], ['z1', 'y2'], ['x1', 'z1'], ...(isStateful ? ([['y1', 'x1']] as const) : []), ['y1', 'y2']],
  } as const
  await check(stage, 'any pod with label x may talk to label y, but no one else; one policy is applied to many pods', onlyXToY)
  await apply(rest, 'other', policies.other)
  await check(stage, 'a pod has a single policy at a time: one of lower priority changes nothing', onlyXToY)
  stage.sentences.push(await minimum(stage))
}

/** Of what nodes with Open vSwitch are told that they have; the others hold no minimum. */
async function minimum({ rest, isStateful }: Stage): Promise<Sentence> {
  const says = isStateful
    ? 'a minimum bandwidth is booked on the node of the pod, and held on its uplink'
    : 'a minimum bandwidth that a node cannot hold is refused by name, with the reason'
  let is: unknown
  const holds = async (): Promise<boolean> => {
    const { items } = (await rest.call('GET', `/v1/namespaces/${tenant}/ports`)).body as unknown as { items: readonly PortSeen[] }
    const node = items.find(({ spec }) => spec.claim?.pod === 'x1')?.status?.node
    is = node
    const isRefused = node?.conditions?.some(({ message }) => message.includes('/spec/bandwidth/min: nothing is booked')) === true
    return isStateful ? node?.booked === 25e9 && !isRefused : isRefused
  }
  return until(holds, says, settleMs).then(
    () => ({ says, wrong: [] }),
    () => ({ says, wrong: [`the node says ${JSON.stringify(is)}`] }),
  )
}
interface PortSeen {
  readonly spec: { readonly claim?: { readonly pod?: string } }
  readonly status?: { readonly node?: { readonly booked?: number; readonly conditions?: readonly { readonly message: string }[] } }
}

/** Of datagrams that are sent at eight times what is allowed. */
async function checkHowFast({ rest, pods, sentences, policies }: Stage): Promise<void> {
  const [x, y] = [pods.get('x1')!, pods.get('y2')!]
  const becomes = async (says: string, max: object, isRight: (share: number) => boolean): Promise<void> => {
    await apply(rest, 'x', { ...policies.x, bandwidth: { ...policies.x.bandwidth, max } })
    let share = -1
    const isSo = async (): Promise<boolean> =>
      isRight((share = await shareArriving(x.sandbox.namespace, y.sandbox.namespace, y.pod.address)))
    const wrong = await until(isSo, says, settleMs).then(
      () => [],
      () => [`${Math.round(share * 100)} % of the datagrams arrive`],
    )
    sentences.push({ says, wrong })
  }
  await becomes(
    'the same policy says how fast: of what is above the most of a pod little arrives',
    { egress: '1M' },
    (share) => share > 0 && share < 0.6,
  )
  await becomes('and it is changed while the pod runs', { egress: '1G' }, (share) => share > 0.9)
}

async function checkChanges(stage: Stage): Promise<void> {
  const { rest, pods, policies, isStateful } = stage
  const fromZ = { action: 'allow', peers: [{ podSelector: label('z') }] }
  await apply(rest, 'y', { ...policies.y, ...fromOn(isStateful, [fromX, fromZ]) })
  await check(stage, 'a policy is updated while pods run: z may talk to y now', {
    may: [
      ['z1', 'y1'],
      ['x1', 'y2'],
    ],
    mayNot: [['x1', 'z1']],
  })
  const held = await heldOpen(pods.get('z1')!.sandbox.namespace, pods.get('y1')!.pod.address)
  await apply(rest, 'y', policies.y)
  const ended = await held.ends()
  await check(stage, 'and not any more', {
    may: [['x1', 'y1']],
    mayNot: [
      ['z1', 'y1'],
      ['z1', 'y2'],
    ],
  })
  stage.sentences.push({
    says: 'a connection that was open is ended by the policy that forbids it',
    wrong: ended ? [] : ['z1 was still answered by y1'],
  })
  const path = pathOf('Pod', tenant, 'z1')
  const { etag } = await rest.call('GET', path)
  const merge = { 'content-type': 'application/merge-patch+json', 'if-match': etag ?? '' }
  const { status } = await rest.call('PATCH', path, { metadata: { labels: { app: 'x' } } }, merge)
  if (status !== 200) throw new Error(`PATCH ${path}: ${status}`)
  await check(stage, 'a label that changes changes who may talk, without a restart', {
    may: [
      ['z1', 'y1'],
      ['z1', 'y2'],
    ],
    mayNot: isStateful ? [['y1', 'z1']] : [['z1', 'x1']],
  })
}

const names = cast.map(({ name }) => name)
const everyPair: readonly Pair[] = names.flatMap((from) => names.filter((to) => to !== from).map((to): Pair => [from, to]))

/** With two bessd on one core, and other work beside them, an answer is late. */
const answerSecondsMost = 16

/** Looked at until it is so, or the time is over: workers and nodes need a moment. Each time longer is waited for answers. */
async function check(
  { pods, sentences }: Stage,
  says: string,
  { may, mayNot }: { may: readonly Pair[]; mayNot: readonly Pair[] },
): Promise<void> {
  let wrong: readonly string[] = []
  let seconds = answerSeconds
  const areAsSaid = async (): Promise<boolean> => {
    const connected = ([from, to]: Pair): Promise<boolean> =>
      connects(pods.get(from)!.sandbox.namespace, pods.get(to)!.pod.address, seconds)
    const failing = async (pairs: readonly Pair[], expected: boolean): Promise<readonly string[]> =>
      (await Promise.all(pairs.map(async (pair) => ((await connected(pair)) === expected ? [] : [pair])))).flatMap((each) =>
        each.map(([from, to]) => `${from} ${expected ? 'does not reach' : 'reaches'} ${to}`),
      )
    wrong = [...(await failing(may, true)), ...(await failing(mayNot, false))]
    seconds = Math.min(seconds * 2, answerSecondsMost)
    return wrong.length === 0
  }
  await until(areAsSaid, says, settleMs).catch(() => undefined)
  sentences.push({ says, wrong: wrong.length === 0 ? wrong : [...wrong, ...(await seenAround(pods))] })
}

/** What is to be known where somebody is not reached who should be: the machine, who answers pings, and what agents have said last. */
async function seenAround(pods: Stage['pods']): Promise<readonly string[]> {
  const all = [...pods.values()]
  const pings = await Promise.all(
    all.map(async ({ sandbox, pod }, i) => {
      const to = all[(i + 1) % all.length]!.pod
      const { stdout } = await sandbox.namespace.exec('ping', '-c', '1', '-W', String(answerSecondsMost), to.address)
      return `ping ${pod.name} → ${to.name}: ${/time=[\d.]+ ms/.exec(stdout)?.[0] ?? 'no answer'}`
    }),
  )
  const logs = await Promise.all([...new Set(all.map(({ on }) => on))].map(async (node) => (await node.log()).trim().split('\n').slice(-8)))
  return [`load ${loadavg().join(' ')} on ${availableParallelism()} cores`, ...pings, ...logs.flat()]
}

/** What x asks y for. */
async function refuse({ rest, policies }: Stage, urls: readonly string[]): Promise<void> {
  const refused = { action: 'deny', ports: [{ l4Port: 80 }], l7: { urls } }
  await apply(rest, 'x', { ...policies.x, egress: [...(urls.length > 0 ? [refused] : []), toY] })
}

/** What x says to y. */
async function sendThrough({ rest, policies }: Stage, functions: readonly string[]): Promise<void> {
  const through = functions.map((app) => ({ name: app, pods: label(app) }))
  const chains = [{ name: 'to-y', peers: [{ podSelector: label('y') }], ports: [{ l4Port: 8080 }], functions: through }]
  await apply(rest, 'x', { ...policies.x, ...(functions.length > 0 && { chains }) })
}

/** Made, or put in place of the one that is there. */
async function apply(rest: Rest, name: string, spec: object): Promise<void> {
  const body = { apiVersion: 'megrez.io/v1alpha1', kind: 'UnifiedNetworkPolicy', metadata: { name }, spec }
  const path = pathOf('UnifiedNetworkPolicy', tenant, name)
  const { status, etag } = await rest.call('GET', path)
  if (status === 404) return void (await made(rest, pathOf('UnifiedNetworkPolicy', tenant), body))
  const answer = await rest.call('PUT', path, body, { 'if-match': etag ?? '' })
  if (answer.status !== 200) throw new Error(`PUT ${path}: ${answer.status} ${answer.body.detail ?? ''}`)
}

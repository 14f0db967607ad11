// The demo of two nodes: two tenants with the same addresses, pods on both nodes, and real packets between them.
import { until } from '../../platform/programs/until.ts'
import { inLab, type Lab, type Stops } from '../../lab/lab.ts'
import type { Namespace } from '../../lab/namespaces.ts'
import type { LabNode } from '../../lab/nodes/node.ts'
import { echoesAt, pinged, reaches, type Lost } from '../../lab/nodes/ping.ts'
import { ovsMissing } from '../../lab/programs/ovs.ts'
import type { Cast, NodesDemo, Ping } from './nodes-result.ts'
import { printNodes } from './print-nodes.ts'
import { pathOf, type Rest } from './rest.ts'
import { settleMs } from './story.ts'
import { makeNetwork, place, startTwoNodes, type PlacedPod } from './two-nodes.ts'

const cast: readonly Cast[] = ['red', 'blue'].flatMap((tenant) => [
  { tenant, name: 'one', node: 'n1', address: '10.0.0.11' },
  { tenant, name: 'two', node: 'n2', address: '10.0.0.12' },
  { tenant, name: 'three', node: 'n2', address: tenant === 'red' ? '10.0.0.13' : '10.0.0.14' },
])
const addresses = ['10.0.0.11', '10.0.0.12', '10.0.0.13', '10.0.0.14']
const restartPings = { count: 150, everyMs: 20 }

type PodOfTenant = PlacedPod<Cast, LabNode>

/** @returns what was not as it should be */
export async function demoNodes({
  json,
  install,
  nodes,
}: {
  readonly json: boolean
  readonly install: boolean
  readonly nodes: number
}): Promise<readonly string[]> {
  if (nodes !== 2) return [`--nodes is ${nodes}: the demo has two`]
  const missing = await ovsMissing({ install, print: (line) => process.stderr.write(`${line}\n`) })
  if (missing !== undefined) return [missing]
  const demo = await inLab((lab, stops) => play(lab, install, stops))
  process.stdout.write(json ? `${JSON.stringify(demo)}\n` : printNodes(demo, addresses))
  return wrongWith(demo)
}

async function play(lab: Lab, install: boolean, stops: Stops): Promise<NodesDemo> {
  const two = await startTwoNodes(lab, install, stops)
  const { rest, nodes } = two
  for (const namespace of ['red', 'blue']) await makeNetwork(rest, namespace)
  const pods = await Promise.all(cast.map((each) => place(each, two)))
  const pings = await pingAll(pods)
  const spoofed = await spoof(pods)
  const restart = await restarted(pods, [...nodes.values()])
  const left = await takeBack(pods, rest)
  return {
    pods: pods.map(({ pod, addMs }) => ({ ...pod, addMs })),
    pings,
    spoofed,
    restart,
    left,
  }
}

const inside = ({ sandbox }: PodOfTenant): Namespace => sandbox.namespace
const named = ({ tenant, name }: Cast): string => `${tenant}/${name}`

async function pingAll(pods: readonly PodOfTenant[]): Promise<Ping[]> {
  const pings = pods.flatMap((from) =>
    addresses
      .filter((address) => address !== from.pod.address)
      .map((to) => ({ from, to, expected: pods.some(({ pod }) => pod.tenant === from.pod.tenant && pod.address === to) })),
  )
  return Promise.all(
    pings.map(async ({ from, to, expected }) => ({
      from: named(from.pod),
      to,
      expected,
      reached: await reaches(inside(from), to, { tries: expected ? 8 : 2 }),
    })),
  )
}

const who = (pods: readonly PodOfTenant[], tenant: string, name: string): PodOfTenant =>
  pods.find(({ pod }) => pod.tenant === tenant && pod.name === name)!

/** red/one sends as if it were red/three: the switch is to drop it, so red/two must not see it. Its own address is seen. */
async function spoof(pods: readonly PodOfTenant[]): Promise<NodesDemo['spoofed']> {
  const [one, two, three] = ['one', 'two', 'three'].map((name) => who(pods, 'red', name)) as [PodOfTenant, PodOfTenant, PodOfTenant]
  const sent = 3
  const arrivedBy = async (send: () => Promise<unknown>): Promise<number> => {
    const before = await echoesAt(inside(two))
    await send()
    return (await echoesAt(inside(two))) - before
  }
  const honest = await arrivedBy(() => inside(one).exec('ping', '-c', String(sent), '-W', '1', two.pod.address))
  if (honest !== sent) throw new Error(`of ${sent} honest packets ${honest} arrived: nothing can be said of dishonest ones`)
  await inside(one).ip('addr', 'add', `${three.pod.address}/32`, 'dev', 'eth0')
  try {
    return {
      sent,
      arrived: await arrivedBy(() => inside(one).exec('ping', '-c', String(sent), '-W', '1', '-I', three.pod.address, two.pod.address)),
    }
  } finally {
    await inside(one).ip('addr', 'del', `${three.pod.address}/32`, 'dev', 'eth0')
  }
}

async function restarted(pods: readonly PodOfTenant[], nodes: readonly LabNode[]): Promise<Lost> {
  const pinging = pinged(inside(who(pods, 'red', 'one')), who(pods, 'red', 'two').pod.address, restartPings)
  pinging.catch(() => undefined)
  for (const node of nodes) {
    await node.killAgent()
    await node.startAgent()
  }
  return pinging
}

/** Everything is taken back as it was made, and then looked for. */
async function takeBack(pods: readonly PodOfTenant[], rest: Rest): Promise<string[]> {
  for (const {
    sandbox,
    on,
    pod: { tenant, name },
  } of pods) {
    const { code, said } = await on.cni('DEL', sandbox)
    if (code !== 0) throw new Error(`CNI DEL of ${tenant}/${name}: ${code} ${said.msg ?? ''}`)
    await rest.remove(pathOf('Pod', tenant, name))
  }
  for (const tenant of ['red', 'blue']) {
    await until(
      async () => ((await rest.call('GET', pathOf('Port', tenant))).body.items ?? []).length === 0,
      `the Ports of ${tenant} are gone`,
      settleMs,
    )
    await rest.remove(pathOf('Subnet', tenant, 'all'))
    await rest.remove(pathOf('Vpc', tenant, 'net'))
  }
  await until(async () => (await rest.everything()).length === 0, 'all objects are gone', settleMs).catch(() => undefined)
  const objects = (await rest.everything()).map(({ kind, metadata }) => `${kind} ${metadata.namespace ?? ''}/${metadata.name}`)
  return [...objects, ...(await Promise.all([...new Set(pods.map(({ on }) => on))].map(leftOn))).flat()]
}

/** Interfaces of ours that a node still has, in its switch or in its kernel. */
async function leftOn({ name, ovs }: LabNode): Promise<string[]> {
  let left: string[] = []
  await until(
    async () => {
      const ports = (await ovs.vsctl('--bare', '--columns=name', 'list', 'Interface'))
        .split('\n')
        .filter((each) => each.startsWith('mgz') && each !== 'mgz-int' && !each.startsWith('mgz-'))
      const { stdout } = await ovs.namespace.exec('ip', '-o', 'link')
      const links = [...stdout.matchAll(/^\d+: (mgz[0-9a-v]{12})@/gm)].map(([, link = '']) => link)
      left = [...ports.map((port) => `port ${port} on ${name}`), ...links.map((link) => `link ${link} on ${name}`)]
      return left.length === 0
    },
    `node ${name} has no port of a pod`,
    settleMs,
  ).catch(() => undefined)
  return left
}

function wrongWith({ pings, spoofed, restart, left }: NodesDemo): string[] {
  const wrong = pings
    .filter(({ expected, reached }) => expected !== reached)
    .map(({ from, to, expected }) => `${from} ${expected ? 'does not reach' : 'reaches'} ${to}`)
  if (spoofed.arrived > 0) wrong.push(`${spoofed.arrived} packets with another's address arrived`)
  if (restart.sent < restartPings.count || restart.lost > 0)
    wrong.push(`${restart.lost} of ${restart.sent} packets were lost while the agents were killed`)
  return [...wrong, ...left.map((each) => `left behind: ${each}`)]
}

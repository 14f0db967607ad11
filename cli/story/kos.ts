// KOS's story: attachments on nodes instead of pods. Each has an interface in its node's own network, named after its MAC, which has no
// address until a program of the node's has run; nodes hear of one another's attachments and packets pass; what is deleted is gone.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { until } from '../../platform/programs/until.ts'
import { pathOf, type Rest } from '../demo/rest.ts'
import { settleMs } from '../demo/story.ts'
import { startTwoNodes } from '../demo/two-nodes.ts'
import { inLab, type Lab, type Stops } from '../../lab/lab.ts'
import type { LabNode } from '../../lab/nodes/node.ts'
import { reaches } from '../../lab/nodes/ping.ts'
import { ovsMissing } from '../../lab/programs/ovs.ts'

interface Attachment {
  readonly node: string
  readonly address: string
  readonly mac: string
  readonly ifcName: string
  /** What its program printed, and how it ended. */
  readonly ran: { readonly exitStatus: number; readonly stdOut: string } | undefined
}
export interface KosStory {
  readonly attachments: readonly Attachment[]
  /** Both ways, and to an address that nobody has. */
  readonly pings: readonly { readonly from: string; readonly to: string; readonly reached: boolean; readonly expected: boolean }[]
  readonly left: readonly string[]
}
type Status =
  | {
      readonly phase?: string
      readonly addresses?: readonly string[]
      readonly mac?: string
      readonly ifcName?: string
      readonly node?: { readonly wired?: boolean; readonly postCreateExecReport?: Attachment['ran'] }
    }
  | undefined

/** What a node does with an attachment is the node's own business: this one takes the address for itself. */
const attach = `#!/bin/sh
set -e
ip address add "$2/24" dev "$1"
echo "$1 $2 $3"
`
const nobody = '10.1.0.250'

/** @returns the exit code */
export async function playKos(json: boolean): Promise<number> {
  const missing = await ovsMissing({ install: false, print: (line) => process.stderr.write(`${line}\n`) })
  if (missing !== undefined) {
    process.stderr.write(`story kos: ${missing}\n`)
    return 1
  }
  const story = await inLab(play)
  process.stdout.write(json ? `${JSON.stringify(story)}\n` : summary(story))
  const wrong = wrongWith(story)
  for (const each of wrong) process.stderr.write(`story kos: ${each}\n`)
  return wrong.length === 0 ? 0 : 1
}

async function play(lab: Lab, stops: Stops): Promise<KosStory> {
  const program = join(lab.folder, 'attach')
  await writeFile(program, attach, { mode: 0o755 })
  const env = { MEGREZ_EXEC_ALLOW: program, MEGREZ_PORTS_WITHOUT_POD: 'bare' }
  const { rest, nodes: byName } = await startTwoNodes(lab, false, stops, env)
  const nodes = [...byName.values()]
  await made(rest, 'Vpc', 'net', { vni: 5001 })
  await made(rest, 'Subnet', 'all', { vpc: 'net', ipv4: { cidr: '10.1.0.0/24' } })
  await until(
    async () => (await rest.call('GET', pathOf('Subnet', 'kos', 'all'))).body.status?.phase === 'ready',
    'the Subnet is validated',
    settleMs,
  )
  const attachments = await Promise.all(nodes.map((node) => attached(rest, node.name, program)))
  const pings = await pingBoth(nodes, attachments)
  return { attachments, pings, left: await takeBack(rest, nodes, attachments) }
}

async function made(rest: Rest, kind: 'Vpc' | 'Subnet' | 'Port', name: string, spec: object): Promise<void> {
  const answer = await rest.call('POST', pathOf(kind, 'kos'), { apiVersion: 'megrez.io/v1alpha1', kind, metadata: { name }, spec })
  if (answer.status !== 201) throw new Error(`${kind} ${name}: ${answer.status} ${answer.body.detail ?? ''}`)
}

async function attached(rest: Rest, node: string, program: string): Promise<Attachment> {
  await made(rest, 'Port', `on-${node}`, { subnet: 'all', node, postCreateExec: [program, '${ifname}', '${ipv4}', '${mac}'] })
  let status: Status
  await until(
    async () => {
      status = (await rest.call('GET', pathOf('Port', 'kos', `on-${node}`))).body.status
      return status?.node?.wired === true
    },
    `the attachment on ${node} is wired`,
    settleMs,
  )
  return {
    node,
    address: status?.addresses?.[0] ?? '',
    mac: status?.mac ?? '',
    ifcName: status?.ifcName ?? '',
    ran: status?.node?.postCreateExecReport,
  }
}

async function pingBoth(nodes: readonly LabNode[], attachments: readonly Attachment[]): Promise<KosStory['pings']> {
  const pings = attachments.flatMap((from) => [
    ...attachments.filter((to) => to !== from).map((to) => ({ from, to: to.address, expected: true })),
    { from, to: nobody, expected: false },
  ])
  return Promise.all(
    pings.map(async ({ from, to, expected }) => {
      const { namespace } = nodes.find(({ name }) => name === from.node)!.ovs
      return { from: from.node, to, expected, reached: await reaches(namespace, to, { tries: expected ? 8 : 2 }) }
    }),
  )
}

async function takeBack(rest: Rest, nodes: readonly LabNode[], attachments: readonly Attachment[]): Promise<string[]> {
  for (const { node } of attachments) await rest.remove(pathOf('Port', 'kos', `on-${node}`))
  await until(
    async () => ((await rest.call('GET', pathOf('Port', 'kos'))).body.items ?? []).length === 0,
    'the attachments are gone',
    settleMs,
  )
  const left: string[] = []
  for (const { node, ifcName } of attachments) {
    const { namespace } = nodes.find(({ name }) => name === node)!.ovs
    await until(async () => (await namespace.exec('ip', 'link', 'show', ifcName)).code !== 0, `${ifcName} is gone`, settleMs).catch(
      () => void left.push(`${ifcName} on ${node}`),
    )
  }
  return left
}

function wrongWith({ attachments, pings, left }: KosStory): string[] {
  const wrong = pings
    .filter(({ reached, expected }) => reached !== expected)
    .map(({ from, to, expected }) => `${from} ${expected ? 'does not reach' : 'reaches'} ${to}`)
  for (const { node, mac, ifcName, address, ran } of attachments) {
    if (ifcName !== `kos${mac.replaceAll(':', '')}`) wrong.push(`the interface on ${node} is called ${ifcName}`)
    if (ran?.exitStatus !== 0 || ran.stdOut.trim() !== `${ifcName} ${address} ${mac}`)
      wrong.push(`the program on ${node} said ${JSON.stringify(ran)}`)
  }
  return [...wrong, ...left.map((each) => `left behind: ${each}`)]
}

function summary({ attachments, pings, left }: KosStory): string {
  const lines = attachments.map(
    ({ node, address, ifcName, ran }) => `${node}: ${ifcName} has ${address}; its program ended with ${ran?.exitStatus ?? 'nothing'}`,
  )
  for (const { from, to, reached } of pings) lines.push(`${from} → ${to}: ${reached ? 'answers' : 'silence'}`)
  return `${[...lines, left.length === 0 ? 'Deleted: nothing is left.' : `Left behind: ${left.join(', ')}`].join('\n')}\n`
}

// The demo of policies: who reaches whom before, as a plan says it will be, and after, on two nodes with Open vSwitch.
import { inLab, type Lab, type Stops } from '../../lab/lab.ts'
import { connects, listens } from '../../lab/nodes/connections.ts'
import { ovsMissing } from '../../lab/programs/ovs.ts'
import { until } from '../../platform/programs/until.ts'
import { pathOf, type Rest } from './rest.ts'
import { settleMs } from './story.ts'
import { made, makeNetwork, place, startTwoNodes, type PlacedPod } from './two-nodes.ts'

const tenant = 'demo'
const l4Port = 8080
const cast = [
  { tenant, name: 'web', node: 'n1', address: '10.0.0.11', labels: { app: 'web' } },
  { tenant, name: 'api', node: 'n2', address: '10.0.0.12', labels: { app: 'api' } },
  { tenant, name: 'db', node: 'n2', address: '10.0.0.13', labels: { app: 'db' } },
] as const
type Name = (typeof cast)[number]['name']
const names = cast.map(({ name }) => name)

const only = (app: string, from: string): object => ({
  apiVersion: 'megrez.io/v1alpha1',
  kind: 'UnifiedNetworkPolicy',
  metadata: { name: app, namespace: tenant },
  spec: {
    podSelector: { matchLabels: { app } },
    defaults: { ingress: 'deny' },
    ingress: [{ action: 'allow', peers: [{ podSelector: { matchLabels: { app: from } } }], ports: [{ protocol: 'tcp', l4Port }] }],
  },
})
const policies = [only('api', 'web'), only('db', 'api')]
const expected = (from: Name, to: Name): boolean => to === 'web' || (to === 'api' ? from === 'web' : from === 'api')

/** Row by row, who sends; `undefined` of a pod to itself. */
type Matrix = readonly (readonly (boolean | undefined)[])[]
export interface PolicyDemo {
  readonly pods: readonly Name[]
  readonly before: Matrix
  readonly planned: Matrix
  readonly after: Matrix
}

/** @returns what was not as it should be */
export async function demoPolicy({ json, install }: { readonly json: boolean; readonly install: boolean }): Promise<readonly string[]> {
  const missing = await ovsMissing({ install, print: (line) => process.stderr.write(`${line}\n`) })
  if (missing !== undefined) return [missing]
  const demo = await inLab((lab, stops) => play(lab, install, stops))
  process.stdout.write(json ? `${JSON.stringify(demo)}\n` : printed(demo, process.stdout.isTTY))
  return wrongWith(demo)
}

async function play(lab: Lab, install: boolean, stops: Stops): Promise<PolicyDemo> {
  const two = await startTwoNodes(lab, install, stops)
  await makeNetwork(two.rest, tenant)
  const placed = await Promise.all(cast.map((each) => place(each, two)))
  for (const { sandbox } of placed) stops.push(await listens(sandbox.namespace))
  const pods = new Map(placed.map((each) => [each.pod.name, each]))
  const before = await reached(pods)
  const planned = await plannedFrom(two.rest, before)
  for (const policy of policies) await made(two.rest, pathOf('UnifiedNetworkPolicy', tenant), policy)
  let after = before
  await until(async () => sameAs((after = await reached(pods)), planned), 'what was planned is so', settleMs).catch(() => undefined)
  return { pods: names, before, planned, after }
}

const reached = (pods: ReadonlyMap<Name, PlacedPod>): Promise<Matrix> => {
  const isReached = async (from: Name, to: Name): Promise<boolean | undefined> =>
    from === to ? undefined : connects(pods.get(from)!.sandbox.namespace, pods.get(to)!.pod.address)
  return Promise.all(names.map((from) => Promise.all(names.map((to) => isReached(from, to)))))
}

interface Plan {
  readonly verdicts: readonly {
    readonly from: { readonly port: string }
    readonly to: { readonly port: string }
    readonly transport: { readonly l4Port?: number }
    readonly after: { readonly isAllowed: boolean }
  }[]
}

async function plannedFrom(rest: Rest, before: Matrix): Promise<Matrix> {
  const { status, body } = await rest.call('POST', `/v1/policy/plan?vpc=${tenant}/net`, { put: policies })
  if (status !== 200) throw new Error(`the plan: ${status} ${body.detail ?? ''}`)
  const { verdicts } = body as unknown as Plan
  // A Port that is made for a pod is called after it.
  const isOf = (port: string, name: Name): boolean => port.startsWith(`${tenant}/${name}-`)
  return names.map((from, i) =>
    names.map((to, j) => {
      const change = verdicts.find((each) => each.transport.l4Port === l4Port && isOf(each.from.port, from) && isOf(each.to.port, to))
      return from === to ? undefined : (change?.after.isAllowed ?? before[i]![j])
    }),
  )
}

const sameAs = (one: Matrix, other: Matrix): boolean => JSON.stringify(one) === JSON.stringify(other)

function wrongWith({ before, planned, after }: PolicyDemo): readonly string[] {
  const meant = names.map((from) => names.map((to) => (from === to ? undefined : expected(from, to))))
  return [
    ...(before.flat().includes(false) ? ['without policies not everybody reaches everybody'] : []),
    ...(sameAs(planned, meant) ? [] : ['the plan is not what the policies say']),
    ...(sameAs(after, planned) ? [] : ['what came is not what was planned']),
  ]
}

function printed({ before, planned, after }: PolicyDemo, inColour: boolean): string {
  const [yes, no] = inColour ? ['\u001b[32myes\u001b[0m', '\u001b[31mno \u001b[0m'] : ['yes', 'no ']
  const table = (title: string, matrix: Matrix): string[] => [
    `${title.padEnd(28)}${names.map((name) => name.padEnd(6)).join('')}`,
    ...matrix.map(
      (row, i) => `  ${names[i]!.padEnd(26)}${row.map((each) => `${each === undefined ? '-  ' : each ? yes : no}   `).join('')}`,
    ),
    '',
  ]
  return [
    `Who reaches whom, by TCP to port ${l4Port}, from row to column.`,
    '',
    ...table('Before:', before),
    'Two policies: api is reached by web alone, db by api alone.',
    '',
    ...table('As the plan says:', planned),
    ...table('After:', after),
  ].join('\n')
}

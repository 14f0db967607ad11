// From a change of a SecurityGroup over REST to the flow on the node that enforces it: a server, workers, agents and Open vSwitch as they
// are installed, and a pod with 1,000 rules. The switch itself says when the flow is there (ovs-ofctl monitor).
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { pathOf } from '../../../cli/demo/rest.ts'
import { made, makeNetwork, place, startTwoNodes, type TwoNodes } from '../../../cli/demo/two-nodes.ts'
import { openLab } from '../../../lab/lab.ts'
import { until } from '../../setup/until.ts'

const tenant = 't'
const groups = Array.from({ length: 10 }, (_, i) => `g-${i}`)
const rulesEach = 100
const changes = 120
const firstL4Port = 10_000
const changed = 'g-9'
/** Apart from all others. */
const changedL4Port = 40_000

type Rule = Readonly<Record<string, string | number>>
const rule = (l4Port: number): Rule => ({ direction: 'ingress', protocol: 'tcp', l4PortMin: l4Port, l4PortMax: l4Port, remoteGroup: 'g-0' })
const rulesOf = (group: number): readonly Rule[] => Array.from({ length: rulesEach }, (_, i) => rule(firstL4Port + group * rulesEach + i))

/** Milliseconds of each change. */
export async function enforcedMs(): Promise<readonly number[]> {
  const lab = await openLab()
  const stops: (() => Promise<unknown>)[] = [() => lab.close()]
  try {
    const two = await startTwoNodes(lab, false, stops)
    await makeNetwork(two.rest, tenant)
    for (const [i, name] of groups.entries())
      await made(two.rest, pathOf('SecurityGroup', tenant), {
        apiVersion: 'megrez.io/v1alpha1',
        kind: 'SecurityGroup',
        metadata: { name },
        spec: { rules: rulesOf(i) },
      })
    await place({ tenant, name: 'p', node: 'n1', address: '10.0.0.11' }, two)
    const port = (await two.rest.call('GET', pathOf('Port', tenant))).body.items![0]!
    await patch(two, pathOf('Port', tenant, port.metadata.name), { securityGroups: groups })
    const { ovs } = two.nodes.get('n1')!
    const flows = async (): Promise<number> => (await ovs.ofctl('dump-flows', 'mgz-int', '--no-stats')).match(/conj_id=/g)?.length ?? 0
    await until(async () => (await flows()) >= groups.length * rulesEach, 'all rules are on the node', 60_000)
    const added = watched(ovs.folder)
    stops.push(added.end)
    const figures: number[] = []
    for (let i = 0; i < changes; i++) {
      const l4Port = changedL4Port + i
      const comes = added.next(`ct_tp_dst=${l4Port}`)
      // Workers write its status: it is read first.
      const { etag } = await two.rest.call('GET', pathOf('SecurityGroup', tenant, changed))
      const began = performance.now()
      await patch(two, pathOf('SecurityGroup', tenant, changed), { rules: [...rulesOf(9).slice(1), rule(l4Port)] }, etag ?? '')
      figures.push((await comes) - began)
    }
    return figures
  } finally {
    for (const stop of stops.reverse()) await stop()
  }
}

/** @param etag absent: as it is now */
async function patch({ rest }: TwoNodes, path: string, spec: object, etag?: string): Promise<void> {
  const match = etag ?? (await rest.call('GET', path)).etag ?? ''
  const headers = { 'content-type': 'application/merge-patch+json', 'if-match': match }
  const answer = await rest.call('PATCH', path, { spec }, headers)
  if (answer.status !== 200) throw new Error(`PATCH ${path}: ${answer.status} ${answer.body.detail ?? ''}`)
}

interface AddedFlows {
  /** When a flow with this text was there. */
  next(text: string): Promise<number>
  end(): Promise<void>
}

function watched(folder: string): AddedFlows {
  const socket = join(folder, 'mgz-int.mgmt')
  const child = spawn('ovs-ofctl', ['-O', 'OpenFlow14', 'monitor', `unix:${socket}`, 'watch:!initial,!delete,!modify'], {
    // It prints what it hears on its standard error.
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, OVS_RUNDIR: folder },
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const waiting = new Map<string, (at: number) => void>()
  createInterface({ input: child.stderr }).on('line', (line) => {
    for (const [text, tell] of waiting)
      if (line.includes(text)) {
        waiting.delete(text)
        tell(performance.now())
      }
  })
  return {
    next: (text) =>
      new Promise((resolve, reject) => {
        const late = setTimeout(() => reject(new Error(`no flow with ${text} within 10 s`)), 10_000)
        waiting.set(text, (at) => {
          clearTimeout(late)
          resolve(at)
        })
      }),
    async end() {
      child.kill()
      await ended
    },
  }
}

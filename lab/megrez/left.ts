// What there is of ours on the nodes and in the store: a lab looks before and after, and the two are to be alike.
import { until } from '../../platform/programs/until.ts'
import type { Cluster } from '../cluster.ts'
import { mustIn } from '../commands.ts'
import type { NodeAgent } from './agents.ts'
import { metricsOf } from './install.ts'

const bridge = 'mgz-int'
const usualHealthL4Port = 8080
/** Ports, locks and the like; what is not an object of a tenant's own. */
const inStore = 'ports,iplocks,vpcs,subnets,securitygroups'

/** A node, where its agent tells what it counts, and which of its links come and go with pods that are not looked at. */
export type LookedAt = Pick<NodeAgent, 'node' | 'ovs'> & { readonly healthL4Port?: number; readonly otherLinks?: RegExp }

/** One line for each thing: switch ports, flows, links, what the agent counts, objects. */
export async function ours({ kubectl }: Cluster, agents: readonly LookedAt[]): Promise<readonly string[]> {
  const nodes = await Promise.all(
    agents.map(async ({ node, ovs, healthL4Port = usualHealthL4Port, otherLinks }) => {
      const flows = (await ovs.ofctl('dump-flows', bridge, '--no-stats'))
        .split('\n')
        .map((line) =>
          /^\s*(?:cookie=\S+,?\s*)?(.*table=|priority=.*)/.exec(line) === null ? '' : line.replace(/cookie=0x[0-9a-f]+,?\s*/, '').trim(),
        )
        .filter((line) => line !== '')
      const ports = (await ovs.vsctl('list-ports', bridge))
        .trim()
        .split('\n')
        .filter((name) => name !== '')
      const links = [...(await mustIn(node.space, ['ip', '-o', 'link'])).matchAll(/^\d+: ([^\s:@]+)/gm)]
        .map((match) => match[1]!)
        .filter((name) => otherLinks?.test(name) !== true)
      const counted = /^megrez_agent_ports (\d+)/m.exec(await metricsOf(node.space, healthL4Port))?.[1] ?? 'unknown'
      return [
        ...flows.map((flow) => `flow ${flow}`),
        ...ports.map((name) => `switch port ${name}`),
        ...links.map((name) => `link ${name}`),
        `Ports ${counted}`,
      ].map((each) => `${node.name}: ${each}`)
    }),
  )
  const objects = (await kubectl(['get', inStore, '--all-namespaces', '-o', 'name']))
    .trim()
    .split('\n')
    .filter((line) => line !== '')
  return [...nodes.flat(), ...objects].sort()
}

/** What there is now and was not before, and what is gone that was there. */
async function changed(before: readonly string[], cluster: Cluster, agents: readonly LookedAt[]): Promise<readonly string[]> {
  const now = await ours(cluster, agents)
  return [
    ...now.filter((each) => !before.includes(each)).map((each) => `left: ${each}`),
    ...before.filter((each) => !now.includes(each)).map((each) => `gone: ${each}`),
  ]
}

const leaveMs = 90_000

/** What is still there, or gone, once things had time to go. */
export async function leftAfter(before: readonly string[], cluster: Cluster, agents: readonly LookedAt[]): Promise<readonly string[]> {
  let left: readonly string[] = []
  await until(async () => (left = await changed(before, cluster, agents)).length === 0, 'nothing is left', leaveMs).catch((err: Error) => {
    if (err.cause !== undefined) throw err
  })
  return left
}

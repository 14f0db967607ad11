// A service address that pods of an l3 Subnet serve, as workers would write it, with servers in the pods that answer with their names.
import type { Resource } from '../../core/kinds/index.ts'
import { pathOf } from '../../cli/demo/rest.ts'
import { sourceKeyOf } from '../../core/plan/services/sources.ts'
import type { Sandbox } from '../../lab/nodes/node.ts'
import { startNamed } from '../node/named-servers.ts'
import type { Running } from '../node/conversations.ts'
import type { L3Nodes } from './nodes.ts'

export interface ServedPod {
  readonly sandbox: Sandbox
  readonly address: string
}
type State = 'ready' | 'draining' | undefined

export interface Served {
  readonly address: string
  /** As from where each node sends to endpoints of others. */
  readonly sources: readonly string[]
  /** How each of the pods stands to it. */
  by(...states: readonly State[]): Promise<void>
  /** How many the gateway would take. */
  ways(): Promise<number>
  close(): Promise<void>
}

const port = 8080

export async function serve(
  { agents, nodes, gateway, services }: L3Nodes,
  pods: readonly ServedPod[],
  externalTrafficPolicy: 'Local' | 'Cluster',
): Promise<Served> {
  const { body } = await agents.rest.call('GET', pathOf('Vpc', 'a', 'routed'))
  const { vni = 0 } = (body as unknown as Resource<'Vpc'>).status ?? {}
  const taken = new Set(pods.map(({ address }) => address))
  const [address = '', ...sources] = Array.from({ length: 7 }, (_, i) => `10.1.0.${200 + i}`)
    .filter((each) => !taken.has(each))
    .slice(0, 4)
  const place = { subnet: 'a/pods', vpc: 'a/routed', vni }
  const putSource = (name: string, source: string | undefined): Promise<void> => {
    const spec = { ...place, node: name, ports: [], externalTrafficPolicy, endpoints: [] }
    return services.put(sourceKeyOf('a/pods', name).slice('a/'.length), source === undefined ? undefined : { ...spec, addresses: [source] })
  }
  if (externalTrafficPolicy === 'Cluster') for (const [i, { name }] of nodes.entries()) await putSource(name, sources[i])
  const servers: Running[] = []
  for (const [i, { sandbox }] of pods.entries()) servers.push(await startNamed(sandbox.namespace, `web-${i}`, [port]))
  return {
    address,
    sources,
    by: (...states) =>
      services.put('web', {
        ...place,
        addresses: [address],
        ports: [{ protocol: 'TCP', port: 80 }],
        externalTrafficPolicy,
        endpoints: states.flatMap((state, i) => {
          const [pod, node] = [pods[i], nodes[i]]
          if (state === undefined || pod === undefined || node === undefined) return []
          return [{ port: `web-${i}.eth0`, node: node.name, addresses: [pod.address], targetPorts: [port], state }]
        }),
      }),
    async ways() {
      const { stdout } = await gateway.exec('ip', '-json', 'route', 'show', `${address}/32`)
      const [route] = JSON.parse(stdout || '[]') as { readonly nexthops?: readonly unknown[] }[]
      return route === undefined ? 0 : (route.nexthops?.length ?? 1)
    },
    async close() {
      await services.put('web', undefined)
      for (const { name } of nodes) await putSource(name, undefined)
      for (const each of servers) await each.close()
    },
  }
}

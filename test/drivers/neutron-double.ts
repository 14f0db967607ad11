// The part of OpenStack's networking API that trunks need, in this process, held to what Neutron 21 answers.
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

interface SubPort {
  readonly port_id: string
  readonly segmentation_type: string
  readonly segmentation_id: number
}
interface NeutronObject {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly network_id: string
  readonly device_owner?: string
}
export interface NeutronDouble {
  readonly url: string
  readonly trunks: Map<string, { readonly id: string; readonly name: string; sub_ports: SubPort[] }>
  readonly ports: Map<string, NeutronObject>
  readonly tokens: Set<string>
  /** What the next requests are answered by instead. */
  readonly busy: number[]
  close(): Promise<void>
}

interface DoubleOptions {
  readonly names: readonly string[]
  /** Each has a network for every VLAN up to 500 but those in `without`. */
  readonly physicalNetworks?: readonly string[]
  readonly without?: readonly number[]
  readonly password?: string
}

export async function neutronDouble({
  names,
  physicalNetworks = ['physnet'],
  without = [],
  password,
}: DoubleOptions): Promise<NeutronDouble> {
  const trunks: NeutronDouble['trunks'] = new Map(names.map((name) => [`id-${name}`, { id: `id-${name}`, name, sub_ports: [] }]))
  const ports = new Map<string, NeutronObject>()
  const tokens = new Set<string>()
  const busy: number[] = []
  const numbers = Array.from({ length: 500 }, (_, i) => i + 1).filter((vlan) => !without.includes(vlan))
  const networks = physicalNetworks.flatMap((network) =>
    numbers.map((vlan) => ({ id: `net-${network}-${vlan}`, 'provider:physical_network': network, 'provider:segmentation_id': vlan })),
  )
  let made = 0
  const answer = (method: string, url: URL, body: Record<string, unknown>): readonly [number, object?] => {
    const [, , kind, id = '', verb] = url.pathname.split('/')
    if (kind === 'networks') {
      const asked = url.searchParams.get('provider:physical_network')
      const vlan = url.searchParams.get('provider:segmentation_id')
      return [
        200,
        {
          networks: networks.filter(
            (each) =>
              (asked === null || each['provider:physical_network'] === asked) &&
              (vlan === null || String(each['provider:segmentation_id']) === vlan),
          ),
        },
      ]
    }
    if (kind === 'ports') return answerPorts(method, url, body)
    return kind === 'trunks' && verb !== undefined
      ? change(id, verb, body['sub_ports'] as SubPort[])
      : [200, { trunks: [...trunks.values()] }]
  }
  const answerPorts = (method: string, url: URL, body: Record<string, unknown>): readonly [number, object?] => {
    if (method === 'GET')
      return [
        200,
        {
          ports: [...ports.values()].filter((each) =>
            ['description', 'device_owner'].every(
              (field) => (url.searchParams.get(field) ?? each[field as 'description']) === each[field as 'description'],
            ),
          ),
        },
      ]
    if (method === 'DELETE') return removePort(url.pathname.split('/')[3] ?? '')
    const port = { ...(body['port'] as Omit<NeutronObject, 'id'>), id: `port-${++made}` }
    ports.set(port.id, port)
    return [201, { port }]
  }
  const removePort = (id: string): readonly [number, object?] => {
    if ([...trunks.values()].some((each) => each.sub_ports.some((sub) => sub.port_id === id)))
      return [409, { NeutronError: 'PortInUseAsSubPort' }]
    return ports.delete(id) ? [204] : [404, { NeutronError: 'PortNotFound' }]
  }
  const change = (id: string, verb: string, sub: SubPort[]): readonly [number, object?] => {
    const trunk = trunks.get(id)
    if (trunk === undefined) return [404, { NeutronError: 'TrunkNotFound' }]
    if (verb === 'add_subports') {
      const missing = sub.find((each) => !ports.has(each.port_id))
      if (missing !== undefined) return [404, { NeutronError: `PortNotFound ${missing.port_id}` }]
      if (
        sub.some((each) =>
          trunk.sub_ports.some((there) => there.segmentation_id === each.segmentation_id || there.port_id === each.port_id),
        )
      )
        return [409, { NeutronError: 'DuplicateSubPort' }]
      trunk.sub_ports = [...trunk.sub_ports, ...sub]
      for (const { port_id: port } of sub) ports.set(port, { ...ports.get(port)!, device_owner: 'trunk:subport' })
    } else {
      if (sub.some((each) => !trunk.sub_ports.some((there) => there.port_id === each.port_id)))
        return [404, { NeutronError: 'SubPortNotFound' }]
      trunk.sub_ports = trunk.sub_ports.filter((there) => !sub.some((each) => each.port_id === there.port_id))
    }
    return [200, trunk]
  }
  const server: Server = createServer((asked, reply) => {
    void read(asked).then((body) => {
      const url = new URL(asked.url ?? '/', 'http://double')
      const say = (status: number, more?: object, headers = {}): void =>
        void reply.writeHead(status, { 'content-type': 'application/json', ...headers }).end(more === undefined ? '' : JSON.stringify(more))
      if (busy.length > 0) return say(busy.shift()!, { error: 'not now' })
      if (url.pathname === '/v3/auth/tokens') {
        const right = JSON.stringify(body).includes(JSON.stringify(password))
        const token = `token-${tokens.size + 1}`
        if (right) tokens.add(token)
        return right ? say(201, {}, { 'x-subject-token': token }) : say(401, {})
      }
      if (password !== undefined && !tokens.has(String(asked.headers['x-auth-token']))) return say(401, {})
      return say(...answer(asked.method ?? 'GET', url, body))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    trunks,
    ports,
    tokens,
    busy,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function read(asked: IncomingMessage): Promise<Record<string, unknown>> {
  let text = ''
  for await (const piece of asked) text += String(piece)
  return text === '' ? {} : (JSON.parse(text) as Record<string, unknown>)
}

// The tables of `megrez top`: each from what REST tells.
import type { Kind, Resource } from '../../core/kinds/index.ts'
import { parseCidr, usable } from '../../core/net/cidr.ts'
import { defaultNamespace } from '../args.ts'
import { CliError } from '../context.ts'
import type { Api } from '../rest/api.ts'
import { inquire } from '../rest/inquiry.ts'

export interface TopTable {
  readonly headings: readonly string[]
  readonly rows: readonly (readonly string[])[]
  readonly notes: readonly string[]
}
export interface TopRequest {
  /** Undefined: not said. */
  readonly namespace: string | undefined
  readonly signal: AbortSignal
  readonly tell: (text: string) => void
}

const all = async <K extends Kind>(api: Api, kind: K, namespace?: string): Promise<readonly Resource<K>[]> =>
  (await api.all(kind, namespace)) as readonly unknown[] as readonly Resource<K>[]

export async function topNodes(api: Api): Promise<TopTable> {
  const ports = await all(api, 'Port')
  const nodes = new Map<string, Resource<'Port'>[]>((await all(api, 'Node')).map(({ metadata }) => [metadata.name, []]))
  for (const port of ports) if (port.spec.node !== undefined) nodes.set(port.spec.node, [...(nodes.get(port.spec.node) ?? []), port])
  const rows = [...nodes].map(([node, of]) => {
    const count = (test: (port: Resource<'Port'>) => boolean): number => of.filter(test).length
    return [node, of.length, count(({ status }) => status?.node?.wired === true), count(({ status }) => status?.phase === 'error')] as const
  })
  return {
    headings: ['Node', 'Ports', 'Wired', 'In error', 'Data plane'],
    rows: rows
      .toSorted((a, b) => b[1] - a[1])
      .map(([node, ports_, wired, wrong]) => [node, String(ports_), String(wired), String(wrong), planesOf(nodes.get(node) ?? [])]),
    notes: [],
  }
}
const planesOf = (ports: readonly Resource<'Port'>[]): string =>
  [...new Set(ports.map(({ status }) => status?.node?.dataplane).filter((each) => each !== undefined))].join(',')

export async function topSubnets(api: Api, { namespace }: TopRequest): Promise<TopTable> {
  const [subnets, locks] = [await all(api, 'Subnet', namespace), await all(api, 'IPLock', namespace)]
  const used = new Map<string, number>()
  for (const { metadata, spec } of locks) {
    if (spec.address === undefined || spec.subnet === undefined) continue
    const key = `${metadata.namespace}/${spec.subnet}/${spec.address.includes(':') ? 'ipv6' : 'ipv4'}`
    used.set(key, (used.get(key) ?? 0) + 1)
  }
  const rows = subnets.flatMap(({ metadata, spec }) =>
    (['ipv4', 'ipv6'] as const).flatMap((family) => {
      const cidr = parseCidr(spec[family]?.cidr ?? '')
      if (cidr === undefined) return []
      const { first, last } = usable(cidr)
      const size = Number(last - first + 1n)
      const taken = used.get(`${metadata.namespace}/${metadata.name}/${family}`) ?? 0
      return [
        { cells: [metadata.namespace ?? '', metadata.name, spec[family]?.cidr ?? '', String(taken), sizeText(size)], share: taken / size },
      ]
    }),
  )
  return {
    headings: ['Namespace', 'Subnet', 'Block', 'Taken', 'Of', 'Share'],
    rows: rows.toSorted((a, b) => b.share - a.share).map(({ cells, share }) => [...cells, `${(share * 100).toFixed(1)} %`]),
    notes: [],
  }
}
/** A number that nobody counts is told by its power of two. */
const sizeText = (size: number): string => (size > 2 ** 32 ? `2^${Math.round(Math.log2(size))}` : String(size))

/** A namespace has sixteen questions at a time: some are left to others. */
const atOnce = 8
const portsMax = 256

export async function topPorts(api: Api, { namespace = defaultNamespace, signal, tell }: TopRequest): Promise<TopTable> {
  const ports = (await all(api, 'Port', namespace)).filter(({ spec }) => spec.node !== undefined)
  const waiting = ports.slice(0, portsMax)
  const notes = ports.length > portsMax ? [`${ports.length - portsMax} more Ports are not asked for`] : []
  const counted: { readonly cells: readonly string[]; readonly bytes: number }[] = []
  const worker = async (): Promise<void> => {
    for (let port = waiting.shift(); port !== undefined; port = waiting.shift()) {
      const { name } = port.metadata
      tell(`asking for ${name}`)
      try {
        const { counters } = await inquire(api, namespace, { about: 'counters', port: name, ttlSeconds: 60 }, signal)
        if (counters === undefined) continue
        const { sentPackets, sentBytes, receivedPackets, receivedBytes, dropped } = counters
        const cells = [name, port.spec.node ?? '', ...[sentPackets, sentBytes, receivedPackets, receivedBytes, dropped].map(String)]
        counted.push({ cells, bytes: sentBytes + receivedBytes })
      } catch (err) {
        if (!(err instanceof CliError)) throw err
        notes.push(`${name}: ${err.message}`)
      }
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  return {
    headings: ['Port', 'Node', 'Sent', 'Bytes', 'Received', 'Bytes', 'Dropped'],
    rows: counted.toSorted((a, b) => b.bytes - a.bytes).map(({ cells }) => cells),
    notes,
  }
}

/** Metrics that say whether the server keeps up, and what they are called here. */
const shown: readonly (readonly [metric: string, called: string])[] = [
  ['megrez_queue_depth', 'keys waiting'],
  ['megrez_callbacks_parked', 'objects whose notice is refused'],
  ['megrez_watch_last_event_age_seconds', 'seconds since a watch was heard of'],
  ['process_resident_memory_bytes', 'bytes of memory'],
  ['nodejs_eventloop_lag_p99_seconds', 'seconds of event loop lag, 99 %'],
]

export async function topServer(api: Api): Promise<TopTable> {
  const text = await api.text('/metrics')
  const notes = text === undefined ? ['the server has its metrics at another address: docs/metrics.md says where'] : []
  const rows = shown.flatMap(([metric, called]) =>
    [...(text ?? '').matchAll(new RegExp(`^${metric}(?:\\{([^}]*)\\})? (\\S+)$`, 'gm'))].map(([, labels = '', value = '']) => [
      called,
      [...labels.matchAll(/="([^"]*)"/g)].map(([, each]) => each).join(' '),
      value,
    ]),
  )
  return { headings: ['What', 'Of', 'Now'], rows, notes }
}

// Alcor as far as its field lists say: VPC, subnet and port managers behind one gateway. Nothing is conditional; a port's MAC is handed out
// once; what is made under an ID that is there takes its place. Faults: it answers late, breaks once it has made something, and its lists
// lag.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { contains, parseCidr } from '../../core/net/cidr.ts'
import { parseIp, printIp } from '../../core/net/ip.ts'
import type { HttpRequest } from '../../platform/http/client.ts'

export interface AlcorFaults {
  /** Milliseconds before each answer, of the server. */
  latencyMs?: number
  /** So many of the next requests that change something are done, and answered with 500. */
  breaksAfter?: number
  /** So many of the next ones are answered with 500, and not done. */
  breaksBefore?: number
  /** Lists are as they were so many changes ago. */
  listsLag?: number
  /** Bulk requests that have this address are refused whole, and so is a port that has it. */
  refusedAddress?: string
  /** A port that is bound is PENDING until `succeed`. */
  bindsLate?: boolean
}
export interface Stored {
  readonly id: string
  readonly [field: string]: unknown
}
type Answer = { readonly status: number; readonly body: unknown }
type Plural = 'vpcs' | 'subnets' | 'ports'
const singulars = { vpcs: 'network', subnets: 'subnet', ports: 'port' } as const
type All = Readonly<Record<Plural, ReadonlyMap<string, Stored>>>

export class AlcorDouble {
  readonly faults: AlcorFaults = {}
  /** `VERB path`, of each request. */
  readonly asked: string[] = []
  #all: All = { vpcs: new Map(), subnets: new Map(), ports: new Map() }
  #before: All[] = []

  all(plural: Plural): readonly Stored[] {
    return [...this.#all[plural].values()]
  }

  /** As others make it, or change it. */
  put(plural: Plural, stored: Stored): void {
    const of = new Map(this.#all[plural])
    const before = of.get(stored.id)
    of.set(stored.id, { ...stored, revision_number: Number(before?.['revision_number'] ?? 0) + 1 })
    this.#begin({ ...this.#all, [plural]: of })
  }

  /** As others do it, whoever uses it. */
  remove(plural: Plural, id: string): void {
    const left = new Map(this.#all[plural])
    if (left.delete(id)) this.#begin({ ...this.#all, [plural]: left })
  }

  /** Its host agent has done what it was told. */
  succeed(id: string): void {
    const port = this.#all.ports.get(id)
    if (port !== undefined) this.put('ports', { ...port, status: 'SUCCESS' })
  }

  ask({ method, url, body }: Pick<HttpRequest, 'method' | 'url' | 'body'>): Answer {
    const { pathname, searchParams } = new URL(url)
    const [, plural, id] = /^\/project\/p\/(vpcs|subnets|ports)(?:\/([^/]+))?$/.exec(pathname) ?? []
    this.asked.push(`${method} ${pathname.replace('/project/p', '')}`)
    if (plural === undefined) return { status: 404, body: { error: 'Not Found' } }
    const of = plural as Plural
    if (method === 'GET') return id === undefined ? this.#list(of, searchParams.get('name')) : this.#one(of, decodeURIComponent(id))
    if (this.#breaks('breaksBefore')) return broken
    const answer = this.#changed(of, { method, id: id && decodeURIComponent(id), body: JSON.parse(body ?? '{}') as Body })
    return answer.status < 400 && this.#breaks('breaksAfter') ? broken : answer
  }

  #breaks(fault: 'breaksBefore' | 'breaksAfter'): boolean {
    const left = this.faults[fault] ?? 0
    this.faults[fault] = Math.max(0, left - 1)
    return left > 0
  }

  #one(of: Plural, id: string): Answer {
    const found = this.#all[of].get(id)
    if (found === undefined && of === 'ports') return { status: 404, body: { message: `Port ${id} is not found` } }
    return { status: 200, body: { [singulars[of]]: found ?? null } }
  }

  #list(of: Plural, name: string | null): Answer {
    const lag = this.faults.listsLag ?? 0
    const all = lag === 0 ? this.#all : (this.#before.at(-lag) ?? this.#all)
    const found = [...all[of].values()].filter((each) => name === null || each['name'] === name)
    return { status: 200, body: { [`${singulars[of]}s`]: found } }
  }

  #changed(of: Plural, { method, id, body }: { readonly method: string; readonly id: string | undefined; readonly body: Body }): Answer {
    if (method === 'POST' && id === 'bulk') return this.#bulk(body['ports'] as readonly Stored[])
    const one = body[singulars[of]] as Stored
    if (method === 'POST') return this.#made(of, one)
    const before = this.#all[of].get(id ?? '')
    if (before === undefined) return { status: 404, body: { message: `${id} is not found` } }
    if (method === 'DELETE') return this.#removed(of, before.id)
    const isBound = Boolean(one['binding:host_id']) && one['binding:host_id'] !== before['binding:host_id']
    this.put(of, { ...before, ...one, id: before.id, ...(isBound && { status: this.faults.bindsLate === true ? 'PENDING' : 'SUCCESS' }) })
    return this.#one(of, before.id)
  }

  #bulk(ports: readonly Stored[]): Answer {
    const before = this.#all
    for (const port of ports) {
      const answer = this.#made('ports', port)
      if (answer.status < 400) continue
      this.#all = before
      return answer
    }
    return { status: 201, body: { ports } }
  }

  #made(of: Plural, asked: Stored): Answer {
    const refusal = of === 'ports' ? this.#refusalOf(asked) : undefined
    if (refusal !== undefined) return { status: 409, body: { status: 409, message: refusal } }
    this.put(of, of === 'ports' ? { ...asked, status: 'CREATED', fixed_ips: this.#addressed(asked) } : asked)
    return { status: 201, body: { [singulars[of]]: this.#all[of].get(asked.id) } }
  }

  #refusalOf(asked: Stored): string | undefined {
    const taken = this.#taken(asked)
    if (this.all('ports').some((each) => each['mac_address'] === asked['mac_address']))
      return `MAC address ${String(asked['mac_address'])} is in use`
    const full = blocksOf(asked, this.#all).find((cidr) => freeIn(cidr, taken) === undefined)
    if (full !== undefined) return `no address of ${full} is available`
    const address = addressesOf(asked).find((each) => taken.has(each) || each === this.faults.refusedAddress)
    return address === undefined ? undefined : `IP address ${address} is not available`
  }

  /** In the networks of others the same addresses are free. */
  #taken({ network_id: network }: Stored): ReadonlySet<string> {
    return new Set(
      this.all('ports')
        .filter((each) => each['network_id'] === network)
        .flatMap(addressesOf),
    )
  }

  #addressed(asked: Stored): readonly Fixed[] {
    const taken = this.#taken(asked)
    return (asked['fixed_ips'] as readonly Fixed[]).map(({ subnet_id, ip_address }) => ({
      subnet_id,
      ip_address: ip_address ?? freeIn(String(this.#all.subnets.get(subnet_id)?.['cidr']), taken)!,
    }))
  }

  #removed(of: Plural, id: string): Answer {
    const isUsed =
      of === 'vpcs'
        ? this.all('subnets').some((each) => each['network_id'] === id)
        : this.all('ports').some((each) => of === 'subnets' && (each['fixed_ips'] as readonly Fixed[]).some((ip) => ip.subnet_id === id))
    if (isUsed) return { status: 409, body: { message: `${id} is in use` } }
    this.remove(of, id)
    return { status: 200, body: {} }
  }

  #begin(next: All): void {
    this.#before = [...this.#before, this.#all].slice(-16)
    this.#all = next
  }
}

type Body = Readonly<Record<string, unknown>>
interface Fixed {
  readonly subnet_id: string
  readonly ip_address?: string
}
const broken: Answer = { status: 500, body: { status: 500, error: 'Internal Server Error', message: 'Failed to get goal state' } }
const addressesOf = (port: Stored): string[] =>
  ((port['fixed_ips'] ?? []) as readonly Fixed[]).flatMap(({ ip_address }) => ip_address ?? [])

/** Of the subnets in which an address is to be chosen. */
const blocksOf = (port: Stored, { subnets }: All): string[] =>
  ((port['fixed_ips'] ?? []) as readonly Fixed[]).flatMap(({ subnet_id, ip_address }) =>
    ip_address === undefined ? String(subnets.get(subnet_id)?.['cidr']) : [],
  )

/** Undefined: it is full. */
function freeIn(block: string, taken: ReadonlySet<string>): string | undefined {
  const cidr = parseCidr(block)!
  for (let value = cidr.first + 2n; ; value++) {
    const text = printIp({ family: cidr.family, value })
    if (!contains(cidr, parseIp(text)!)) return undefined
    if (!taken.has(text)) return text
  }
}

/** By HTTP. */
export async function serveAlcor(double: AlcorDouble): Promise<{ readonly endpoint: string; readonly server: Server }> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const url = `http://alcor.example${request.url}`
      const answer = double.ask({ method: request.method as HttpRequest['method'], url, body: Buffer.concat(chunks).toString() || '{}' })
      const send = (): void =>
        void response.writeHead(answer.status, { 'content-type': 'application/json' }).end(JSON.stringify(answer.body))
      setTimeout(send, double.faults.latencyMs ?? 0)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}/project/p`, server }
}

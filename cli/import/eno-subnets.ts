// ENO's Subnets and Routes. A Subnet there is one block of one family, of no service; here it is of one L2Service and has both.
import { isObject, type Json } from '../../core/json.ts'

interface SubnetDocument {
  readonly from: string
  readonly body: Json
}
const apiVersion = 'megrez.io/v1alpha1'
const specOf = ({ body }: SubnetDocument): Json => (isObject(body['spec']) ? body['spec'] : {})
const nameOf = ({ body }: SubnetDocument): string => String(isObject(body['metadata']) ? body['metadata']['name'] : '')
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

export class EnoSubnets {
  readonly #all: ReadonlyMap<string, SubnetDocument>
  readonly #routes: ReadonlyMap<string, SubnetDocument>
  readonly #services: readonly { readonly name: string; readonly subnets: readonly string[] }[]
  readonly #home: string

  constructor(objects: readonly SubnetDocument[], home: string, notes: string[]) {
    const of = (kind: string): SubnetDocument[] => objects.filter(({ body }) => body['kind'] === kind)
    this.#all = new Map(of('Subnet').map((each) => [nameOf(each), each]))
    this.#routes = new Map(of('Route').map((each) => [nameOf(each), each]))
    this.#services = of('L2Service').map((each) => ({ name: nameOf(each), subnets: list(specOf(each)['Subnets']).map(String) }))
    this.#home = home
    const used = new Set(this.#services.flatMap(({ subnets }) => subnets))
    for (const [name, { from }] of this.#all) if (!used.has(name)) notes.push(`${from}: Subnet ${name} is left out: no L2Service names it`)
    for (const { name, subnets } of this.#services)
      for (const each of subnets)
        if (!this.#all.has(each)) notes.push(`L2Service ${name} names Subnet ${each}, which is in none of the files`)
  }

  /** One of the service's first Subnet's name for both families. Shared Subnets become one for each service. */
  namesFor(service: string): string[] {
    const found = this.#of(service)
    return found.length === 0 ? [] : [this.#nameFor(service, found)]
  }

  objects(): Json[] {
    return this.#services.flatMap(({ name }) => {
      const found = this.#of(name)
      if (found.length === 0) return []
      const blocks = Object.assign({}, ...found.map((each) => this.#blockOf(each))) as Json
      const routes = found.flatMap((each) => list(specOf(each)['Routes']).map((route) => this.#routeOf(String(route), each.from)))
      const dns = found.map((each) => specOf(each)['Dns']).find(isObject)
      const ipam = found.map((each) => specOf(each)['Ipam']).find((each) => each !== undefined)
      const spec = {
        l2Service: name,
        ...(ipam !== undefined && { ipam }),
        ...blocks,
        ...(routes.length > 0 && { routes }),
        ...(dns !== undefined && { dns: dnsOf(dns) }),
      }
      return [{ apiVersion, kind: 'Subnet', metadata: { name: this.#nameFor(name, found), namespace: this.#home }, spec }]
    })
  }

  #of(service: string): SubnetDocument[] {
    const found = (this.#services.find(({ name }) => name === service)?.subnets ?? []).flatMap((name) => this.#all.get(name) ?? [])
    const types = found.map((each) => specOf(each)['Type'])
    if (new Set(types).size < types.length) throw new Error(`L2Service ${service}: /spec/Subnets: two Subnets of one Type`)
    return found
  }

  #nameFor(service: string, [first]: readonly SubnetDocument[]): string {
    const name = first === undefined ? service : nameOf(first)
    const shared = this.#services.filter(({ subnets }) => subnets.includes(name)).length > 1
    return shared ? `${service}-${name}` : name
  }

  #blockOf(each: SubnetDocument): Json {
    const { Address: address, Mask: mask, Type: type, AllocationPool: pools } = specOf(each)
    if (type !== 'v4' && type !== 'v6') throw new Error(`${each.from}: /spec/Type: must be v4 or v6`)
    const taken = list(pools).map((pool) => ({ first: (pool as Json)['Start'], last: (pool as Json)['End'] }))
    return { [type === 'v4' ? 'ipv4' : 'ipv6']: { cidr: `${String(address)}/${String(mask)}`, ...(taken.length > 0 && { pools: taken }) } }
  }

  #routeOf(name: string, from: string): Json {
    const route = this.#routes.get(name)
    if (route === undefined) throw new Error(`${from}: /spec/Routes: Route ${name} is in none of the files`)
    const { Prefix: prefix, Mask: mask, NextHop: nextHop } = specOf(route)
    return { destination: `${String(prefix)}/${String(mask)}`, nextHop }
  }
}

const dnsOf = (dns: Json): Json =>
  Object.fromEntries(
    Object.entries({ Nameservers: 'nameservers', Domain: 'domain', Search: 'search' }).flatMap(([theirs, ours]) =>
      dns[theirs] === undefined ? [] : [[ours, dns[theirs]]],
    ),
  )

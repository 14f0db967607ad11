// The part of Neutron that Vpcs, Subnets and Ports need, in memory, held to what Neutron 21 answers: the laws of clouds run on it fast, and
// by test/neutron on the real one too.
import { contains, overlaps, parseCidr, usable } from '../../../core/net/cidr.ts'
import { parseIp, printIp } from '../../../core/net/ip.ts'
import { sameJson } from '../../../core/same-json.ts'
import { answerBindings, bindingFields, mustBeBound, type InactiveBinding } from './bindings.ts'
import { Fault, type Fields, type NeutronAnswer, type NeutronRequest } from './answer.ts'

type Plural = 'networks' | 'subnets' | 'ports' | 'security-groups' | 'policies'

export interface NeutronModelOptions {
  /** Hosts with an agent; on others a binding fails. */
  readonly hosts?: readonly string[]
  readonly portsMax?: number
  /** Of whose ports nobody who asks may choose MACs: as where a network is another project's, and shared. */
  readonly macs?: 'ours' | 'cloud'
  /** Milliseconds since 1970. */
  readonly now?: () => number
}

const singular: Readonly<Record<Plural, string>> = {
  networks: 'network',
  subnets: 'subnet',
  ports: 'port',
  'security-groups': 'security_group',
  policies: 'policy',
}

type RuleFields = Readonly<Record<string, unknown>>
/** What every new group lets out. */
const defaultRules: readonly RuleFields[] = ['IPv4', 'IPv6'].map((ethertype) => ({ direction: 'egress', ethertype }))
const rulesIn = (group: Fields): readonly (RuleFields & { readonly id: string })[] =>
  (group['security_group_rules'] ?? []) as readonly (RuleFields & { readonly id: string })[]
const ruleText = ({ id: _, ...rule }: RuleFields): string => JSON.stringify(Object.entries(rule).sort())

export class NeutronModel {
  readonly hosts: Set<string>
  portsMax: number
  /** Of ports, beside what they are bound to. */
  readonly inactive = new Map<string, readonly InactiveBinding[]>()
  readonly #macs: 'ours' | 'cloud'
  readonly #now: () => number
  readonly #all: Readonly<Record<Plural, Map<string, Fields>>> = {
    networks: new Map(),
    subnets: new Map(),
    ports: new Map(),
    'security-groups': new Map(),
    policies: new Map(),
  }
  #made = 0

  constructor({ hosts = ['n1', 'n2'], portsMax = -1, macs = 'ours', now = () => 0 }: NeutronModelOptions = {}) {
    this.hosts = new Set(hosts)
    this.portsMax = portsMax
    this.#macs = macs
    this.#now = now
    this.put('security-groups', { name: 'default' })
  }

  /** As it stands now: what changes afterwards does not change there. */
  copied(): NeutronModel {
    const copy = new NeutronModel({ hosts: [...this.hosts], portsMax: this.portsMax, macs: this.#macs, now: this.#now })
    for (const plural of Object.keys(singular) as Plural[]) {
      copy.#all[plural].clear()
      for (const [id, fields] of this.#all[plural]) copy.#all[plural].set(id, fields)
    }
    for (const [id, all] of this.inactive) copy.inactive.set(id, all)
    return copy
  }

  /** By somebody else, whatever the rules. */
  remove(plural: Plural, id: string): void {
    this.#all[plural].delete(id)
  }

  all(plural: Plural): readonly Fields[] {
    return [...this.#all[plural].values()]
  }

  /** By somebody else, whatever the rules. */
  put(plural: Plural, fields: Record<string, unknown>): Fields {
    const thing = this.#thing(plural, fields)
    this.#all[plural].set(thing.id, thing)
    return thing
  }

  change(plural: Plural, id: string, fields: Record<string, unknown>): void {
    const there = this.#all[plural].get(id)
    if (there !== undefined) this.#all[plural].set(id, { ...there, ...fields, revision_number: there.revision_number + 1 })
  }

  /** An interface has come for a port on its host. */
  plug(id: string): void {
    const port = this.#all.ports.get(id)
    if (port?.['status'] !== 'ACTIVE' && port?.['admin_state_up'] !== false) this.change('ports', id, { status: 'ACTIVE' })
  }

  answer(request: NeutronRequest): NeutronAnswer {
    const url = new URL(request.url, 'http://neutron')
    const [, , plural = '', id, sub, host] = url.pathname.replace('/qos/', '/').split('/')
    try {
      if (plural === 'security-group-rules') return this.#rules(request, id)
      if (plural === 'quotas') return this.#quota(id)
      if (!Object.hasOwn(singular, plural)) return [404, { NeutronError: 'The resource could not be found.' }]
      if (plural === 'ports' && sub === 'bindings')
        return answerBindings(this, this.#there('ports', id ?? '', undefined), { ...request, host })
      return this.#answer(plural as Plural, id, url, request)
    } catch (err) {
      if (err instanceof Fault) return err.answer
      throw err
    }
  }

  #answer(plural: Plural, id: string | undefined, url: URL, { method, ifMatch, body }: NeutronRequest): NeutronAnswer {
    const key = plural.replaceAll('-', '_')
    if (method === 'GET' && id === undefined) return [200, { [key]: this.#list(plural, url.searchParams) }]
    if (method === 'POST') return this.#create(plural, body as Record<string, unknown>)
    return this.#answerOne(plural, this.#there(plural, id ?? '', ifMatch), { method, body })
  }

  /** At that revision. */
  #there(plural: Plural, id: string, ifMatch: string | undefined): Fields {
    const there = this.#all[plural].get(id)
    if (there === undefined) throw new Fault(404, `${singular[plural]}NotFound`, `${singular[plural]} ${id} could not be found.`)
    if (ifMatch !== undefined && ifMatch !== `revision_number=${there.revision_number}`)
      throw new Fault(412, 'RevisionNumberConstraintFailed', `Constrained to ${ifMatch}, but current revision is ${there.revision_number}`)
    return there
  }

  #answerOne(plural: Plural, there: Fields, { method, body }: Pick<NeutronRequest, 'method' | 'body'>): NeutronAnswer {
    if (method === 'GET') return [200, { [singular[plural]]: there }]
    if (method === 'DELETE') return this.#delete(plural, there)
    const change = (body as Record<string, Record<string, unknown>>)[singular[plural]] ?? {}
    this.#check(change)
    if (plural === 'ports') mustBeBound(change, there, this)
    this.change(plural, there.id, plural === 'ports' ? this.#bound(change, there) : change)
    return [200, { [singular[plural]]: this.#all[plural].get(there.id) }]
  }

  #list(plural: Plural, query: URLSearchParams): readonly object[] {
    const wanted = [...new Set(query.keys())].filter((field) => field !== 'fields')
    const shown = query.getAll('fields')
    return this.all(plural)
      .filter((each) => wanted.every((field) => query.getAll(field).includes(String(each[field]))))
      .map((each) => (shown.length === 0 ? each : Object.fromEntries(shown.map((field) => [field, each[field]]))))
  }

  /** All or none. */
  #create(plural: Plural, body: Record<string, unknown>): NeutronAnswer {
    const [one, many] = [body[singular[plural]], body[plural.replace('-', '_')]]
    const bodies = (many ?? [one]) as readonly Record<string, unknown>[]
    const made: Fields[] = []
    try {
      for (const each of bodies) made.push(this.put(plural, this.#valid(plural, each)))
    } catch (err) {
      for (const { id } of made) this.#all[plural].delete(id)
      throw err
    }
    return [201, many === undefined ? { [singular[plural]]: made[0] } : { [plural.replace('-', '_')]: made }]
  }

  #valid(plural: Plural, body: Record<string, unknown>): Record<string, unknown> {
    if (plural === 'networks') return { status: 'ACTIVE', mtu: 1450, shared: false, 'router:external': false, ...body }
    if (plural === 'subnets') return this.#validSubnet(body)
    return plural === 'ports' ? this.#validPort(body) : { ...body, security_group_rules: this.#rulesOf(defaultRules) }
  }

  #validSubnet(body: Record<string, unknown>): Record<string, unknown> {
    const network = this.#networkOf(body)
    const cidr = parseCidr(body['cidr'] as string)!
    for (const each of this.all('subnets'))
      if (each['network_id'] === network.id && overlaps(parseCidr(each['cidr'] as string)!, cidr))
        throw new Fault(400, 'InvalidInput', `Requested subnet with cidr: ${String(body['cidr'])} overlaps with another subnet.`)
    return { host_routes: [], dns_nameservers: [], ...body }
  }

  #networkOf({ network_id: id }: Record<string, unknown>): Fields {
    const network = this.#all.networks.get(String(id))
    if (network === undefined) throw new Fault(404, 'NetworkNotFound', `Network ${String(id)} could not be found.`)
    return network
  }

  #validPort(body: Record<string, unknown>): Record<string, unknown> {
    const network = this.#networkOf(body)
    const ports = this.all('ports')
    if (this.portsMax >= 0 && ports.length >= this.portsMax) throw new Fault(409, 'OverQuota', "Quota exceeded for resources: ['port'].")
    if (this.#macs === 'cloud' && body['mac_address'] !== undefined)
      throw new Fault(403, 'PolicyNotAuthorized', '(rule:create_port and rule:create_port:mac_address) is disallowed by policy')
    const mac = (body['mac_address'] as string | undefined) ?? this.#nextMac()
    if (ports.some((each) => each['network_id'] === network.id && each['mac_address'] === mac))
      throw new Fault(409, 'MacAddressInUse', `Unable to complete operation for network ${network.id}. The mac address ${mac} is in use.`)
    const fixed = ((body['fixed_ips'] ?? []) as { subnet_id: string; ip_address?: string }[]).map((each) => this.#fixed(each))
    const [group] = this.all('security-groups')
    const withGroup = body['port_security_enabled'] === false ? [] : [group!.id]
    const port = {
      status: 'DOWN',
      admin_state_up: true,
      security_groups: withGroup,
      port_security_enabled: true,
      allowed_address_pairs: [],
      qos_policy_id: null,
      device_id: '',
      device_owner: '',
      'binding:host_id': '',
      'binding:vif_type': 'unbound',
      'binding:vif_details': {},
      'binding:profile': {},
      ...body,
      mac_address: mac,
      fixed_ips: fixed,
    }
    this.#check(port)
    return this.#bound(port, undefined)
  }

  #nextMac(): string {
    return `fa:16:3e${(this.#made % 2 ** 24).toString(16).padStart(6, '0').replace(/../g, ':$&')}`
  }

  #fixed({ subnet_id: id, ip_address: asked }: { subnet_id: string; ip_address?: string }): object {
    const subnet = this.#all.subnets.get(id)
    if (subnet === undefined) throw new Fault(404, 'SubnetNotFound', `Subnet ${id} could not be found.`)
    const cidr = parseCidr(subnet['cidr'] as string)!
    const taken = new Set(this.all('ports').flatMap((each) => (each['fixed_ips'] as { ip_address: string }[]).map((ip) => ip.ip_address)))
    if (asked !== undefined) {
      if (!contains(cidr, parseIp(asked)!))
        throw new Fault(400, 'InvalidIpForSubnet', `IP address ${asked} is not a valid IP for the specified subnet.`)
      if (taken.has(asked)) throw new Fault(409, 'IpAddressAlreadyAllocated', `IP address ${asked} already allocated in subnet ${id}`)
      return { subnet_id: id, ip_address: asked }
    }
    const { first, last } = usable(cidr)
    for (let value = first; value <= last; value++) {
      const text = printIp({ family: cidr.family, value })
      if (text !== subnet['gateway_ip'] && !taken.has(text)) return { subnet_id: id, ip_address: text }
    }
    throw new Fault(409, 'IpAddressGenerationFailure', `No more IP addresses available on network ${String(subnet['network_id'])}.`)
  }

  #check(fields: Record<string, unknown>): void {
    const groups = (fields['security_groups'] ?? []) as readonly string[]
    for (const id of groups)
      if (!this.#all['security-groups'].has(id)) throw new Fault(404, 'SecurityGroupNotFound', `Security group ${id} does not exist`)
    const qos = (fields['qos_policy_id'] ?? undefined) as string | undefined
    if (qos !== undefined && !this.#all.policies.has(qos))
      throw new Fault(404, 'QosPolicyNotFound', `QoS policy ${qos} could not be found.`)
    if (fields['port_security_enabled'] === false && groups.length > 0)
      throw new Fault(409, 'PortSecurityAndIPRequiredForSecurityGroups', 'Port security must be enabled and port must have an IP address.')
  }

  #bound(change: Record<string, unknown>, there: Fields | undefined): Record<string, unknown> {
    const host = (change['binding:host_id'] ?? there?.['binding:host_id'] ?? '') as string
    if (host === '') return { ...change, 'binding:vif_type': 'unbound', 'binding:vif_details': {}, ...(there && { status: 'DOWN' }) }
    if (host === there?.['binding:host_id'] && there['binding:vif_type'] === 'ovs') return rebound(change, there)
    return this.hosts.has(host)
      ? { ...change, ...bindingFields, status: 'DOWN' }
      : { ...change, 'binding:vif_type': 'binding_failed', 'binding:vif_details': {}, status: 'DOWN' }
  }

  #delete(plural: Plural, { id }: Fields): NeutronAnswer {
    if (plural === 'security-groups' && this.all('ports').some((each) => (each['security_groups'] as string[] | undefined)?.includes(id)))
      throw new Fault(409, 'SecurityGroupInUse', `Security Group ${id} in use.`)
    const isIn = (field: string, of: Plural): boolean => this.all(of).some((each) => each[field] === id)
    if (plural === 'networks' && (isIn('network_id', 'ports') || isIn('network_id', 'subnets')))
      throw new Fault(
        409,
        'NetworkInUse',
        `Unable to complete operation on network ${id}. There are one or more ports still in use on the network.`,
      )
    const ports = this.all('ports').filter((each) => (each['fixed_ips'] as { subnet_id: string }[]).some((ip) => ip.subnet_id === id))
    if (plural === 'subnets' && ports.length > 0)
      throw new Fault(
        409,
        'SubnetInUse',
        `Unable to complete operation on subnet ${id}: One or more ports have an IP allocation from this subnet.`,
      )
    this.#all[plural].delete(id)
    this.inactive.delete(id)
    return [204]
  }

  /** Each is made or deleted by itself, and its group counts. Of those asked for together all are made or none. */
  #rules({ method, body }: NeutronRequest, id: string | undefined): NeutronAnswer {
    if (method === 'DELETE') {
      const group = this.all('security-groups').find((each) => rulesIn(each).some((rule) => rule.id === id))
      if (group === undefined) throw new Fault(404, 'SecurityGroupRuleNotFound', `Security group rule ${id} does not exist`)
      this.change('security-groups', group.id, { security_group_rules: rulesIn(group).filter((rule) => rule.id !== id) })
      return [204]
    }
    const bodies = (body as { readonly security_group_rules: readonly RuleFields[] }).security_group_rules
    const group = this.#there('security-groups', String(bodies[0]!['security_group_id']), undefined)
    const asked = this.#rulesOf(bodies.map(({ security_group_id: _, ...rule }) => rule))
    const texts = new Set(rulesIn(group).map(ruleText))
    const twice = asked.find((rule) => texts.has(ruleText(rule)))
    if (twice !== undefined) throw new Fault(409, 'SecurityGroupRuleExists', `Security group rule already exists. Rule id is ${twice.id}.`)
    const remote = asked.find(
      (rule) => rule['remote_group_id'] !== undefined && !this.#all['security-groups'].has(String(rule['remote_group_id'])),
    )
    if (remote !== undefined)
      throw new Fault(404, 'SecurityGroupNotFound', `Security group ${String(remote['remote_group_id'])} does not exist`)
    this.change('security-groups', group.id, { security_group_rules: [...rulesIn(group), ...asked] })
    return [201, { security_group_rules: asked }]
  }

  #rulesOf(all: readonly RuleFields[]): readonly (RuleFields & { readonly id: string })[] {
    return all.map((rule) => ({ ...rule, id: `rule-${++this.#made}` }))
  }

  #quota(id: string | undefined): NeutronAnswer {
    if (id === 'tenant') return [200, { tenant: { tenant_id: 'megrez' } }]
    return [200, { quota: { port: { limit: this.portsMax, used: this.all('ports').length, reserved: 0 } } }]
  }

  #thing(plural: Plural, fields: Record<string, unknown>): Fields {
    const id = `${singular[plural]}-${++this.#made}`
    return { name: '', description: '', created_at: new Date(this.#now()).toISOString(), ...fields, id, revision_number: 1 }
  }
}

/** With another profile a port is bound anew: then it is down, and at once active again where the profile speaks of a move (ML2/OVN). */
function rebound(change: Record<string, unknown>, there: Fields): Record<string, unknown> {
  const profile = change['binding:profile'] as object | undefined
  if (profile === undefined || sameJson(profile, there['binding:profile'])) return change
  return { ...change, status: 'migrating_to' in profile ? 'ACTIVE' : 'DOWN' }
}

// What a UnifiedNetworkPolicy takes and refuses, and what of compiled ones stays as it is.

/** As one of the table that it goes into. */
interface PolicyCase {
  readonly kind: 'UnifiedNetworkPolicy' | 'PolicyIdentity' | 'PolicyRuleSet'
  readonly spec: object
  readonly was?: object
  readonly refused?: string
  readonly byUsAlone?: true
}

const spec = (more: object, refused?: string, byUsAlone?: true): PolicyCase => ({
  kind: 'UnifiedNetworkPolicy',
  spec: { podSelector: {}, ...more },
  ...(refused !== undefined && { refused }),
  ...(byUsAlone && { byUsAlone }),
})
const peer = (direction: 'ingress' | 'egress', one: object, ...refused: [string?, true?]): PolicyCase =>
  spec({ [direction]: [{ action: 'allow', peers: [one] }] }, ...refused)
const match = (direction: 'ingress' | 'egress', one: object, refused?: string): PolicyCase =>
  spec({ [direction]: [{ action: 'deny', ports: [one] }] }, refused)

const frame = (direction: 'ingress' | 'egress', l2: object, refused?: string): PolicyCase =>
  spec({ [direction]: [{ action: 'allow', l2 }] }, refused)

const everywhere = (direction: 'ingress' | 'egress'): Readonly<Record<string, PolicyCase>> => {
  const at = `spec.${direction}`
  return {
    [`${direction}: peers by selectors`]: peer(direction, { podSelector: { matchLabels: { app: 'x' } }, namespaceSelector: {} }),
    [`${direction}: a peer by a block less a part`]: peer(direction, { cidr: '10.0.0.0/8', except: ['10.1.0.0/16'] }),
    [`${direction}: a peer by two names`]: peer(direction, { port: 'p', subnet: 's' }, at),
    [`${direction}: a peer by none`]: peer(direction, {}, at),
    [`${direction}: a peer by a block with host bits`]: peer(direction, { cidr: '10.0.0.1/8' }, at),
    [`${direction}: an exception outside of its block`]: peer(direction, { cidr: '10.0.0.0/8', except: ['11.0.0.0/16'] }, at, true),
    [`${direction}: an operator that is none`]: peer(
      direction,
      { podSelector: { matchExpressions: [{ key: 'a', operator: 'Like', values: ['b'] }] } },
      `${at}[0].peers[0].podSelector.matchExpressions[0].operator`,
    ),
    [`${direction}: a range of ports`]: match(direction, { l4Port: 80, l4PortMax: 90 }),
    [`${direction}: a named port`]: match(direction, { protocol: 'udp', l4PortName: 'dns' }),
    [`${direction}: a type and a code`]: match(direction, { protocol: 'icmp', icmpType: 3, icmpCode: 1 }),
    [`${direction}: a protocol by its number`]: match(direction, { protocol: '47' }),
    [`${direction}: a protocol above 255`]: match(direction, { protocol: '256' }, `${at}[0].ports[0].protocol`),
    [`${direction}: a port of a protocol without`]: match(direction, { protocol: 'icmp', l4Port: 80 }, at),
    [`${direction}: a range that ends before it begins`]: match(direction, { l4Port: 90, l4PortMax: 80 }, at),
    [`${direction}: a port by number and name`]: match(direction, { l4Port: 80, l4PortName: 'http' }, at),
    [`${direction}: a type of a protocol without`]: match(direction, { icmpType: 8 }, at),
    [`${direction}: a MAC and an EtherType`]: frame(direction, { mac: '02:AB:00:00:00:01', etherType: 0x0800, vlan: 7 }),
    [`${direction}: a MAC of a group`]: frame(direction, { mac: '03:00:00:00:00:01' }, at),
    [`${direction}: a MAC with hyphens`]: frame(direction, { mac: '02-00-00-00-00-01' }, at),
    [`${direction}: frames of ARP`]: frame(direction, { etherType: 0x0806 }, at),
    [`${direction}: frames that are no IP`]: frame(direction, { etherType: 0x88cc }),
    [`${direction}: frames of a tag`]: frame(direction, { etherType: 0x8100 }, at),
    [`${direction}: ports of IPv6`]: spec({ [direction]: [{ action: 'deny', l2: { etherType: 0x86dd }, ports: [{ l4Port: 80 }] }] }),
    [`${direction}: ports of frames that are no IP`]: spec(
      { [direction]: [{ action: 'deny', l2: { etherType: 0x88cc }, ports: [{ l4Port: 80 }] }] },
      at,
    ),
    [`${direction}: peers of frames that are no IP`]: spec(
      { [direction]: [{ action: 'allow', l2: { etherType: 0x88cc }, peers: [{ cidr: '10.0.0.0/8' }] }] },
      at,
    ),
    [`${direction}: a code without a type`]: match(direction, { protocol: 'icmp', icmpCode: 0 }, at),
  }
}

const identity = { vni: 7, number: 9, facts: { namespace: 'a' } }
const ruleSet = {
  vni: 7,
  number: 9,
  tier: 'unified',
  policy: { kind: 'UnifiedNetworkPolicy', namespace: 'a', name: 'p', uid: 'u' },
  priority: 0,
  subjects: [9],
  isolates: [],
  rules: [],
}
const becomes = (kind: 'PolicyIdentity' | 'PolicyRuleSet', more: object, refused: string): PolicyCase => {
  const was = kind === 'PolicyIdentity' ? identity : ruleSet
  return { kind, was, spec: { ...was, ...more }, refused }
}

const compiledCases: Readonly<Record<string, PolicyCase>> = {
  'an identity': { kind: 'PolicyIdentity', spec: identity },
  'a rule set': { kind: 'PolicyRuleSet', spec: ruleSet },
  'an identity is of another VNI': becomes('PolicyIdentity', { vni: 8 }, 'spec.vni'),
  'an identity has another number': becomes('PolicyIdentity', { number: 8 }, 'spec.number'),
  'an identity is of other facts': becomes('PolicyIdentity', { facts: { namespace: 'b' } }, 'spec.facts'),
  'a rule set is of another VNI': becomes('PolicyRuleSet', { vni: 8 }, 'spec.vni'),
  'a rule set has another number': becomes('PolicyRuleSet', { number: 8 }, 'spec.number'),
  'a rule set is of another tier': becomes('PolicyRuleSet', { tier: 'admin' }, 'spec.tier'),
}

const aFunction = { name: 'f', pods: { matchLabels: { app: 'f' } } }
const aChain = { name: 'c', functions: [aFunction] }
const chained = (of: object, ...refused: [string?, true?]): PolicyCase => spec({ chains: [{ ...aChain, ...of }] }, ...refused)

const web = { ports: [{ l4Port: 80 }], l7: { http: [{ paths: ['/api/*'] }] } }
const allowed = { action: 'allow', ...web }

function inspectionsOf(direction: 'ingress' | 'egress'): Readonly<Record<string, PolicyCase>> {
  const rules = (all: readonly object[], refused?: string): PolicyCase =>
    spec({ [direction]: all }, refused, refused === undefined ? undefined : true)
  const asked = (more: object): PolicyCase => rules([{ ...allowed, ...more }], `spec.${direction}`)
  return {
    [`${direction} that asks what is said`]: rules([
      { action: 'deny', ...web, l7: { urls: ['bad.example.org/evil', '*.example.org/*'] } },
      { action: 'allow', ports: [{ protocol: '6', l4Port: 443, l4PortMax: 444 }], l7: { tls: { serverNames: ['*.example.org'] } } },
      { ...allowed, l7: { http: [{ hosts: ['a.example.org'], methods: ['GET'] }, { paths: ['/'] }] } },
      { action: 'allow', ports: [{ l4PortName: 'behind' }] },
    ]),
    [`${direction} that asks two things`]: asked({ l7: { urls: ['a.example.org/'], tls: { serverNames: ['a.example.org'] } } }),
    [`${direction} that asks nothing`]: asked({ l7: {} }),
    [`${direction} of any request`]: asked({ l7: { http: [{}] } }),
    [`${direction} that asks without ports`]: rules([{ action: 'allow', l7: web.l7 }], `spec.${direction}`),
    [`${direction} that asks in UDP`]: asked({ ports: [{ protocol: 'udp', l4Port: 80 }] }),
    [`${direction} that asks at a named port`]: asked({ ports: [{ l4PortName: 'http' }] }),
    [`${direction} that asks at a port that inspectors send from`]: asked({ ports: [{ l4Port: 60_000, l4PortMax: 61_000 }] }),
    [`${direction} that asks and logs`]: asked({ log: true }),
    [`${direction} that asks in audit`]: asked({ audit: true }),
    [`${direction} that asks by a MAC`]: asked({ l2: { mac: '02:00:00:00:00:01' } }),
    [`${direction} that asks behind a MAC`]: rules([{ action: 'allow', l2: { mac: '02:00:00:00:00:01' } }, allowed], `spec.${direction}`),
    [`${direction} that asks behind a named port`]: rules(
      [{ action: 'allow', ports: [{ l4PortName: 'x' }] }, allowed],
      `spec.${direction}`,
    ),
  }
}
const inL7 = (l7: object, at: string): PolicyCase => spec({ egress: [{ ...allowed, l7 }] }, `spec.egress[0].l7.${at}`)

export const inspectionCases: Readonly<Record<string, PolicyCase>> = {
  ...inspectionsOf('ingress'),
  ...inspectionsOf('egress'),
  'l7 beside chains': spec({ egress: [allowed], chains: [aChain] }, 'spec.chains', true),
  'a path without a slash': inL7({ http: [{ paths: ['api'] }] }, 'http[0].paths[0]'),
  'a path with an asterisk within': inL7({ http: [{ paths: ['/a*b'] }] }, 'http[0].paths[0]'),
  'a host with an asterisk within': inL7({ http: [{ hosts: ['a.*.org'] }] }, 'http[0].hosts[0]'),
  'a method in small letters': inL7({ http: [{ methods: ['get'] }] }, 'http[0].methods[0]'),
  'a URL without a path': inL7({ urls: ['a.example.org'] }, 'urls[0]'),
}

export const policyCases: Readonly<Record<string, PolicyCase>> = {
  'a policy that says nothing but whom': spec({}),
  'a policy that says everything beside its rules': spec({
    priority: 7,
    mode: 'audit',
    defaults: { ingress: 'deny' },
    bandwidth: { max: { ingress: '10G', egress: '500M' }, min: '25G' },
    dscp: 46,
    class: 'gold',
    network: 'blue',
    schedule: [{ days: ['Mon'], from: '08:00', to: '17:30' }],
    onUnsupported: 'allow',
    callbackURL: 'https://example.org/',
  }),
  'a policy for nobody that one could know': { kind: 'UnifiedNetworkPolicy', spec: {}, refused: 'spec.podSelector' },
  'a priority above 1000': spec({ priority: 1001 }, 'spec.priority'),
  'an action that is none': spec({ ingress: [{ action: 'pass' }] }, 'spec.ingress[0].action'),
  'a bandwidth without a number': spec({ bandwidth: { min: 'fast' } }, 'spec.bandwidth.min'),
  'a time that is none': spec({ schedule: [{ from: '24:00', to: '08:00' }] }, 'spec.schedule[0].from'),
  'a service chain': chained({ ports: [{ l4Port: 80 }], peers: [{ cidr: '10.0.0.0/8' }] }),
  'a chain by no function': chained({ functions: [] }, 'spec.chains[0].functions'),
  'a chain of a named port': chained({ ports: [{ l4PortName: 'http' }] }, 'spec.chains'),
  'a chain of a port without a protocol that has any': chained({ ports: [{ protocol: 'icmp', l4Port: 80 }] }, 'spec.chains'),
  'a chain of a range that ends before it begins': chained({ ports: [{ l4Port: 90, l4PortMax: 80 }] }, 'spec.chains'),
  'a chain of a port by number and name': chained({ ports: [{ l4Port: 80, l4PortName: 'http' }] }, 'spec.chains'),
  'a chain of a type of a protocol without': chained({ ports: [{ icmpType: 8 }] }, 'spec.chains'),
  'a chain for a peer that is named twice': chained({ peers: [{ cidr: '10.0.0.0/8', subnet: 'one' }] }, 'spec.chains'),
  'a chain for a block with host bits': chained({ peers: [{ cidr: '10.0.0.1/8' }] }, 'spec.chains'),
  'a chain for a block without what is not in it': chained(
    { peers: [{ cidr: '10.0.0.0/8', except: ['11.0.0.0/16'] }] },
    'spec.chains',
    true,
  ),
  'two functions of one name': chained({ functions: [aFunction, aFunction] }, 'spec.chains'),
  "a function that is the policy's own pods": chained({ functions: [{ ...aFunction, pods: {} }] }, 'spec.chains', true),
  'more chains than are done': spec({ chains: Array.from({ length: 9 }, (_, i) => ({ ...aChain, name: `c${i}` })) }, 'spec.chains'),
  'more functions than are done': chained(
    { functions: Array.from({ length: 9 }, (_, i) => ({ ...aFunction, name: `f${i}` })) },
    'spec.chains[0].functions',
  ),
  'a function that fails otherwise': chained({ functions: [{ ...aFunction, onFailure: 'open' }] }, 'spec.chains[0].functions[0].onFailure'),
  'two chains of one name': spec({ chains: [aChain, aChain] }, 'spec.chains'),
  ...compiledCases,
  ...everywhere('ingress'),
  ...everywhere('egress'),
}

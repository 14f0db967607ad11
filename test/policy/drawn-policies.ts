// Policies, pods and traffic by chance: few words, so that they meet.
import type { Dice } from '../sim/dice.ts'
import type { Labels } from '../../core/policy/label-selector.ts'
import { namespaceLabelsOf, type Member } from '../../core/policy/member.ts'

export interface DrawnPod extends Member {
  readonly address: string
}
export interface DrawnTraffic {
  /** Absent: from outside. */
  readonly from?: DrawnPod
  readonly to?: DrawnPod
  readonly addresses: readonly [string, string]
  readonly protocol: 'TCP' | 'UDP' | 'SCTP'
  readonly l4Port: number
}
export interface DrawnCase {
  readonly pods: readonly DrawnPod[]
  readonly networkPolicies: readonly Policy[]
  readonly admin: readonly Policy[]
  readonly baseline: Policy | undefined
  readonly traffic: readonly DrawnTraffic[]
}
export interface Policy {
  readonly metadata: { readonly namespace?: string; readonly name: string }
  readonly spec: object
}

const namespaces = ['x', 'y', 'z']
const words: Readonly<Record<string, readonly string[]>> = { app: ['web', 'db', 'ops'], tier: ['one', 'two'] }
const protocols = ['TCP', 'UDP', 'SCTP'] as const
/** policy-assistant takes the protocol of an admin policy's named port from the end of its name. */
const portNames = ['http-tcp', 'web-tcp', 'dns-udp', 'rpc-sctp']
const l4Ports = [53, 80, 81, 8080]
const outside = ['192.0.2.1', '192.0.2.77', '198.51.100.9']

export function drawCase(dice: Dice): DrawnCase {
  const labelsOf = Object.fromEntries(namespaces.map((name) => [name, namespaceLabelsOf(name, namespaceObject(dice, name))]))
  const pods = Array.from({ length: 9 }, (_, i) => drawPod(dice, i, labelsOf))
  const many = <T>(max: number, draw: (i: number) => T): readonly T[] => Array.from({ length: dice.int(max + 1) }, (_, i) => draw(i))
  return {
    pods,
    networkPolicies: many(5, (i) => drawNetworkPolicy(dice, i)),
    admin: dice.chance(0.5) ? many(4, (i) => drawAdminPolicy(dice, i)) : [],
    baseline: dice.chance(0.3)
      ? { metadata: { name: 'default' }, spec: { subject: drawWho(dice), ...drawAdminRules(dice, ['Allow', 'Deny']) } }
      : undefined,
    traffic: Array.from({ length: 20 }, () => drawTraffic(dice, pods)),
  }
}

function namespaceObject(dice: Dice, name: string): Parameters<typeof namespaceLabelsOf>[1] {
  const labels = drawLabels(dice, { team: ['red', 'blue'] })
  const metadata = { name, uid: name, resourceVersion: '1', generation: 1, creationTimestamp: '2026-01-01T00:00:00Z', labels }
  return { apiVersion: 'v1', kind: 'Namespace', metadata, spec: {} }
}

const drawLabels = (dice: Dice, from: Readonly<Record<string, readonly string[]>>): Labels =>
  Object.fromEntries(Object.entries(from).flatMap(([key, values]) => (dice.chance(0.7) ? [[key, dice.pick(values)]] : [])))

function drawPod(dice: Dice, i: number, labelsOf: Readonly<Record<string, Labels>>): DrawnPod {
  const namespace = dice.pick(namespaces)
  const named = portNames.filter(() => dice.chance(0.4)).map((name) => [`${name.split('-')[1]}/${name}`, dice.pick(l4Ports)] as const)
  // One name for a number: the oracle is told a single one.
  const seen = new Set<string>()
  const containerPorts = named.filter(([name, number]) => {
    const key = `${name.split('/')[0]}/${number}`
    return seen.has(key) ? false : (seen.add(key), true)
  })
  return {
    namespace,
    labels: { app: dice.pick(words['app']!), ...drawLabels(dice, { tier: words['tier']! }) },
    namespaceLabels: labelsOf[namespace]!,
    securityGroups: [],
    port: `${namespace}/p${i}`,
    containerPorts: Object.fromEntries(containerPorts),
    address: `10.0.${dice.int(2)}.${i + 2}`,
  }
}

function drawTraffic(dice: Dice, pods: readonly DrawnPod[]): DrawnTraffic {
  // One end at least is a pod, and nobody talks to himself.
  const which = dice.int(4)
  const from = which === 0 ? undefined : dice.pick(pods)
  const to = which === 1 ? undefined : dice.pick(pods.filter((pod) => pod !== from))
  const addresses = [from, to].map((pod) => pod?.address ?? dice.pick(outside)) as [string, string]
  return { ...(from && { from }), ...(to && { to }), addresses, protocol: dice.pick(protocols), l4Port: dice.pick(l4Ports) }
}

function drawSelector(dice: Dice, from: Readonly<Record<string, readonly string[]>>): object {
  if (dice.chance(0.3)) return {}
  const keys = Object.keys(from)
  const exact = Object.fromEntries(keys.filter(() => dice.chance(0.4)).map((key) => [key, dice.pick(from[key]!)]))
  const expressions = keys.filter(() => dice.chance(0.25)).map((key) => drawExpression(dice, key, from[key]!))
  return {
    ...(Object.keys(exact).length > 0 && { matchLabels: exact }),
    ...(expressions.length > 0 && { matchExpressions: expressions }),
  }
}

function drawExpression(dice: Dice, key: string, values: readonly string[]): object {
  // Both oracles have it that NotIn selects nobody without the label, where Kubernetes has it that it does.
  const isEverywhere = key === 'app' || key === 'kubernetes.io/metadata.name'
  const operator = dice.pick(['In', 'Exists', 'DoesNotExist', ...(isEverywhere ? ['NotIn'] : [])])
  const some = values.filter(() => dice.chance(0.5))
  return operator === 'In' || operator === 'NotIn'
    ? { key, operator, values: some.length > 0 ? some : [dice.pick(values)] }
    : { key, operator }
}

const podSelector = (dice: Dice): object => drawSelector(dice, words)
const namespaceSelector = (dice: Dice): object =>
  drawSelector(dice, dice.chance(0.5) ? { team: ['red', 'blue'] } : { 'kubernetes.io/metadata.name': namespaces })

const blocks: readonly { readonly cidr: string; readonly excepts: readonly string[] }[] = [
  { cidr: '0.0.0.0/0', excepts: ['10.0.0.0/16', '192.0.2.0/25'] },
  { cidr: '10.0.0.0/16', excepts: ['10.0.1.0/24', '10.0.0.4/30'] },
  { cidr: '192.0.2.0/24', excepts: ['192.0.2.64/26'] },
  { cidr: '198.51.100.9/32', excepts: [] },
]

function drawNetworkPolicy(dice: Dice, i: number): Policy {
  const types = dice.pick([undefined, ['Ingress'], ['Egress'], ['Ingress', 'Egress']])
  const rules = (field: 'from' | 'to'): readonly object[] =>
    Array.from({ length: dice.int(3) }, () => {
      // A block has no names for ports: the decision page on the oracles says why the two are not drawn together.
      const hasBlocks = dice.chance(0.5)
      const peers = Array.from({ length: dice.int(3) }, () => drawPeer(dice, hasBlocks))
      const ports = Array.from({ length: dice.int(3) }, () => drawPort(dice, field === 'to' && hasBlocks))
      return { ...(peers.length > 0 && { [field]: peers }), ...(ports.length > 0 && { ports }) }
    })
  return {
    metadata: { namespace: dice.pick(namespaces), name: `np${i}` },
    spec: {
      podSelector: podSelector(dice),
      ...(types !== undefined && { policyTypes: types }),
      ...(dice.chance(0.8) && { ingress: rules('from') }),
      ...(dice.chance(0.6) && { egress: rules('to') }),
    },
  }
}

function drawPeer(dice: Dice, hasBlocks: boolean): object {
  if (hasBlocks && dice.chance(0.5)) {
    const { cidr, excepts } = dice.pick(blocks)
    const except = excepts.filter(() => dice.chance(0.5))
    return { ipBlock: { cidr, ...(except.length > 0 && { except }) } }
  }
  const which = dice.int(3)
  return {
    ...(which !== 1 && { podSelector: podSelector(dice) }),
    ...(which !== 0 && { namespaceSelector: namespaceSelector(dice) }),
  }
}

function drawPort(dice: Dice, withoutNames: boolean): object {
  const protocol = dice.chance(0.2) ? {} : { protocol: dice.pick(protocols) }
  if (dice.chance(0.15)) return { protocol: dice.pick(protocols) }
  if (!withoutNames && dice.chance(0.35)) return { ...protocol, port: dice.pick(portNames) }
  const first = dice.pick(l4Ports)
  return { ...protocol, port: first, ...(dice.chance(0.3) && { endPort: first + dice.int(9_000) }) }
}

function drawAdminPolicy(dice: Dice, i: number): Policy {
  // Of two of one priority the API says that either may come first.
  return {
    metadata: { name: `anp${i}` },
    spec: { priority: i * 10 + dice.int(10), subject: drawWho(dice), ...drawAdminRules(dice, ['Allow', 'Deny', 'Pass']) },
  }
}

const drawWho = (dice: Dice): object =>
  dice.chance(0.5)
    ? { namespaces: namespaceSelector(dice) }
    : { pods: { namespaceSelector: namespaceSelector(dice), podSelector: podSelector(dice) } }

/** Without `networks`: the oracle's API does not have them yet. At least one rule: of none it makes an error. */
function drawAdminRules(dice: Dice, actions: readonly string[]): object {
  const rules = (field: 'from' | 'to', atLeast: number): readonly object[] =>
    Array.from({ length: atLeast + dice.int(4 - atLeast) }, () => {
      const peers = Array.from({ length: 1 + dice.int(2) }, () => drawWho(dice))
      const ports = Array.from({ length: dice.int(3) }, () => drawAdminPort(dice))
      return { action: dice.pick(actions), [field]: peers, ...(ports.length > 0 && { ports }) }
    })
  return { ingress: rules('from', 1), egress: rules('to', 0) }
}

function drawAdminPort(dice: Dice): object {
  if (dice.chance(0.3)) return { namedPort: dice.pick(portNames) }
  const [protocol, start] = [dice.pick(protocols), dice.pick(l4Ports)]
  return dice.chance(0.5) ? { portNumber: { protocol, port: start } } : { portRange: { protocol, start, end: start + 1 + dice.int(9_000) } }
}

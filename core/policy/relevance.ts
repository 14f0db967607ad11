// What policies in force look at: only that makes an identity. Keys count in namespaces that a selector can reach, and values that no
// selector names are all alike, so that neither hashes of pod templates nor a stranger's policies split anybody.
import type { PolicyFacts } from '../kinds/policy/policy-identity.ts'
import { isNamed, type CommonPolicy, type CommonRule, type Selection } from './one-form.ts'
import { holds, type Labels, type Requirement } from './label-selector.ts'
import type { Member } from './member.ts'

/** In place of a value that no selector names, where one asks whether the label is there. No label has this value. */
export const someValue = '*'

/** What is looked at in the namespaces that a scope reaches. */
class Scope {
  /** Key → the values that make a difference. */
  readonly labels = new Map<string, Set<string>>()
  /** Names of containers' ports. */
  readonly ports = new Set<string>()

  add(requirements: readonly Requirement[]): void {
    for (const { key, operator, values } of requirements) {
      const known = this.labels.get(key) ?? new Set()
      this.labels.set(key, known)
      if (operator === 'Exists' || operator === 'DoesNotExist') known.add(someValue)
      for (const value of values) known.add(value)
    }
  }
}

interface Reach {
  readonly namespaces: readonly Requirement[]
  readonly scope: Scope
}

export class Relevance {
  readonly #in = new Map<string, Scope>()
  /** By the text of what a namespace's labels must be. */
  readonly #among = new Map<string, Reach>()
  readonly #groups = new Set<string>()
  readonly #ports = new Set<string>()
  readonly #unified = new Set<string>()
  /** The scopes that reach a namespace, by name and labels. */
  readonly #reaching = new Map<string, readonly Scope[]>()

  /** @param policies in force in the VNI */
  constructor(policies: Iterable<CommonPolicy>) {
    for (const policy of policies) this.#add(policy)
  }

  /** What the policies can tell of somebody. */
  factsOf(member: Member): PolicyFacts {
    const scopes = this.#scopesOf(member)
    const labels = labelsThatCount(member.labels, scopes)
    const securityGroups = member.securityGroups.filter((group) => this.#groups.has(group)).sort()
    const containerPorts = portsThatCount(member.containerPorts, scopes)
    const unified = member.unified !== undefined && this.#unified.has(`${member.namespace}/${member.unified}`) && member.unified
    return {
      namespace: member.namespace,
      ...(labels !== undefined && { labels }),
      ...(securityGroups.length > 0 && { securityGroups }),
      ...(this.#ports.has(member.port) && { port: member.port }),
      ...(containerPorts !== undefined && { containerPorts }),
      ...(unified !== false && { unified }),
    }
  }

  #add({ of, tier, subjects, rules }: CommonPolicy): void {
    this.#addSelection(subjects)
    if (tier === 'unified') this.#unified.add(`${of.namespace ?? ''}/${of.name}`)
    for (const rule of rules) {
      for (const selection of rule.peers?.selections ?? []) this.#addSelection(selection)
      this.#addNamedPorts(rule, subjects)
    }
  }

  #addSelection(selection: Selection): void {
    if (selection.group !== undefined) this.#groups.add(selection.group)
    if (selection.port !== undefined) this.#ports.add(selection.port)
    if (selection.labels !== undefined && selection.labels.length > 0) this.#scopeFor(selection).add(selection.labels)
  }

  /** A named port is the destination's. */
  #addNamedPorts({ direction, peers, transport = [] }: CommonRule, subjects: Selection): void {
    const named = transport.filter(isNamed)
    if (named.length === 0) return
    const destinations = direction === 'ingress' ? [subjects] : (peers?.selections ?? [{}])
    for (const selection of destinations) for (const match of named) this.#scopeFor(selection).ports.add(match.named)
  }

  #scopeFor({ namespace, namespaceLabels = [] }: Selection): Scope {
    if (namespace !== undefined) return scopeIn(this.#in, namespace)
    const text = JSON.stringify(namespaceLabels)
    const reach = this.#among.get(text) ?? { namespaces: namespaceLabels, scope: new Scope() }
    this.#among.set(text, reach)
    return reach.scope
  }

  #scopesOf({ namespace, namespaceLabels }: Member): readonly Scope[] {
    const text = `${namespace}/${JSON.stringify(namespaceLabels)}`
    const known = this.#reaching.get(text)
    if (known !== undefined) return known
    const own = this.#in.get(namespace)
    const wide = [...this.#among.values()].filter((reach) => holds(reach.namespaces, namespaceLabels)).map(({ scope }) => scope)
    const all = own === undefined ? wide : [own, ...wide]
    this.#reaching.set(text, all)
    return all
  }
}

function scopeIn(scopes: Map<string, Scope>, namespace: string): Scope {
  const scope = scopes.get(namespace) ?? new Scope()
  scopes.set(namespace, scope)
  return scope
}

/** Undefined: none. In order of their keys. */
function labelsThatCount(labels: Labels, scopes: readonly Scope[]): Record<string, string> | undefined {
  const kept: [string, string][] = []
  for (const [key, value] of Object.entries(labels)) {
    const as = valueThatCounts(key, value, scopes)
    if (as !== undefined) kept.push([key, as])
  }
  return kept.length === 0 ? undefined : Object.fromEntries(kept.sort(byKey))
}

function valueThatCounts(key: string, value: string, scopes: readonly Scope[]): string | undefined {
  let isAskedFor = false
  for (const { labels } of scopes) {
    const values = labels.get(key)
    if (values?.has(value) === true) return value
    if (values?.has(someValue) === true) isAskedFor = true
  }
  return isAskedFor ? someValue : undefined
}

function portsThatCount(ports: Readonly<Record<string, number>>, scopes: readonly Scope[]): Record<string, number> | undefined {
  const kept = Object.entries(ports).filter(([name]) => scopes.some((scope) => scope.ports.has(name.slice(name.indexOf('/') + 1))))
  return kept.length === 0 ? undefined : Object.fromEntries(kept.sort(byKey))
}

const byKey = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number => (a < b ? -1 : 1)

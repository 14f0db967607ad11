// The table of rights as ClusterRoles: for people, beside the cluster's own view, edit and admin, and for REST's callers, whose roles
// are groups. Each says what its role has beyond those that are bound with it, so that nothing stands twice.
import { fieldRights, type Role } from '../../core/admit/rest/rights.ts'
import { mayRole } from '../../core/admit/rest/roles.ts'
import { isNsmKind } from '../../core/kinds/foreign-network-services.ts'
import { allKinds, definitionOf, groupOf, isOwnKind, pluralOf, scopeOf, type Kind } from '../../core/kinds/index.ts'

export interface Rule {
  readonly apiGroups: readonly string[]
  readonly resources: readonly string[]
  readonly verbs: readonly string[]
}

/** What of REST's groups and of the cluster's roles has it, and its rules. */
export interface RenderedRole {
  /** A label `rbac.authorization.k8s.io/aggregate-to-…`; absent: somebody binds it. */
  readonly aggregateTo?: 'view' | 'edit' | 'admin'
  readonly groups?: readonly string[]
  readonly rules: readonly Rule[]
}

const reading = ['get', 'list', 'watch']
const writing = ['create', 'update', 'patch', 'delete']

/** What may be written through the API server at all: what is internal is ours, and of what is not ours REST makes pods alone. */
function writable(kind: Kind): readonly string[] {
  if (isOwnKind(kind)) return definitionOf(kind).internal ? [] : writing
  if (isNsmKind(kind)) return writing
  return kind === 'Pod' ? ['create', 'delete'] : []
}

const fieldVerbsOf = (role: Role, kind: Kind): string[] =>
  fieldRights.flatMap(({ question: asks, roles }) => (asks?.of === kind && roles.includes(role) ? [asks.verb] : []))

const verbsOf = (role: Role, kind: Kind): readonly string[] => [
  ...(mayRole(role, 'read', kind) ? reading : []),
  ...(mayRole(role, 'write', kind) ? writable(kind) : []),
  ...fieldVerbsOf(role, kind),
]

/** Of a kind: what the role has and none of the others. */
const beyond = (role: Role, others: readonly Role[], kind: Kind): readonly string[] => {
  const had = new Set(others.flatMap((other) => verbsOf(other, kind)))
  return verbsOf(role, kind).filter((verb) => !had.has(verb))
}

/** Resources of one group that have the same verbs are one rule. */
function rulesOf(kinds: readonly Kind[], verbs: (kind: Kind) => readonly string[]): readonly Rule[] {
  const rules = new Map<string, { apiGroups: string[]; resources: string[]; verbs: readonly string[] }>()
  for (const kind of kinds) {
    const found = verbs(kind)
    if (found.length === 0) continue
    const group = groupOf(kind)
    const key = [group, ...found].join(' ')
    const rule = rules.get(key) ?? { apiGroups: [group], resources: [], verbs: found }
    rules.set(key, { ...rule, resources: [...rule.resources, pluralOf(kind)] })
  }
  return [...rules.values()]
}

/** NSM's come without roles. */
const namespacedOfOurs = allKinds.filter((kind) => (isOwnKind(kind) && scopeOf(kind) === 'Namespaced') || isNsmKind(kind))
const role = (of: Role, others: readonly Role[], kinds: readonly Kind[] = allKinds): { readonly rules: readonly Rule[] } => ({
  rules: rulesOf(kinds, (kind) => beyond(of, others, kind)),
})
const groups = (...of: readonly Role[]): { readonly groups: readonly string[] } => ({ groups: of.map((each) => `megrez:${each}`) })

/** By name. Kubernetes' admin has what edit has, and edit what view has; pods, Events and the like are in those already. */
export const clusterRoles: Readonly<Record<string, RenderedRole>> = {
  'megrez-view': { aggregateTo: 'view', ...role('viewer', [], namespacedOfOurs) },
  'megrez-edit': { aggregateTo: 'edit', ...role('operator', ['viewer'], namespacedOfOurs) },
  'megrez-admin': { aggregateTo: 'admin', ...role('owner', ['viewer', 'operator'], namespacedOfOurs) },
  'megrez-provider': role('provider', []),
  'megrez-rest-read': { ...groups('viewer', 'operator', 'owner', 'admin'), ...role('viewer', []) },
  'megrez-rest-write': { ...groups('operator', 'owner', 'admin'), ...role('operator', ['viewer']) },
  'megrez-rest-owner': { ...groups('owner', 'admin'), ...role('owner', ['viewer', 'operator']) },
  'megrez-rest-provider': { ...groups('provider', 'admin'), ...role('provider', []) },
  'megrez-rest-admin': { ...groups('admin'), ...role('admin', ['viewer', 'operator', 'owner', 'provider']) },
  'megrez-rest-agent': { ...groups('agent'), ...role('agent', []) },
}

// A caller's grants against the table of rights: role × act × kind × namespace. It is asked before anything is looked up, so that a
// refusal says the same, and takes as long, whether the object is there or not.
import { fieldRights, kindRights, roles, type RightVerb, type FieldVerb, type KindRight, type Role } from './rights.ts'

/** A role, and where: absent namespaces are all of them, and what is of no namespace too. */
export interface Grant {
  readonly role: Role
  readonly namespaces: ReadonlySet<string> | undefined
}

export interface AccessRequest {
  readonly act: RightVerb | FieldVerb
  readonly kind: string
  /** A Namespace is in itself; absent: something of the cluster, or of all namespaces. */
  readonly namespace: string | undefined
  /** The same more closely, as RBAC has it; the table does not look at them. */
  readonly verb?: 'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'delete'
  readonly name?: string
}

const hasKind = ({ kinds }: KindRight, kind: string): boolean => ('allBut' in kinds ? !kinds.allBut.includes(kind) : kinds.includes(kind))

/** Whether a role may at all, wherever it holds. */
export const mayRole = (role: Role, act: RightVerb | FieldVerb, kind: string): boolean =>
  kindRights.some((right) => right.act === act && right.roles.includes(role) && hasKind(right, kind)) ||
  fieldRights.some(({ question: asks, roles: holders }) => asks?.verb === act && asks.of === kind && holders.includes(role))

const holds = ({ role, namespaces }: Grant, { act, kind, namespace }: AccessRequest): boolean =>
  mayRole(role, act, kind) && (namespaces === undefined || (namespace !== undefined && namespaces.has(namespace)))

/** Whether one of the grants allows it. */
export const allows = (grants: readonly Grant[], request: AccessRequest): boolean => grants.some((grant) => holds(grant, request))

const word = new RegExp(`^(?:megrez:)?(${roles.join('|')})(?::([a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?))?$`)

/** `operator`, or `operator:blue` for one namespace; `megrez:` may stand before it. Undefined: not one of these. */
export function grantOf(text: string): Grant | undefined {
  const [, role, namespace] = word.exec(text) ?? []
  return role === undefined ? undefined : { role: role as Role, namespaces: namespace === undefined ? undefined : new Set([namespace]) }
}

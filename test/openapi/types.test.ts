// The types that clients get from the document are those of the definitions it is generated from. The compiler holds it:
// `npm run types` fails where one of the `true` below is false.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { kinds, type OwnKind, type SpecOf, type StatusOf } from '../../core/kinds/index.ts'
import type { Meta } from '../../core/kinds/meta.ts'
import type { components } from '../../openapi/types.ts'

type Schemas = components['schemas']
/** Equal, optional fields and all; only `readonly` makes no difference, as JSON knows none. */
type Same<A, B> = (<T>() => T extends Plain<A> ? 1 : 2) extends <T>() => T extends Plain<B> ? 1 : 2 ? true : false
type Plain<T> = T extends readonly (infer Each)[] ? Plain<Each>[] : T extends object ? { -readonly [K in keyof T]: Plain<T[K]> } : T

/** The document says that a Notice holds an object; its definition, that nothing more is known of it. */
type Loosened<K extends OwnKind, T> = K extends 'Notice' ? Omit<T, 'object'> : T

const specs: { readonly [K in OwnKind]: Same<Loosened<K, Schemas[`${K}Spec`]>, Loosened<K, SpecOf<K>>> } = {
  Cloud: true,
  Audit: true,
  Vpc: true,
  Subnet: true,
  Port: true,
  IPLock: true,
  SegmentLock: true,
  SecurityGroup: true,
  Subscription: true,
  Notice: true,
  L2Service: true,
  L2ServiceAttachment: true,
  ConnectionPoint: true,
  NodePool: true,
  Fabric: true,
  L2BridgeDomain: true,
  Inquiry: true,
  UnifiedNetworkPolicy: true,
  CloudSecurityGroup: true,
  PolicyIdentity: true,
  PolicyRuleSet: true,
  BGPSessionGroup: true,
  BGPSpeaker: true,
  PrefixLock: true,
  VpcPeering: true,
  EgressClass: true,
  EgressAddress: true,
  Connection: true,
  EndpointScaler: true,
  ServiceAddress: true,
}
const statuses: { readonly [K in OwnKind]: Same<Schemas[`${K}Status`], StatusOf<K>> } = {
  Cloud: true,
  Audit: true,
  Vpc: true,
  Subnet: true,
  Port: true,
  IPLock: true,
  SegmentLock: true,
  SecurityGroup: true,
  Subscription: true,
  Notice: true,
  L2Service: true,
  L2ServiceAttachment: true,
  ConnectionPoint: true,
  NodePool: true,
  Fabric: true,
  L2BridgeDomain: true,
  Inquiry: true,
  UnifiedNetworkPolicy: true,
  CloudSecurityGroup: true,
  PolicyIdentity: true,
  PolicyRuleSet: true,
  BGPSessionGroup: true,
  BGPSpeaker: true,
  PrefixLock: true,
  VpcPeering: true,
  EgressClass: true,
  EgressAddress: true,
  Connection: true,
  EndpointScaler: true,
  ServiceAddress: true,
}
const metadata: Same<Schemas['Meta'], Meta> = true

const tellsApart: readonly [
  Same<{ a?: string }, { a: string }>,
  Same<{ a: 'x' | 'y' }, { a: string }>,
  Same<{ a: { b: 1 }[] }, { a: { b: 1; c?: 2 }[] }>,
  Same<{ readonly a: 1 }, { a: 1 }>,
] = [false, false, false, true]

test("every kind's generated types are compared with its definition", () => {
  assert.deepEqual(Object.keys(specs).sort(), Object.keys(kinds).sort())
  assert.deepEqual(Object.keys(statuses), Object.keys(specs))
  assert.ok(metadata)
  assert.deepEqual(tellsApart, [false, false, false, true])
})

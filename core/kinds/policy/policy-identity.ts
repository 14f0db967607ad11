import { Type, type Static } from 'typebox'
import { defineKind } from '../kind.ts'
import { closed, reportFields } from '../meta.ts'

/** What policies may look at of whoever has an address. */
export const PolicyFacts = Type.Object(
  {
    namespace: Type.String({ description: "the Port's" }),
    labels: Type.Optional(
      Type.Record(Type.String(), Type.String(), {
        description: 'as far as a selector in force looks at them; `*` is a value that none of them names',
      }),
    ),
    securityGroups: Type.Optional(
      Type.Array(Type.String(), { description: 'namespace/name, in order', 'x-kubernetes-list-type': 'atomic' }),
    ),
    port: Type.Optional(Type.String({ description: 'namespace/name, where a policy names it' })),
    containerPorts: Type.Optional(
      Type.Record(Type.String(), Type.Integer(), {
        description: 'named ports of its containers, as far as a policy names them: `tcp/http`',
      }),
    ),
    unified: Type.Optional(Type.String({ description: "the UnifiedNetworkPolicy that its pod's annotation names, where there is one" })),
  },
  closed,
)
export type PolicyFacts = Static<typeof PolicyFacts>

export const PolicyIdentity = defineKind({
  kind: 'PolicyIdentity',
  plural: 'policyidentities',
  shortNames: ['pid'],
  description: 'One number for all addresses of a VNI that policies cannot tell apart; its name is `vni-` with VNI and number.',
  spec: Type.Object({ vni: Type.Integer(), number: Type.Integer({ minimum: 1, maximum: 16777214 }), facts: PolicyFacts }, closed),
  status: Type.Object(reportFields, closed),
  selectable: ['.spec.vni', '.spec.number'],
  immutable: ['vni', 'number', 'facts'],
  internal: true,
  columns: [
    { name: 'VNI', type: 'integer', path: '.spec.vni' },
    { name: 'Number', type: 'integer', path: '.spec.number' },
    { name: 'Namespace', type: 'string', path: '.spec.facts.namespace' },
  ],
})

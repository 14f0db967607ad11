// The rights to single fields as ValidatingAdmissionPolicies: an API server asks whether a write needs one, and its own authorizer
// whether the writer has it. What most writes do not touch is asked by a match condition first: a validation costs three times as much.
import { secretCels, secretMessage, secretNeeds } from '../../core/admit/object/callback-secrets.ts'
import { fieldRights, type FieldQuestion, type FieldRight } from '../../core/admit/rest/rights.ts'
import { definitionOf, type OwnKind } from '../../core/kinds/index.ts'
import { group } from '../../core/kinds/meta.ts'
import { bindingOf, ownNamespace, policy, type Policy } from './policy.ts'

const askedOf = (plural: string, namespace: string, name: string): string =>
  `authorizer.group('${group}').resource('${plural}').namespace(${namespace}).name(${name})`
const last = 'variables.subnet[variables.subnet.size() - 1]'
const authorizers = {
  Vpc: askedOf('vpcs', 'request.namespace', "object.metadata.?name.orValue('')"),
  Subnet: askedOf('subnets', 'variables.subnet.size() > 1 ? variables.subnet[0] : request.namespace', last),
  Deployment:
    "authorizer.group('apps').resource('deployments').subresource('scale').namespace(request.namespace).name(object.spec.scaleTargetRef.name)",
}
const rightTo = ({ verb, of }: FieldQuestion): readonly [verb: string, missing: string] =>
  of === 'Deployment' ? ['patch', 'the right to patch deployments/scale of it'] : [verb, `the verb ${verb} on the ${of}`]

function validationOf({ field, message: says, question: asks }: FieldRight): object {
  if (asks === undefined) return { expression: `!variables.${field}`, message: `/spec/${field}: ${says}`, reason: 'Forbidden' }
  const [verb, missing] = rightTo(asks)
  return {
    expression: `!variables.${field} || ${authorizers[asks.of]}.check('${verb}').allowed()`,
    message: `/spec/${field}: ${says}; ${missing} is missing`,
    reason: 'Forbidden',
  }
}

function named(kind: OwnKind): readonly [name: string, plural: string] {
  const { plural } = definitionOf(kind)
  return [`${plural}.rights.${group}`, plural]
}

function fieldPolicy(kind: FieldRight['kind']): Policy {
  const rows = fieldRights.filter((right) => right.kind === kind)
  return policy(...named(kind), {
    needs: rows.map(({ cel }) => cel),
    variables: [
      ...rows.map(({ field, cel }) => ({ name: field, expression: cel })),
      ...(rows.some(({ question: asks }) => asks?.of === 'Subnet')
        ? [{ name: 'subnet', expression: "object.spec.subnet.split('/')" }]
        : []),
    ],
    validations: rows.map(validationOf),
  })
}

const secretPolicy = policy(...named('Subscription'), {
  needs: [secretNeeds],
  validations: secretCels(ownNamespace).map(({ field, cel }) => {
    return { expression: cel, message: `/spec/${field}/secret: ${secretMessage}`, reason: 'Forbidden' }
  }),
})

const all = [fieldPolicy('Vpc'), fieldPolicy('Port'), fieldPolicy('Inquiry'), fieldPolicy('EndpointScaler'), secretPolicy]
export const policies: readonly object[] = all.flatMap((each) => [each, bindingOf(each)])

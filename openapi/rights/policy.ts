// The shape of a ValidatingAdmissionPolicy over one of our kinds, from which our own accounts are exempt.
import { group, version } from '../../core/kinds/meta.ts'

export interface Policy {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: { readonly name: string }
  readonly spec: object
}
interface Judged {
  /** CEL: one of them holds for a write that is judged at all. */
  readonly needs: readonly string[]
  readonly variables?: readonly { readonly name: string; readonly expression: string }[]
  readonly validations: readonly object[]
}

/** The chart puts the namespace that it is installed in here. */
export const ownNamespace = 'megrez-system'
/** Agents are held to less by policies of their own (charts/megrez/files/policies/agents.yaml). */
const accounts = ['webhooks', 'workers', 'agent'].map((each) => `'system:serviceaccount:${ownNamespace}:megrez-${each}'`)

export const policy = (name: string, plural: string, { needs, variables, validations }: Judged): Policy => ({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingAdmissionPolicy',
  metadata: { name },
  spec: {
    failurePolicy: 'Fail',
    matchConstraints: {
      resourceRules: [{ apiGroups: [group], apiVersions: [version], resources: [plural], operations: ['CREATE', 'UPDATE'] }],
    },
    matchConditions: [
      { name: 'not-by-ourselves', expression: `!(request.userInfo.username in [${accounts.join(', ')}])` },
      { name: 'needs-a-right', expression: needs.map((each) => `(${each})`).join(' || ') },
    ],
    ...(variables && { variables }),
    validations,
  },
})

/** And what puts it in force. */
export const bindingOf = ({ metadata: { name }, apiVersion: of }: Policy): object => ({
  apiVersion: of,
  kind: 'ValidatingAdmissionPolicyBinding',
  metadata: { name },
  spec: { policyName: name, validationActions: ['Deny'] },
})

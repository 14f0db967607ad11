// Ports that planned policies would select and not judge, as clouds carry what they send: told before anybody relies on it.
import { inNamespaceOf, keyOfItem, refOf, type Ref, type Resource } from '../../../../core/kinds/index.ts'
import { isSelected, memberOf } from '../../../../core/policy/member.ts'
import type { CommonPolicy } from '../../../../core/policy/one-form.ts'
import { readPolicy } from '../../../../core/policy/read.ts'
import { everyOf } from '../../across/gather.ts'
import type { RestDeps } from '../../deps.ts'
import type { PolicyChange } from '../change.ts'
import { within } from '../network.ts'

export interface Unjudged {
  readonly policy: Ref
  readonly path: string
  readonly message: string
}

/** So many of a policy are named. */
const namedMost = 8

/** @param isShown whether the caller may read Ports of a namespace */
export async function unjudgedBy(
  { put }: PolicyChange,
  deps: RestDeps,
  isShown: (namespace: string) => boolean,
): Promise<readonly Unjudged[]> {
  // A SecurityGroup is made at clouds.
  const policies = put.filter(({ kind }) => kind !== 'SecurityGroup')
  if (policies.length === 0) return []
  const ports = (await portsFor(policies, deps)).filter(
    ({ status, metadata }) => status?.cloud !== undefined && isShown(metadata.namespace ?? ''),
  )
  if (ports.length === 0) return []
  const names = [...new Set(ports.map(({ metadata }) => metadata.namespace ?? ''))]
  const pods = new Map((await within(deps, 'Pod', names)).map((pod) => [keyOfItem(pod), pod]))
  const namespaces = new Map((await everyOf(deps, undefined, 'Namespace')).map((each) => [each.metadata.name, each]))
  const members = ports.map((port) => {
    const pod = port.spec.claim && pods.get(inNamespaceOf(port, port.spec.claim.pod))
    return { port, member: memberOf(port, { pod, namespace: namespaces.get(port.metadata.namespace ?? ''), hasDefaultGroup: false }) }
  })
  return policies.flatMap((each) => {
    const { policy } = readPolicy(each)
    const found = policy === undefined ? [] : members.filter(({ member }) => isSelected(policy, member)).map(({ port }) => port)
    return policy === undefined || found.length === 0
      ? []
      : [{ policy: refOf(each), path: '/spec', message: `${messageOf(found)}${closingText(policy)}` }]
  })
}

/** Which of several is in force on a Port is not known before they are stored. */
const closingText = ({ rank, audit, onUnsupported }: CommonPolicy): string =>
  rank === undefined || audit === true || onUnsupported === 'allow'
    ? ''
    : '; those that it is in force on it closes, as it says onUnsupported: deny, unless the cluster audits'

/** Those of the policies' namespaces; of all where one is of the cluster. */
async function portsFor(policies: readonly Resource[], deps: RestDeps): Promise<readonly Resource<'Port'>[]> {
  const names = new Set(policies.map(({ metadata }) => metadata.namespace))
  return names.has(undefined) ? everyOf(deps, undefined, 'Port') : within(deps, 'Port', [...names] as readonly string[])
}

function messageOf(ports: readonly Resource<'Port'>[]): string {
  const texts = ports.map((port) => `${keyOfItem(port)} (cloud ${port.status?.cloud ?? ''})`).sort()
  const more = texts.length > namedMost ? `, and ${texts.length - namedMost} more` : ''
  return `selects Ports that it does not judge, as their clouds carry what they send: ${texts.slice(0, namedMost).join(', ')}${more}`
}

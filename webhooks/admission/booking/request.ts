// What a pod asks the scheduler for of its node's uplink, so that it comes to a node that has as much left: minimums of all its Nics, in
// one of its containers, as what devices a pod has is asked for (Kubernetes, extended resources for a container).
import { escapeStep } from '../../../core/admit/refusal.ts'
import type { NetworkView, NicResolution } from '../../../core/admit/network-view.ts'
import { uplinkResource, wholeMegabits } from '../../../core/node/booking/booking.ts'
import type { Operation } from '../../../core/wire/json-patch.ts'
import type { AdmittedPod, Container } from '../deps.ts'

type Nics = Extract<NicResolution, { readonly kind: 'nics' }>

interface Resources {
  readonly requests?: Readonly<Record<string, unknown>>
  readonly limits?: Readonly<Record<string, unknown>>
}
const resourcesOf = ({ resources }: Container): Resources => resources ?? {}

/** Megabits a second that the pod asks for; undefined: none, or in a form that only the scheduler reads. */
export function uplinkAskedBy({ spec: { containers = [] } }: Pick<AdmittedPod, 'spec'>): number | undefined {
  const all = containers.flatMap((each) => resourcesOf(each).requests?.[uplinkResource] ?? [])
  const total = all.reduce<number>((sum, each) => sum + (/^\d+$/.test(String(each)) ? Number(each) : NaN), 0)
  return all.length === 0 || Number.isNaN(total) ? undefined : total
}

/** Nothing where the pod asks for some already: an earlier round has put it in, or whoever made the pod. */
export function uplinkPatch(pod: AdmittedPod, wanted: Nics, world: NetworkView): readonly Operation[] {
  const { containers = [] } = pod.spec
  const [container] = containers
  const mbps = megabitsOf(pod, wanted, world)
  const isAsked = containers.some((each) =>
    [resourcesOf(each).requests, resourcesOf(each).limits].some((all) => all?.[uplinkResource] !== undefined),
  )
  if (container === undefined || mbps === undefined || isAsked) return []
  const at = '/spec/containers/0'
  const test: Operation = { op: 'test', path: `${at}/name`, value: container.name }
  const amount = { [uplinkResource]: String(mbps) }
  if (container['resources'] === undefined)
    return [test, { op: 'add', path: `${at}/resources`, value: { requests: amount, limits: amount } }]
  // Of what is no resource of Kubernetes' own both are the same.
  const parts = (['requests', 'limits'] as const).map((part): Operation =>
    resourcesOf(container)[part] === undefined
      ? { op: 'add', path: `${at}/resources/${part}`, value: amount }
      : { op: 'add', path: `${at}/resources/${part}/${escapeStep(uplinkResource)}`, value: String(mbps) },
  )
  return [test, ...parts]
}

/** Nothing is booked in a VLAN, or at a cloud. */
function megabitsOf(pod: AdmittedPod, { vpc, nics }: Nics, world: NetworkView): number | undefined {
  const { provider = 'builtin', vlan } = vpc.spec
  const min = provider === 'builtin' && vlan === undefined ? world.minimumByPolicy?.(pod) : undefined
  return min === undefined ? undefined : wholeMegabits(min * nics.filter(({ hot }) => hot !== true).length)
}

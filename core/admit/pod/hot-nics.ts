// Hot plug: Nics that a running pod may be given and lose. They stand in an annotation of their own, which alone may change once the pod
// is made, so that a policy in the API server can tell them from those that were wired at the start.
import { hotNicsAnnotation, vpcAnnotation } from '../../kinds/annotations.ts'
import type { Resource } from '../../kinds/index.ts'
import { sameJson } from '../../same-json.ts'
import { annotationAt, isRefusal, refuse, type Refusal } from '../refusal.ts'
import { nicAt, readNics, type NicFields, type NicList } from './nic-fields.ts'
import { typeAt, typeOf } from './nic-type.ts'
import type { NicRequest } from './nic-request.ts'

type Annotations = Readonly<Record<string, string>>

/** As they are listed; none where the annotation is absent. */
export function hotNicsIn(annotations: Annotations): NicList {
  const text = annotations[hotNicsAnnotation]
  return text === undefined ? [] : readNics(text, hotNicsAnnotation)
}

/** Whether a pod lists a Nic of that name among those that come and go. */
export function isHotNic({ metadata: { annotations = {} } }: Pick<Resource<'Pod'>, 'metadata'>, nic: string): boolean {
  const nics = hotNicsIn(annotations)
  return !isRefusal(nics) && nics.some(({ name }) => name === nic)
}

/** What no Nic that comes and goes may be, or lack. */
export function problemInHot(
  nics: readonly NicFields[],
  { byPolicy, annotations }: Pick<NicRequest, 'byPolicy' | 'annotations'>,
): Refusal | undefined {
  if (nics.length > 0 && byPolicy)
    return refuse(annotationAt(hotNicsAnnotation), "a pod whose network is its policy's to say has one NIC, which follows it")
  const names = new Set<string | undefined>()
  for (const [index, nic] of nics.entries()) {
    const at = { hot: true, index } as const
    const wrong = problemInOne(nic, at, annotations)
    if (wrong !== undefined) return wrong
    if (names.has(nic.name)) return refuse(nicAt(at, 'name'), `two NICs are called ${nic.name}`)
    names.add(nic.name)
  }
  return undefined
}

function problemInOne(nic: NicFields, at: { readonly hot: true; readonly index: number }, annotations: Annotations): Refusal | undefined {
  if (nic.name === undefined) return refuse(nicAt(at, 'name'), 'is missing: a NIC that comes and goes is known by its name')
  // A default may be another one by the time that it is wired.
  if (nic.subnet === undefined && nic.portID === undefined)
    return refuse(nicAt(at, 'subnet'), 'is missing: a NIC that comes and goes names its Subnet, or a Port by portID')
  if (typeOf(nic, annotations) === 'dpdk')
    return refuse(typeAt(nic, at.index, annotations), 'must be kernel: a pod that runs is given no socket')
  return nic.defaultRoute ? refuse(nicAt(at, 'defaultRoute'), `must be false: ${wayOutStays}`) : undefined
}

const wayOutStays = 'the way out of a pod stays with a NIC that it keeps as long as it runs'

/** A Subnet's routes come and go with the NIC. */
export function problemInHotSubnet(
  { metadata: { name }, spec, status }: Resource<'Subnet'>,
  place: { readonly hot?: true; readonly index: number },
): Refusal | undefined {
  if (place.hot !== true) return undefined
  const way = (status?.learned?.routes ?? spec.routes ?? []).find(({ destination }) => destination.endsWith('/0'))
  return way === undefined ? undefined : refuse(nicAt(place, 'subnet'), `Subnet ${name} has a route to ${way.destination}: ${wayOutStays}`)
}

/**
 * What changes of a pod that is there.
 *
 * @returns the names of the Nics that come; or why it may not be
 */
export function hotChange(before: Annotations, after: Annotations): readonly string[] | Refusal {
  if (before[hotNicsAnnotation] === after[hotNicsAnnotation]) return []
  if (before[vpcAnnotation] === undefined)
    return refuse(annotationAt(hotNicsAnnotation), 'cannot be set: the pod was made without NICs of Megrez')
  const nics = hotNicsIn(after)
  if (isRefusal(nics)) return nics
  const had = hotNicsIn(before)
  const others = new Map(isRefusal(had) ? [] : had.map(({ name, written }) => [name, written]))
  for (const [index, { name, written }] of nics.entries()) {
    const was = others.get(name)
    if (was !== undefined && !sameJson(was, written))
      return refuse(nicAt({ hot: true, index }), `NIC ${name} is there: take it off the list, and put it there anew once its Port is gone`)
  }
  return nics.flatMap(({ name }) => (name === undefined || others.has(name) ? [] : [name]))
}

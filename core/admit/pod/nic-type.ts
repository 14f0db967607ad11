// Of what type a Nic is: as it says, else as its pod says of all of them, else as its Port says that was made before, else an interface of
// the kernel.
import { nicTypeAnnotation } from '../../kinds/annotations.ts'
import type { Resource } from '../../kinds/index.ts'
import type { PortType } from '../../kinds/vpc/port.ts'
import { annotationAt, refuse, type Refusal } from '../refusal.ts'
import { nicAt, whyNotType, type NicFields } from './nic-fields.ts'

type Annotations = Readonly<Record<string, string>>

export function problemInType(annotations: Annotations): Refusal | undefined {
  const written = annotations[nicTypeAnnotation]
  const why = written === undefined ? undefined : whyNotType(written)
  return why === undefined ? undefined : refuse(annotationAt(nicTypeAnnotation), why)
}

/** @param annotations of the pod, in which there is no problem */
export const typeOf = ({ type }: Pick<NicFields, 'type'>, annotations: Annotations): PortType =>
  type ?? (annotations[nicTypeAnnotation] as PortType | undefined) ?? 'kernel'

/** Where it is written: refusals point at it. */
export const typeAt = ({ type, hot }: Pick<NicFields, 'type' | 'hot'>, index: number, annotations: Annotations): string =>
  type === undefined && annotations[nicTypeAnnotation] !== undefined
    ? annotationAt(nicTypeAnnotation)
    : nicAt({ ...(hot && { hot }), index }, 'type')

/**
 * Of a Nic whose Port was made before: a VM's is a TAP whatever the Port was made as. A socket is another thing: what the pod is to mount
 * is settled with it.
 */
export function typeWith(port: Resource<'Port'>, nic: NicFields, index: number, annotations: Annotations): PortType | Refusal {
  const { type: there = 'kernel' } = port.spec
  const written = nic.type ?? annotations[nicTypeAnnotation]
  if (written === undefined || written === there) return there
  if (there !== 'dpdk' && written !== 'dpdk') return typeOf(nic, annotations)
  return refuse(typeAt(nic, index, annotations), `must be ${there}: the Port that portID names is of that type`)
}

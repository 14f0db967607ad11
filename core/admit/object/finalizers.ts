// Which finalizers an object is born with, so that none can go before what it holds is given back and its end is told: its kind's
// (core/kinds), and ours for notices. Workers add missing ones before their first outside effect.
import { callbackAnnotation, noticeFinalizer, serviceFinalizer } from '../../kinds/annotations.ts'
import { definitionOf, isOwnKind, type Kind } from '../../kinds/index.ts'

interface Born {
  readonly metadata: { readonly annotations?: Readonly<Record<string, string>> }
  readonly spec: object
}

/** Those of ours; the object's own come beside them. A pod has one only where somebody asked to be told of its end. */
export function finalizersFor(kind: Kind, object: Born): readonly string[] {
  const callback: unknown =
    kind === 'Pod' ? object.metadata.annotations?.[callbackAnnotation] : 'callbackURL' in object.spec ? object.spec.callbackURL : undefined
  const holder = isOwnKind(kind) ? definitionOf(kind).finalizer : kind === 'Service' ? serviceFinalizer : undefined
  return [
    ...(holder === undefined ? [] : [holder]),
    ...(typeof callback === 'string' && callback !== '' && kind !== 'Notice' ? [noticeFinalizer] : []),
  ]
}

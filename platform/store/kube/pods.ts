// Our report on a pod as a JSON patch of pods/status. Kubelets write the same list of conditions: ours is found by its type.
import type { PodFence, Write } from '../../../core/contracts/store.ts'
import type { PodCondition } from '../../../core/kinds/foreign.ts'
import type { Resource } from '../../../core/kinds/index.ts'
import type { Operation } from './guarded.ts'
import { escaped } from './status.ts'

type Pod = Resource<'Pod'>
type PodStatusPatch = Required<Pick<Extract<Write, { do: 'patchPodStatus' }>, 'annotations' | 'conditions'>>

const pathOf = (annotation: string): string => `/metadata/annotations/${escaped(annotation)}`

/** @param believed the pod as last seen: only whether it has annotations at all matters */
export function podFenceTests({ deletionTimestamp, annotations }: PodFence, believed: Pod | undefined): readonly Operation[] {
  const had = Object.entries(annotations)
  const none = believed?.metadata.annotations === undefined && had.every(([, value]) => value === undefined)
  return [
    { op: 'test', path: '/metadata/deletionTimestamp', value: deletionTimestamp ?? null },
    ...(none ? [] : had.map(([name, value]): Operation => ({ op: 'test', path: pathOf(name), value: value ?? null }))),
  ]
}

export function podPatch({ annotations, conditions }: PodStatusPatch, believed: Pod | undefined): readonly Operation[] {
  const first = believed?.metadata.annotations === undefined ? missing('/metadata/annotations', {}) : []
  return [
    ...first,
    ...Object.entries(annotations).flatMap(([name, value]) => annotationPatch(pathOf(name), value)),
    ...conditionsPatch(conditions, believed?.status?.conditions),
  ]
}

const missing = (path: string, empty: object): readonly Operation[] => [
  { op: 'test', path, value: null },
  { op: 'add', path, value: empty },
]

/** What may not be there is added first, for `remove` takes only what is. */
const annotationPatch = (path: string, value: string | null): readonly Operation[] =>
  value === null
    ? [
        { op: 'add', path, value: '' },
        { op: 'remove', path },
      ]
    : [{ op: 'add', path, value }]

function conditionsPatch(given: readonly PodCondition[], there: readonly PodCondition[] | undefined): readonly Operation[] {
  const path = '/status/conditions'
  if (given.length === 0) return []
  if (there === undefined)
    return [
      { op: 'test', path, value: null },
      { op: 'add', path, value: given },
    ]
  return given.flatMap((condition): readonly Operation[] => {
    const at = there.findIndex(({ type }) => type === condition.type)
    if (at < 0) return [{ op: 'add', path: `${path}/-`, value: condition }]
    return [
      { op: 'test', path: `${path}/${at}/type`, value: condition.type },
      { op: 'remove', path: `${path}/${at}` },
      { op: 'add', path: `${path}/${at}`, value: condition },
    ]
  })
}

/** A condition carries the time since when it holds. */
export function since(pod: Pod | undefined, condition: PodCondition, now: string): PodCondition {
  if (condition.lastTransitionTime !== undefined) return condition
  const old = pod?.status?.conditions?.find((each) => each.type === condition.type)
  return { ...condition, lastTransitionTime: (old?.status === condition.status ? old.lastTransitionTime : undefined) ?? now }
}

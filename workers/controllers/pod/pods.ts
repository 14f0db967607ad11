// Pods: their Ports are made as soon as the pod is, in parallel with scheduling, and let go when it is over.
import type { Write } from '../../../core/contracts/store.ts'
import { keyOf, refOf, type Resource } from '../../../core/kinds/index.ts'
import { refused } from '../../../core/plan/plan.ts'
import { isPodFinished, planPod, type PodAction, type PodDesired, type PodPlan } from '../../../core/plan/pod/pod.ts'
import { podReported } from '../../../core/plan/pod/pod-report.ts'
import { ended } from '../../../core/plan/status.ts'
import { objects } from '../../drivers/store-objects.ts'
import type { Env } from '../../controller-env.ts'
import { gatherPod } from '../../gather/pod.ts'
import type { Controller } from '../../loop/controller.ts'
import { row, type Row } from '../../loop/controller-row.ts'
import { podWatches } from './pod-watches.ts'

export const pods: Row<'Pod'> = row('Pod', podWatches, open)

function open(env: Env): Controller<PodDesired, undefined, undefined, PodAction, PodPlan> {
  const driver = objects<undefined, undefined, PodAction>(env.store, 'objects', { observe: () => undefined, writesOf })
  return {
    gather: (key) => gatherPod(key, env),
    driver: () => driver,
    scope: () => undefined,
    item: ({ pod }) => pod,
    plan: (desired, _, now) => planPod(desired, now),
    withMade: (desired, made) => ({
      ...desired,
      ...(desired.answers !== undefined && { answers: desired.answers.map((answer) => answered(answer, made)) }),
    }),
    reporter({ pod }, plan, reporting) {
      if (pod === undefined) return []
      return plan.phase === 'deleted' ? ended(pod, [], reporting) : podReported(pod, plan, reporting)
    },
    // A pod that slipped past admission has none yet: it is given late, through pods/status.
    guards: ({ pod }) => pod !== undefined && !isPodFinished(pod),
    refusal: (message) => ({ ...refused('Refused', message), nics: [] }),
  }
}

type Answer = NonNullable<PodDesired['answers']>[number]

function answered(answer: Answer, made: ReadonlyMap<string, Resource>): Answer {
  const { draft } = answer
  const port =
    draft && (made.get(keyOf({ namespace: draft.metadata.namespace ?? '', name: draft.metadata.name })) as Resource<'Port'> | undefined)
  return port === undefined ? answer : { ...answer, port, draft: undefined }
}

function writesOf(action: PodAction): readonly Write[] {
  switch (action.do) {
    case 'createPort':
      return [{ do: 'create', draft: action.draft }]
    case 'updatePort':
      return [{ do: 'update', item: { ...action.port, spec: action.spec } }]
    case 'deletePort':
      return [{ do: 'delete', ref: refOf(action.port), preconditions: { uid: action.port.metadata.uid } }]
  }
}

// Pods: their Ports are made as soon as the pod is, in parallel with scheduling, and let go when it is over.
import { finalizersFor } from '../../core/admit/object/finalizers.ts'
import type { Write } from '../../core/contracts/store.ts'
import { refOf } from '../../core/kinds/index.ts'
import { refused } from '../../core/plan/plan.ts'
import { isPodFinished, planPod, type PodAction, type PodPlan } from '../../core/plan/pod/pod.ts'
import { podReported } from '../../core/plan/pod/pod-report.ts'
import { ended } from '../../core/plan/status.ts'
import { servingBirths } from '../births.ts'
import { objects } from '../drivers/objects.ts'
import { reporting, type Env } from '../env.ts'
import { gatherPod, type GatheredPod } from '../gather-pod.ts'
import { settlePicks } from '../port-pass.ts'
import { row, type Row } from '../loop/row.ts'
import type { Controller } from '../reconcile.ts'
import { podWatches } from './pod-watches.ts'

export const pods: Row<'Pod'> = row('Pod', podWatches, open)

function open(env: Env): Controller<GatheredPod, undefined, undefined, PodAction, PodPlan> {
  const plain = objects<undefined, undefined, PodAction>(env.store, 'objects', { observe: () => undefined, writesOf })
  const driver = env.store.identify === undefined ? servingBirths(plain, env) : plain
  return {
    async gather(key) {
      const desired = await gatherPod(key, env)
      for (const uid of desired?.born ?? []) env.served.add(uid)
      return desired
    },
    driver: () => driver,
    scope: () => undefined,
    item: ({ pod }) => pod,
    plan: (desired, _, now) => planPod(desired, now),
    report({ pod }, plan, now) {
      if (pod === undefined) return []
      return plan.phase === 'deleted' ? ended(pod, [], reporting(env, now)) : podReported(pod, plan, { ...reporting(env, now), events: env.store.identify === undefined ? 'all' : 'warnings' })
    },
    // A pod that slipped past admission has none yet: it is given late, through pods/status.
    guard: ({ pod }) => (pod === undefined || isPodFinished(pod) ? undefined : { item: pod, finalizers: finalizersFor('Pod', pod) }),
    refusal: (message) => ({ ...refused('Refused', message), nics: [] }),
    settle(desired, writes, err) {
      settlePicks(desired, writes, err)
      if (err !== undefined) for (const uid of desired.born) env.served.delete(uid)
    },
  }
}

function writesOf(action: PodAction): readonly Write[] {
  switch (action.do) {
    case 'createPort':
      return [{ do: 'create', draft: action.draft }, ...action.more]
    case 'updatePort':
      return [{ do: 'update', item: { ...action.port, spec: action.spec } }]
    case 'deletePort':
      return [{ do: 'delete', ref: refOf(action.port), preconditions: { uid: action.port.metadata.uid } }]
  }
}

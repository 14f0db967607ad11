// The cluster's own CNI: a pod that runs has all of what it makes, and of a sandbox whose DEL was answered with success nothing is kept.
import { clusterNicAnnotation } from '../../../core/kinds/annotations.ts'
import { keyOfItem, type Resource } from '../../../core/kinds/index.ts'
import { isPodFinished } from '../../../core/plan/pod/pod.ts'
import type { Invariant } from '../invariant.ts'
import type { Machine, Machines } from '../world/machines.ts'

export const delegated: Invariant = {
  name: 'delegated',
  begin({ site, machines }, fail) {
    return {
      atRest() {
        for (const machine of machines.all.values()) keepsNothing(machine, fail)
        for (const pod of site.truth.values('Pod')) if (pod.status?.phase === 'Running' && !isPodFinished(pod)) isWhole(pod, machines, fail)
      },
    }
  },
}

type Fail = (what: string) => void

function keepsNothing({ name, delegate, ended }: Machine, fail: Fail): void {
  const left = [...delegate.kept].find((key) => ended.has(key.split(' ')[1]!))
  if (left !== undefined) fail(`the delegate of ${name} keeps ${left}, whose DEL was answered with success`)
}

function isWhole(pod: Resource<'Pod'>, machines: Machines, fail: Fail): void {
  const machine = machines.all.get(pod.spec.nodeName ?? '')
  const containerID = machine?.sandboxes.get(pod.metadata.uid)
  // One that was taken down before the next could be made: its Port is gone, say.
  if (containerID === undefined || machine?.ended.has(containerID) === true || pod.metadata.annotations?.[clusterNicAnnotation] === 'none')
    return
  if (machine?.delegate.hasWhole(containerID) === false)
    fail(`pod ${keyOfItem(pod)} runs in ${containerID} on ${machine.name}, and the delegate has not made all of it`)
}

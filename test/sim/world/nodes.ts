// The Nodes of the cluster: objects, the machine behind each, and what becomes of its pods when it goes.
import { portsWithoutPodLabel } from '../../../core/kinds/annotations.ts'
import { refOf, type Resource } from '../../../core/kinds/index.ts'
import type { World } from '../happening.ts'
import { nodeAddress, takenBy } from '../layout.ts'

export function addNode(name: string, { outside, site, machines }: World): void {
  if (site.truth.at('Node', name) !== undefined) return
  outside.write('kubelet', () => {
    site.truth.commit([{ do: 'create', draft: { kind: 'Node', metadata: { name, ...labelsOf(name) }, spec: {} } }], 'kubelet')
    outside.status('Node', name, () => ({ addresses: [{ type: 'InternalIP', address: nodeAddress(name) }] }), 'kubelet')
  })
  machines.of(name).powerOn(site.scheduler.now)
  site.machineUp(name)
  site.begin(`agent-${name}`)
}

function labelsOf(name: string): { readonly labels?: Readonly<Record<string, string>> } {
  const takes = takenBy[name]
  return takes === undefined ? {} : { labels: { [portsWithoutPodLabel]: takes } }
}

/** The machine is off before its Node is deleted; its pods are collected then. */
export function deleteNode(name: string, { outside, site, machines }: World): void {
  site.end(`agent-${name}`)
  machines.powerOff(name)
  site.machineDown(name)
  const node = site.truth.at('Node', name)
  if (node === undefined) return
  outside.write('admin', () => site.truth.commit([{ do: 'delete', ref: refOf(node) }], 'admin'))
  site.scheduler.after(2_000, 'pods of a Node that is gone', () => {
    for (const pod of [...site.truth.values('Pod')]) if (pod.spec.nodeName === name) outside.write('pod-collector', () => endPodObject(pod, site))
  })
}

function endPodObject(pod: Resource<'Pod'>, site: World['site']): void {
  site.truth.commit([{ do: 'delete', ref: refOf(pod), preconditions: { uid: pod.metadata.uid } }], 'pod-collector')
  const left = site.truth.get(refOf(pod))
  if (left?.metadata.uid === pod.metadata.uid) site.truth.commit([{ do: 'removeFinalizer', ref: refOf(pod), uid: pod.metadata.uid, finalizer: 'simulation/kubelet' }], 'pod-collector')
}

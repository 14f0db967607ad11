// The Nodes of the cluster: objects, the machine behind each, and what becomes of its pods when it goes.
import { portsWithoutPodLabel } from '../../../core/kinds/annotations.ts'
import { outOfServiceTaint } from '../../../core/plan/node/node.ts'
import { refOf, type Resource } from '../../../core/kinds/index.ts'
import type { World } from '../happening.ts'
import { nodeAddress, takenBy } from '../layout.ts'

export function addNode(name: string, { outside, site, machines }: World): void {
  if (site.truth.at('Node', name) !== undefined) return
  makeNode(name, { outside, site })
  machines.of(name).powerOn(site.scheduler.now)
  site.machineUp(name)
  site.begin(`agent-${name}`)
}

function makeNode(name: string, { outside, site: { truth } }: Pick<World, 'outside' | 'site'>): void {
  outside.write('kubelet', () => {
    truth.commit([{ do: 'create', draft: { kind: 'Node', metadata: { name, ...labelsOf(name) }, spec: {} } }], 'kubelet')
    outside.status('Node', name, () => ({ addresses: [{ type: 'InternalIP', address: nodeAddress(name) }] }), 'kubelet')
  })
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
  removeObject(name, { outside, site })
}

function removeObject(name: string, { outside, site }: Pick<World, 'outside' | 'site'>): void {
  const node = site.truth.at('Node', name)
  if (node === undefined) return
  outside.write('admin', () => site.truth.commit([{ do: 'delete', ref: refOf(node) }], 'admin'))
  collectPods(name, { outside, site })
}

/** Nobody waits for a kubelet that cannot be heard. */
function collectPods(name: string, { outside, site }: Pick<World, 'outside' | 'site'>): void {
  site.scheduler.after(2_000, 'pods of a Node that is gone', () => {
    for (const pod of [...site.truth.values('Pod')])
      if (pod.spec.nodeName === name) outside.write('pod-collector', () => endPodObject(pod, site))
  })
}

/** How a Node is proven gone (docs/decisions/0016-claims-and-nodes.md). */
export type Proof = 'deleted' | 'tainted'

/** Somebody says so, and is wrong: the machine runs on, fenced off from the others. */
export function sayGone(name: string, proof: Proof, { outside, site, machines }: World): void {
  if (site.truth.at('Node', name) === undefined) return
  machines.of(name).severed = true
  if (proof === 'deleted') return removeObject(name, { outside, site })
  taint(name, [{ key: outOfServiceTaint, value: 'nodeshutdown', effect: 'NoExecute' }], { outside, site })
  collectPods(name, { outside, site })
}

/** Its kubelet makes its Node anew where it is gone, and whoever has tainted it takes that back. */
export function heardAgain(name: string, { outside, site, machines }: World): void {
  const node = site.truth.at('Node', name)
  if (node === undefined) makeNode(name, { outside, site })
  else if ((node.spec.taints ?? []).length > 0) taint(name, [], { outside, site })
  unfence(name, { site, machines })
}

/** Its agent has heard by then what it missed. */
const unfencedMs = 10_000

function unfence(name: string, { site, machines }: Pick<World, 'site' | 'machines'>): void {
  site.scheduler.after(1_000, `is node ${name} among the others again?`, () => {
    if ((site.processOf(`agent-${name}`)?.untroubledMs ?? 0) < unfencedMs) return unfence(name, { site, machines })
    machines.of(name).severed = false
  })
}

function taint(
  name: string,
  taints: NonNullable<Resource<'Node'>['spec']['taints']>,
  { outside, site: { truth } }: Pick<World, 'outside' | 'site'>,
): void {
  const before = truth.at('Node', name)
  if (before !== undefined)
    outside.write('admin', () =>
      truth.change(() => [{ key: name, before, after: { ...before, spec: { ...before.spec, taints } } }], 'admin'),
    )
}

function endPodObject(pod: Resource<'Pod'>, site: World['site']): void {
  site.truth.commit([{ do: 'delete', ref: refOf(pod), preconditions: { uid: pod.metadata.uid } }], 'pod-collector')
  const left = site.truth.get(refOf(pod))
  if (left?.metadata.uid === pod.metadata.uid)
    site.truth.commit([{ do: 'removeFinalizer', ref: refOf(pod), uid: pod.metadata.uid, finalizer: 'simulation/kubelet' }], 'pod-collector')
}

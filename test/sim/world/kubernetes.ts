// Kubernetes around us: a scheduler, a controller of namespaces, one that collects pods of Nodes that are gone.
import { keyOf, refOf, type Kind, type Resource } from '../../../core/kinds/index.ts'
import { namespaceFinalizer } from '../../../platform/store/apply.ts'
import type { Landed } from '../truth.ts'
import { nodeNames } from '../layout.ts'
import type { Outside } from './outside.ts'

const placingMs = 1_500
const collectMs = 2_000
const collected: readonly Kind[] = [
  'Pod',
  'Port',
  'Subnet',
  'Vpc',
  'SecurityGroup',
  'Subscription',
  'L2ServiceAttachment',
  'L2Service',
  'Service',
]
/** Goes with its namespace without anybody's asking. */
const leftovers: readonly Kind[] = [
  'EndpointSlice',
  'ServiceAddress',
  'IPLock',
  'Event',
  'Notice',
  'Secret',
  'Inquiry',
  'NetworkService',
  'NetworkServiceEndpoint',
  'Connection',
]

export function runKubernetes(outside: Outside): void {
  const { site } = outside
  const { truth, scheduler } = site
  const dice = site.dice.fork('kubernetes')
  truth.on((landed) => {
    if (landed.kind === 'Pod' && isNew(landed))
      scheduler.after(dice.next() * placingMs, 'scheduler places a pod', () => place(landed.after as Resource<'Pod'>))
    if (landed.kind === 'Namespace' && landed.after?.metadata.deletionTimestamp !== undefined)
      scheduler.after(dice.next() * collectMs, 'namespace controller', () => collect(landed.after!.metadata.name))
  })

  function place({ metadata, spec }: Resource<'Pod'>): void {
    const key = keyOf(metadata)
    const pod = truth.at('Pod', key)
    const there = nodeNames.filter((name) => isSchedulable(truth.at('Node', name)))
    if (pod?.metadata.uid !== metadata.uid || pod.spec.nodeName !== undefined || pod.metadata.deletionTimestamp !== undefined) return
    if (there.length === 0)
      return void scheduler.after(placingMs, 'scheduler tries again', () => place({ metadata, spec } as Resource<'Pod'>))
    const before = pod
    outside.write('scheduler', () =>
      truth.change(() => [{ key, before, after: { ...before, spec: { ...before.spec, nodeName: dice.pick(there) } } }], 'scheduler'),
    )
  }

  function collect(name: string): void {
    const namespace = truth.at('Namespace', name)
    if (namespace?.metadata.deletionTimestamp === undefined || site.mode === 'sqlite') return
    const items = collected.flatMap((kind) => [...truth.values(kind)].filter(({ metadata }) => metadata.namespace === name))
    for (const item of items)
      if (item.metadata.deletionTimestamp === undefined)
        outside.write('namespace-controller', () => truth.commit([{ do: 'delete', ref: refOf(item) }], 'namespace-controller'))
    const left = collected.flatMap((kind) => [...truth.values(kind)].filter(({ metadata }) => metadata.namespace === name))
    if (left.length > 0) return void scheduler.after(collectMs, 'namespace controller', () => collect(name))
    for (const kind of leftovers)
      for (const item of [...truth.values(kind)])
        if (item.metadata.namespace === name)
          outside.write('namespace-controller', () => truth.commit([{ do: 'delete', ref: refOf(item) }], 'namespace-controller'))
    outside.write('namespace-controller', () =>
      truth.commit(
        [{ do: 'removeFinalizer', ref: refOf(namespace), uid: namespace.metadata.uid, finalizer: namespaceFinalizer }],
        'namespace-controller',
      ),
    )
  }
}

const isNew = ({ before, after }: Landed): boolean => before === undefined && after !== undefined
const isSchedulable = (node: Resource<'Node'> | undefined): boolean =>
  node !== undefined && (node.spec.taints ?? []).length === 0 && node.spec.unschedulable !== true

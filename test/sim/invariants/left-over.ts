// In the end nothing is left over: what was deleted is gone, save a network that somebody still uses; and no Port is of a pod that is not
// there.
import { keyOf, keyOfItem, resolveReference, type Kind, type Resource } from '../../../core/kinds/index.ts'
import type { Invariant } from '../invariant.ts'
import type { Truth } from '../truth.ts'

const ending: readonly Kind[] = [
  'Pod',
  'Port',
  'Subscription',
  'L2ServiceAttachment',
  'Namespace',
  'Vpc',
  'Subnet',
  'SecurityGroup',
  'VpcPeering',
]

export const leftOver: Invariant = {
  name: 'left-over',
  begin({ site: { truth, mode } }, fail) {
    return {
      atRest() {
        // Where there is no API server nobody collects what a namespace has.
        for (const kind of ending) if (kind !== 'Namespace' || mode !== 'sqlite') hasGone(kind, truth, fail)
        isOfPod(truth, fail)
      },
    }
  },
}

type Fail = (what: string) => void

function hasGone(kind: Kind, truth: Truth, fail: Fail): void {
  const left = [...truth.values(kind)].find((item) => item.metadata.deletionTimestamp !== undefined && !isUsed(item, truth))
  if (left !== undefined) fail(`${kind} ${keyOfItem(left)} was deleted and is still there, for ${left.metadata.finalizers?.join(', ')}`)
}

function isOfPod(truth: Truth, fail: Fail): void {
  const pods = new Set([...truth.values('Pod')].map(({ metadata }) => metadata.uid))
  for (const port of truth.values('Port')) {
    const of = port.spec.podUID ?? port.spec.claim?.podUID
    if (of !== undefined && !pods.has(of)) fail(`Port ${keyOfItem(port)} is of pod ${port.spec.claim?.pod ?? of}, which is gone`)
  }
}

/** Whether somebody names it, and so keeps it. */
function isUsed(item: Resource, truth: Truth): boolean {
  const names = (of: Resource, name = ''): boolean => keyOf(resolveReference(name, of.metadata.namespace ?? '')) === keyOfItem(item)
  switch (item.kind) {
    case 'Vpc':
      return [...truth.values('Subnet')].some((subnet) => names(subnet, subnet.spec.vpc))
    case 'Subnet':
      return (
        [...truth.values('Port')].some((port) => names(port, port.spec.subnet)) ||
        [...truth.values('ServiceAddress')].some(({ spec }) => spec.subnet === keyOfItem(item)) ||
        isListed(item, truth)
      )
    case 'SecurityGroup':
      return (
        [...truth.values('Port')].some((port) => port.spec.securityGroups?.some((name) => names(port, name))) || isNamedByGroup(item, truth)
      )
    default:
      return false
  }
}

/** By an L2Service that is attached: its definitions give addresses of the Subnet to pods. */
function isListed({ metadata: { namespace, name } }: Resource, truth: Truth): boolean {
  const attached = new Set(
    [...truth.values('L2ServiceAttachment')]
      .filter(({ metadata }) => metadata.namespace === namespace)
      .flatMap(({ spec }) => spec.l2Services),
  )
  return [...truth.values('L2Service')].some(
    ({ metadata, spec }) => metadata.namespace === namespace && attached.has(metadata.name) && spec.subnets?.includes(name) === true,
  )
}

const isNamedByGroup = ({ metadata }: Resource, truth: Truth): boolean =>
  [...truth.values('SecurityGroup')].some(
    (group) =>
      group.metadata.namespace === metadata.namespace && group.spec.rules?.some(({ remoteGroup }) => remoteGroup === metadata.name),
  )

// Once all is quiet the EndpointSlices of a Service say who serves it, by what pods and Ports say: each address of one Port a pod that is
// selected, ready or not; and there are none of a Service that is not ours. Those of one that is gone Kubernetes collects, as it owns them.
import { isOurService } from '../../../core/admit/service/pool.ts'
import { keyOfItem, resolveReference, type Resource } from '../../../core/kinds/index.ts'
import { isPodFinished } from '../../../core/plan/pod/pod.ts'
import { managedBy, managedByLabel, serviceNameLabel } from '../../../core/plan/services/slices.ts'
import type { Invariant } from '../invariant.ts'
import type { Truth } from '../truth.ts'

type Service = Resource<'Service'>
type Slice = Resource<'EndpointSlice'>
type Port = Resource<'Port'>

export const serviceSlices: Invariant = {
  name: 'service-slices',
  begin: ({ site: { truth } }, fail) => ({
    atRest() {
      const slices = [...truth.values('EndpointSlice')].filter(
        (slice) => slice.metadata.labels?.[managedByLabel] === managedBy && isOwned(slice, truth),
      )
      const left = slices.find((slice) => oursAt(serviceKeyOf(slice), truth) === undefined)
      if (left !== undefined) fail(`EndpointSlice ${keyOfItem(left)} is left over`)
      for (const { metadata, spec, status } of truth.values('ServiceAddress')) {
        const service = oursAt(`${metadata.namespace}/${metadata.name}`, truth)
        if (service === undefined || status?.phase !== 'ready') continue
        const said = slices.filter((slice) => serviceKeyOf(slice) === keyOfItem(service)).flatMap(saidIn)
        const serving = servingIn(service, spec.vpc, truth)
        if (textOf(said) !== textOf(serving))
          fail(`slices of Service ${keyOfItem(service)} say ${textOf(said)}, and it is served by ${textOf(serving)}`)
      }
    },
  }),
}

const isOwned = ({ metadata }: Slice, truth: Truth): boolean =>
  [...truth.values('Service')].some((service) => metadata.ownerReferences?.some(({ uid }) => uid === service.metadata.uid))

function oursAt(key: string, truth: Truth): Service | undefined {
  const service = truth.at('Service', key)
  return service !== undefined && isOurService(service) ? service : undefined
}

const textOf = (all: readonly string[]): string => all.toSorted().join(', ') || 'nobody'

const serviceKeyOf = ({ metadata }: Slice): string => `${metadata.namespace}/${metadata.labels?.[serviceNameLabel]}`

const wordsOf = (pod: string, address: string, isReady: boolean): string => `${pod} at ${address}${isReady ? '' : ', not ready'}`

const saidIn = ({ spec }: Slice): readonly string[] =>
  spec.endpoints.flatMap(({ addresses, targetRef, conditions }) =>
    addresses.map((address) => wordsOf(targetRef.name, address, conditions.ready === true)),
  )

function servingIn({ metadata: { namespace = '' }, spec }: Service, vpc: string, truth: Truth): readonly string[] {
  const selector = Object.entries(spec.selector ?? {})
  const selected = [...truth.values('Pod')].filter(
    ({ metadata }) => metadata.namespace === namespace && selector.every(([name, value]) => metadata.labels?.[name] === value),
  )
  return selected.flatMap((pod) => {
    const port = firstPortOf(pod, vpc, truth)
    if (isPodFinished(pod) || port?.status?.phase !== 'ready') return []
    const isServing = pod.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') === true
    const isReady = isServing && pod.metadata.deletionTimestamp === undefined
    return (port.status.addresses ?? []).map((address) => wordsOf(pod.metadata.name, address, isReady))
  })
}

function firstPortOf({ metadata: { uid } }: Resource<'Pod'>, vpc: string, truth: Truth): Port | undefined {
  const isIn = ({ metadata, spec }: Port): boolean => {
    const { namespace, name } = resolveReference(spec.subnet, metadata.namespace ?? '')
    return `${namespace}/${truth.at('Subnet', `${namespace}/${name}`)?.spec.vpc}` === vpc
  }
  return [...truth.values('Port')]
    .filter((port) => (port.spec.claim?.podUID ?? port.spec.podUID) === uid && isIn(port))
    .sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1))[0]
}

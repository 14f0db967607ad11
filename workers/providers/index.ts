// The providers of Vpcs, a line each (core/kinds/vpc/providers.ts has what they are like), and which of them has an object.
import { providerNames, type ProviderName } from '../../core/kinds/vpc/providers.ts'
import { inNamespaceOf, resolveReference, type Resource } from '../../core/kinds/index.ts'
import { refused, type Plan } from '../../core/plan/plan.ts'
import type { Env } from '../controller-env.ts'
import type { AnyController } from '../loop/controller.ts'
import { builtinProvider } from './builtin.ts'
import { cloudProvider } from './cloud.ts'
import type { ProvidedKind, Provider } from './provider.ts'
import { unknownProvider } from './unknown.ts'

const registry: Readonly<Record<ProviderName, (env: Env) => Provider>> = {
  builtin: builtinProvider,
  memory: cloudProvider,
  neutron: cloudProvider,
  alcor: cloudProvider,
}

interface Chosen {
  readonly by: AnyController
  readonly desired: unknown
}
type Provided = Resource<ProvidedKind>

/** The controller of a kind that its provider has a say in: it asks that one each time. */
export function provided(kind: ProvidedKind, env: Env): AnyController {
  const providerOf = openProviders(env)
  const chosen = (desired: unknown): Chosen => desired as Chosen
  return {
    gather(key, made) {
      const item = (made as Provided | undefined) ?? env.caches[kind].get(key)
      if (item === undefined) return undefined
      const by = providerOf(item)[kind]
      const desired = by.gather(key, made)
      if (!(desired instanceof Promise)) return desired === undefined ? undefined : { by, desired }
      return desired.then((desired) => (desired === undefined ? undefined : { by, desired }))
    },
    driver: (all) => chosen(all).by.driver(chosen(all).desired),
    scope: (all) => chosen(all).by.scope(chosen(all).desired),
    item: (all) => chosen(all).by.item(chosen(all).desired),
    basis: (all) => chosen(all).by.basis?.(chosen(all).desired) ?? [],
    needsLive: (all, plan) => chosen(all).by.needsLive?.(chosen(all).desired, plan),
    plan: (all, observed, now) => chosen(all).by.plan(chosen(all).desired, observed, now),
    setback: (all, err, now) => chosen(all).by.setback?.(chosen(all).desired, err, now),
    settle: (all, tried, err) => chosen(all).by.settle?.(chosen(all).desired, tried, err),
    refusal: (message): Plan<unknown> => refused('Refused', message),
    ...(kind === 'Port' && { unmade: { port: undefined, there: undefined } }),
  }
}

function openProviders(env: Env): (item: Provided) => Provider {
  const byName = new Map(providerNames.map((name) => [name as string, registry[name](env)]))
  const [cloud, unknown] = [cloudProvider(env), unknownProvider(env)]
  return (item) => {
    // What stands at a cloud goes there, whatever has become of its Vpc.
    if (item.status !== undefined && 'cloud' in item.status && item.status.cloud !== undefined) return cloud
    return byName.get(vpcOf(item, env)?.spec.provider ?? 'builtin') ?? unknown
  }
}

/** Of a Subnet of an L2Service there is none, and then it is the builtin's. */
function vpcOf(item: Provided, { caches }: Env): Resource<'Vpc'> | undefined {
  if (isA('Vpc', item)) return item
  const namespace = item.metadata.namespace ?? ''
  const subnet = isA('Subnet', item) ? item : subnetOf(item as Resource<'Port'>, namespace, caches)
  return subnet?.spec.vpc === undefined ? undefined : caches.Vpc.get(inNamespaceOf(subnet, subnet.spec.vpc))
}

function subnetOf({ spec }: Resource<'Port'>, from: string, caches: Env['caches']): Resource<'Subnet'> | undefined {
  const { namespace, name } = resolveReference(spec.subnet, from)
  return caches.Subnet.get(`${namespace}/${name}`)
}

const isA = <K extends ProvidedKind>(kind: K, item: Provided): item is Resource<K> => item.kind === kind

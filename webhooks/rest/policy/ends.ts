// The two ends of a connection that is asked about: `pods/NAMESPACE/NAME`, `ports/NAMESPACE/NAME`, or an address.
import { segmentOf } from '../../../core/kinds/vpc/segment.ts'
import { NotFound } from '../../../core/errors.ts'
import { resolveReference, type Resource } from '../../../core/kinds/index.ts'
import { world } from '../../../core/kinds/policy/tiers.ts'
import { canonicalIp } from '../../../core/net/ip.ts'
import { identityOf, type TraceEnd } from '../../../core/policy/trace/trace.ts'
import { mayDo, storeFor } from '../../plugins/access.ts'
import type { Caller } from '../../plugins/auth.ts'
import { mustGet } from '../address.ts'
import { gather } from '../across/gather.ts'
import type { RestDeps } from '../deps.ts'
import { BadParameter } from '../invalid-object.ts'
import type { Parameters } from '../query.ts'
import { readEnd, type NamedEnd } from './names.ts'

/** Ports that may be meant, or an address. */
type Named = { readonly ports: readonly Resource<'Port'>[] } | { readonly address: string }

export interface Ends {
  readonly from: TraceEnd
  readonly to: TraceEnd
  /** Where they meet. */
  readonly vni: number
  /** Namespace of the Vpc that has it. */
  readonly namespace: string
}

/** @throws BadParameter; Forbidden and NotFound as of the objects themselves */
export async function endsIn(parameters: Parameters, deps: RestDeps, caller: Caller): Promise<Ends> {
  const [from, to] = [await named('from', parameters, deps, caller), await named('to', parameters, deps, caller)]
  if ('address' in from && 'address' in to) throw new BadParameter('to', 'is an address, as from is: one of them must be a pod or a Port')
  return meeting(from, to)
}

async function named(name: 'from' | 'to', parameters: Parameters, deps: RestDeps, caller: Caller): Promise<Named> {
  const text = parameters[name] ?? ''
  const address = canonicalIp(text)
  if (address !== undefined) return { address }
  const end = readEnd(text)
  if (end === undefined) throw new BadParameter(name, 'must be pods/NAMESPACE/NAME, ports/NAMESPACE/NAME, or an address')
  const ports = await portsOf(deps, caller, end)
  const ready = ports.filter((port) => segmentOf(port) !== undefined && (port.status?.addresses ?? []).length > 0)
  if (ready.length === 0) throw new BadParameter(name, `${text} has no Port with an address in a VNI or VLAN of ours (yet)`)
  return { ports: ready }
}

async function portsOf(deps: RestDeps, caller: Caller, { kind, namespace, name }: NamedEnd): Promise<readonly Resource<'Port'>[]> {
  await mayDo(deps, caller, { act: 'read', kind: 'Port', namespace, verb: 'get' })
  if (kind === 'ports') return [await mustGet(storeFor(deps, caller), { kind: 'Port', namespace, name })]
  const mine = ((await gather(deps, caller, 'Port', { namespace })) ?? []).filter(({ spec }) => spec.claim?.pod === name)
  if (mine.length === 0) throw new NotFound({ kind: 'Pod', key: `${namespace}/${name}` })
  return mine
}

/** The first pair that is in one VNI or VLAN, and of one family. @throws BadParameter */
function meeting(from: Named, to: Named): Ends {
  const [near, far] = 'ports' in from ? [from, to] : [to, from]
  for (const port of 'ports' in near ? near.ports : [])
    for (const address of port.status?.addresses ?? []) {
      const vni = segmentOf(port)!
      const one = { address, identity: identityOf(port), port }
      const other = endFor(far, { vni, isV6: address.includes(':') })
      if (other === undefined) continue
      const { namespace } = resolveReference(port.spec.subnet, port.metadata.namespace ?? '')
      return { vni, namespace, ...(near === from ? { from: one, to: other } : { from: other, to: one }) }
    }
  throw new BadParameter(
    'to',
    'is in no VNI or VLAN that from is in, or has no address of its family: policies let nothing from one to the other',
  )
}

function endFor(named: Named, { vni, isV6 }: { readonly vni: number; readonly isV6: boolean }): TraceEnd | undefined {
  if ('address' in named) return named.address.includes(':') === isV6 ? { address: named.address, identity: world } : undefined
  for (const port of named.ports) {
    const address = segmentOf(port) === vni ? port.status?.addresses?.find((each) => each.includes(':') === isV6) : undefined
    if (address !== undefined) return { address, identity: identityOf(port), port }
  }
  return undefined
}

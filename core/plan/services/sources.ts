// What a node sends to endpoints of other nodes as from, where a Service's externalTrafficPolicy is Cluster: an address of the pool that
// leads to that node alone, so that answers come back to whoever has the connection. One for each pool and node, whatever the Services.
import type { Draft } from '../../contracts/store.ts'
import { serviceAddressFinalizer } from '../../kinds/annotations.ts'
import { refOf, resolveReference, type Resource } from '../../kinds/index.ts'
import { hash80 } from '../../net/names.ts'
import type { Plan, Step } from '../plan.ts'
import { blocksOf } from './announced.ts'

type Address = Resource<'ServiceAddress'>
type Speaker = Resource<'BGPSpeaker'>

export type SourceAction =
  { readonly do: 'makeAddress'; readonly draft: Draft<'ServiceAddress'> } | { readonly do: 'deleteAddress'; readonly address: Address }

/** A name with a dot, which no Service has. */
export function sourceKeyOf(pool: string, node: string): string {
  const { namespace, name } = resolveReference(pool, '')
  return `${namespace}/${name.slice(0, 200)}.${hash80('service source', name, node)}`
}

export const isSource = ({ spec }: Address): boolean => spec.node !== undefined

/** Nodes with endpoints, each of which sends on to those of the others. */
export function spreadOver({ spec: { externalTrafficPolicy, endpoints }, metadata }: Address): readonly string[] {
  const nodes = new Set(
    externalTrafficPolicy === 'Cluster' && metadata.deletionTimestamp === undefined ? endpoints.map(({ node }) => node) : [],
  )
  return nodes.size < 2 ? [] : [...nodes].sort()
}

/** Those of them that are answered: whose speaker leads to an address of the pool. */
export function sendersOf(address: Address, speakers: readonly Speaker[]): readonly string[] {
  const announcing = new Set(blocksOf(address, speakers))
  return spreadOver(address).filter((each) => announcing.has(each))
}

/** @param sourceAt what there is, by key */
export function sourceSteps(
  address: Address,
  speakers: readonly Speaker[],
  sourceAt: (key: string) => Address | undefined,
): readonly Step<SourceAction>[] {
  const because = { rule: 'a node that sends on to endpoints of others', of: refOf(address) }
  return sendersOf(address, speakers)
    .filter((node) => sourceAt(sourceKeyOf(address.spec.subnet, node)) === undefined)
    .map((node) => ({ action: { do: 'makeAddress', draft: draftOf(address, node) }, because }))
}

function draftOf({ spec: { subnet, vpc, vni } }: Address, node: string): Draft<'ServiceAddress'> {
  return {
    kind: 'ServiceAddress',
    metadata: { ...resolveReference(sourceKeyOf(subnet, node), ''), finalizers: [serviceAddressFinalizer] },
    spec: { subnet, vpc, vni, node, addresses: [], ports: [], externalTrafficPolicy: 'Cluster', endpoints: [] },
  }
}

/**
 * The end of one that nobody needs; undefined: somebody does.
 *
 * @param beside all of its pool
 */
export function planUnneeded(address: Address, beside: readonly Address[], speakers: readonly Speaker[]): Plan<SourceAction> | undefined {
  const { node } = address.spec
  if (node === undefined || beside.some((each) => sendersOf(each, speakers).includes(node))) return undefined
  return {
    steps: [
      {
        action: { do: 'deleteAddress', address },
        because: { rule: 'no Service of its pool has endpoints there and elsewhere', of: refOf(address) },
      },
    ],
    phase: 'terminating',
    reason: 'Unneeded',
    message: `no Service of Subnet ${address.spec.subnet} is sent on by ${node}`,
  }
}

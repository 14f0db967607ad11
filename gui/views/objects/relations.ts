// Which objects an object names, and which name it.
import type { Item, Kind } from '../../contract/kinds.ts'
import { objects } from '../../live/objects.ts'

const whole = (reference: string, namespace: string): string => (reference.includes('/') ? reference : `${namespace}/${reference}`)
type Named = readonly (readonly [Kind, string])[]

function namesOf(item: Item): Named {
  const namespace = item.metadata.namespace ?? ''
  if (item.kind === 'Port')
    return [
      ['Subnet', whole(item.spec.subnet, namespace)],
      ...(item.spec.claim === undefined ? [] : [['Pod', `${namespace}/${item.spec.claim.pod}`] as const]),
      ...(item.spec.node === undefined ? [] : [['Node', item.spec.node] as const]),
    ]
  if (item.kind === 'Subnet') return item.spec.vpc === undefined ? [] : [['Vpc', whole(item.spec.vpc, namespace)]]
  if (item.kind === 'IPLock') return item.spec.subnet === undefined ? [] : [['Subnet', whole(item.spec.subnet, namespace)]]
  return []
}

const naming: readonly Kind[] = ['Port', 'Subnet']

export function relatedTo(item: Item): { readonly above: readonly Item[]; readonly below: readonly Item[] } {
  const key = item.metadata.namespace === undefined ? item.metadata.name : `${item.metadata.namespace}/${item.metadata.name}`
  const below: Item[] = []
  for (const kind of naming)
    for (const other of objects.of(kind).values())
      if (namesOf(other).some(([of, name]) => of === item.kind && name === key)) below.push(other)
  return { above: namesOf(item).flatMap(([kind, name]) => objects.of(kind).get(name) ?? []), below }
}

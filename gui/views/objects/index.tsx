import { allKinds, isKind, type Kind } from '../../contract/kinds.ts'
import type { PagePlace } from '../../frame/place.ts'
import type { View } from '../view.ts'
import { List } from './list.tsx'
import { One } from './one.tsx'

const kindIn = ({ kind }: PagePlace): Kind => (kind !== undefined && isKind(kind) ? kind : 'Pod')
/** What the page of one object also speaks of. */
const besides: readonly Kind[] = ['Pod', 'Port', 'Subnet', 'Vpc', 'Event', 'Notice', 'Subscription', 'IPLock']

export const objectsView: View = {
  name: 'objects',
  title: 'Objects',
  letter: 'o',
  icon: 'M3 5.500 10 2l7 3.500v9L10 18l-7-3.500zM3 5.500 10 9l7-3.500M10 9v9',
  kinds: (place) => (place['name'] === undefined ? [kindIn(place)] : [...new Set([kindIn(place), ...besides])]),
  Page: ({ place }) =>
    place['name'] === undefined ? (
      <List kind={kindIn(place)} kinds={allKinds} />
    ) : (
      <One kind={kindIn(place)} namespace={place['of']} name={place['name']} />
    ),
}

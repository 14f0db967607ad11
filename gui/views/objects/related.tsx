// What it stands on, and who stands on it: looked at before it is deleted.
import { keyOf, type Item } from '../../contract/kinds.ts'
import { linkTo } from '../../frame/place.ts'
import { objects } from '../../live/objects.ts'
import { PhaseOf } from '../../parts/phase.tsx'
import { relatedTo } from './relations.ts'

const shownMost = 12

export function Related({ item }: { readonly item: Item }) {
  void objects.version.value
  const { above, below } = relatedTo(item)
  return (
    <section class="card">
      <h2>What it is part of</h2>
      <Links items={above} none="It stands on nothing else." />
      <h2>Who uses it</h2>
      <Links items={below} none="Nobody." />
    </section>
  )
}

const Links = ({ items, none }: { readonly items: readonly Item[]; readonly none: string }) => (
  <ul class="rows" data-links>
    {items.length === 0 && <li class="quiet">{none}</li>}
    {items.slice(0, shownMost).map((item) => (
      <li key={`${item.kind}/${keyOf(item)}`}>
        <span>
          <span class="kind">{item.kind}</span>{' '}
          <a href={linkTo(item.kind, item.metadata.namespace, item.metadata.name)}>
            <bdi>{item.metadata.name}</bdi>
          </a>
        </span>
        <PhaseOf item={item} />
      </li>
    ))}
    {items.length > shownMost && <li class="quiet">and {items.length - shownMost} more</li>}
  </ul>
)

// What it refers to, and who refers to it, as the server finds it: looked at before it is deleted.
import { usesOf, type Use } from '../../contract/about.ts'
import { isKind, keyAt, type Item } from '../../contract/kinds.ts'
import { linkTo } from '../../frame/place.ts'
import { objects } from '../../live/objects.ts'
import { useAnswer } from '../../parts/answer.ts'
import { Failure } from '../../parts/failure.tsx'
import { PhaseOf } from '../../parts/phase.tsx'

const shownMost = 12

export function Related({ item }: { readonly item: Item }) {
  const { answer, err } = useAnswer(item.metadata.uid, objects.version.value, () => usesOf(item))
  if (err !== undefined) return <Failure err={err} />
  return (
    <section class="card">
      <h2>What it is part of</h2>
      <Links of={answer?.uses} none="It refers to nothing else." />
      <h2>Who uses it</h2>
      <Links of={answer?.usedBy} none="Nobody that you may see." />
      {answer?.more === true && <p class="quiet">There are more than the server says.</p>}
    </section>
  )
}

const Links = ({ of, none }: { readonly of: readonly Use[] | undefined; readonly none: string }) => (
  <ul class="rows" data-links>
    {of === undefined && <li class="quiet">Asking …</li>}
    {of?.length === 0 && <li class="quiet">{none}</li>}
    {of?.slice(0, shownMost).map((each) => (
      <li key={`${each.kind}/${keyAt(each.namespace, each.name)}${each.at}`} title={each.at}>
        <Link of={each} />
      </li>
    ))}
    {of !== undefined && of.length > shownMost && <li class="quiet">and {of.length - shownMost} more</li>}
  </ul>
)

/** With its phase, where it is among what the page follows. */
function Link({ of }: { readonly of: Use }) {
  const { kind, namespace, name } = of
  if (!isKind(kind))
    return (
      <span>
        <span class="kind">{kind}</span> <bdi>{name}</bdi>
      </span>
    )
  const item = objects.of(kind).get(keyAt(namespace, name))
  return (
    <>
      <span>
        <span class="kind">{kind}</span>{' '}
        <a href={linkTo(kind, namespace, name)}>
          <bdi>{name}</bdi>
        </a>
      </span>
      {item !== undefined && <PhaseOf item={item} />}
    </>
  )
}

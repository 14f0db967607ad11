// Who is told of its changes, and what is still to be told.
import type { Item } from '../../contract/kinds.ts'
import { linkTo } from '../../frame/place.ts'
import { objects } from '../../live/objects.ts'

export function NoticesOf({ item }: { readonly item: Item }) {
  const own = callbackOf(item)
  const notices = [...objects.of('Notice').values()].filter(({ spec }) => spec.of.uid === item.metadata.uid)
  const uids = new Set(notices.flatMap(({ spec }) => spec.subscriptions ?? []))
  const subscriptions = [...objects.of('Subscription').values()].filter(({ metadata }) => uids.has(metadata.uid))
  const waiting = notices.filter(
    ({ status, spec }) => (status?.taken ?? []).length < (spec.subscriptions?.length ?? 0) + (spec.callbackURL === undefined ? 0 : 1),
  )
  return (
    <section class="card">
      <h2>Who is told of it</h2>
      <ul class="rows">
        {own !== undefined && (
          <li>
            <span>
              its own callback: <code>{own}</code>
            </span>
          </li>
        )}
        {subscriptions.map(({ metadata: { namespace, name } }) => (
          <li key={name}>
            <a href={linkTo('Subscription', namespace, name)}>
              <bdi>{name}</bdi>
            </a>
          </li>
        ))}
        {own === undefined && subscriptions.length === 0 && <li class="quiet">Nobody has asked to be.</li>}
      </ul>
      {waiting.length > 0 && <p>{waiting.length} notices wait to be taken.</p>}
    </section>
  )
}

function callbackOf(item: Item): string | undefined {
  if (item.kind === 'Pod') return item.metadata.annotations?.['megrez.io/callback-url']
  const { callbackURL } = item.spec as { readonly callbackURL?: unknown }
  return typeof callbackURL === 'string' ? callbackURL : undefined
}

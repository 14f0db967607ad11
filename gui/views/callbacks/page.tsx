// Who is told of changes, how well that goes, and what still waits to be told.
import { keyOf, type Item } from '../../contract/kinds.ts'
import { linkTo } from '../../frame/place.ts'
import { objects } from '../../live/objects.ts'
import { Empty } from '../../parts/empty.tsx'
import { PhaseOf } from '../../parts/phase.tsx'
import { When } from '../../parts/when.tsx'
import { yamlOf } from '../objects/yaml.ts'
import { Acts } from './acts.tsx'

export function Page() {
  const subscriptions = [...objects.of('Subscription').values()].sort((a, b) => keyOf(a).localeCompare(keyOf(b)))
  const notices = [...objects.of('Notice').values()].sort((a, b) => b.spec.time.localeCompare(a.spec.time))
  return (
    <div class="page">
      <h1>Callbacks</h1>
      {subscriptions.length === 0 && <p class="quiet">Nobody has subscribed. Objects may also name a callback of their own.</p>}
      <div class="cards">
        {subscriptions.map((each) => (
          <Subscription key={each.metadata.uid} subscription={each} notices={notices} />
        ))}
      </div>
      <Notices notices={notices} />
    </div>
  )
}

function Subscription({
  subscription,
  notices,
}: {
  readonly subscription: Item<'Subscription'>
  readonly notices: readonly Item<'Notice'>[]
}) {
  const { spec, metadata } = subscription
  return (
    <section class="card" data-subscription={metadata.name}>
      <h2>
        <a href={linkTo('Subscription', metadata.namespace, metadata.name)}>
          <bdi>{keyOf(subscription)}</bdi>
        </a>{' '}
        <PhaseOf item={subscription} />
        {spec.paused === true && <span class="kind">paused</span>}
      </h2>
      <dl>
        <Fact name="To" value={spec.sink ?? 'nobody: it is pulled'} />
        <Fact name="As" value={`${spec.profile ?? 'eno'}, ${spec.changes === 'all' ? 'all changes' : 'changes of phase'}`} />
        <Waiting uid={metadata.uid} notices={notices} />
        <Delivering status={subscription.status ?? {}} />
      </dl>
      <Acts subscription={subscription} />
    </section>
  )
}

function Waiting({ uid, notices }: { readonly uid: string; readonly notices: readonly Item<'Notice'>[] }) {
  const isFor = ({ spec }: Item<'Notice'>): boolean => spec.subscriptions?.includes(uid) === true
  const waiting = notices.filter((notice) => isFor(notice) && notice.status?.taken?.includes(uid) !== true)
  return <Fact name="Waiting" value={waiting.length === 0 ? 'nothing' : `${waiting.length}, the oldest`} more={waiting.at(-1)?.spec.time} />
}

function Delivering({
  status: { delivering, parkedCount = 0, circuit, tested },
}: {
  readonly status: NonNullable<Item<'Subscription'>['status']>
}) {
  return (
    <>
      <Fact name="Delivering" value={deliveringOf(delivering)} more={delivering?.since} />
      <Fact name="Parked" value={`${parkedCount}${circuit === 'open' ? ', tried seldom' : ''}`} />
      {tested !== undefined && <Fact name="Tested" value={tested.outcome} more={tested.time} />}
    </>
  )
}

const deliveringOf = (of: { readonly taken: boolean; readonly reason?: string } | undefined): string =>
  of === undefined ? 'nothing yet' : of.taken ? 'taken' : (of.reason ?? 'not taken')

const Fact = ({ name, value, more }: { readonly name: string; readonly value: string; readonly more?: string | undefined }) => (
  <div>
    <dt>{name}</dt>
    <dd>
      <bdi>{value}</bdi> {more !== undefined && <When at={more} />}
    </dd>
  </div>
)

/** So many are listed. */
const noticesMost = 100

function Notices({ notices }: { readonly notices: readonly Item<'Notice'>[] }) {
  if (notices.length === 0) return <Empty title="No notice is kept">One is kept until whoever asked for it has taken it.</Empty>
  return (
    <section class="card wide">
      <h2>Notices that are kept: {notices.length}</h2>
      <ul class="rows">
        {notices.slice(0, noticesMost).map(({ metadata, spec, status }) => (
          <li key={metadata.uid}>
            <details>
              <summary>
                {spec.of.kind} {spec.of.namespace ?? ''}/{spec.of.name} is {spec.phase} ({spec.sequence})
              </summary>
              <pre tabIndex={0}>
                <code>{yamlOf(spec.object)}</code>
              </pre>
            </details>
            <span class="quiet">
              <When at={spec.time} /> · taken by {status?.taken?.length ?? 0}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

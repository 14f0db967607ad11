// Who is told of changes, how well that goes, and what still waits to be told.
import { keyOf, type Item } from '../../contract/kinds.ts'
import { may } from '../../contract/session.ts'
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
      {may('list', 'Notice') && <Notices notices={notices} />}
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
        <Waiting subscription={subscription} notices={notices} />
        <Delivering status={subscription.status ?? {}} />
      </dl>
      <Parked status={subscription.status ?? {}} />
      <Acts subscription={subscription} />
    </section>
  )
}

interface WaitingProps {
  readonly subscription: Item<'Subscription'>
  readonly notices: readonly Item<'Notice'>[]
}

/** Notices hold objects of all namespaces: whoever may not see them is not told that there are none. */
function Waiting({ subscription: { metadata, spec, status }, notices }: WaitingProps) {
  const { uid } = metadata
  if (!may('list', 'Notice')) return null
  const waiting = notices.filter(
    ({ spec: of, status: at }) => of.subscriptions?.includes(uid) === true && at?.taken?.includes(uid) !== true,
  )
  if (spec.sink === undefined) return <Fact name="To be pulled" value={String(waiting.length)} more={waiting.at(-1)?.spec.time} />
  if (waiting.length === 0) return <Fact name="Waiting" value="nothing" />
  const objectsLeft = new Set(waiting.map(({ spec: of }) => of.of.uid)).size
  const value = `${counted(waiting.length, 'notice')} of ${counted(objectsLeft, 'object')}${untilWhen(spec, status)}; the oldest`
  return <Fact name="Waiting" value={value} more={waiting.at(-1)?.spec.time} />
}
const counted = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`
function untilWhen({ paused }: Item<'Subscription'>['spec'], status: Item<'Subscription'>['status']): string {
  if (paused === true) return ', until it goes on'
  return status?.circuit === 'open' ? ', until the sink answers' : ''
}

type Status = NonNullable<Item<'Subscription'>['status']>

function Delivering({ status: { delivering, circuit, givenUp = 0, tested } }: { readonly status: Status }) {
  return (
    <>
      <Fact name="Delivering" value={deliveringOf(delivering)} more={delivering?.since} />
      {circuit !== undefined && <Fact name="Circuit" value={circuits[circuit]} state={circuit} />}
      {givenUp > 0 && <Fact name="Given up" value={`${givenUp}: not taken within the horizon`} />}
      {tested !== undefined && <Fact name="Tested" value={tested.outcome} more={tested.time} />}
    </>
  )
}
const circuits: Readonly<Record<NonNullable<Status['circuit']>, string>> = {
  open: 'open: the sink does not answer, and is tried by one sending at a time, ever more seldom',
  closed: 'closed: it answers',
}

/** Objects whose next notice the sink answers, and refuses; the status names some of them. */
function Parked({ status: { parked = [], parkedCount = 0 } }: { readonly status: Status }) {
  if (parkedCount === 0) return null
  return (
    <details data-parked={parkedCount}>
      <summary>Refused again and again: the next notice of {counted(parkedCount, 'object')}, tried twice an hour</summary>
      <ul class="rows">
        {parked.map(({ kind, namespace, name, uid, sequence, since, reason }) => (
          <li key={uid}>
            <span>
              <span class="kind">{kind}</span>{' '}
              <a href={linkTo(kind, namespace, name)}>
                <bdi>{name}</bdi>
              </a>{' '}
              <span class="quiet">({sequence})</span>
            </span>
            <span class="quiet">
              {reason} · <When at={since} />
            </span>
          </li>
        ))}
        {parkedCount > parked.length && <li class="quiet">and {parkedCount - parked.length} more</li>}
      </ul>
    </details>
  )
}

const deliveringOf = (of: { readonly taken: boolean; readonly reason?: string } | undefined): string =>
  of === undefined ? 'nothing yet' : of.taken ? 'taken' : (of.reason ?? 'not taken')

interface FactProps {
  readonly name: string
  readonly value: string
  readonly more?: string | undefined
  readonly state?: string
}
const Fact = ({ name, value, more, state }: FactProps) => (
  <div data-fact={name} data-state={state}>
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

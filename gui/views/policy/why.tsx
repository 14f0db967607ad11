// One connection through the tiers, on both ends.
import { keyOf, type Item } from '../../contract/kinds.ts'
import { linkTo } from '../../frame/place.ts'
import { objects } from '../../live/objects.ts'
import { RuleHits } from './rule-hits.tsx'
import { nameOf, segmentOf, type Cell, type Group } from './question.ts'

interface WhyProps {
  readonly cell: Cell
  readonly from: Group
  readonly to: Group
  readonly segment: number | undefined
}

export const Why = ({ cell, from, to, segment }: WhyProps) => (
  <section class="card wide" data-why>
    <h2>
      <bdi>{nameOf(from)}</bdi> to <bdi>{nameOf(to)}</bdi>: {cell.isAllowed ? 'allowed' : 'denied'}
    </h2>
    <div class="halves">
      <Direction title="May it send?" direction={cell.egress} of={firstOf(from, segment)} />
      <Direction title="May it be reached?" direction={cell.ingress} of={firstOf(to, segment)} />
    </div>
  </section>
)

interface DirectionProps {
  readonly title: string
  readonly direction: Cell['egress']
  /** Who is judged. */
  readonly of: Item<'Port'> | undefined
}

/** The first Port of a group, which its pod's name may stand for. */
const firstOf = ({ namespace, ports: [first] }: Group, segment: number | undefined): Item<'Port'> | undefined =>
  [...objects.of('Port').values()].find(
    (port) =>
      port.metadata.namespace === namespace && segmentOf(port) === segment && (port.spec.claim?.pod ?? port.metadata.name) === first,
  )

function Direction({ title, direction, of }: DirectionProps) {
  return (
    <div>
      <h3>{title}</h3>
      {direction === undefined && <p class="quiet">Nothing gets that far.</p>}
      {direction?.tiers.length === 0 && <p>Yes: no policy has a say.</p>}
      <ol class="tiers">
        {direction?.tiers.map((each) => (
          <Tier key={each.tier} answer={each} />
        ))}
      </ol>
      <Questions inspections={direction?.inspections} />
      {direction !== undefined && direction.tiers.length > 0 && of !== undefined && (
        <RuleHits key={keyOf(of)} namespace={of.metadata.namespace ?? ''} port={of.metadata.name} />
      )}
    </div>
  )
}

type TierAnswer = NonNullable<Cell['egress']>['tiers'][number]

export const Tier = ({ answer: { tier, says, policy, rule } }: { readonly answer: TierAnswer }) => (
  <li data-says={says}>
    {tier}:{' '}
    <a href={linkTo(policy.kind, policy.namespace, policy.name)}>
      {policy.kind} <bdi>{policy.name}</bdi>
    </a>{' '}
    {says === 'audits' ? 'would deny it, and lets it pass' : says}
    {rule === undefined ? ', as no rule of it allows this' : ` by ${rule}`}
  </li>
)

/** What is asked in a connection once it is up. */
export const Questions = ({ inspections = [] }: { readonly inspections: NonNullable<Cell['egress']>['inspections'] | undefined }) => (
  <>
    {inspections.map(({ action, policy, rule }) => (
      <p key={rule}>
        Then asked: <a href={linkTo(policy.kind, policy.namespace, policy.name)}>{policy.name}</a> refuses what{' '}
        {action === 'deny' ? 'matches' : 'does not match'} {rule}/l7.
      </p>
    ))}
  </>
)

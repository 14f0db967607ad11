// One connection through the tiers, on both ends.
import { linkTo } from '../../frame/place.ts'
import { nameOf, type Cell, type Group } from './question.ts'

interface WhyProps {
  readonly cell: Cell
  readonly from: Group
  readonly to: Group
}

export const Why = ({ cell, from, to }: WhyProps) => (
  <section class="card wide" data-why>
    <h2>
      <bdi>{nameOf(from)}</bdi> to <bdi>{nameOf(to)}</bdi>: {cell.isAllowed ? 'allowed' : 'denied'}
    </h2>
    <div class="halves">
      <Direction title="May it send?" direction={cell.egress} />
      <Direction title="May it be reached?" direction={cell.ingress} />
    </div>
  </section>
)

function Direction({ title, direction }: { readonly title: string; readonly direction: Cell['egress'] }) {
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
    </div>
  )
}

type TierAnswer = NonNullable<Cell['egress']>['tiers'][number]

const Tier = ({ answer: { tier, says, policy, rule } }: { readonly answer: TierAnswer }) => (
  <li data-says={says}>
    {tier}:{' '}
    <a href={linkTo(policy.kind, policy.namespace, policy.name)}>
      {policy.kind} <bdi>{policy.name}</bdi>
    </a>{' '}
    {says === 'audits' ? 'would deny it, and lets it pass' : says}
    {rule === undefined ? ', as no rule of it allows this' : ` by ${rule}`}
  </li>
)

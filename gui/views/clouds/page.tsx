// Clouds behind Vpcs: whether each can be asked and how fast it answers, what stands there, what is made ahead, what was found amiss.
import type { Item } from '../../contract/kinds.ts'
import { keyOf } from '../../contract/kinds.ts'
import { reportOf } from '../../contract/report.ts'
import { linkTo } from '../../frame/place.ts'
import { objects } from '../../live/objects.ts'
import { Empty } from '../../parts/empty.tsx'
import { PhaseOf } from '../../parts/phase.tsx'
import { Table } from '../../parts/table.tsx'
import { Answers } from './answers.tsx'
import { countsOf, lastAudit, refusedIn } from './of-cloud.ts'

export function Page() {
  const clouds = [...objects.of('Cloud').values()]
  if (clouds.length === 0)
    return (
      <Empty title={objects.has('Cloud') ? 'There is no Cloud' : 'Reading …'}>
        <p>A Cloud names a VPC service that is not ours, such as OpenStack Neutron. Vpcs that name it are made there.</p>
      </Empty>
    )
  return (
    <div class="page">
      <h1>Clouds</h1>
      <Answers clouds={clouds.map(({ metadata }) => metadata.name).sort()} />
      {clouds.map((each) => (
        <Cloud key={each.metadata.name} cloud={each} />
      ))}
    </div>
  )
}

function Cloud({ cloud }: { readonly cloud: Item<'Cloud'> }) {
  const { name } = cloud.metadata
  return (
    <section class="card wide" data-cloud={name}>
      <header class="head">
        <h2>
          <a href={linkTo('Cloud', undefined, name)}>
            <bdi>{name}</bdi>
          </a>{' '}
          <PhaseOf item={cloud} /> <span class="kind">{cloud.spec.provider}</span>
        </h2>
      </header>
      <p class="quiet">{reportOf(cloud).message}</p>
      <Quota cloud={cloud} />
      <Pools cloud={cloud} />
      <There cloud={name} />
      <Refused cloud={name} />
      <Audited cloud={name} />
    </section>
  )
}

function Quota({ cloud: { status } }: { readonly cloud: Item<'Cloud'> }) {
  const quota = status?.portQuota
  if (quota === undefined) return null
  return (
    <p data-quota>
      Of {quota.limit} ports that its project may have there are {quota.used}.
    </p>
  )
}

function Pools({ cloud: { spec, status } }: { readonly cloud: Item<'Cloud'> }) {
  if (spec.warmPools === undefined) return <p class="quiet">No Ports are made ahead there.</p>
  const { pools = 0, ready = 0, making = 0 } = status?.pools ?? {}
  return (
    <p data-pools>
      {ready} Ports made ahead in {pools} pools, {making} are being made; at most {spec.warmPools.max} a pool.
    </p>
  )
}

const phases = ['ready', 'pending', 'error', 'terminating'] as const
const placedKinds = ['Vpc', 'Subnet', 'Port'] as const

const There = ({ cloud }: { readonly cloud: string }) => (
  <Table label={`What stands at ${cloud}`} heads={['Kind', ...phases]}>
    {placedKinds.map((kind) => {
      const counts = countsOf(objects.of(kind).values(), cloud)
      return (
        <tr key={kind} data-there={kind}>
          <th scope="row">{kind}</th>
          {phases.map((phase) => (
            <td key={phase} class={phase === 'error' && (counts.get(phase) ?? 0) > 0 ? 'value bad' : 'value'}>
              {counts.get(phase) ?? 0}
            </td>
          ))}
        </tr>
      )
    })}
  </Table>
)

/** Of a list that may be long. */
const listedMost = 20

function Refused({ cloud }: { readonly cloud: string }) {
  const refused = placedKinds.flatMap((kind) => refusedIn(objects.of(kind).values(), cloud))
  if (refused.length === 0) return null
  return (
    <>
      <h3>Refused: {refused.length}</h3>
      <ul class="rows" data-refused>
        {refused.slice(0, listedMost).map((item) => (
          <li key={`${item.kind} ${keyOf(item)}`}>
            <a href={linkTo(item.kind, item.metadata.namespace, item.metadata.name)}>
              {item.kind} <bdi>{keyOf(item)}</bdi>
            </a>
            <span>{item.status?.message}</span>
          </li>
        ))}
      </ul>
    </>
  )
}

function Audited({ cloud }: { readonly cloud: string }) {
  const last = lastAudit(objects.of('Audit').values(), cloud)
  if (last === undefined) return <p class="quiet">No Audit has looked at it.</p>
  const { audit, findings } = last
  return (
    <>
      <h3>
        <a href={linkTo('Audit', undefined, audit.metadata.name)}>
          Audit <bdi>{audit.metadata.name}</bdi>
        </a>{' '}
        <span class="quiet">
          {audit.status?.lookedAt}: {findings.length === 0 ? 'nothing is amiss' : `${findings.length} findings`}
        </span>
      </h3>
      <ul class="rows" data-findings>
        {findings.slice(0, listedMost).map(({ class: of, object, id, message }) => (
          <li key={`${of} ${object ?? ''} ${id ?? ''}`}>
            <span class="kind">{of}</span>
            <span>{message}</span>
          </li>
        ))}
      </ul>
    </>
  )
}

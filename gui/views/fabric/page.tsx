// Switches as they are against what they should be: which VLANs are wanted where, and what differs.
import { read, patch } from '../../contract/api.ts'
import type { Item } from '../../contract/kinds.ts'
import { may } from '../../contract/session.ts'
import { linkTo } from '../../frame/place.ts'
import { objects } from '../../live/objects.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { Empty } from '../../parts/empty.tsx'
import { PhaseOf } from '../../parts/phase.tsx'
import { Table } from '../../parts/table.tsx'
import { useState } from 'preact/hooks'
import { Vrfs } from './vrfs.tsx'
import { pointsOf, type FabricLink } from './wanted.ts'

export function Page() {
  const fabrics = [...objects.of('Fabric').values()]
  if (fabrics.length === 0)
    return (
      <Empty title={objects.has('Fabric') ? 'There is no Fabric' : 'Reading …'}>
        <p>A Fabric names switches, what is plugged into them, and whose VLANs Megrez opens there.</p>
      </Empty>
    )
  return (
    <div class="page">
      <h1>Fabric</h1>
      {fabrics.map((each) => (
        <Fabric key={each.metadata.name} fabric={each} />
      ))}
    </div>
  )
}

const drifts = ['missing', 'dangling', 'wrong', 'foreign'] as const

function Fabric({ fabric }: { readonly fabric: Item<'Fabric'> }) {
  const { name } = fabric.metadata
  return (
    <section class="card wide" data-fabric={name}>
      <header class="head">
        <h2>
          <a href={linkTo('Fabric', undefined, name)}>
            <bdi>{name}</bdi>
          </a>{' '}
          <PhaseOf item={fabric} />
          {fabric.spec.dryRun === true && <span class="kind">dry run</span>}
        </h2>
        <DryRun fabric={fabric} />
      </header>
      <Table label={`Switches of ${name}`} heads={['Switch', 'Driver', 'State', ...drifts]}>
        {fabric.spec.switches.map((each) => (
          <Switch key={each.name} named={each} state={fabric.status?.switches?.find((of) => of.name === each.name)} />
        ))}
      </Table>
      <Vlans fabric={fabric} />
      <Vrfs fabric={fabric} />
    </section>
  )
}

type SwitchSpec = Item<'Fabric'>['spec']['switches'][number]
type SwitchState = NonNullable<NonNullable<Item<'Fabric'>['status']>['switches']>[number]

const Switch = ({ named, state }: { readonly named: SwitchSpec; readonly state: SwitchState | undefined }) => (
  <tr>
    <th scope="row">
      <bdi>{named.name}</bdi>
    </th>
    <td>{named.driver}</td>
    <td title={state?.message}>{state?.state ?? 'not looked at yet'}</td>
    {drifts.map((drift) => (
      <td key={drift} class={(state?.[drift] ?? 0) > 0 && drift !== 'foreign' ? 'value bad' : 'value'}>
        {state?.[drift] ?? 0}
      </td>
    ))}
  </tr>
)

/** Switch ports by VLANs: where each is wanted. */
function Vlans({ fabric }: { readonly fabric: Item<'Fabric'> }) {
  const domains = [...objects.of('L2BridgeDomain').values()].sort((a, b) => a.spec.vlan - b.spec.vlan)
  const links = fabric.spec.links ?? []
  if (domains.length === 0 || links.length === 0) return <p class="quiet">No VLAN is wanted on its switch ports.</p>
  const wiring = { connectionPoints: objects.of('ConnectionPoint'), pools: [...objects.of('NodePool').values()], nodes: objects.of('Node') }
  return (
    <Table label="VLANs by switch port" heads={['Switch port', 'Plugged in', ...domains.map(vlanHead)]}>
      {links.map((each) => (
        <LinkRow key={`${each.switch} ${each.switchPort}`} link={each} domains={domains} points={pointsOf(each, wiring)} />
      ))}
    </Table>
  )
}

const vlanHead = ({ metadata, spec }: Item<'L2BridgeDomain'>) => <span title={metadata.name}>VLAN {spec.vlan}</span>

interface LinkRowProps {
  readonly link: FabricLink
  readonly domains: readonly Item<'L2BridgeDomain'>[]
  readonly points: ReadonlySet<string>
}

const LinkRow = ({ link, domains, points }: LinkRowProps) => (
  <tr>
    <th scope="row">
      <bdi>
        {link.switch} {link.switchPort}
      </bdi>
    </th>
    <td>
      {link.node} {link.interface}
    </td>
    {domains.map((domain) => (
      <td key={domain.metadata.name}>{domain.spec.connectionPoints.some((point) => points.has(point)) && <PhaseOf item={domain} />}</td>
    ))}
  </tr>
)

/** Whether its switches are written to, or only looked at. */
function DryRun({ fabric }: { readonly fabric: Item<'Fabric'> }) {
  const [open, setOpen] = useState(false)
  if (!may('patch', 'Fabric')) return null
  const { name } = fabric.metadata
  const dry = fabric.spec.dryRun === true
  const change = async (dryRun: boolean) =>
    patch('Fabric', { name, etag: (await read('Fabric', { name })).etag }, { spec: { dryRun: !dry } }, dryRun)
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        {dry ? 'Write to its switches …' : 'Only look at its switches …'}
      </button>
      {open && (
        <Confirm
          title={dry ? `Write to the switches of ${name}?` : `Only look at the switches of ${name}?`}
          act="Change it"
          dryRun={() => change(true)}
          run={() => change(false)}
          onClose={() => setOpen(false)}
        >
          <p>
            {dry ? 'What differs now is mended at once: missing is opened, dangling closed.' : 'What differs is told and left as it is.'}
          </p>
        </Confirm>
      )}
    </>
  )
}

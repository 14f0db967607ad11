// Rows send, columns receive. A cell says yes or no by its sign and its word, not by its colour alone; one that is pressed says why.
import { choose } from '../../frame/place.ts'
import { Table } from '../../parts/table.tsx'
import { nameOf, type Cell, type Group, type MatrixAnswer } from './question.ts'
import { Why } from './why.tsx'

interface MatrixProps {
  readonly answer: MatrixAnswer
  readonly segment: number | undefined
  /** `from.to`, as numbers of groups. */
  readonly chosen: string | undefined
}

export function Matrix({ answer: { groups, cells, more }, segment, chosen }: MatrixProps) {
  const [from = -1, to = -1] = (chosen ?? '').split('.').map(Number)
  const cell = cells[from]?.[to]
  return (
    <>
      <p class="quiet">
        {groups.length} groups of Ports that policies cannot tell apart; rows begin a connection, columns receive it.
        {more && ' There are more than are shown.'}
      </p>
      <Table label="Who can talk to whom" heads={['From', ...groups.map((group) => <GroupName key={nameOf(group)} group={group} />)]}>
        {groups.map((group, row) => (
          <tr key={nameOf(group)}>
            <th scope="row">
              <GroupName group={group} />
            </th>
            {groups.map((_, column) => (
              <td key={column}>
                <CellButton
                  cell={cells[row]![column]!}
                  at={`${row}.${column}`}
                  chosen={chosen}
                  names={[group, groups[column]!].map(nameOf)}
                />
              </td>
            ))}
          </tr>
        ))}
      </Table>
      {cell !== undefined && <Why cell={cell} from={groups[from]!} to={groups[to]!} segment={segment} />}
    </>
  )
}

const GroupName = ({ group }: { readonly group: Group }) => (
  <span class="group" title={titleOf(group)}>
    <bdi>{nameOf(group)}</bdi>
    {group.count > 1 && <span class="quiet"> and {group.count - 1} more</span>}
  </span>
)

const titleOf = ({ labels = {}, securityGroups = [], ports }: Group): string =>
  [
    ports.join(', '),
    ...Object.entries(labels).map(([key, value]) => `${key}=${value}`),
    ...securityGroups.map((each) => `SecurityGroup ${each}`),
  ].join('\n')

interface CellProps {
  readonly cell: Cell
  readonly at: string
  readonly chosen: string | undefined
  readonly names: readonly string[]
}

function CellButton({ cell, at, chosen, names: [from, to] }: CellProps) {
  const isAudited = [cell.egress, cell.ingress].some((each) => each?.tiers.some(({ says }) => says === 'audits'))
  const state = cell.isAllowed ? (isAudited ? 'audited' : 'allowed') : 'denied'
  return (
    <button
      type="button"
      class="verdict"
      data-verdict={state}
      aria-pressed={at === chosen}
      aria-label={`${from} to ${to}: ${state}`}
      onClick={() => choose({ cell: at === chosen ? undefined : at }, 'replace')}
    >
      {{ allowed: '✓', audited: '!', denied: '✕' }[state]}
    </button>
  )
}

// Rows send, columns receive. A cell says yes or no by its sign and its word, not by its colour alone; one that is pressed says why.
import { useState } from 'preact/hooks'
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
  const [focused, setFocused] = useState(chosen ?? firstCell)
  const stop = cellIn(cells, focused) === undefined ? firstCell : focused
  return (
    <div onKeyDown={moveFocus}>
      <p class="quiet">
        {groups.length} groups of Ports that policies cannot tell apart; rows begin a connection, columns receive it. Arrow keys go from
        cell to cell.
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
                  isStop={`${row}.${column}` === stop}
                  onFocus={setFocused}
                  names={[group, groups[column]!].map(nameOf)}
                />
              </td>
            ))}
          </tr>
        ))}
      </Table>
      {cell !== undefined && <Why cell={cell} from={groups[from]!} to={groups[to]!} segment={segment} />}
    </div>
  )
}

const firstCell = '0.0'
const cellIn = (cells: MatrixAnswer['cells'], at: string): Cell | undefined => {
  const [row = -1, column = -1] = at.split('.').map(Number)
  return cells[row]?.[column]
}

const ways: Readonly<Record<string, readonly [rows: number, columns: number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
}

/** One cell alone is a stop of the Tab key: sixty-four times as many as groups would be between the matrix and what follows it. */
function moveFocus(event: KeyboardEvent): void {
  const [way, cell] = [ways[event.key], event.target]
  if (way === undefined || !(cell instanceof HTMLElement)) return
  const [row = NaN, column = NaN] = (cell.dataset['at'] ?? '').split('.').map(Number)
  const next = cell.closest('table')?.querySelector<HTMLElement>(`[data-at="${row + way[0]}.${column + way[1]}"]`)
  if (!(next instanceof HTMLElement)) return
  event.preventDefault()
  next.focus()
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
  readonly isStop: boolean
  readonly onFocus: (at: string) => void
  readonly names: readonly string[]
}

function CellButton({ cell, at, chosen, isStop, onFocus, names: [from, to] }: CellProps) {
  const isAudited = [cell.egress, cell.ingress].some((each) => each?.tiers.some(({ says }) => says === 'audits'))
  const state = cell.isAllowed ? (isAudited ? 'audited' : 'allowed') : 'denied'
  return (
    <button
      type="button"
      class="verdict"
      data-verdict={state}
      data-at={at}
      tabIndex={isStop ? 0 : -1}
      onFocus={() => onFocus(at)}
      aria-pressed={at === chosen}
      aria-label={`${from} to ${to}: ${state}`}
      onClick={() => choose({ cell: at === chosen ? undefined : at }, 'replace')}
    >
      {{ allowed: '✓', audited: '!', denied: '✕' }[state]}
    </button>
  )
}

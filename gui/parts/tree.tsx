// A tree by the pattern of WAI-ARIA: one stop of the Tab key, arrows within.
import { useEffect, useRef, useState } from 'preact/hooks'

export interface TreeRow {
  readonly id: string
  /** From 1. */
  readonly level: number
  readonly kind: string
  readonly label: string
  readonly phase: string | undefined
  /** Absent: it is no group. */
  readonly open?: boolean
  readonly more?: string
  /** What else is to be known of it now. */
  readonly note?: string
}
interface TreeProps {
  readonly label: string
  readonly rows: readonly TreeRow[]
  readonly chosen: string | undefined
  readonly onChoose: (id: string) => void
  readonly onToggle: (id: string) => void
}

export function Tree({ label, rows, chosen, onChoose, onToggle }: TreeProps) {
  const list = useRef<HTMLUListElement>(null)
  const [at, setAt] = useState<string>()
  const stop = rows.some(({ id }) => id === at) ? at : (rows.find(({ id }) => id === chosen)?.id ?? rows[0]?.id)
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  }, [chosen])
  const focus = (row: TreeRow | undefined): void => {
    if (row === undefined) return
    setAt(row.id)
    list.current?.querySelector<HTMLElement>(`[data-id="${CSS.escape(row.id)}"]`)?.focus()
  }
  const press = (event: KeyboardEvent): void => {
    const i = rows.findIndex(({ id }) => id === stop)
    const row = rows[i]
    if (row === undefined) return
    const acts: Readonly<Record<string, () => void>> = {
      ArrowDown: () => focus(rows[i + 1]),
      ArrowUp: () => focus(rows[i - 1]),
      Home: () => focus(rows[0]),
      End: () => focus(rows.at(-1)),
      ArrowRight: () => (row.open === false ? onToggle(row.id) : focus(rows[i + 1])),
      ArrowLeft: () => (row.open === true ? onToggle(row.id) : focus(rows.slice(0, i).findLast(({ level }) => level < row.level))),
      Enter: () => onChoose(row.id),
      ' ': () => onChoose(row.id),
    }
    const act = acts[event.key]
    if (act === undefined) return
    event.preventDefault()
    act()
  }
  return (
    <ul class="tree" role="tree" aria-label={label} ref={list} onKeyDown={press}>
      {rows.map((row) => (
        <li
          key={row.id}
          role="treeitem"
          aria-level={row.level}
          aria-selected={row.id === chosen}
          {...(row.open !== undefined && { 'aria-expanded': row.open })}
          tabIndex={row.id === stop ? 0 : -1}
          data-id={row.id}
          data-level={row.level}
          onFocus={() => setAt(row.id)}
          onClick={() => onChoose(row.id)}
        >
          {row.open !== undefined && (
            <span class="twist" aria-hidden="true" onClick={(event) => (event.stopPropagation(), onToggle(row.id))}>
              {row.open ? '▾' : '▸'}
            </span>
          )}
          <span class="dot" data-phase={row.phase ?? 'none'} aria-hidden="true" />
          <span class="unseen">{row.kind} </span>
          <bdi>{row.label}</bdi>
          {row.phase !== undefined && row.phase !== 'ready' && <span class="quiet">{row.phase}</span>}
          {row.note !== undefined && <span class="also">{row.note}</span>}
          {row.more !== undefined && <span class="more">{row.more}</span>}
        </li>
      ))}
    </ul>
  )
}

import { useMemo, useState } from 'preact/hooks'
import { keyOf, meaningOf, type Item, type Kind } from '../../contract/kinds.ts'
import { reportOf } from '../../contract/report.ts'
import { may } from '../../contract/session.ts'
import { link, linkTo } from '../../frame/place.ts'
import { objects } from '../../live/objects.ts'
import { Empty } from '../../parts/empty.tsx'
import { Phase } from '../../parts/phase.tsx'
import { Table } from '../../parts/table.tsx'
import { When } from '../../parts/when.tsx'
import { columnsOf } from './columns.ts'

/** Rows of a table; a browser is slow with more, and nobody reads them. */
const rowsMost = 300

export function List({ kind, kinds }: { readonly kind: Kind; readonly kinds: readonly Kind[] }) {
  const [text, setText] = useState('')
  const version = objects.version.value
  const wanted = text.trim().toLowerCase()
  const { rows, all } = useMemo(() => matching(kind, wanted), [kind, wanted, version])
  return (
    <div class="page">
      <nav class="kinds" aria-label="Kinds">
        {kinds
          .filter((each) => may('list', each))
          .map((each) => (
            <a key={each} href={link('objects', { kind: each })} aria-current={each === kind ? 'page' : undefined}>
              {each}
            </a>
          ))}
      </nav>
      <header class="head">
        <div>
          <h1>{kind}</h1>
          <p class="quiet">{meaningOf(kind)}</p>
        </div>
        <label class="filter">
          <span class="unseen">Filter</span>
          <input
            type="search"
            value={text}
            placeholder="Filter these"
            onInput={(event) => setText(event.currentTarget.value)}
            data-list-filter
          />
        </label>
      </header>
      {all === 0 ? (
        <Empty title={objects.has(kind) ? `There is no ${kind}` : 'Reading …'} />
      ) : (
        <Table label={`All ${kind} objects`} heads={['Name', 'Namespace', 'Phase', ...columnsOf(kind).map(({ name }) => name), 'Made']}>
          {rows.map((item) => (
            <Row key={keyOf(item)} item={item} kind={kind} />
          ))}
        </Table>
      )}
      <p class="quiet" role="status">
        {rows.length < all ? `${rows.length} of ${all} are shown: filter them, or choose a namespace.` : `${all} in all.`}
      </p>
    </div>
  )
}

function Row({ item, kind }: { readonly item: Item; readonly kind: Kind }) {
  const { namespace, name, creationTimestamp } = item.metadata
  return (
    <tr>
      <th scope="row">
        <a href={linkTo(kind, namespace, name)}>
          <bdi>{name}</bdi>
        </a>
      </th>
      <td>
        <bdi>{namespace}</bdi>
      </td>
      <td>{kind === 'Event' ? '' : <Phase of={reportOf(item).phase} />}</td>
      {columnsOf(kind).map(({ name: column, of }) => (
        <td key={column} class="value">
          <bdi>{of(item)}</bdi>
        </td>
      ))}
      <td>
        <When at={creationTimestamp} />
      </td>
    </tr>
  )
}

function matching(kind: Kind, wanted: string): { readonly rows: readonly Item[]; readonly all: number } {
  const found: Item[] = []
  for (const [key, item] of objects.of(kind))
    if (wanted === '' || key.includes(wanted) || textOf(kind, item).includes(wanted)) found.push(item)
  const sorted =
    kind === 'Event' ? found.sort((a, b) => b.metadata.creationTimestamp.localeCompare(a.metadata.creationTimestamp)) : found.sort(byName)
  return { rows: sorted.slice(0, rowsMost), all: found.length }
}

const byName = (a: Item, b: Item): number =>
  (a.metadata.namespace ?? '').localeCompare(b.metadata.namespace ?? '') ||
  a.metadata.name.localeCompare(b.metadata.name, 'en', { numeric: true })
const textOf = (kind: Kind, item: Item): string =>
  [reportOf(item).phase, ...columnsOf(kind).map(({ of }) => of(item))].join(' ').toLowerCase()

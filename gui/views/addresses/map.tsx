import { blockOf, cellsOf, numberOf, textOf, type Cell, type Run, type TakenAddress } from './block.ts'

interface BlockSpec {
  readonly cidr: string
  readonly gateway?: string
  readonly excludes?: readonly string[]
  readonly pools?: readonly { readonly first: string; readonly last: string }[]
}

const states = ['used', 'reserved', 'resting', 'excluded', 'free'] as const

export function Map({ block, taken }: { readonly block: BlockSpec; readonly taken: readonly TakenAddress[] }) {
  const parsed = blockOf(block.cidr)
  if (parsed === undefined) return null
  const excluded = excludedOf(block, parsed.first, parsed.first + parsed.size - 1n)
  const cells = cellsOf(parsed, { taken, excluded })
  const used = cells.reduce((sum, each) => sum + each.taken, 0)
  const each = cells[0]?.count ?? 1n
  return (
    <section class="card wide">
      <h2>
        {block.cidr}{' '}
        <span class="quiet">
          · {used} of {parsed.size.toLocaleString('en')} taken{each > 1n && ` · a cell is ${each.toLocaleString('en')} addresses`}
        </span>
      </h2>
      <ul class="legend" aria-hidden="true">
        {states.map((state) => (
          <li key={state}>
            <span class="cell" data-state={state} /> {state}
          </li>
        ))}
      </ul>
      <div class="cells" role="img" aria-label={`${block.cidr}: ${used} of ${parsed.size} addresses are taken`} data-cells>
        {cells.map((cell) => (
          <span
            key={String(cell.from)}
            class="cell"
            data-state={cell.state}
            data-address={textOf(cell.from, parsed.bits)}
            title={titleOf(cell, parsed.bits)}
          />
        ))}
      </div>
      <details>
        <summary>As a list</summary>
        <ul class="rows">
          {cells
            .filter(({ taken: held }) => held > 0)
            .slice(0, 300)
            .map((cell) => (
              <li key={String(cell.from)}>
                <code>{textOf(cell.from, parsed.bits)}</code>
                <span>
                  {cell.state} {cell.holder}
                </span>
              </li>
            ))}
        </ul>
      </details>
    </section>
  )
}

function titleOf(cell: Cell, bits: 32 | 128): string {
  const to = cell.count > 1n ? ` to ${textOf(cell.from + cell.count - 1n, bits)}: ${cell.taken} taken` : ''
  return `${textOf(cell.from, bits)}${to} · ${cell.state}${cell.holder === undefined ? '' : ` · ${cell.holder}`}`
}

/** The gateway, what is excluded, and what lies outside the pools. */
function excludedOf({ gateway, excludes = [], pools = [] }: BlockSpec, first: bigint, last: bigint): readonly Run[] {
  const single = [...excludes, ...(gateway === undefined ? [] : [gateway])].flatMap(runOf)
  return pools.length === 0 ? single : [...single, ...between(pools.map(poolOf), first, last)]
}

function runOf(text: string): readonly Run[] {
  const block = blockOf(text.includes('/') ? text : `${text}/${text.includes(':') ? 128 : 32}`)
  return block === undefined ? [] : [[block.first, block.first + block.size - 1n]]
}
const poolOf = ({ first, last }: { readonly first: string; readonly last: string }): Run => [numberOf(first) ?? 0n, numberOf(last) ?? 0n]

/** What pools leave out. */
function between(pools: readonly Run[], first: bigint, last: bigint): readonly Run[] {
  const runs: Run[] = []
  let from = first
  for (const [begin, end] of [...pools].sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (begin > from) runs.push([from, begin - 1n])
    from = end + 1n
  }
  return from <= last ? [...runs, [from, last]] : runs
}

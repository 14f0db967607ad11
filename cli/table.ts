// Rows under headings, as wide as what is in them.

/** Empty cells are shown as `-`. */
export class Table {
  #widths: readonly number[]
  #headings: readonly string[]

  constructor(headings: readonly string[], rows: readonly (readonly string[])[]) {
    this.#headings = headings.map((each) => each.toUpperCase())
    this.#widths = this.#headings.map((heading, i) => Math.max(heading.length, ...rows.map((row) => shown(row[i]).length)))
  }

  heading(): string {
    return this.row(this.#headings)
  }

  row(cells: readonly string[]): string {
    return `${cells
      .map((cell, i) => shown(cell).padEnd(this.#widths[i] ?? 0))
      .join('   ')
      .trimEnd()}\n`
  }
}

/** Nothing that a name or message holds may move the cursor of whoever looks. */
const shown = (cell: string | undefined): string =>
  cell === undefined || cell === '' ? '-' : cell.replace(/[\u0000-\u001f\u007f-\u009f]/g, ' ')

// Rows under headings, as wide as what is in them.

/** Empty cells are shown as `-`. */
export class Table {
  #widths: readonly number[]
  #headings: readonly string[]
  #paint: (cell: string) => string

  /** @param paint what a terminal makes of a cell, which has its width by then */
  constructor(headings: readonly string[], rows: readonly (readonly string[])[], paint: (cell: string) => string = (cell) => cell) {
    this.#headings = headings.map((each) => each.toUpperCase())
    this.#widths = this.#headings.map((heading, i) => Math.max(heading.length, ...rows.map((row) => shown(row[i]).length)))
    this.#paint = paint
  }

  heading(): string {
    return this.row(this.#headings)
  }

  row(cells: readonly string[]): string {
    const padded = cells.map((cell, i) => (i === cells.length - 1 ? shown(cell) : shown(cell).padEnd(this.#widths[i] ?? 0)))
    return `${padded.map(this.#paint).join('   ').trimEnd()}\n`
  }
}

/** All of it at once. */
export function tableOf(headings: readonly string[], rows: readonly (readonly string[])[], paint?: (cell: string) => string): string {
  const table = new Table(headings, rows, paint)
  return [table.heading(), ...rows.map((row) => table.row(row))].join('')
}

/** Nothing that a name or message holds may move the cursor of whoever looks, or turn what stands behind it around. */
export const safe = (text: string): string =>
  text.replace(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, ' ')
const shown = (cell: string | undefined): string => (cell === undefined || cell === '' ? '-' : safe(cell).replaceAll('\n', ' '))

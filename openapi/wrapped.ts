// Pages of Markdown as people read them in an editor: lines end at 140 columns, and a row of a table above 300 has its longest cell in a
// list below the table.

const columns = 140
const rowMax = 300
const indented = /^(\s*)(?:(?:[-*]|\d+\.)\s+)?/
const alone = /^\s*(?:#|<!--|$)/
const item = /^\s*(?:[-*]|\d+\.)\s/

type Part = 'text' | 'rows' | 'as it is'

/** The page with the same words. */
export function wrapped(page: string): string {
  const blocks: { readonly part: Part; readonly lines: string[] }[] = []
  let isCode = false
  for (const line of page.split('\n')) {
    const isFence = line.trimStart().startsWith('```')
    const part = isCode || isFence ? 'as it is' : partOf(line)
    if (isFence) isCode = !isCode
    const last = blocks.at(-1)
    if (last?.part === part && !item.test(line)) last.lines.push(line)
    else blocks.push({ part, lines: [line] })
  }
  return blocks.flatMap(({ part, lines }) => (part === 'text' ? paragraph(lines) : part === 'rows' ? table(lines) : lines)).join('\n')
}

const partOf = (line: string): Part => (line.startsWith('|') ? 'rows' : alone.test(line) ? 'as it is' : 'text')

/** From its first line that is too long on. */
function paragraph(lines: readonly string[]): readonly string[] {
  const long = lines.findIndex((line) => line.length > columns)
  if (long < 0) return lines
  const lead = indented.exec(lines[0]!)![0]
  const first = long === 0 ? lead : ' '.repeat(lead.length)
  const text = [lines[long]!.slice(first.length), ...lines.slice(long + 1).map((line) => line.trim())].join(' ')
  return [...lines.slice(0, long), ...filled(text, first, ' '.repeat(lead.length))]
}

function filled(text: string, first: string, rest: string): readonly string[] {
  const lines: string[] = []
  let line = first
  let isEmpty = true
  for (const word of unbroken(text)) {
    if (!isEmpty && line.length + 1 + word.length > columns) {
      lines.push(line)
      line = rest + word
    } else line += isEmpty ? word : ` ${word}`
    isEmpty = false
  }
  return [...lines, line]
}

/** Words; code and the texts of links stay on a line, unless they are long. */
function unbroken(text: string): readonly string[] {
  const found: string[] = []
  let open = ''
  for (const word of text.split(/\s+/).filter((each) => each !== '')) {
    open = open === '' ? word : `${open} ${word}`
    if (open.split('`').length % 2 === 0 || /\[[^\]]*$/.test(open)) continue
    found.push(...(open.length > columns / 2 ? open.split(' ') : [open]))
    open = ''
  }
  return open === '' ? found : [...found, ...open.split(' ')]
}

function table(rows: readonly string[]): readonly string[] {
  const below: string[] = []
  const shown = rows.map((row) => {
    if (row.length <= rowMax) return row
    const cells = row.split(/(?<!\\)\|/).slice(1, -1)
    const longest = cells.reduce((most, cell, i) => (cell.length > cells[most]!.length ? i : most), 0)
    below.push(...paragraph([`${below.filter((line) => item.test(line)).length + 1}. ${cells[longest]!.trim()}`]))
    return `|${cells.map((cell, i) => (i === longest ? ` see ${below.filter((line) => item.test(line)).length} below ` : cell)).join('|')}|`
  })
  return below.length === 0 ? rows : [...shown, '', ...below]
}

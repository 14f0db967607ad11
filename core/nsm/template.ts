// Selectors of Network Service Mesh may be Go templates over a client's labels (networkservicemesh/sdk:pkg/tools/matchutils/utils.go,
// processLabels). Of Go's language the part that its manifests use: `{{.zone}}` and `{{index . "example.org/zone"}}`.

/** What stands in a text: itself, or what a client's label says. */
type Part = { readonly text: string } | { readonly label: string; readonly absent: string }

export type Template =
  { readonly kind: 'template'; readonly parts: readonly Part[] } | { readonly kind: 'refused'; readonly message: string }

const action = /\{\{(- )?(.*?)( -)?\}\}/s
/** Go's own words for a field that a map does not have (text/template, option missingkey=default); `index` has the empty text. */
const noValue = '<no value>'
const field = /^\.([\p{L}_][\p{L}\p{Nd}_]*)$/u
const index = /^index\s+\.\s+("(?:[^"\\\n]|\\["\\])*"|`[^`]*`)$/

export function parseTemplate(text: string): Template {
  const parts: Part[] = []
  let rest = text
  let trims = false
  for (let found = action.exec(rest); found !== null; found = action.exec(rest)) {
    const [whole, trimBefore, asked = '', trimBehind] = found
    const label = labelOf(asked.trim())
    if (label === undefined) return refused(asked.trim())
    const before = rest.slice(0, found.index)
    parts.push({ text: trimmed(before, trims, trimBefore !== undefined) }, label)
    trims = trimBehind !== undefined
    rest = rest.slice(found.index + whole.length)
  }
  if (rest.includes('{{')) return { kind: 'refused', message: 'has {{ without }}' }
  return { kind: 'template', parts: [...parts, { text: trimmed(rest, trims, false) }] }
}

const refused = (words: string): Template => ({
  kind: 'refused',
  message: `may ask for a label by {{.name}} or {{index . "example.org/name"}} alone, not by {{${words}}}`,
})

function labelOf(words: string): Part | undefined {
  const [, name] = field.exec(words) ?? []
  if (name !== undefined) return { label: name, absent: noValue }
  const [, key] = index.exec(words) ?? []
  return key === undefined ? undefined : { label: key.startsWith('`') ? key.slice(1, -1) : unquoted(key), absent: '' }
}

const unquoted = (text: string): string => text.slice(1, -1).replace(/\\(["\\])/g, '$1')

/** Space, tab and line ends, as Go's trim markers take them away. */
const trimmed = (text: string, start: boolean, end: boolean): string => {
  const from = start ? text.replace(/^[ \t\r\n]+/, '') : text
  return end ? from.replace(/[ \t\r\n]+$/, '') : from
}

/** What a text says for a client with these labels. One that cannot be read says itself, as in NSM. */
export function rendered(text: string, labels: Readonly<Record<string, string>>): string {
  if (!text.includes('{{')) return text
  const template = parseTemplate(text)
  if (template.kind === 'refused') return text
  return template.parts.map((part) => ('text' in part ? part.text : valueOf(labels, part))).join('')
}

const valueOf = (
  labels: Readonly<Record<string, string>>,
  { label, absent }: { readonly label: string; readonly absent: string },
): string => (Object.hasOwn(labels, label) ? labels[label]! : absent)

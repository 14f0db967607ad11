// An object as YAML, as people read it: keys in their order, texts in quotes only where they would be taken for something else.
export function yamlOf(value: unknown, indent = ''): string {
  if (Array.isArray(value)) return value.map((each) => `${indent}- ${nested(each, `${indent}  `).trimStart()}`).join('\n')
  return Object.entries(value as Readonly<Record<string, unknown>>)
    .filter(([, each]) => each !== undefined)
    .map(([key, each]) => `${indent}${plain(key)}:${isBlock(each) ? `\n${nested(each, `${indent}  `)}` : ` ${scalar(each)}`}`)
    .join('\n')
}

const nested = (value: unknown, indent: string): string => (isBlock(value) ? yamlOf(value, indent) : `${indent}${scalar(value)}`)

function isBlock(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0
}

function scalar(value: unknown): string {
  if (typeof value === 'string') return plain(value)
  if (Array.isArray(value)) return '[]'
  return typeof value === 'object' && value !== null ? '{}' : String(value)
}

/** What YAML would take for a number, a date, a word of its own, or a sign, stands in quotes. */
function plain(text: string): string {
  const isPlain = /^[A-Za-z][\w ./()@-]*$/.test(text) && !/^(true|false|yes|no|on|off|null|y|n)$/i.test(text) && !text.endsWith(' ')
  return isPlain ? text : JSON.stringify(text)
}

/** A value as it is quoted in a refusal: short, and never as deep as what was sent. */
export function quoted(value: unknown): string {
  if (value === undefined) return 'absent'
  if (Array.isArray(value)) return `a list of ${value.length}`
  if (typeof value === 'object' && value !== null) return 'an object'
  const text = JSON.stringify(value) ?? String(value)
  return text.length > 60 ? `${text.slice(0, 57)}...` : text
}

// Prometheus' text (version 0.0.4) as samples.

export interface Sample {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

const line = /^([A-Za-z_:][\w:]*)(?:\{(.*)\})? (\S+)/
const label = /([A-Za-z_]\w*)="((?:[^"\\]|\\.)*)"/g

export function samplesIn(text: string): readonly Sample[] {
  return text.split('\n').flatMap((each) => {
    const [, name = '', labels = '', value = ''] = line.exec(each) ?? []
    if (name === '') return []
    const found = [...labels.matchAll(label)].map(
      ([, key = '', of = '']) => [key, of.replace(/\\(.)/g, (_, sign: string) => (sign === 'n' ? '\n' : sign))] as const,
    )
    return [{ name, labels: Object.fromEntries(found), value: Number(value) }]
  })
}

export const sumOf = (samples: readonly Sample[], name: string, labels: Readonly<Record<string, string>> = {}): number =>
  samples
    .filter((each) => each.name === name && Object.entries(labels).every(([key, value]) => each.labels[key] === value))
    .reduce((sum, { value }) => sum + value, 0)

/** Of a histogram, from its buckets, as Prometheus reckons it: between the bounds of the bucket that it falls into. */
export function quantileOf(samples: readonly Sample[], name: string, part: number): number | undefined {
  const buckets = bucketsOf(samples, name)
  const all = buckets.at(-1)?.[1] ?? 0
  if (all === 0) return undefined
  const at = buckets.findIndex(([, upTo]) => upTo >= part * all)
  const [bound, upTo] = buckets[at] ?? [Infinity, all]
  const [below, before] = buckets[at - 1] ?? [0, 0]
  return bound === Infinity ? below : below + ((bound - below) * (part * all - before)) / Math.max(1, upTo - before)
}

/** Over all labels: upper bound, and how many are not above it. */
function bucketsOf(samples: readonly Sample[], name: string): readonly (readonly [number, number])[] {
  const byBound = new Map<number, number>()
  for (const { name: of, labels, value } of samples) {
    if (of !== `${name}_bucket`) continue
    const bound = labels['le'] === '+Inf' ? Infinity : Number(labels['le'])
    byBound.set(bound, (byBound.get(bound) ?? 0) + value)
  }
  return [...byBound].sort(([a], [b]) => a - b)
}

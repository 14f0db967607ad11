// Attribute-based filtering of collections (ETSI GS NFV-SOL 013, 5.2): `(eq,callbackUri,https://a.example);(in,verbosity,FULL,SHORT)`.

export interface AttributeFilter {
  /** The attributes that it looks at, each as it was written: `filter/notificationTypes`. */
  readonly attributes: readonly string[]
  matches(item: unknown): boolean
}

type Test = (values: readonly string[], wanted: readonly string[]) => boolean

const some =
  (holds: (value: string, wanted: string) => boolean): Test =>
  (values, wanted) =>
    values.some((value) => wanted.some((each) => holds(value, each)))
const not =
  (test: Test): Test =>
  (values, wanted) =>
    !test(values, wanted)
const same = some((value, wanted) => value === wanted)
const contains = some((value, wanted) => value.includes(wanted))

interface Operator {
  readonly test: Test
  /** It takes one value only. */
  readonly one?: true
}
const operators: Readonly<Record<string, Operator>> = {
  eq: { test: same, one: true },
  neq: { test: not(same), one: true },
  in: { test: same },
  nin: { test: not(same) },
  gt: { test: some((value, wanted) => value > wanted), one: true },
  gte: { test: some((value, wanted) => value >= wanted), one: true },
  lt: { test: some((value, wanted) => value < wanted), one: true },
  lte: { test: some((value, wanted) => value <= wanted), one: true },
  cont: { test: contains },
  ncont: { test: not(contains) },
}

/** A value in quotes may hold what else would end it; a quote in it is doubled. */
const expression = /\(([a-z]+),([A-Za-z_][\w/]*)((?:,(?:'(?:[^']|'')*'|[^,()';]*))+)\)(;|$)/y

/** Undefined where it is none. */
export function parseAttributeFilter(text: string): AttributeFilter | undefined {
  const tests: { readonly attribute: string; readonly test: Test; readonly wanted: readonly string[] }[] = []
  expression.lastIndex = 0
  for (let at = 0, more = true; more; at = expression.lastIndex) {
    expression.lastIndex = at
    const found = expression.exec(text)
    if (found === null) return undefined
    const [, name = '', attribute = '', values = '', end] = found
    const operator = Object.hasOwn(operators, name) ? operators[name] : undefined
    const wanted = valuesIn(values)
    if (operator === undefined || (operator.one === true && wanted.length > 1)) return undefined
    tests.push({ attribute, test: operator.test, wanted })
    more = end === ';'
  }
  return {
    attributes: tests.map(({ attribute }) => attribute),
    matches: (item) => tests.every(({ attribute, test, wanted }) => test(textsAt(item, attribute.split('/')), wanted)),
  }
}

const valuesIn = (text: string): string[] =>
  [...text.matchAll(/,(?:'((?:[^']|'')*)'|([^,']*))/g)].map(([, quoted, bare]) => quoted?.replaceAll("''", "'") ?? bare ?? '')

/** All values that a path leads to: into each item of a list. */
function textsAt(value: unknown, path: readonly string[]): string[] {
  if (Array.isArray(value)) return value.flatMap((each) => textsAt(each, path))
  const [step, ...rest] = path
  if (step === undefined) return typeof value === 'object' ? [] : [String(value)]
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return []
  return textsAt((value as Readonly<Record<string, unknown>>)[step], rest)
}

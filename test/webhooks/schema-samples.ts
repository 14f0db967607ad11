// Values of a JSON Schema, as much of it as our contract uses; and bodies that are right, nearly right, or nothing of the kind.
import fc from 'fast-check'

export type Node = Readonly<Record<string, unknown>>
type Find = (node: Node) => Node

const depthMax = 6

/** Made once for each schema: patterns are slow to fill. What is sent is drawn from these, and then spoilt. */
const poolSize = 200

/**
 * @param whole the document that references lead into
 * @param seed the same values again
 */
export function sampleOf(whole: object, seed: number): (schema: Node) => fc.Arbitrary<unknown> {
  const find: Find = (node) => {
    const at = node['$ref']
    return typeof at === 'string'
      ? (at
          .slice(2)
          .split('/')
          .reduce<unknown>((within, step) => (within as Node)[step], whole) as Node)
      : node
  }
  const known = new Map<Node, fc.Arbitrary<unknown>>()
  return (schema) => {
    const there = known.get(schema) ?? fc.constantFrom(...fc.sample(arbitraryOf(schema, find, 0), { numRuns: poolSize, seed }))
    known.set(schema, there)
    return there
  }
}

function arbitraryOf(given: Node, find: Find, depth: number): fc.Arbitrary<unknown> {
  const schema = find(given)
  const words = schema['enum']
  if (Array.isArray(words)) return fc.constantFrom(...(words as unknown[]))
  const make = byType[String(schema['type'])] ?? (() => fc.jsonValue({ maxDepth: 1 }))
  return make(schema, find, depth)
}

const number = (schema: Node, name: string, fallback: number): number => (typeof schema[name] === 'number' ? schema[name] : fallback)

const byType: Readonly<Record<string, (schema: Node, find: Find, depth: number) => fc.Arbitrary<unknown>>> = {
  string: text,
  boolean: () => fc.boolean(),
  integer: (schema) => fc.integer({ min: number(schema, 'minimum', -5), max: number(schema, 'maximum', 70_000) }),
  number: (schema) => fc.double({ min: number(schema, 'minimum', -5), max: number(schema, 'maximum', 1e6), noNaN: true }),
  array: (schema, find, depth) =>
    depth > depthMax
      ? fc.constant([])
      : fc.array(arbitraryOf((schema['items'] ?? {}) as Node, find, depth + 1), {
          minLength: number(schema, 'minItems', 0),
          maxLength: Math.min(3, number(schema, 'maxItems', 3)),
        }),
  object,
}

const addresses = [
  '10.0.0.0/24',
  '192.168.0.9',
  '2001:db8::/64',
  '2001:db8::7',
  '02:00:00:00:00:01',
  'https://example.org/told',
  'blue',
  'front',
  'f1/front',
]

function text(schema: Node): fc.Arbitrary<string> {
  const [minLength, maxLength] = [number(schema, 'minLength', 0), Math.min(64, number(schema, 'maxLength', 64))]
  if (schema['format'] === 'date-time') return fc.constant('2026-11-21T12:00:00Z')
  const pattern = schema['pattern']
  const right =
    typeof pattern === 'string'
      ? fc.stringMatching(new RegExp(pattern, 'u'), { size: 'small' }).filter((each) => each.length <= number(schema, 'maxLength', 4096))
      : fc.string({ minLength, maxLength })
  return fc.oneof(right, fc.constantFrom(...addresses))
}

function object(schema: Node, find: Find, depth: number): fc.Arbitrary<unknown> {
  const properties = Object.entries((schema['properties'] ?? {}) as Readonly<Record<string, Node>>)
  const required = (schema['required'] ?? []) as readonly string[]
  const kept = depth > depthMax ? properties.filter(([name]) => required.includes(name)) : properties
  const model = Object.fromEntries(kept.map(([name, each]) => [name, arbitraryOf(each, find, depth + 1)]))
  const others = schema['additionalProperties']
  if (properties.length === 0 && others !== false)
    return fc.dictionary(
      fc.constantFrom('a', 'b', 'tenant', 'megrez.io/vpc'),
      typeof others === 'object' && others !== null ? arbitraryOf(others as Node, find, depth + 1) : fc.jsonValue({ maxDepth: 1 }),
      { maxKeys: 2 },
    )
  return fc.record(model, { requiredKeys: required.filter((name) => name in model) })
}

const nasty = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom(
    null,
    '',
    -1,
    1e308,
    2 ** 53,
    [],
    {},
    '\u0000',
    '__proto__',
    'a'.repeat(5000),
    '0.0.0.0/0',
    '999.1.1.1',
    { toString: 1 },
    { constructor: 1 },
  ),
)

/** The value with what stands somewhere inside replaced. */
function spoilt(value: unknown, way: readonly number[], by: unknown): unknown {
  const [turn, ...further] = way
  if (turn === undefined || typeof value !== 'object' || value === null) return by
  const keys = Object.keys(value)
  const key = keys[turn % (keys.length + 1)] ?? 'stray'
  if (Array.isArray(value)) return value.map((each: unknown, i) => (String(i) === key ? spoilt(each, further, by) : each))
  return { ...value, [key]: spoilt((value as Record<string, unknown>)[key], further, by) }
}

interface SentRequest {
  readonly type: string
  readonly text: string
}

/** Bodies for an operation: its example, a value of its schema, one of these spoilt, or no such thing. */
export function bodies(method: string, body: Node, sample: (schema: Node) => fc.Arbitrary<unknown>): fc.Arbitrary<SentRequest> {
  const contents = Object.entries(body['content'] as Readonly<Record<string, Node>>)
  const { schema = {}, example } = (contents[0]?.[1] ?? {}) as { readonly schema?: Node; readonly example?: unknown }
  const right = fc.oneof(
    ...(example === undefined ? [] : [{ arbitrary: fc.constant(example), weight: 3 }]),
    ...(method === 'PATCH' ? [{ arbitrary: patches, weight: 3 }] : []),
    { arbitrary: sample(schema), weight: 2 },
  )
  const spoiled = fc
    .tuple(right, fc.array(fc.nat(12), { minLength: 1, maxLength: 4 }), nasty)
    .map(([value, way, by]) => spoilt(value, way, by))
  const json = fc.oneof({ arbitrary: right, weight: 3 }, { arbitrary: spoiled, weight: 2 }).map((value) => JSON.stringify(value) ?? 'null')
  const texts = fc.oneof(
    { arbitrary: json, weight: 20 },
    { arbitrary: fc.constantFrom('', '{', 'null', '[]', '"a"', '{"a":1}{"b":2}', '\ufeff{}'), weight: 1 },
  )
  const types = contents.map(([type]) => type)
  return fc.record({
    type: fc.oneof(
      { arbitrary: fc.constantFrom(...types), weight: 20 },
      { arbitrary: fc.constantFrom('application/json', 'text/xml', 'application/octet-stream', 'nonsense'), weight: 1 },
    ),
    text: texts,
  })
}

const patches = fc.constantFrom<unknown>(
  { metadata: { labels: { tenant: 'b' } } },
  { metadata: { labels: null } },
  { spec: { mtu: 1400 } },
  { spec: { callbackURL: null } },
  { status: { phase: 'Running' } },
  { status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] } },
  {},
)

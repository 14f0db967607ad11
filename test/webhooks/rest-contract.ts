// Holds answers to the OpenAPI document: their status is one that the operation may give, their body what the status promises.
import assert from 'node:assert/strict'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { document } from '../../openapi/document.ts'

type Schema = Readonly<Record<string, unknown>>
interface Operation {
  readonly operationId: string
  readonly responses: Readonly<Record<string, Response>>
}
interface Response {
  readonly $ref?: string
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>
}

const whole = document() as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly responses: Readonly<Record<string, Response>> }
}
const ajv = new Ajv2020({ strict: false, allErrors: true })
addFormats.default(ajv)
ajv.addSchema(whole, 'megrez')

export interface RecordedAnswer {
  readonly method: string
  readonly path: string
  readonly status: number
  readonly type: string
  readonly body: string
}

const paths = Object.entries(whole.paths).map(([path, item]) => ({
  form: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`),
  path,
  item,
}))
const methods = ['get', 'post', 'put', 'patch', 'delete']
/** A path without parameters before one with. */
paths.sort((a, b) => (a.path.split('{').length < b.path.split('{').length ? -1 : 1))

/** Every operation, as `GET /v1/…/{name}`. */
export const operations: readonly string[] = Object.entries(whole.paths).flatMap(([path, item]) =>
  methods.filter((method) => item[method] !== undefined).map((method) => `${method.toUpperCase()} ${path}`),
)

/** @throws AssertionError for what the document does not promise; addresses that it does not have are not its affair */
export function holdToContract(given: RecordedAnswer): void {
  const { method, path, status, body } = given
  const operation = paths.find(({ form, item }) => form.test(path) && item[method.toLowerCase()] !== undefined)?.item[method.toLowerCase()]
  if (operation === undefined) return
  const what = `${operation.operationId} answers ${status}`
  const named = operation.responses[String(status)]
  assert.ok(named !== undefined, `${what}, which the document does not say: ${body.slice(0, 300)}`)
  holdBody(given, content(named), what)
}

const content = (response: Response): NonNullable<Response['content']> =>
  (response.$ref === undefined ? response : whole.components.responses[response.$ref.split('/').at(-1) ?? ''])?.content ?? {}

function holdBody({ type, body }: RecordedAnswer, promised: NonNullable<Response['content']>, what: string): void {
  if (Object.keys(promised).length === 0) return assert.equal(body, '', `${what} with a body`)
  const mime = type.split(';')[0] ?? ''
  const schema = promised[mime]?.schema
  assert.ok(schema !== undefined, `${what} as ${mime}, not ${Object.keys(promised).join(' or ')}`)
  if (!mime.endsWith('json')) return
  const validate = ajv.compile(inDocument(schema))
  assert.ok(validate(JSON.parse(body)), `${what}: ${ajv.errorsText(validate.errors)}\n${body.slice(0, 500)}`)
}

const compiled = new Map<string, Schema>()
/** The schema, its references pointed into the document. */
function inDocument(schema: Schema): Schema {
  const text = JSON.stringify(schema).replaceAll('"#/components', '"megrez#/components')
  const found = compiled.get(text) ?? (JSON.parse(text) as Schema)
  compiled.set(text, found)
  return found
}

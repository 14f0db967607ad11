import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { definitionOf, kinds, type OwnKind } from '../../core/kinds/index.ts'
import { document } from '../../openapi/document.ts'
import type { Schema } from '../../openapi/schemas/render.ts'

interface Operation {
  readonly operationId: string
  readonly security?: readonly unknown[]
  readonly parameters?: readonly { readonly $ref: string }[]
  readonly responses: Readonly<Record<string, Schema>>
  readonly requestBody?: { readonly content: Schema }
}
type PathItem = Readonly<Record<string, Operation>> & { readonly parameters?: readonly { readonly $ref: string }[] }

const whole = document() as { readonly paths: Readonly<Record<string, PathItem>>; readonly components: Readonly<Record<string, Schema>> }
const methods = ['get', 'post', 'put', 'patch', 'delete']
const operations = Object.entries(whole.paths).flatMap(([path, item]) =>
  methods.flatMap((method) => (item[method] === undefined ? [] : [{ path, method, item, operation: item[method] }])),
)
const methodsOf = (path: string): string[] => operations.filter((each) => each.path === path).map(({ method }) => method)

function references(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => (key === '$ref' ? [String(inner)] : references(inner)))
}

describe('the OpenAPI document', () => {
  test('refers to nothing that it does not have', () => {
    for (const reference of references(whole)) {
      const found = reference
        .slice(2)
        .split('/')
        .reduce<unknown>((at, step) => (at as Schema | undefined)?.[step], whole)
      assert.ok(found !== undefined, reference)
    }
  })

  test('has no part that nothing refers to', () => {
    const used = new Set(references(whole))
    for (const part of ['schemas', 'parameters', 'responses'])
      for (const name of Object.keys(whole.components[part] ?? {})) assert.ok(used.has(`#/components/${part}/${name}`), `${part}/${name}`)
  })

  test('names each operation once', () => {
    const names = operations.map(({ operation }) => operation.operationId)
    assert.deepEqual(
      names.filter((name, i) => names.indexOf(name) !== i),
      [],
    )
  })

  test('names operations as it always has', () => {
    const names = operations.map(({ operation }) => operation.operationId)
    for (const name of [
      'listVpcs',
      'createVpc',
      'getVpc',
      'replaceVpc',
      'patchVpc',
      'deleteVpc',
      'listSecurityGroups',
      'listIPLocks',
      'getSegmentLock',
      'createPod',
      'deletePod',
      'listNamespaces',
      'listNodes',
      'isReady',
    ])
      assert.ok(names.includes(name), name)
  })

  test('declares the parameters that stand in its paths', () => {
    for (const [path, item] of Object.entries(whole.paths)) {
      // What stands there is opaque, and no name of an object.
      const opaque = /\/(operations|sol\/subscriptions)\/\{name\}$/.test(path)
      const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => `#/components/parameters/${name === 'name' && opaque ? 'id' : name}`)
      assert.deepEqual(
        (item.parameters ?? []).map(({ $ref }) => $ref),
        named,
        path,
      )
    }
  })

  test('offers every kind where its scope says, and internal ones for reading only', () => {
    for (const kind of Object.keys(kinds) as OwnKind[]) {
      const { plural, scope, internal } = definitionOf(kind)
      const all = scope === 'Cluster' ? `/v1/${plural}` : `/v1/namespaces/{namespace}/${plural}`
      assert.deepEqual(methodsOf(all), internal ? ['get'] : ['get', 'post'], kind)
      assert.deepEqual(methodsOf(`${all}/{name}`), internal ? ['get'] : ['get', 'put', 'patch', 'delete'], kind)
    }
    assert.deepEqual(methodsOf('/v1/namespaces/{namespace}/pods'), ['get', 'post'])
    assert.deepEqual(methodsOf('/v1/namespaces/{namespace}/pods/{name}'), ['get', 'put', 'patch', 'delete'])
  })

  test('wants If-Match, and says 412 and 428, wherever something stored is changed, save where SOL has the form', () => {
    for (const { path, method, operation } of operations.filter(
      (each) => ['put', 'patch', 'delete'].includes(each.method) && !each.path.includes('/sol/'),
    )) {
      assert.ok(
        operation.parameters?.some(({ $ref }) => $ref.endsWith('/If-Match')),
        `${method} ${path}`,
      )
      assert.ok('412' in operation.responses && '428' in operation.responses, `${method} ${path}`)
    }
  })

  test('wants a token everywhere but at the probes, the metrics, the document itself, and where one signs in', () => {
    assert.deepEqual(
      operations.filter(({ operation }) => operation.security?.length === 0).map(({ path }) => path),
      [
        '/livez',
        '/readyz',
        '/metrics',
        '/docs',
        '/openapi.json',
        '/',
        '/sign-in',
        '/sign-in/callback',
        '/session',
        '/session',
        '/sign-out',
      ],
    )
    for (const { operation } of operations.filter((each) => each.operation.security === undefined))
      assert.ok('401' in operation.responses, operation.operationId)
  })
})

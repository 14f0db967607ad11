// Bodies as values: JSON, JSON merge patches, and YAML for people. Nothing else is taken, and nothing that could reach into
// the prototypes of objects.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { syntaxErrorOf } from '../../../core/admit/json-syntax-error.ts'
import { isObject, type Json } from '../../../core/json.ts'
import { pointerTo } from '../../../core/admit/refusal.ts'
import { Malformed, UnsupportedMediaType } from '../../../core/errors.ts'
import { InvalidObject } from '../invalid-object.ts'
import { yamlIn } from '../nsd/yaml.ts'

export const bodyLimit = 1024 * 1024
export const mergePatch = 'application/merge-patch+json'
/** RFC 9512, and what was written before it. */
const yamlTypes = ['application/yaml', 'application/x-yaml', 'text/yaml']

export function useBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(['application/json', mergePatch], { parseAs: 'string' }, (_request, text: string, done) =>
    settle(text, parseJson, done),
  )
  app.addContentTypeParser(yamlTypes, { parseAs: 'string' }, (_request, text: string, done) => settle(text, parseYaml, done))
  app.addContentTypeParser('*', (request, _stream, done) =>
    done(new UnsupportedMediaType({ type: (request.headers['content-type'] ?? 'nothing').slice(0, 100), wanted: 'application/json' })),
  )
}

function settle(text: string, parse: (text: string) => unknown, done: (err: Error | null, value?: unknown) => void): void {
  let value: unknown
  try {
    value = parse(text)
    if (isDeeper(value, depthMax)) throw tooDeep()
  } catch (err) {
    // Parsers that recurse run out of stack.
    done(err instanceof RangeError ? tooDeep(err) : (err as Error))
    return
  }
  done(null, value)
}

/** Whatever walks an object later may do so by recursion. */
const depthMax = 64
const tooDeep = (cause?: unknown): Error =>
  new Malformed({ what: 'this address', reason: `it is nested more than ${depthMax} levels deep`, cause })

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (levels === 0) return true
  for (const key in value) if (isDeeper((value as Readonly<Record<string, unknown>>)[key], levels - 1)) return true
  return false
}

function parseJson(text: string): unknown {
  let value: unknown
  try {
    value = JSON.parse(text) as unknown
  } catch (cause) {
    const problem = syntaxErrorOf(text)
    throw new Malformed({
      what: 'this address',
      reason: problem === undefined ? 'it is not JSON' : `it is not JSON: found ${problem.found} at position ${problem.offset}`,
      at: problem?.at ?? '',
      cause,
    })
  }
  // A name spelt with escapes is the same name.
  if (text.includes('__proto__') || text.includes('\\u')) refusePoison(value, [])
  return value
}

function parseYaml(text: string): unknown {
  const value = yamlIn(text, depthMax)
  refusePoison(value, [])
  return value
}

function refusePoison(value: unknown, path: readonly string[]): void {
  if (typeof value !== 'object' || value === null) return
  for (const [step, inner] of Object.entries(value)) {
    if (step === '__proto__')
      throw new Malformed({ what: 'this address', reason: '__proto__ is not a field of anything', at: pointerTo(...path, step) })
    refusePoison(inner, [...path, step])
  }
}

/** @throws Refused where the body is no object */
export function objectIn(request: FastifyRequest): Json {
  if (isObject(request.body)) return request.body
  throw new InvalidObject([{ at: '', message: 'must be an object' }])
}

/** @throws UnsupportedMediaType: a patch must say which kind of patch it is (RFC 7396) */
export function patchIn(request: FastifyRequest): Json {
  const type = request.headers['content-type'] ?? 'nothing'
  if (!type.startsWith(mergePatch)) throw new UnsupportedMediaType({ type: type.slice(0, 100), wanted: mergePatch })
  return objectIn(request)
}

/** RFC 7396: null removes, objects are merged, all else replaces. What is given is left as it is. */
export function merged(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch
  const result: Record<string, unknown> = isObject(target) ? { ...target } : {}
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete result[name]
    else result[name] = merged(result[name], value)
  }
  return result
}

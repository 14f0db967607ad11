// A schema compiled once, and its refusals put in words.
import { Compile } from 'typebox/compile'
import { nearest } from '../nearest.ts'
import { pointerTo } from '../refusal.ts'
import type { Problem } from '../problem.ts'
import { strict, type JsonSchema } from './strict.ts'

export interface SchemaValidator {
  /** @param at JSON pointer of the value, put in front of those of its faults */
  problems(value: unknown, at: string): readonly Problem[]
}

type SchemaError = ReturnType<ReturnType<typeof Compile>['Errors']>[number]

export function schemaValidator(schema: JsonSchema): SchemaValidator {
  const validator = Compile(strict(schema))
  return {
    problems(value, at) {
      if (value === undefined) return [{ at, message: 'is required' }]
      return validator.Check(value) ? [] : onceEach(validator.Errors(value).flatMap((problem) => inWords(schema, problem, at)))
    },
  }
}

function inWords(schema: JsonSchema, problem: SchemaError, at: string): Problem[] {
  const here = at + problem.instancePath
  const there = schemaAt(schema, problem.instancePath)
  switch (problem.keyword) {
    case 'required':
      return problem.params.requiredProperties.map((name) => ({ at: here + pointerTo(name), message: 'is required' }))
    case 'additionalProperties':
      return problem.params.additionalProperties.map((name) => ({
        at: here + pointerTo(name),
        message: unknownField(name, Object.keys(there.properties ?? {})),
      }))
    case 'uniqueItems':
      return problem.params.duplicateItems.map((i) => ({ at: `${here}/${i}`, message: 'stands there twice' }))
    case 'boolean': {
      // A field that is not known, told of once more by additionalProperties; not always, since typebox stops after eight faults.
      const end = problem.instancePath.lastIndexOf('/')
      const name = problem.instancePath
        .slice(end + 1)
        .replaceAll('~1', '/')
        .replaceAll('~0', '~')
      return [{ at: here, message: unknownField(name, Object.keys(schemaAt(schema, problem.instancePath.slice(0, end)).properties ?? {})) }]
    }
    default:
      return [{ at: here, message: sentence(problem, there) }]
  }
}

const onceEach = (problems: readonly Problem[]): readonly Problem[] => [
  ...new Map(problems.map((problem) => [`${problem.at} ${problem.message}`, problem])).values(),
]

function unknownField(name: string, known: readonly string[]): string {
  const meant = nearest(name, known)
  return meant === undefined ? `is not a field here; there are ${known.join(', ')}` : `is not a field here; did you mean ${meant}?`
}

const article = (type: string): string =>
  ({ integer: 'a whole number', array: 'a list', object: 'an object', string: 'a text', boolean: 'true or false', number: 'a number' })[
    type
  ] ?? type

/** What would be right at one place. */
function sentence(problem: SchemaError, schema: JsonSchema): string {
  switch (problem.keyword) {
    case 'type':
      return `must be ${article(String(problem.params.type))}`
    case 'enum':
      return `must be one of ${(schema.enum as readonly unknown[]).join(', ')}`
    case 'minimum':
    case 'maximum':
      return `must be ${range(schema)}`
    case 'minItems':
      return `must have at least ${problem.params.limit} items`
    case 'maxItems':
      return `must have at most ${problem.params.limit} items`
    case 'pattern':
      return `must match ${String(schema.pattern)}${typeof schema.description === 'string' ? ` (${schema.description})` : ''}`
    default:
      return problem.message
  }
}

function range(schema: JsonSchema): string {
  if (schema.maximum === undefined) return `${String(schema.minimum)} or more`
  return schema.minimum === undefined ? `${String(schema.maximum)} or less` : `from ${String(schema.minimum)} to ${String(schema.maximum)}`
}

/** The schema of the value at a pointer. */
function schemaAt(schema: JsonSchema, pointer: string): JsonSchema {
  let found = schema
  for (const step of pointer.split('/').slice(1)) {
    const properties = found.properties as Readonly<Record<string, JsonSchema>> | undefined
    found = properties?.[step] ?? (found.items as JsonSchema | undefined) ?? {}
  }
  return found
}

// A kind's rules as x-kubernetes-validations of its spec.
import type { KindDefinition } from '../../core/kinds/kind.ts'
import type { Schema } from './render.ts'

/** CEL's reserved words must be escaped in field names (Kubernetes, "Validation rules"). */
const reserved = [
  'true',
  'false',
  'null',
  'in',
  'as',
  'break',
  'const',
  'continue',
  'else',
  'for',
  'function',
  'if',
  'import',
  'let',
  'loop',
  'package',
  'namespace',
  'return',
  'var',
  'void',
  'while',
]
const field = (name: string): string => (reserved.includes(name) ? `__${name}__` : name)

export function validations(definition: KindDefinition): Schema[] {
  const rules = definition.rules.flatMap(({ cel, message, at }) => (cel === undefined ? [] : [{ rule: cel, message, ...fieldPath(at) }]))
  const fixed = definition.immutable.map((path) => ({
    rule: unchanged(definition.spec as unknown as Schema, path.split('.'), definition.kind),
    message: 'cannot be changed once the object is made',
    ...fieldPath(`spec.${path}`),
  }))
  return [...rules, ...fixed]
}

/** Below the spec, as the API server wants it; absent for the spec itself. */
function fieldPath(at: string): { readonly fieldPath?: string } {
  return at === 'spec' ? {} : { fieldPath: at.slice('spec'.length) }
}

/** That a path has the value it had; that it stays absent where it was absent. */
function unchanged(schema: Schema, steps: readonly string[], within: string, at = ''): string {
  const [step = '', ...rest] = steps
  const inner = (schema.properties as Readonly<Record<string, Schema>> | undefined)?.[step]
  if (inner === undefined) throw new Error(`${within} has no field ${steps.join('.')} that could be immutable`)
  const path = `${at}.${field(step)}`
  const same = rest.length === 0 ? `self${path} == oldSelf${path}` : unchanged(inner, rest, `${within}.${step}`, path)
  return isRequired(schema, step) ? same : `has(self${path}) == has(oldSelf${path}) && (!has(self${path}) || (${same}))`
}

const isRequired = (schema: Schema, name: string): boolean => ((schema.required ?? []) as readonly string[]).includes(name)

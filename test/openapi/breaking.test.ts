import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { breaking } from '../../openapi/breaking.ts'
import { document } from '../../openapi/document.ts'
import type { Schema } from '../../openapi/schemas/render.ts'

const baseline = JSON.parse(readFileSync(join(import.meta.dirname, '../../openapi/baseline.json'), 'utf8')) as Schema

test('nothing that the last version promised is taken back', () => assert.deepEqual(breaking(baseline, document()), []))

describe('what would break a client is found', () => {
  type Loose = { [key: string]: Loose } & Loose[]
  /** The document after somebody has changed it. */
  const after = (change: (draft: Loose) => void): readonly string[] => {
    const draft = structuredClone(document()) as Loose
    change(draft)
    return breaking(document(), draft)
  }
  const one = '/v1/namespaces/{namespace}/ports/{name}'
  const all = '/v1/namespaces/{namespace}/ports'
  const schemas = (draft: Loose): Loose => draft['components']!['schemas']!
  const cases: Readonly<Record<string, readonly [(draft: Loose) => void, RegExp]>> = {
    'a path that is gone': [(draft) => void delete draft['paths']![one], /^GET .*ports\/\{name\} is gone$/m],
    'a method that is gone': [(draft) => void delete draft['paths']![one]!['patch'], /^PATCH .*ports\/\{name\} is gone$/m],
    'an operation with another name': [
      (draft) => void Object.assign(draft['paths']![all]!['post']!, { operationId: 'makePort' }),
      /is called makePort, and was createPort/,
    ],
    'an answer that is gone': [(draft) => void delete draft['paths']![all]!['post']!['responses']!['201'], /no longer answers 201/],
    'a parameter that is gone': [
      (draft) => void Object.assign(draft['paths']![all]!['get']!, { parameters: [] }),
      /no longer takes query limit/,
    ],
    'a parameter that is needed now': [
      (draft) => void Object.assign(draft['components']!['parameters']!['Prefer']!, { required: true }),
      /needs header Prefer/,
    ],
    'a body of another type': [
      (draft) => void delete draft['paths']![all]!['post']!['requestBody']!['content']!['application/yaml'],
      /body is no longer application\/yaml/,
    ],
    'a field that is gone': [(draft) => void delete schemas(draft)['PortSpec']!['properties']!['mac'], /body\.spec\.mac is gone/],
    'a field that must be sent': [
      (draft) => void (schemas(draft)['PortSpec']!['required'] as unknown as string[]).push('mac'),
      /body\.spec\.mac must be sent now/,
    ],
    'a field that may be missing': [
      (draft) => void Object.assign(schemas(draft)['Problem']!, { required: ['type'] }),
      /400\.title may be missing now/,
    ],
    'a field of another type': [
      (draft) => void Object.assign(schemas(draft)['PortSpec']!['properties']!['mac']!, { type: 'integer' }),
      /body\.spec\.mac is integer, and was string/,
    ],
    'an enum with a word less': [
      (draft) => void (schemas(draft)['PortSpec']!['properties']!['type']!['enum'] as unknown as string[]).pop(),
      /no longer knows tap/,
    ],
    'a tighter bound': [
      (draft) => void Object.assign(schemas(draft)['PortSpec']!['properties']!['ips']!, { maxItems: 1 }),
      /body\.spec\.ips has a tighter maxItems/,
    ],
    'a pattern where there was none': [
      (draft) => void Object.assign(schemas(draft)['PortSpec']!['properties']!['mac']!, { pattern: '^02' }),
      /body\.spec\.mac must look otherwise now/,
    ],
    'words where anything went': [
      (draft) => void Object.assign(schemas(draft)['PortSpec']!['properties']!['node']!, { enum: ['a'] }),
      /body\.spec\.node takes only some words now/,
    ],
  }
  for (const [what, [change, sentence]] of Object.entries(cases)) test(what, () => assert.match(after(change).join('\n'), sentence))

  test('and what is merely more is none', () => {
    const found = after((draft) => {
      draft['paths']!['/v1/more'] = structuredClone(draft['paths']![all]!)
      Object.assign(schemas(draft)['PortSpec']!['properties']!, { more: { type: 'string' } })
      ;(schemas(draft)['PortSpec']!['properties']!['type']!['enum'] as unknown as string[]).push('macvtap')
      Object.assign(schemas(draft)['PortSpec']!['properties']!['ips']!, { maxItems: 4 })
      Object.assign(draft['paths']![all]!['post']!['responses']!, { 418: { description: 'A teapot.' } })
    })
    assert.deepEqual(found, [])
  })
})

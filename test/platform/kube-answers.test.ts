import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { pointer, problemOf } from '../../platform/kube/answers.ts'

const ref = { kind: 'Port', namespace: 'a', name: 'p' } as const
const answered = (code: number, more: object = {}) =>
  problemOf({ status: code, body: { kind: 'Status', code, ...more }, retryAfterMs: undefined }, ref)

describe("the API server's refusals", () => {
  // Bodies as kube-apiserver 1.34 sends them.
  const cases: Readonly<Record<string, readonly [problem: ReturnType<typeof problemOf>, code: string, message: string, at?: string]>> = {
    'an object that is not there': [
      answered(404, { reason: 'NotFound', details: { name: 'p', kind: 'ports' } }),
      'not-found',
      'Port a/p not found',
    ],
    'a namespace that is not there': [
      answered(404, { reason: 'NotFound', details: { name: 'a', kind: 'namespaces' } }),
      'not-found',
      'Namespace a not found',
    ],
    'a kind that is not served': [
      problemOf({ status: 404, body: '404 page not found\n', retryAfterMs: undefined }, ref),
      'store-unavailable',
      'the store does not answer: 404 no Port is served there',
    ],
    'a name that is taken': [answered(409, { reason: 'AlreadyExists' }), 'already-exists', 'Port a/p already exists'],
    'a version that is old': [answered(409, { reason: 'Conflict' }), 'stale', 'Port a/p has changed since it was read'],
    "a UID that is another's": [
      answered(422, { reason: 'Invalid', details: { causes: [{ field: 'metadata.uid', message: 'field is immutable' }] } }),
      'stale',
      'Port a/p has changed since it was read',
    ],
    'a namespace that is going': [
      answered(403, {
        reason: 'Forbidden',
        details: { causes: [{ reason: 'NamespaceTerminating', message: 'namespace a is being terminated', field: 'metadata.namespace' }] },
      }),
      'namespace-terminating',
      'namespace a is being deleted: nothing is created in it',
    ],
    'a role that is not bound to us yet': [
      answered(403, { message: 'ports.megrez.io is forbidden: User "x" cannot create resource "ports" in API group "megrez.io"' }),
      'store-unavailable',
      'the store does not answer: 403 ports.megrez.io is forbidden: User "x" cannot create resource "ports" in API group "megrez.io"',
    ],
    'a quota that is used up': [
      answered(403, { message: 'ports.megrez.io "p" is forbidden: exceeded quota: q' }),
      'invalid',
      'ports.megrez.io "p" is forbidden: exceeded quota: q',
    ],
    'fields that are wrong': [
      answered(422, {
        details: {
          causes: [
            { field: 'spec.ips[1]', message: 'Invalid value: "x": spec.ips[1] in body should be at least 2 chars long' },
            { field: 'spec', message: 'Invalid value: "object": needs ipv4' },
          ],
        },
      }),
      'invalid',
      'spec.ips[1]: spec.ips[1] in body should be at least 2 chars long; spec: needs ipv4',
      '/spec/ips/1',
    ],
    'a body that cannot be read': [
      answered(400, { message: 'strict decoding error: unknown field "spec.x"' }),
      'invalid',
      'strict decoding error: unknown field "spec.x"',
    ],
    'changes that are no longer kept': [
      answered(410, { message: 'too old' }),
      'gone',
      'the changes since resource version too old are no longer kept: list again',
    ],
    'too many requests': [answered(429, { message: 'slow down' }), 'store-unavailable', 'the store does not answer: 429 slow down'],
    'a webhook that does not answer': [
      answered(500, { message: 'failed calling webhook' }),
      'store-unavailable',
      'the store does not answer: 500 failed calling webhook',
    ],
    'credentials that have expired': [
      answered(401, { message: 'Unauthorized' }),
      'store-unavailable',
      'the store does not answer: 401 Unauthorized',
    ],
  }
  for (const [name, [problem, code, message, at]] of Object.entries(cases)) {
    test(name, () => assert.deepEqual([problem.code, problem.message, problem.at], [code, message, at]))
  }

  test("a field's path becomes a JSON pointer, keys with dots and slashes included", () => {
    assert.equal(pointer('spec.ipv4.pools[0].first'), '/spec/ipv4/pools/0/first')
    assert.equal(pointer('metadata.annotations[megrez.io/nics]'), '/metadata/annotations/megrez.io~1nics')
    assert.equal(pointer('<nil>'), undefined)
    assert.equal(pointer(''), undefined)
  })
})

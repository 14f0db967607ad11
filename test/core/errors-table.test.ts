import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as errors from '../../core/errors.ts'
import { errorTable, MegrezError, retryOf } from '../../core/errors.ts'

const classes = Object.entries(errors).filter(([, each]) => typeof each === 'function' && each.prototype instanceof MegrezError) as [
  string,
  { readonly code: string },
][]

test('every error class is in the table, and nothing else is', () => {
  assert.deepEqual(classes.map(([, { code }]) => code).sort(), errorTable.map(({ code }) => code).sort())
})

test('a code is its class name in kebab case, and no two are the same', () => {
  // Of capitals in a row (BGPRefused) the last begins the next word.
  for (const [name, { code }] of classes) assert.equal(code, name.replace(/(?<=[a-z])[A-Z]|(?<=[A-Z])[A-Z](?=[a-z])/g, '-$&').toLowerCase())
  assert.equal(new Set(errorTable.map(({ code }) => code)).size, errorTable.length)
})

test('every sentence begins without a capital of its own and has no full stop, "failed to" or exclamation mark', () => {
  for (const { template } of errorTable) assert.match(template, /^(?:\{\w+\}|[a-z]|VNI |Subnet |Port )(?!.*(?:failed to|!|\.$))/, template)
})

test("every error has an HTTP status of a refusal, and what is worth a later try is never the caller's fault alone", () => {
  for (const { code, policy } of errorTable) {
    assert.ok(policy.http >= 400 && policy.http < 600, code)
    if (policy.retry === 'later') assert.ok([409, 429, 500, 502, 503, 504].includes(policy.http), code)
    // 11 and 50 are CNI's "later"; a plugin's own codes, from 100 on, say nothing of it (CNI 1.1, section 5).
    if (policy.cni !== undefined && policy.cni < 100) assert.equal([11, 50].includes(policy.cni), policy.retry !== 'never', code)
  }
})

test('each placeholder is filled, and what is filled in is never read again', () => {
  const full = new errors.PreconditionFailed({ kind: 'Port', key: '{etag} $&', etag: '"7"', at: '/spec/ips/0' })
  assert.equal(full.message, 'Port {etag} $& is no longer at "7"')
  assert.equal(full.at, '/spec/ips/0')
  for (const { template } of errorTable) assert.doesNotMatch(template.replace(/\{\w+\}/g, ''), /[{}]/, template)
})

test('a cause is kept where there is one, and only there', () => {
  const cause = new Error('connect ECONNREFUSED')
  assert.equal(new errors.StoreUnavailable({ reason: 'closed', cause }).cause, cause)
  assert.ok(!('cause' in new errors.StoreUnavailable({ reason: 'closed' })))
})

test('what we did not declare is worth another try', () => {
  assert.equal(retryOf(new errors.Stale({ kind: 'Port', key: 'a/web' })), 'now')
  assert.equal(retryOf(new errors.Invalid({ reason: 'spec.vpc: is missing' })), 'never')
  assert.equal(retryOf(new TypeError('x is undefined')), 'later')
  assert.equal(retryOf('a string'), 'later')
})

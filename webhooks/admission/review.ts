// AdmissionReview requests: from bytes to what is asked, or what is wrong with them.
import { syntaxErrorOf } from '../../core/admit/json-syntax-error.ts'
import { pointerTo } from '../../core/admit/refusal.ts'
import { quoted } from '../../core/admit/quoted.ts'
import { isObject, type Json } from '../../core/json.ts'
import { denied, type AdmissionProblem } from './answer.ts'

export interface Request {
  readonly uid: string
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT'
  readonly namespace: string
  readonly kind: string
  /** '' for the object itself, else such as `status`. */
  readonly subresource: string
  readonly dryRun: boolean
  readonly object: unknown
  readonly oldObject: unknown
}

const operations = ['CREATE', 'UPDATE', 'DELETE', 'CONNECT']
const wanted = 'application/json'

/** What a review asks, or the text of the answer that says why it asks nothing. */
export function readReview(body: unknown, contentType: string | undefined): Request | string {
  if (!Buffer.isBuffer(body) || body.length === 0)
    return denied('', [{ at: '', message: 'the request has no body: an AdmissionReview is wanted' }], 400)
  const text = body.toString('utf8')
  const parsed = parse(text)
  if ('problem' in parsed) return denied(uidIn(text), [parsed.problem], 400)
  const uid = uidOf(parsed.value)
  if (!isJson(contentType)) return denied(uid, [{ at: '', message: `Content-Type must be ${wanted}, not ${quoted(contentType)}` }], 415)
  const problem = problemInReview(parsed.value) ?? poisonIn(text, parsed.value)
  return problem === undefined ? requestOf((parsed.value as { request: Json }).request) : denied(uid, [problem], 400)
}

/** None at all is taken for JSON. */
const isJson = (contentType: string | undefined): boolean =>
  contentType === undefined || contentType === wanted || contentType.split(';')[0]!.trim().toLowerCase() === wanted

function uidOf(review: unknown): string {
  const request = isObject(review) ? review['request'] : undefined
  return isObject(request) && typeof request['uid'] === 'string' ? request['uid'] : ''
}

function parse(text: string): { readonly value: unknown } | { readonly problem: AdmissionProblem } {
  try {
    return { value: JSON.parse(text) as unknown }
  } catch (err) {
    const problem = syntaxErrorOf(text)
    return {
      problem:
        problem === undefined
          ? { at: '', message: `is not JSON: ${String(err)}` }
          : { at: problem.at, message: `is not JSON: found ${problem.found} at position ${problem.offset}` },
    }
  }
}

/** The UID of a review that cannot be parsed, as far as it can be seen. */
const uidIn = (text: string): string => /"request"\s*:\s*\{\s*"uid"\s*:\s*"([0-9A-Za-z-]{1,64})"/.exec(text.slice(0, 2_048))?.[1] ?? ''

const tests: readonly (readonly [readonly string[], (value: unknown) => boolean, string])[] = [
  [[], isObject, 'must be an AdmissionReview'],
  [['kind'], (value) => value === 'AdmissionReview', 'must be AdmissionReview'],
  [['apiVersion'], (value) => value === 'admission.k8s.io/v1', 'must be admission.k8s.io/v1'],
  [['request'], isObject, 'must be an object'],
  [['request', 'uid'], (value) => typeof value === 'string' && value !== '', 'must be a text'],
  [['request', 'operation'], (value) => operations.includes(value as string), `must be one of ${operations.join(', ')}`],
  [['request', 'namespace'], (value) => value === undefined || typeof value === 'string', 'must be a text'],
  [['request', 'kind'], (value) => isObject(value) && typeof value['kind'] === 'string', 'must name a kind'],
]

function problemInReview(review: unknown): AdmissionProblem | undefined {
  for (const [path, holds, message] of tests) {
    let value = review
    for (const step of path) value = isObject(value) ? value[step] : undefined
    if (!holds(value)) return { at: pointerTo(...path), message: `${message}, not ${quoted(value)}` }
  }
  return undefined
}

/** `__proto__` is no field of any kind, and a trap for code that copies objects. */
function poisonIn(text: string, value: unknown): AdmissionProblem | undefined {
  if (!text.includes('__proto__') && !text.includes('\\u')) return undefined
  const path = poisoned(value)
  return path === undefined ? undefined : { at: pointerTo(...path), message: 'is not a field of anything' }
}

/** Without recursion: what was sent may be deeper than the stack. */
function poisoned(value: unknown): (string | number)[] | undefined {
  interface ValuePath {
    readonly value: unknown
    readonly step: string
    readonly above: ValuePath | undefined
  }
  const places: ValuePath[] = [{ value, step: '', above: undefined }]
  for (let place = places.pop(); place !== undefined; place = places.pop()) {
    if (typeof place.value !== 'object' || place.value === null) continue
    if (Object.hasOwn(place.value, '__proto__')) {
      const path = ['__proto__']
      for (let at: ValuePath | undefined = place; at?.above !== undefined; at = at.above) path.unshift(at.step)
      return path
    }
    for (const [step, inner] of Object.entries(place.value)) places.push({ value: inner, step, above: place })
  }
  return undefined
}

const orAbsent = (value: unknown): unknown => value ?? undefined

function requestOf(request: Json): Request {
  const { uid, operation, namespace, kind, subResource, dryRun, object, oldObject } = request as unknown as Request & {
    kind: { kind: string }
    subResource?: unknown
  }
  return {
    uid,
    operation,
    namespace: namespace ?? '',
    kind: kind.kind,
    subresource: typeof subResource === 'string' ? subResource : '',
    dryRun: dryRun === true,
    object: orAbsent(object),
    oldObject: orAbsent(oldObject),
  }
}

// What every object's metadata must be, as the API server has it (apimachinery, validation of ObjectMeta).
import { isObject } from '../../json.ts'
import { nearest } from '../nearest.ts'
import { pointerTo } from '../refusal.ts'
import type { Problem } from '../problem.ts'

const label = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/
const subdomain = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/
const keyName = /^[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/
const labelValue = /^([A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?$/
const nameMax = 253
/** The API server's limit of all annotations of an object, keys and values, in bytes. */
export const annotationsMaxBytes = 256 * 1024
const encoder = new TextEncoder()

type Find = (at: string, value: unknown) => readonly Problem[]

const one = (at: string, message: string): readonly Problem[] => [{ at, message }]
const text =
  (test: (value: string) => boolean, message: string): Find =>
  (at, value) =>
    typeof value === 'string' && test(value) ? [] : one(at, message)
const whole: Find = (at, value) => (Number.isSafeInteger(value) && Number(value) >= 0 ? [] : one(at, 'must be a whole number'))

export const nameMessage =
  'must be a DNS name: letters a-z, digits, - and ., beginning and ending with a letter or digit, at most 253 characters'
export const labelMessage = 'must be at most 63 letters a-z, digits and -, beginning and ending with a letter or digit'
/** What can be the name of an object (RFC 1123, a subdomain). */
export const isObjectName = (value: string): boolean => value.length <= nameMax && subdomain.test(value)
/** What can be the name of a namespace (RFC 1123, a label). */
export const isLabelName = (value: string): boolean => label.test(value)
const isKey = (value: string): boolean => {
  const slash = value.indexOf('/')
  return slash < 0 ? keyName.test(value) : isObjectName(value.slice(0, slash)) && keyName.test(value.slice(slash + 1))
}
const keyMessage = 'is no key: at most 63 letters, digits, -, _ and ., with an optional DNS name and / in front'

const labels: Find = (at, value) => {
  if (!isObject(value)) return one(at, 'must be an object of texts')
  return Object.entries(value).flatMap(([key, each]) => {
    const here = `${at}${pointerTo(key)}`
    if (!isKey(key)) return one(here, keyMessage)
    return typeof each === 'string' && labelValue.test(each)
      ? []
      : one(here, 'must be at most 63 letters, digits, -, _ and ., beginning and ending with a letter or digit')
  })
}

const annotations: Find = (at, value) => {
  if (!isObject(value)) return one(at, 'must be an object of texts')
  const problems = Object.entries(value).flatMap(([key, each]) => {
    const here = `${at}${pointerTo(key)}`
    if (!isKey(key.toLowerCase())) return one(here, keyMessage)
    return typeof each === 'string' ? [] : one(here, 'must be a text')
  })
  const bytes = Object.entries(value).reduce(
    (sum, [key, each]) => sum + (typeof each === 'string' ? encoder.encode(key + each).length : 0),
    0,
  )
  return bytes > annotationsMaxBytes
    ? [...problems, { at, message: `must have at most ${annotationsMaxBytes} bytes in all, not ${bytes}` }]
    : problems
}

const finalizers: Find = (at, value) => {
  if (!Array.isArray(value)) return one(at, 'must be a list of texts')
  return value.flatMap((each, i) => (typeof each === 'string' && isKey(each) ? [] : one(`${at}/${i}`, keyMessage)))
}

const ownerFields = ['apiVersion', 'kind', 'name', 'uid']
const owners: Find = (at, value) => {
  if (!Array.isArray(value)) return one(at, 'must be a list')
  const missing = value.flatMap((owner: unknown, i) =>
    ownerFields
      .filter((field) => !isObject(owner) || typeof owner[field] !== 'string' || owner[field] === '')
      .map((field) => ({ at: `${at}/${i}/${field}`, message: 'is required' })),
  )
  const controllers = value.filter((owner: unknown) => isObject(owner) && owner.controller === true)
  return controllers.length > 1 ? [...missing, { at, message: 'only one owner can be the controller' }] : missing
}

const anything: Find = () => []
const time = text((value) => !Number.isNaN(Date.parse(value)), 'must be a time such as 2026-11-21T12:00:00Z')
const fields: Readonly<Record<string, Find>> = {
  name: text(isObjectName, nameMessage),
  generateName: text((value) => isObjectName(`${value}x`), `${nameMessage}; five more are put behind it`),
  namespace: text(isLabelName, labelMessage),
  uid: text(() => true, 'must be a text'),
  resourceVersion: text(() => true, 'must be a text'),
  generation: whole,
  creationTimestamp: time,
  deletionTimestamp: time,
  deletionGracePeriodSeconds: whole,
  finalizers,
  labels,
  annotations,
  ownerReferences: owners,
  managedFields: anything,
  selfLink: anything,
}

/** The faults of an object's metadata; where `cluster`, a namespace is one. */
export function checkMetadata(metadata: unknown, cluster: boolean): readonly Problem[] {
  const at = '/metadata'
  if (!isObject(metadata)) return one(at, 'is required')
  const find = (field: string): Find | undefined => (Object.hasOwn(fields, field) ? fields[field] : undefined)
  const problems = Object.entries(metadata).flatMap(
    ([field, value]) => find(field)?.(`${at}/${field}`, value) ?? one(`${at}${pointerTo(field)}`, unknown(field)),
  )
  if (metadata.name === undefined && metadata.generateName === undefined)
    problems.unshift({ at: `${at}/name`, message: 'is required, or generateName' })
  if (cluster && metadata.namespace !== undefined)
    problems.push({ at: `${at}/namespace`, message: 'must be absent: this kind is in no namespace' })
  return problems
}

function unknown(field: string): string {
  const meant = nearest(field, Object.keys(fields))
  return `is not a field of metadata${meant === undefined ? '' : `; did you mean ${meant}?`}`
}

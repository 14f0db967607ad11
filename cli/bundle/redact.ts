// What leaves the house has no secrets: what may be one is replaced, by the name of its field, by its form, or because nobody needs it.
import { isObject, type Json } from '../../core/json.ts'
import { appliedAnnotation } from '../rest/applied.ts'

export const redacted = '(redacted)'

/** Fields whose value is nobody's business, however they are spelt. */
const secretField =
  /pass(word|wd|phrase)?|secret|token|credential|api-?key|access-?key|private|authori[sz]ation|cookie|^auth$|^stringdata$|^data$|^pcap$|^env$|^args$|^command$|^stdout$|^stderr$/i
/** Addresses of receivers: often the address itself is the secret. Who it is stays. */
const receiverField = /^(callbackURL|sink|tokenEndpoint|endpoint)$/
/** Annotations of ours and of the Network Plumbing Working Group; others may hold anything. */
const knownAnnotation = /^(megrez\.io|k8s\.v1\.cni\.cncf\.io)\//
const callbackNote = /^megrez\.io\/callback-url$/
/** What a Port's node runs: the program is named, what it is given is not. */
const execField = /^post(Create|Delete)Exec$/

/** Of an object of REST, or any other JSON. */
export function redact(value: unknown): unknown {
  if (typeof value === 'string') return redactText(value)
  if (Array.isArray(value)) return value.map(redact)
  if (!isObject(value)) return value
  const entries = value['kind'] === 'Pod' && isObject(value['spec']) ? { ...value, spec: podSpec(value['spec']) } : value
  return Object.fromEntries(Object.entries(entries).map(([field, each]) => [field, redactField(field, each)]))
}

function redactField(field: string, value: unknown): unknown {
  if (field === 'annotations' && isObject(value)) return annotationsOf(value)
  if (receiverField.test(field) && typeof value === 'string') return hostOf(value)
  if (execField.test(field) && Array.isArray(value)) return value.map((each: unknown, i) => (i === 0 ? each : redacted))
  return secretField.test(field) && value !== null && value !== undefined ? redacted : redact(value)
}

/** As much of a pod as we look at. */
function podSpec({ nodeName, hostNetwork, containers }: Json): Json {
  const names = (Array.isArray(containers) ? containers : []).filter(isObject).map(({ name, image }) => ({ name, image }))
  return { nodeName, hostNetwork, containers: names }
}

function annotationsOf(annotations: Json): Json {
  return Object.fromEntries(
    Object.entries(annotations)
      .filter(([key]) => key !== appliedAnnotation)
      .map(([key, value]) => [
        key,
        callbackNote.test(key) ? hostOf(String(value)) : knownAnnotation.test(key) ? jsonOrText(value) : redacted,
      ]),
  )
}

/** An annotation of ours is JSON where it is more than a word. */
function jsonOrText(value: unknown): unknown {
  try {
    const read: unknown = JSON.parse(String(value))
    return typeof read === 'object' ? JSON.stringify(redact(read)) : redactText(String(value))
  } catch {
    return redactText(String(value))
  }
}

const hostOf = (text: string): string => (URL.canParse(text) ? `${new URL(text).protocol}//${new URL(text).host}/${redacted}` : redacted)

/** Forms of secrets inside other text, and what is left of each. */
const forms: readonly (readonly [form: RegExp, left: string])[] = [
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g, redacted],
  [/whsec_[\w+/=-]+/g, redacted],
  [/\beyJ[\w-]{5,}\.[\w-]+\.[\w-]*/g, redacted],
  [/\b(Bearer|Basic)\s+[\w+/=.~-]+/gi, `$1 ${redacted}`],
  [/(\/\/)[^/\s"'@]+@/g, `$1${redacted}@`],
  [/([?&][\w.~%-]+=)[^&\s"'#]+/g, `$1${redacted}`],
  [/\b((?:password|passwd|secret|token|api[-_]?key|access[-_]?key)["']?\s*[=:]\s*["']?)[^\s"',;&]+/gi, `$1${redacted}`],
]

export const redactText = (text: string): string => forms.reduce((left, [form, instead]) => left.replace(form, instead), text)

// Where admission answers: at the paths that are registered with the API server, and for a while at those that were. The path is a
// second secret beside the client certificate: whoever cannot read the registration does not know it. The API server prints it in its
// errors, so it is replaced from time to time.
import { registeredAnnotation, formerPathsAnnotation } from '../kinds/annotations.ts'

/** What each of them does is the end of a path; what stands before it is the secret. Nothing stands before it where there is none. */
export const admissionEndpoints = ['/mutate-pods', '/validate-pods', '/mutate-objects', '/validate-objects'] as const
export type AdmissionEndpoint = (typeof admissionEndpoints)[number]

/** A path taken apart; undefined: none that anything of ours could be at. */
export function partsOf(path: string): { readonly before: string; readonly end: AdmissionEndpoint } | undefined {
  const end = admissionEndpoints.find((each) => path.endsWith(each))
  return end === undefined ? undefined : { before: path.slice(0, -end.length), end }
}

interface Hook {
  readonly clientConfig: { readonly url?: string; readonly service?: { readonly path?: string }; readonly caBundle?: string }
  readonly rules?: readonly { readonly resources?: readonly string[] }[]
}
/** A MutatingWebhookConfiguration or ValidatingWebhookConfiguration, as much as is looked at. */
export interface Registration {
  readonly kind?: string
  readonly metadata: { readonly resourceVersion: string; readonly annotations?: Readonly<Record<string, string>> }
  readonly webhooks?: readonly Hook[]
}

export interface PathLives {
  /** How long a path is registered. */
  readonly pathMs: number
  /** How long one that was registered is still answered at: an API server that has not heard yet calls it. */
  readonly formerMs: number
  /** The same of the path that anybody can guess: as long as API servers may lag, and no longer. */
  readonly plainMs: number
}
const day = 24 * 3_600_000
export const usualPathLives: PathLives = { pathMs: 7 * day, formerMs: day, plainMs: 5 * 60_000 }

const pathOf = ({ clientConfig: { url, service } }: Hook): string | undefined =>
  url === undefined ? service?.path : URL.parse(url)?.pathname
const beforeOf = (hook: Hook): string | undefined => partsOf(pathOf(hook) ?? '')?.before

/** What stands before the ends that are registered. */
const registeredIn = ({ webhooks = [] }: Registration): readonly string[] => webhooks.map(beforeOf).filter((each) => each !== undefined)

/** What was registered before, and until when it is answered at, in milliseconds since 1970. */
function formerIn({ metadata: { annotations = {} } }: Registration): Readonly<Record<string, number>> {
  try {
    const verdict = JSON.parse(annotations[formerPathsAnnotation] ?? '{}') as unknown
    return typeof verdict === 'object' && verdict !== null
      ? Object.fromEntries(Object.entries(verdict).filter((each): each is [string, number] => typeof each[1] === 'number'))
      : {}
  } catch {
    return {}
  }
}

/** Where these registrations have admission answer, each until its time. */
export function answeredAt(registrations: readonly Registration[]): ReadonlyMap<string, number> {
  return new Map([
    ...registrations.flatMap((each) => Object.entries(formerIn(each))),
    ...registrations.flatMap(registeredIn).map((each) => [each, Infinity] as const),
  ])
}

/** How long one that is registered no more is still answered at. */
const remainsMs = (before: string, { plainMs, formerMs }: PathLives): number => (before === '' ? plainMs : formerMs)

/**
 * The same for who has seen it registered before: what has gone since stays for its time, whoever took it away, and whatever was written
 * instead.
 */
export function answeredAfter(
  seen: ReadonlyMap<string, number>,
  registrations: readonly Registration[],
  now: number,
  lives: PathLives = usualPathLives,
): ReadonlyMap<string, number> {
  const left = [...seen]
    .filter(([, until]) => until > now)
    .map(([before, until]) => [before, Math.min(until, now + remainsMs(before, lives))] as const)
  return new Map([...left, ...answeredAt(registrations)])
}

export interface Publishing {
  /** base64, as it is registered. */
  readonly caBundle: string
  /** What stands before the ends from now on; undefined: paths are somebody else's. */
  readonly before: string | undefined
  readonly now: number
  readonly lives: PathLives
}
interface Operation {
  readonly op: 'add'
  readonly path: string
  readonly value: unknown
}

/**
 * Whether the chart leaves paths to us. It says so in the same object, so that a chart that does not know of paths takes it away together
 * with them.
 */
export const isOurs = ({ metadata: { annotations = {} } }: Registration): boolean => annotations[registeredAnnotation] !== undefined

/** What of a registration has to change, all in one patch: judge and path are never of two times. */
export function planRegistration(registration: Registration, { caBundle, before, now, lives }: Publishing): readonly Operation[] {
  const { webhooks = [] } = registration
  const bundles = webhooks.flatMap(({ clientConfig }, nth): Operation[] =>
    clientConfig.caBundle === caBundle ? [] : [{ op: 'add', path: `/webhooks/${nth}/clientConfig/caBundle`, value: caBundle }],
  )
  if (before === undefined || !isOurs(registration)) return bundles
  const paths = webhooks.flatMap((hook, nth): Operation[] => {
    const wanted = before + endOf(registration, hook)
    return hook.clientConfig.service === undefined || hook.clientConfig.service.path === wanted
      ? []
      : [{ op: 'add', path: `/webhooks/${nth}/clientConfig/service/path`, value: wanted }]
  })
  return [...bundles, ...paths, ...formerOperations(registration, before, now, lives)]
}

function formerOperations(registration: Registration, before: string, now: number, lives: PathLives): readonly Operation[] {
  const left = registeredIn(registration).map((each) => [each, now + remainsMs(each, lives)] as const)
  const former = Object.fromEntries(
    [...Object.entries(formerIn(registration)), ...left].filter(([each, until]) => each !== before && until > now),
  )
  const text = Object.keys(former).length === 0 ? undefined : JSON.stringify(former)
  const { annotations = {} } = registration.metadata
  if (text === annotations[formerPathsAnnotation] || (text === undefined && annotations[formerPathsAnnotation] === '{}')) return []
  return [{ op: 'add', path: '/metadata/annotations', value: { ...annotations, [formerPathsAnnotation]: text ?? '{}' } }]
}

/** By what it is asked about: a path that is not there yet says nothing. */
function endOf({ kind }: Registration, { rules = [] }: Hook): AdmissionEndpoint {
  const verb = kind === 'MutatingWebhookConfiguration' ? 'mutate' : 'validate'
  return `/${verb}-${rules.some(({ resources = [] }) => resources.includes('pods')) ? 'pods' : 'objects'}`
}

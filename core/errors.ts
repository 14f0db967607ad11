// Every error Megrez can show, once: code, sentence, what a retry is worth, and what HTTP and CNI say for it.
// docs/errors.md is generated from this table.

/** never: the same input will fail again; later: worth trying after a while; now: a rival was faster, look again at once. */
export type Retry = 'never' | 'later' | 'now'

export interface Policy {
  readonly retry: Retry
  readonly http: number
  /** CNI specification 1.1, section 5; 11 is "try again later". */
  readonly cni?: number
}

type Names<T extends string> = T extends `${string}{${infer Name}}${infer Rest}` ? Name | Names<Rest> : never
type Values<T extends string> = { readonly [K in Names<T>]: string | number } & { readonly cause?: unknown; readonly at?: string }

export class MegrezError extends Error {
  readonly code: string
  readonly policy: Policy
  /** JSON pointer of the field at fault, where one is. */
  readonly at: string | undefined
  /** The object that it speaks of, where it names one. */
  readonly about: { readonly kind: string; readonly key: string } | undefined

  constructor(
    code: string,
    message: string,
    policy: Policy,
    more: { readonly cause?: unknown; readonly at?: string; readonly kind?: unknown; readonly key?: unknown },
  ) {
    super(message, more.cause === undefined ? undefined : { cause: more.cause })
    this.name = 'MegrezError'
    this.code = code
    this.policy = policy
    this.at = more.at
    this.about = typeof more.kind === 'string' && typeof more.key === 'string' ? { kind: more.kind, key: more.key } : undefined
  }
}

export interface ErrorEntry {
  readonly code: string
  readonly template: string
  readonly policy: Policy
}
const table: ErrorEntry[] = []
/** All of them, for the generated page and its test. */
export const errorTable: readonly ErrorEntry[] = table

function error<const T extends string>(code: string, template: T, policy: Policy) {
  table.push({ code, template, policy })
  return class extends MegrezError {
    static readonly code = code
    constructor(values: Values<T>) {
      const filled = template.replace(/\{(\w+)\}/g, (_, name: string) => String((values as Record<string, unknown>)[name]))
      super(code, filled, policy, values)
    }
  }
}

// The store's answers.
export const NotFound = error('not-found', '{kind} {key} not found', { retry: 'never', http: 404 })
export const AlreadyExists = error('already-exists', '{kind} {key} already exists', { retry: 'now', http: 409 })
export const Stale = error('stale', '{kind} {key} has changed since it was read', { retry: 'now', http: 409 })
export const Gone = error('gone', 'the changes since resource version {from} are no longer kept: list again', { retry: 'now', http: 410 })
export const CursorExpired = error('cursor-expired', 'events are kept for {seconds} s, and this cursor is older: begin without one', {
  retry: 'never',
  http: 410,
})
export const NamespaceTerminating = error('namespace-terminating', 'namespace {namespace} is being deleted: nothing is created in it', {
  retry: 'never',
  http: 403,
})
export const StoreUnavailable = error('store-unavailable', 'the store does not answer: {reason}', { retry: 'later', http: 503, cni: 11 })
export const StoreInUse = error('store-in-use', '{file} is in use by another process', { retry: 'never', http: 503 })

// What people ask for.
export const Invalid = error('invalid', '{reason}', { retry: 'never', http: 422 })
export const Malformed = error('malformed', 'the request is not what {what} takes: {reason}', { retry: 'never', http: 400 })
export const PreconditionRequired = error('precondition-required', '{method} needs If-Match with the ETag that was read', {
  retry: 'never',
  http: 428,
})
export const PreconditionFailed = error('precondition-failed', '{kind} {key} is no longer at {etag}', { retry: 'never', http: 412 })
export const MethodNotAllowed = error('method-not-allowed', '{method} is not offered on {path}', { retry: 'never', http: 405 })
export const UnknownPath = error('unknown-path', 'nothing is served at {path}', { retry: 'never', http: 404 })
export const VersionUnknown = error('version-unknown', 'version {version} of this interface is not known: {known} are', {
  retry: 'never',
  http: 406,
})
export const UnsupportedMediaType = error('unsupported-media-type', '{type} is not taken here: send {wanted}', {
  retry: 'never',
  http: 415,
})
export const TooLarge = error('too-large', '{what} is larger than {max}', { retry: 'never', http: 413 })
export const HeadersTooLarge = error('headers-too-large', 'the headers are larger than {max}', { retry: 'never', http: 431 })
export const RequestIncomplete = error('request-incomplete', 'the request was not all there within {ms} ms', { retry: 'never', http: 408 })
export const TooMany = error(
  'too-many',
  'there are more than {max} objects of kind {kind}: name a namespace, a VNI or a physical network',
  {
    retry: 'never',
    http: 422,
  },
)
export const Unauthorized = error('unauthorized', 'a valid bearer token is needed: {reason}', { retry: 'never', http: 401 })
export const Forbidden = error('forbidden', 'this token may not do that', { retry: 'never', http: 403 })
export const CrossSite = error('cross-site', 'a page of another origin has sent this with the cookie of a session', {
  retry: 'never',
  http: 403,
})
export const SignInRefused = error('sign-in-refused', 'nobody was signed in: {reason}', { retry: 'never', http: 403 })
export const SignInUnavailable = error('sign-in-unavailable', 'nobody can be signed in now: {reason}', { retry: 'later', http: 503 })
export const FieldForbidden = error('field-forbidden', '{what}', { retry: 'never', http: 403 })
export const IssuerUnavailable = error('issuer-unavailable', 'the keys of {issuer} cannot be read: tokens cannot be judged', {
  retry: 'later',
  http: 503,
})
export const WatchOverrun = error('watch-overrun', 'more than {most} changes wait for a reader that does not keep up: watch anew', {
  retry: 'now',
  http: 429,
})
export const RateLimited = error('rate-limited', 'more than {rate} requests a second by one caller', { retry: 'later', http: 429 })
export const KeyInUse = error('key-in-use', 'a request with this Idempotency-Key is under way', { retry: 'later', http: 409 })
export const KeyReused = error('key-reused', 'this Idempotency-Key came with another request before', { retry: 'never', http: 422 })

// Around us.
export const OvsdbUnavailable = error('ovsdb-unavailable', 'the OVSDB at {address} does not answer: {reason}', {
  retry: 'later',
  http: 503,
  cni: 11,
})
export const OvsdbRefused = error('ovsdb-refused', 'the OVSDB at {address} refused {what}: {reason}', {
  retry: 'later',
  http: 502,
  cni: 11,
})
export const OvsdbStale = error('ovsdb-stale', 'rows of the OVSDB at {address} have changed since they were read', {
  retry: 'now',
  http: 409,
  cni: 11,
})
export const SwitchUnavailable = error('switch-unavailable', 'the switch of bridge {bridge} does not answer: {reason}', {
  retry: 'later',
  http: 503,
  cni: 11,
})
export const FlowRefused = error('flow-refused', 'bridge {bridge} refused {flow}: {reason}', { retry: 'later', http: 502, cni: 11 })
export const SwitchPortRefused = error(
  'switch-port-refused',
  'the interface {name} did not become OpenFlow port {number} of Open vSwitch: {reason}',
  { retry: 'later', http: 502, cni: 11 },
)
export const SwitchQueueRefused = error(
  'switch-queue-refused',
  'queue {number} of the interface {name} was not made in Open vSwitch: {reason}',
  { retry: 'later', http: 502, cni: 11 },
)
export const QueueUnavailable = error('queue-unavailable', 'the queue does not answer: {reason}', { retry: 'later', http: 503, cni: 11 })
export const PeerUnavailable = error('peer-unavailable', '{target} does not answer {method}: {reason}', {
  retry: 'later',
  http: 503,
  cni: 11,
})
export const PeerRefused = error('peer-refused', '{target} refuses {method}: {reason}', { retry: 'never', http: 502 })
export const PeerConflict = error('peer-conflict', '{target} gave up {method} for another caller: {reason}', { retry: 'now', http: 409 })
/** The texts are those of networkservicemesh/sdk, as the status of a call has them. */
export const ChainRefused = error('chain-refused', '{reason}', { retry: 'later', http: 502 })
/** NSM's own words for it; `part` is networkservice, monitor or registry. */
export const ChainForbidden = error(
  'chain-forbidden',
  '{part}: an error occurred during authorization policy check: rpc error: code = PermissionDenied desc = no sufficient privileges',
  { retry: 'never', http: 403 },
)
export const Undecodable = error('undecodable', 'what came is no {name}: {reason}', { retry: 'later', http: 502 })
export const SwitchUnreachable = error('switch-unreachable', 'switch {target} is unreachable: {reason}', { retry: 'later', http: 503 })
export const SwitchOvertaken = error('switch-overtaken', 'switch {target} was changed by another worker since it was read', {
  retry: 'now',
  http: 409,
})
export const SwitchRefused = error('switch-refused', 'switch {target} refuses the change: {reason}', { retry: 'never', http: 502 })
export const TargetForbidden = error('target-forbidden', 'callback target {target} is not allowed: {reason}', { retry: 'never', http: 422 })
// On a node.
export const CloudUnreachable = error('cloud-unreachable', 'cloud {cloud} does not answer: {reason}', { retry: 'later', http: 503 })
export const CloudOvertaken = error('cloud-overtaken', 'cloud {cloud} has changed {what} since it was read', { retry: 'now', http: 409 })
export const CloudRefused = error('cloud-refused', 'cloud {cloud} refuses {what}: {reason}', { retry: 'never', http: 502 })
export const SwitchTooOld = error(
  'switch-too-old',
  'version {version} of Open vSwitch is too old: {oldest} is the oldest that Megrez runs on',
  { retry: 'later', http: 503, cni: 11 },
)
export const LinkTaken = error('link-taken', "interface {ifname} in {where} is somebody else's", { retry: 'never', http: 409, cni: 4 })
export const LinkRefused = error('link-refused', 'the kernel refuses {what}: {reason}', { retry: 'later', http: 500, cni: 11 })
export const LinkOvertaken = error('link-overtaken', 'interface {ifname} was changed by another agent since it was read', {
  retry: 'now',
  http: 409,
  cni: 11,
})
export const NetnsGone = error('netns-gone', '{netns} is no network namespace', { retry: 'never', http: 404, cni: 3 })
export const DiskFull = error('disk-full', 'the disk of {path} is full: nothing can be written down there', {
  retry: 'later',
  http: 503,
  cni: 11,
})
export const NumbersExhausted = error('numbers-exhausted', 'all {max} numbers of this node are in use', {
  retry: 'later',
  http: 503,
  cni: 11,
})
export const AgentNotReady = error('agent-not-ready', 'the agent cannot wire anything yet: {reason}', {
  retry: 'later',
  http: 503,
  cni: 50,
})
export const PortNotReady = error('port-not-ready', 'Port {port} cannot be wired yet: {reason}', { retry: 'later', http: 503, cni: 11 })
export const MtuTooLarge = error('mtu-too-large', 'an MTU of {mtu} does not fit: this node carries {most} in its overlay', {
  retry: 'never',
  http: 422,
  cni: 101,
})
export const NicsRefused = error('nics-refused', "the pod's NICs: {reason}", { retry: 'never', http: 422, cni: 100 })
export const ExternalRefused = error('external-refused', 'an interface in VLANs cannot be made of this configuration: {reason}', {
  retry: 'never',
  http: 422,
  cni: 7,
})
export const NoUplink = error(
  'no-uplink',
  'node {node} has no uplink to the physical network {physicalNetwork} that {dataplane} could use for VLANs',
  { retry: 'later', http: 503, cni: 11 },
)
export const DelegateFailed = error('delegate-failed', 'the delegate CNI plugin {plugin} failed: {reason}', {
  retry: 'later',
  http: 502,
  cni: 102,
})
export const NoDelegate = error('no-delegate', 'there is no delegate CNI in {folder} to make the cluster NIC', {
  retry: 'later',
  http: 503,
  cni: 50,
})
export const MultusAway = error(
  'multus-away',
  'the pod asks for networks that Multus makes, whose plugin {plugin} has no configuration in {folder} now: it is away for a moment, or was taken away and has left that file',
  { retry: 'later', http: 503, cni: 11 },
)
export const PodUnknown = error('pod-unknown', 'pod {pod} with UID {uid} is not there', { retry: 'never', http: 404, cni: 3 })
export const InUse = error('in-use', '{what} belongs to {owner}', { retry: 'never', http: 409 })

export const ConfigInvalid = error('config-invalid', 'setting {name}: {reason}', { retry: 'never', http: 500 })
export const BGPRefused = error('bgp-refused', '{program} refuses its configuration: {reason}', { retry: 'never', http: 500 })
export const Internal = error('internal', 'an unexpected fault; the log has it under {id}', { retry: 'later', http: 500 })

/** What a problem says, whatever was thrown. */
export const messageOf = (err: unknown): string => (err instanceof Error ? err.message : String(err))

export const retryOf = (err: unknown): Retry => (err instanceof MegrezError ? err.policy.retry : 'later')

// The configuration of an inspector's proxy, HAProxy 2.6 or newer: a pure function of what it is to inspect. It ends TCP with the client
// and begins it anew with the server, from the client's address.
//
// A connection is judged by the inspections that are about it, in order, until one takes it. By its first byte it is HTTP (text, or an end
// of line: it has to be well-formed then), TLS (22) or neither; one whose client says nothing is refused, or it could begin late. Of HTTP
// each request is judged, those of HTTP/2 in clear text too, and sent on with its path in normal form; what a server might resolve to
// another path than we do is refused. HAProxy itself refuses what others may read in two ways: two Hosts, a Host beside another authority,
// lengths that contradict one another.
//
// A switch sends here what it knows by its identity, and addresses are told apart from these: a connection that no inspection asks anything
// is one of which the two say different things, and is refused.
import type { Inspection, L7Match } from '../../kinds/policy/compiled/inspection.ts'
import type { InspectedPolicy, Inspector, InspectorFiles } from './inspected.ts'
import { blocksOf, Lists } from './lists.ts'
import { requestMatches, serverNameMatch, type RequestMatch } from './matches.ts'

/** Where the kernel hands connections to it, whatever port they are for. */
export const inspectorL4Port = 15_080
/** The file that HAProxy is started with. */
export const configurationFile = 'haproxy.cfg'
/** A map: whose rules each subject's connections are asked by. */
export const subjectsFile = 'subjects'
const peersFile = (name: string): string => `${name}_peers`
/** It holds addresses alone, and nothing else of the configuration depends on which. */
export const isAddressList = (file: string): boolean => file === subjectsFile || file.endsWith(peersFile(''))
/** Connections at once: at 35 KiB each, 140 MiB at most. */
export const connectionsMost = 4_096
const silentSeconds = 10
/** Words on a line of its configuration are 64 at most. */
const portsOnLine = 40

const head: readonly string[] = [
  'global',
  '  default-path config',
  // normalize-uri is experimental in 2.6: it may be named otherwise in another version, which then refuses this file.
  '  expose-experimental-directives',
  '  h2-workaround-bogus-websocket-clients',
  `  maxconn ${connectionsMost}`,
  '  nbthread 1',
  // Of one that another has taken the place of: what is open goes on for so long.
  '  hard-stop-after 1h',
  '  stats socket unix@socket/admin mode 600 level operator',
  'defaults',
  '  mode tcp',
  '  retries 0',
  '  timeout connect 10s',
  '  timeout client 1h',
  '  timeout server 1h',
  // Of a connection that one end has closed.
  '  timeout client-fin 60s',
  '  timeout server-fin 60s',
  '  timeout http-request 30s',
  '  timeout http-keep-alive 60s',
  '  option clitcpka',
  '  option srvtcpka',
  '  http-reuse never',
  'frontend connections',
  `  bind 0.0.0.0:${inspectorL4Port} transparent`,
  `  bind [::]:${inspectorL4Port} transparent v6only`,
  `  tcp-request inspect-delay ${silentSeconds}s`,
  '  acl is_http req.payload(0,1),hex -m reg ^(09|0[A-D]|[2-6][0-9A-F]|7[0-9A-E])$',
  '  acl is_tls req.payload(0,1),hex -m str 16',
  // Of a ClientHello that can be read to its end, whether it has that extension or not.
  '  acl is_hello req.ssl_st_ext ge 0',
  '  acl has_begun req.payload(0,1) -m found',
  '  acl was_asked var(sess.asked) -m bool',
  '  acl is_connect var(txn.method) -m str CONNECT',
]

/** Requests in the spelling that conditions compare. What is ambiguous is refused: dots, slashes and the like that only escapes hide. */
const requestHead: readonly string[] = [
  '  http-request normalize-uri fragment-strip',
  '  http-request normalize-uri percent-decode-unreserved strict',
  '  http-request normalize-uri percent-to-uppercase strict',
  '  http-request normalize-uri path-merge-slashes',
  '  http-request normalize-uri path-strip-dot',
  '  http-request normalize-uri path-strip-dotdot full',
  '  http-request set-var(txn.method) method',
  '  http-request set-var(txn.host) req.hdr(host),host_only,lower,regsub(\\.+$,)',
  '  http-request set-var(txn.path) path',
  '  http-request set-var(txn.resolved) path,url_dec',
  '  http-request deny if { var(txn.resolved) -m reg -f ambiguous }',
  '  http-request set-var(txn.resolved) var(txn.resolved),regsub(;[^/]*,,g)',
  '  http-request set-var(txn.plain) var(txn.resolved),hex',
  '  http-request set-var(txn.url) var(txn.host),concat(,txn.path)',
  '  http-request set-var(txn.plainurl) var(txn.host),concat(,txn.resolved),hex',
]
const ambiguous = ['(^|/)\\.\\.?([/;]|$)', '//', '\\\\', '[[:cntrl:]]']

const onward = (name: string, mode: string, more = ''): readonly string[] => [
  `backend ${name}`,
  `  mode ${mode}`,
  '  source 0.0.0.0 usesrc clientip',
  // Wherever the client has connected to.
  `  server there 0.0.0.0:0${more}`,
]

const tail: readonly string[] = [
  '  use_backend streams if { fc_http_major 2 }',
  '  use_backend requests if { req.proto_http }',
  '  default_backend bytes',
  ...onward('requests', 'http'),
  ...onward('streams', 'http', ' proto h2'),
  ...onward('bytes', 'tcp'),
]

/** What is said of one inspection: its conditions, what becomes of a connection by it, and of a request. */
interface Directives {
  readonly acls: readonly string[]
  readonly connection: readonly string[]
  readonly request: readonly string[]
}

export function inspectorFiles({ direction, policies }: Inspector): InspectorFiles {
  const lists = new Lists()
  const whose = direction === 'egress' ? 'src' : 'dst'
  const subjects = policies.flatMap(({ subjects: blocks }, i) => blocksOf(blocks).map((block) => `${block} ${i}`))
  lists.files.set(subjectsFile, subjects.map((line) => `${line}\n`).join(''))
  lists.add('ambiguous', ambiguous)
  const directives = policies.flatMap((policy, i) => ofPolicy(policy, i, { lists, direction }))
  const lines = [
    ...head,
    ...policies.map((_, i) => `  acl p${i} var(sess.policy) -m str ${i}`),
    ...directives.flatMap(({ acls }) => acls).map((line) => `  ${line}`),
    `  tcp-request connection set-var(sess.policy) ${whose},map_ip(${subjectsFile},none)`,
    '  tcp-request connection reject if { var(sess.policy) -m str none }',
    // Of a connection that is taken for HTTP these are asked anew with each request, of which they see no bytes.
    '  tcp-request content accept if { var(sess.http) -m bool }',
    ...directives.flatMap(({ connection }) => connection).map((line) => `  tcp-request content ${line}`),
    '  tcp-request content accept if was_asked',
    '  tcp-request content reject',
    ...requestHead,
    ...directives.flatMap(({ request }) => request).map((line) => `  http-request ${line}`),
    '  http-request deny if is_connect',
    '  http-request del-header upgrade',
    ...tail,
  ]
  return new Map([[configurationFile, `${lines.join('\n')}\n`], ...[...lists.files].sort(([a], [b]) => (a < b ? -1 : 1))])
}

interface Context {
  readonly lists: Lists
  readonly direction: Inspection['direction']
}

const ofPolicy = ({ inspections }: InspectedPolicy, policy: number, context: Context): readonly Directives[] =>
  inspections
    .filter(({ direction }) => direction === context.direction)
    .map((inspection, i) => ofInspection(inspection, { policy, name: `p${policy}_${i}` }, context))

function ofInspection(inspection: Inspection, of: { readonly policy: number; readonly name: string }, context: Context): Directives {
  const about = aboutOf(inspection, of, context)
  const { l7, action } = inspection
  if (l7 === undefined) return action === 'allow' ? plain(about) : refused(about)
  const directives = l7.tls === undefined ? httpDirectives(l7, action, about, context) : tlsDirectives(l7.tls, action, about, context)
  return { ...directives, acls: [...about.acls, ...directives.acls] }
}

interface About {
  readonly name: string
  /** Conditions for a connection to be one that it is about. */
  readonly when: string
  readonly acls: readonly string[]
}

function aboutOf({ blocks, transport }: Inspection, of: { readonly policy: number; readonly name: string }, context: Context): About {
  const { name } = of
  const acls: string[] = []
  const when = [`p${of.policy}`]
  if (blocks !== undefined) {
    const file = context.lists.add(peersFile(name), blocksOf(blocks))
    acls.push(`acl ${name}_peers ${file === undefined ? 'always_false' : `${context.direction === 'egress' ? 'dst' : 'src'} -f ${file}`}`)
    when.push(`${name}_peers`)
  }
  if (transport !== undefined) {
    acls.push(...portAcls(`${name}_ports`, transport))
    when.push(`${name}_ports`)
  }
  return { name, when: when.join(' '), acls }
}

const tcp = 6

/** What is of another protocol never comes here. */
function portAcls(name: string, transport: NonNullable<Inspection['transport']>): readonly string[] {
  const ports = transport
    .filter(({ protocol }) => protocol === tcp)
    .map(({ first = 0, last = first === 0 ? 65_535 : first }) => (last === first ? String(first) : `${first}:${last}`))
  const lines = Array.from({ length: Math.ceil(ports.length / portsOnLine) }, (_, i) =>
    ports.slice(i * portsOnLine, (i + 1) * portsOnLine).join(' '),
  )
  return lines.length === 0 ? [`acl ${name} always_false`] : lines.map((line) => `acl ${name} dst_port ${line}`)
}

/** Ends the looking. Of a connection that was taken for HTTP before a request still opens no tunnel. */
const plain = ({ when, acls }: About): Directives => ({
  acls,
  connection: [`accept if ${when} was_asked`, `reject if ${when}`],
  request: passing({ when }),
})

/** Nobody comes here whom policies deny, as far as they know who it is: what addresses say may be older. */
const refused = ({ when, acls }: About): Directives => ({ acls, connection: [`reject if ${when}`], request: [`deny if ${when}`] })

const passing = ({ when }: Pick<About, 'when'>): readonly string[] => [
  `deny if ${when} is_connect`,
  `del-header upgrade if ${when}`,
  `allow if ${when}`,
]

function httpDirectives(l7: L7Match, action: 'allow' | 'deny', { name, when }: About, { lists }: Context): Directives {
  const { acls, requests } = requestMatches(name, l7, action, lists)
  return {
    acls,
    connection: [
      `set-var(sess.http) bool(true) if ${when} is_http`,
      `switch-mode http if ${when} is_http`,
      ...(action === 'deny' ? passedOn(when) : [`reject if ${when}`]),
    ],
    request:
      action === 'deny'
        ? requests.map((each) => `deny if ${all(when, each)}`)
        : [...requests.flatMap((each) => allowed(when, each)), `deny if ${when}`],
  }
}

const all = (when: string, { conditions }: RequestMatch): string => [when, ...conditions].join(' ')

/** It may be taken by an inspection behind one that has asked it. */
const passedOn = (when: string): readonly string[] => [`reject if ${when} !has_begun`, `set-var(sess.asked) bool(true) if ${when}`]

/** What opens a tunnel passes where CONNECT is named: CONNECT, and an upgrade to another protocol. */
function allowed(when: string, match: RequestMatch): readonly string[] {
  if (match.tunnels) return [`allow if ${all(when, match)}`]
  return [`del-header upgrade if ${all(when, match)}`, `allow if ${all(when, match)} !is_connect`]
}

/** A ClientHello in several segments is waited for; one that HAProxy cannot read, as one in several records, might ask for anything. */
function tlsDirectives(tls: NonNullable<L7Match['tls']>, action: 'allow' | 'deny', { name, when }: About, { lists }: Context): Directives {
  const { acls, sni } = serverNameMatch(name, tls.serverNames, action, lists)
  return action === 'deny'
    ? {
        acls,
        connection: [`reject if ${when} is_tls is_hello ${sni}`, `reject if ${when} is_tls !is_hello`, ...passedOn(when)],
        request: [],
      }
    : { acls, connection: [`accept if ${when} is_tls is_hello ${sni}`, `reject if ${when}`], request: [`deny if ${when}`] }
}

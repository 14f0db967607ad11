// What a rule with `l7` matches, as named conditions of the proxy and the lists that they look into.
import type { L7Match } from '../../kinds/policy/compiled/inspection.ts'
import { hostPatterns, methodsOf, pathPatterns, splitUrl, type Lists, type Patterns } from './lists.ts'
import { hasParameters, normalPath, plainHex } from './normal-path.ts'

type HttpMatch = NonNullable<L7Match['http']>[number]
type Action = 'allow' | 'deny'

/** Something that a request may match: all of these conditions hold. */
export interface RequestMatch {
  readonly conditions: readonly string[]
  /** CONNECT is among the methods that it names: what comes after such a request is nobody's to see. */
  readonly tunnels: boolean
}

export interface Matches {
  /** Lines of the configuration. */
  readonly acls: readonly string[]
  readonly requests: readonly RequestMatch[]
}

interface Within {
  readonly lists: Lists
  readonly acls: string[]
  readonly action: Action
}

/** Conditions of one name are alternatives; one without any is never true. */
function condition(name: string, alternatives: readonly (string | undefined)[], { acls }: Within): string {
  const some = alternatives.filter((each) => each !== undefined)
  for (const each of some.length === 0 ? ['always_false'] : some) acls.push(`acl ${name} ${each}`)
  return name
}

/** @param how `str`, `beg`, `end`, `reg`: how a value is compared with the lines of the file */
const fileCondition = (sample: string, how: string, file: string | undefined): string | undefined =>
  file === undefined ? undefined : `${sample} -m ${how} -f ${file}`

/** Of requests, in the order of the rule's items. @param name unique in the configuration */
export function requestMatches(name: string, { http, urls }: L7Match, action: Action, lists: Lists): Matches {
  const within: Within = { lists, acls: [], action }
  const requests = [
    ...(http ?? []).map((item, i) => httpMatch(`${name}_${i}`, item, within)),
    ...(urls === undefined ? [] : [urlMatch(`${name}_u`, urls, within)]),
  ]
  return { acls: within.acls, requests }
}

function httpMatch(name: string, { hosts, paths, methods }: HttpMatch, within: Within): RequestMatch {
  const conditions = [
    ...(hosts === undefined ? [] : [hostCondition(`${name}_host`, 'var(txn.host)', hosts, within)]),
    ...(paths === undefined ? [] : pathConditions(name, pathPatterns(paths), within)),
    ...(methods === undefined ? [] : [methodCondition(`${name}_method`, methods, within)]),
  ]
  return { conditions, tunnels: methods?.includes('CONNECT') === true }
}

/** Of names that TLS asks for too. */
function hostCondition(name: string, sample: string, hosts: readonly string[], within: Within): string {
  const { whole, part } = hostPatterns(hosts)
  const file = (kind: string, lines: readonly string[]): string | undefined => within.lists.add(`${name}.${kind}`, lines)
  return condition(name, [fileCondition(sample, 'str', file('whole', whole)), fileCondition(sample, 'end', file('below', part))], within)
}

function methodCondition(name: string, methods: readonly string[], within: Within): string {
  return condition(name, [fileCondition('var(txn.method)', 'str', within.lists.add(`${name}.whole`, methodsOf(methods)))], within)
}

/**
 * A path is compared as it is sent on, and with all escapes resolved: servers do it one way or the other. What is denied is so in either
 * spelling, and what is allowed in both.
 */
function pathConditions(name: string, patterns: Patterns, within: Within): readonly string[] {
  const { lists, action } = within
  const both: Patterns = {
    whole: patterns.whole.map((path) => normalPath(path, false)),
    part: patterns.part.map((path) => normalPath(path, true)),
  }
  const plain = (paths: readonly string[]): readonly string[] =>
    paths.filter((path) => action === 'allow' || !hasParameters(path)).map(plainHex)
  const sent = [
    fileCondition('var(txn.path)', 'str', lists.add(`${name}_path.whole`, both.whole)),
    fileCondition('var(txn.path)', 'beg', lists.add(`${name}_path.part`, both.part)),
  ]
  const resolved = [
    fileCondition('var(txn.plain)', 'str', lists.add(`${name}_plain.whole`, plain(both.whole))),
    fileCondition('var(txn.plain)', 'beg', lists.add(`${name}_plain.part`, plain(both.part))),
  ]
  return together(name, { sent, resolved }, within)
}

interface Spellings {
  readonly sent: readonly (string | undefined)[]
  readonly resolved: readonly (string | undefined)[]
}

const together = (name: string, { sent, resolved }: Spellings, within: Within): readonly string[] =>
  within.action === 'deny'
    ? [condition(`${name}_path`, [...sent, ...resolved], within)]
    : [condition(`${name}_path`, sent, within), condition(`${name}_plain`, resolved, within)]

/** Host and path in one word; where a host begins with an asterisk, by regular expressions. */
function urlMatch(name: string, urls: readonly string[], within: Within): RequestMatch {
  const { lists, action } = within
  const all = urls.flatMap((url) => formsOf(url))
  const plain = all.filter(({ path }) => action === 'allow' || !hasParameters(path))
  const list = (kind: string, forms: readonly UrlForm[], of: UrlForm['kind'], text: (form: UrlForm) => string): string | undefined =>
    lists.add(`${name}_${kind}.${of}`, forms.filter((form) => form.kind === of).map(text))
  const whole = ({ host, path }: UrlForm): string => `${host}${path}`
  const wholeHex = ({ host, path }: UrlForm): string => `${plainHex(host)}${plainHex(path)}`
  const sent = [
    fileCondition('var(txn.url)', 'str', list('url', all, 'whole', whole)),
    fileCondition('var(txn.url)', 'beg', list('url', all, 'part', whole)),
    fileCondition('var(txn.url)', 'reg', list('url', all, 'below', sentRegex)),
  ]
  const resolved = [
    fileCondition('var(txn.plainurl)', 'str', list('plain', plain, 'whole', wholeHex)),
    fileCondition('var(txn.plainurl)', 'beg', list('plain', plain, 'part', wholeHex)),
    fileCondition('var(txn.plainurl)', 'reg', list('plain', plain, 'below', hexRegex)),
  ]
  return { conditions: together(name, { sent, resolved }, within), tunnels: false }
}

interface UrlForm {
  readonly kind: 'whole' | 'part' | 'below'
  /** Of `below` what it ends with. */
  readonly host: string
  readonly path: string
  readonly isBeginning: boolean
}

/** None, or one. */
function formsOf(url: string): readonly UrlForm[] {
  const [hostText, pathText] = splitUrl(url)
  const [hosts, paths] = [hostPatterns([hostText]), pathPatterns([pathText])]
  const [host] = [...hosts.whole, ...hosts.part]
  const [path] = [...paths.whole, ...paths.part]
  if (host === undefined || path === undefined) return []
  const isBeginning = paths.part.length > 0
  const kind = hosts.part.length > 0 ? 'below' : isBeginning ? 'part' : 'whole'
  return [{ kind, host, path: normalPath(path, isBeginning), isBeginning }]
}

const end = ({ isBeginning }: UrlForm): string => (isBeginning ? '' : '$')
const literal = (text: string): string => text.replace(/[^A-Za-z0-9/_]/g, '\\$&')
const sentRegex = (form: UrlForm): string => `^[^/]+${literal(form.host)}${literal(form.path)}${end(form)}`
/** Before the slash that a path begins with no byte is one. */
const noSlash = '([013-9A-F][0-9A-F]|2[0-9A-E])+'
const hexRegex = (form: UrlForm): string => `^${noSlash}${plainHex(form.host)}${plainHex(form.path)}${end(form)}`

/** Of the name that a client of TLS asks for. */
export function serverNameMatch(name: string, serverNames: readonly string[], action: Action, lists: Lists): Matches & { sni: string } {
  const within: Within = { lists, acls: [], action }
  const sni = hostCondition(`${name}_sni`, 'req.ssl_sni,lower,regsub(\\.$,)', serverNames, within)
  return { acls: within.acls, requests: [], sni }
}

// What the server that is meant lacks, as far as one may see.
import { CliError } from '../context.ts'
import type { Kind } from '../../core/kinds/index.ts'
import { rowOf } from '../kinds/names.ts'
import type { Api } from '../rest/api.ts'
import { lacks, note, ok, type Finding } from './finding.ts'

/** Kinds whose errors are looked for, and who mends them. */
const watched: readonly Kind[] = ['Vpc', 'Subnet', 'Port', 'Fabric', 'L2Service', 'L2ServiceAttachment', 'Subscription', 'Cloud']
const namedMax = 3
const soonMs = 24 * 3_600_000

export async function serverFindings(api: Api, version: string, now: number): Promise<readonly Finding[]> {
  const findings: Finding[] = [await readiness(api)]
  findings.push(...(await callerFindings(api, now)), await metricsFinding(api, version), ...(await nodeFindings(api)))
  for (const kind of watched) findings.push(...(await errorsOf(api, kind)))
  return findings
}

async function readiness(api: Api): Promise<Finding> {
  const text = (await api.text('/readyz'))?.trim()
  if (text === undefined) return note(`${api.target.url} answers; its health is told elsewhere, to kubelet`)
  return text === 'ok' ? ok(`${api.target.url} is ready`) : lacks(`${api.target.url} is not ready: ${text}`)
}

async function callerFindings(api: Api, now: number): Promise<readonly Finding[]> {
  const me = await api.me()
  if (!('subject' in me)) return [lacks(`who asks is not known: ${me.detail ?? me.title}`, 'megrez token create, or kubectl create token')]
  const left = Date.parse(me.until) - now
  const roles = me.grants.map(({ role, namespaces }) => `${role}${namespaces === undefined ? '' : ` in ${namespaces.join(', ')}`}`)
  const who = `you are ${me.subject}${roles.length === 0 ? '' : `: ${roles.join('; ')}`}`
  return [left < soonMs ? note(`${who}; the token ends at ${me.until}`) : ok(who)]
}

async function metricsFinding(api: Api, version: string): Promise<Finding> {
  const theirs = /^megrez_build_info\{[^}]*version="([^"]+)"/m.exec((await api.text('/metrics')) ?? '')?.[1]
  if (theirs === undefined) return note(`this is ${version}; what the server is cannot be seen from here`)
  return theirs === version ? ok(`both are ${version}`) : note(`this is ${version}, the server is ${theirs}: update the older`)
}

async function listed<T>(api: Api, kind: Kind): Promise<readonly T[] | undefined> {
  try {
    return (await api.all(kind, undefined)) as readonly unknown[] as readonly T[]
  } catch (err) {
    if (err instanceof CliError && err.exit === 1) return undefined
    throw err
  }
}

interface ReportedObject {
  readonly metadata: { readonly name: string; readonly namespace?: string }
  readonly status?: { readonly phase?: string; readonly message?: string }
}

async function errorsOf(api: Api, kind: Kind): Promise<readonly Finding[]> {
  const wrong = (await listed<ReportedObject>(api, kind))?.filter(({ status }) => status?.phase === 'error') ?? []
  const [first] = wrong
  if (first === undefined) return []
  const named = wrong
    .slice(0, namedMax)
    .map(
      ({ metadata: { namespace, name }, status }) => `${namespace === undefined ? '' : `${namespace}/`}${name} (${status?.message ?? ''})`,
    )
  const more = wrong.length > namedMax ? ` and ${wrong.length - namedMax} more` : ''
  const where = first.metadata.namespace === undefined ? '' : ` -n ${first.metadata.namespace}`
  return [
    lacks(`${kind} in error: ${named.join(', ')}${more}`, `megrez describe ${rowOf(kind).names[0] ?? ''} ${first.metadata.name}${where}`),
  ]
}

interface PlacedPort {
  readonly metadata: { readonly name: string; readonly namespace?: string }
  readonly spec: { readonly node?: string }
  readonly status?: { readonly phase?: string; readonly node?: { readonly wired?: boolean } }
}

/** Ports that are ready on a node of which no agent has ever said a word. */
async function nodeFindings(api: Api): Promise<readonly Finding[]> {
  const ports =
    (await listed<PlacedPort>(api, 'Port'))?.filter(({ spec, status }) => spec.node !== undefined && status?.phase === 'ready') ?? []
  const nodes = new Set(ports.map(({ spec }) => spec.node))
  const speaking = new Set(ports.filter(({ status }) => status?.node !== undefined).map(({ spec }) => spec.node))
  const silent = [...nodes].filter((node) => !speaking.has(node))
  if (silent.length === 0) return nodes.size === 0 ? [] : [ok(`agents of ${nodes.size} nodes have told of their Ports`)]
  return [lacks(`no agent has told of the Ports on ${silent.slice(0, namedMax).join(', ')}`, 'on that node: megrez doctor --node')]
}

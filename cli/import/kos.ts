// KOS' own objects as ours. A Subnet of KOS names its VNI: all of one VNI are in one Vpc, which has that number. A NetworkAttachment is
// a Port without a pod; one that has an address keeps it. Locks are not taken over: each Port takes its own.
import { isObject, type Json } from '../../core/json.ts'
import type { EnoDocument, Imported } from './eno.ts'

const apiVersion = 'megrez.io/v1alpha1'
const kosGroup = /^network\.example\.com\//

interface KosObject {
  readonly from: string
  readonly kind: string
  readonly namespace: string
  readonly name: string
  readonly spec: Json
  readonly status: Json
}

const known: Readonly<Record<string, readonly string[]>> = {
  Subnet: ['ipv4', 'vni'],
  NetworkAttachment: ['node', 'subnet', 'postCreateExec', 'postDeleteExec'],
}

/** @throws Error with what is not understood, by file and path */
export function importKos(documents: readonly EnoDocument[], { namespace }: { readonly namespace?: string | undefined } = {}): Imported {
  const all = documents.flatMap(({ from, body }) => expanded(from, body))
  const objects = all.filter(({ body }) => kosGroup.test(String(body['apiVersion']))).map(({ from, body }) => read(from, body, namespace))
  const strangers = all.filter(({ body }) => !kosGroup.test(String(body['apiVersion'])))
  if (objects.length === 0) throw new Error(strangers.map(strangerOf).join('\n  ') || 'there is nothing in it')
  const subnets = objects.filter(({ kind }) => kind === 'Subnet')
  const attachments = objects.filter(({ kind }) => kind === 'NetworkAttachment')
  const unknown = objects.find(({ kind }) => !['Subnet', 'NetworkAttachment', 'IPLock'].includes(kind))
  if (unknown !== undefined) throw new Error(`${unknown.from}: /kind: there is no ${unknown.kind} in KOS`)
  return {
    objects: [...vpcsOf(subnets), ...subnets.map(subnetOf), ...attachments.map(portOf)],
    notes: [...strangers.map((each) => `${strangerOf(each)}: left out`), ...objects.flatMap(strangeFields), ...toBeSaid(objects)],
  }
}

function expanded(from: string, body: EnoDocument['body']): readonly { readonly from: string; readonly body: Json }[] {
  if (!isObject(body)) return []
  const isList = /List$/.test(String(body['kind'])) && Array.isArray(body['items'])
  return isList ? (body['items'] as Json[]).map((each, i) => ({ from: `${from} (item ${i + 1})`, body: each })) : [{ from, body }]
}

const strangerOf = ({ from, body }: { readonly from: string; readonly body: Json }): string =>
  `${from}: /apiVersion: ${String(body['kind'] ?? 'this')} is not of network.example.com`

function read(from: string, body: Json, namespace: string | undefined): KosObject {
  const metadata = isObject(body['metadata']) ? body['metadata'] : {}
  const { name } = metadata
  if (typeof name !== 'string') throw new Error(`${from}: /metadata/name: is missing`)
  const part = (field: string): Json => (isObject(body[field]) ? body[field] : {})
  return {
    from,
    kind: String(body['kind']),
    namespace: namespace ?? String(metadata['namespace'] ?? 'default'),
    name,
    spec: part('spec'),
    status: part('status'),
  }
}

const made = (kind: string, { namespace, name }: Pick<KosObject, 'namespace' | 'name'>, spec: Json): Json => ({
  apiVersion,
  kind,
  metadata: { name, namespace },
  spec,
})

function vniOf({ from, name, spec: { vni } }: KosObject): number {
  if (typeof vni === 'number' && Number.isInteger(vni)) return vni
  throw new Error(`${from}: /spec/vni: of Subnet ${name} must be a number`)
}
const vpcNameOf = (subnet: KosObject): string => `kos-${vniOf(subnet)}`

/** KOS keeps the Subnets of a VNI in one namespace. */
function vpcsOf(subnets: readonly KosObject[]): readonly Json[] {
  const homes = new Map<number, KosObject>()
  for (const each of subnets) {
    const first = homes.get(vniOf(each))
    if (first !== undefined && first.namespace !== each.namespace)
      throw new Error(
        `${each.from}: /spec/vni: ${vniOf(each)} is of Subnet ${first.name} in namespace ${first.namespace} too, and a VNI is of one`,
      )
    homes.set(vniOf(each), first ?? each)
  }
  return [...homes].map(([vni, first]) => made('Vpc', { namespace: first.namespace, name: vpcNameOf(first) }, { vni }))
}

/** Neither hands out the first address of a block of more than four: it is the gateway's. */
function subnetOf(subnet: KosObject): Json {
  const { ipv4: cidr } = subnet.spec
  if (typeof cidr !== 'string') throw new Error(`${subnet.from}: /spec/ipv4: of Subnet ${subnet.name} is missing`)
  return made('Subnet', subnet, { vpc: vpcNameOf(subnet), ipv4: { cidr } })
}

function portOf({ from, namespace, name, spec, status }: KosObject): Json {
  const { node, subnet, postCreateExec, postDeleteExec } = spec
  for (const [field, value] of Object.entries({ node, subnet }))
    if (typeof value !== 'string') throw new Error(`${from}: /spec/${field}: of NetworkAttachment ${name} is missing`)
  const { ipv4 } = status
  return made(
    'Port',
    { namespace, name },
    {
      subnet,
      node,
      ...(typeof ipv4 === 'string' && ipv4 !== '' && { ips: [ipv4] }),
      ...(Array.isArray(postCreateExec) && postCreateExec.length > 0 && { postCreateExec }),
      ...(Array.isArray(postDeleteExec) && postDeleteExec.length > 0 && { postDeleteExec }),
    },
  )
}

const strangeFields = ({ from, kind, name, spec }: KosObject): readonly string[] =>
  Object.keys(known[kind] === undefined ? {} : spec)
    .filter((field) => known[kind]?.includes(field) !== true)
    .map((field) => `${from}: /spec/${field} of ${kind} ${name} is left out: it is not known`)

function toBeSaid(objects: readonly KosObject[]): readonly string[] {
  const nodes = [...new Set(objects.filter(({ kind }) => kind === 'NetworkAttachment').map(({ spec }) => String(spec['node'])))].sort()
  const locks = objects.filter(({ kind }) => kind === 'IPLock').length
  return [
    ...(locks > 0 ? [`${locks} IPLocks are left out: each Port takes its own`] : []),
    ...(nodes.length > 0
      ? [`Ports without a pod are only on Nodes that take them: kubectl label node ${nodes.join(' ')} megrez.io/ports-without-pod=bare`]
      : []),
  ]
}

// ENO's own objects and files as ours. ENO keeps all but L2ServiceAttachments in the cluster; here they are of a namespace: that of
// the attachments where none is given. Routes are folded into the Subnets that name them, and a Subnet of each family into one.
import { isObject, type Json } from '../../core/json.ts'
import { fabricName, fabricOf, noAddress, poolsOf } from './eno-files.ts'
import { nameOf, namesIn } from './eno-names.ts'
import { EnoSubnets } from './eno-subnets.ts'

export interface Imported {
  readonly objects: readonly Json[]
  /** What was left out, and why. */
  readonly notes: readonly string[]
}
export interface EnoDocument {
  /** `file.yaml`, or `file.yaml (document 2)`. */
  readonly from: string
  readonly body: Json | readonly unknown[]
}

const apiVersion = 'megrez.io/v1alpha1'
const enoGroup = /^eno\.k8s\.io\//

export interface EnoOptions {
  /** That of the attachments when absent. */
  readonly namespace?: string | undefined
  /** Where the switch is, as `tcp:192.0.2.1:6640`. */
  readonly address?: string | undefined
}

/** @throws Error with what is not understood, by file and path */
export function importEno(documents: readonly EnoDocument[], { namespace, address }: EnoOptions = {}): Imported {
  const all = documents.flatMap(expanded)
  const objects = all.filter(({ body }) => enoGroup.test(String(body['apiVersion'])))
  const homes = [
    ...new Set(
      objects
        .filter(({ body }) => body['kind'] === 'L2ServiceAttachment')
        .map(({ body }) => String(metaOf(body)['namespace'] ?? 'default')),
    ),
  ]
  if (namespace === undefined && homes.length > 1)
    throw new Error(`L2ServiceAttachments are in ${homes.join(' and ')}: say --namespace, or import one namespace at a time`)
  const home = namespace ?? homes[0] ?? 'default'
  const notes: string[] = []
  const subnets = new EnoSubnets(objects, home, notes)
  const files = all
    .filter(({ body }) => !enoGroup.test(String(body['apiVersion'])))
    .map(({ from, body }) => ({ from, body, made: [...poolsOf(from, body), ...fabricOf(from, body, address)] }))
  const strangers = files.filter(({ made: found }) => found.length === 0).map(strangerOf)
  if (strangers.length === all.length && strangers.length > 0) throw new Error(strangers.join('\n  '))
  notes.push(...strangers.map((each) => `${each}: left out`))
  const made = files.flatMap(({ made: found }) => found)
  notes.push(...objects.flatMap(strangeIn), ...toBeSaid(objects, made, address))
  return {
    notes,
    objects: [...made, ...subnets.objects(), ...objects.flatMap(({ from, body }) => objectOf(from, body, { home, subnets }))],
  }
}

interface Expanded {
  readonly from: string
  readonly body: Json
}

/** Lists and ConfigMaps hold what is looked for; a bare list is a poolConf or fabricConf file. */
function expanded({ from, body }: EnoDocument): Expanded[] {
  if (Array.isArray(body)) return [{ from, body: { list: body } }]
  const one = body as Json
  if (one['kind'] === 'List' && Array.isArray(one['items']))
    return (one['items'] as Json[]).map((each, i) => ({ from: `${from} (item ${i + 1})`, body: each }))
  return [{ from, body: one }]
}

const metaOf = (body: Json): Json => (isObject(body['metadata']) ? body['metadata'] : {})
const specOf = (body: Json): Json => (isObject(body['spec']) ? body['spec'] : {})

/** In a folder of manifests there is more than what is taken over: a kustomization, the ConfigMap of ENO's own settings. */
const strangerOf = ({ from, body }: Expanded): string =>
  `${from}: /kind: ${String(body['kind'] ?? 'this')} is neither of eno.k8s.io nor a poolConf or fabricConf`

interface Home {
  readonly home: string
  readonly subnets: EnoSubnets
}

function objectOf(from: string, body: Json, { home, subnets }: Home): Json[] {
  const name = String(metaOf(body)['name'])
  const spec = specOf(body)
  const made = (kind: string, more: Json, namespaced = true): Json[] => [
    { apiVersion, kind, metadata: { name, ...(namespaced && { namespace: home }) }, spec: more },
  ]
  switch (body['kind']) {
    case 'L2Service': {
      const names = subnets.namesFor(name)
      const physicalNW = networksOf(spec)
      return made('L2Service', {
        segmentationID: spec['SegmentationID'],
        ...(names.length > 0 && { subnets: names }),
        ...(physicalNW && { physicalNW }),
        ...callback(spec),
      })
    }
    case 'L2ServiceAttachment':
      return made('L2ServiceAttachment', {
        ...renamed(spec, {
          L2Services: 'l2Services',
          ConnectionPoint: 'connectionPoint',
          PodInterfaceType: 'podInterfaceType',
          VlanType: 'vlanType',
          Implementation: 'implementation',
        }),
        ...callback(spec),
      })
    case 'ConnectionPoint':
      return made('ConnectionPoint', pointOf(from, spec), false)
    case 'L2BridgeDomain':
    case 'Subnet':
    case 'Route':
      return []
    default:
      throw new Error(`${from}: /kind: there is no ${String(body['kind'])} in ENO`)
  }
}

/** PhysicalNet is what ENO's own examples call it. */
const networksOf = (spec: Json): readonly string[] | undefined => namesIn(spec['PhysicalNW'] ?? spec['PhysicalNet'])

const known: Readonly<Record<string, readonly string[]>> = {
  L2Service: ['SegmentationID', 'Subnets', 'PhysicalNW', 'PhysicalNet', 'CallbackURL'],
  L2ServiceAttachment: ['L2Services', 'ConnectionPoint', 'PodInterfaceType', 'VlanType', 'Implementation', 'CallbackURL'],
  ConnectionPoint: ['Description', 'Type', 'NodePool', 'PhysicalNet', 'InterfaceName', 'ResourceName', 'SupportedCnis'],
  Subnet: ['Ipam', 'Address', 'Mask', 'Type', 'AllocationPool', 'Routes', 'Dns'],
  Route: ['Prefix', 'Mask', 'NextHop'],
}

function strangeIn({ from, body }: Expanded): string[] {
  const fields = known[String(body['kind'])]
  return fields === undefined
    ? []
    : Object.keys(specOf(body))
        .filter((field) => !fields.includes(field))
        .map((field) => `${from}: /spec/${field} of ${String(body['kind'])} ${String(metaOf(body)['name'])} is left out: it is not known`)
}

/** What ENO's files do not say, and somebody has to. */
function toBeSaid(objects: readonly Expanded[], made: readonly Json[], address: string | undefined): string[] {
  const hasFabric = made.some((each) => each['kind'] === 'Fabric')
  const networks = [
    ...new Set(objects.flatMap(({ body }) => (body['kind'] === 'L2Service' ? (networksOf(specOf(body)) ?? []) : []))),
  ].sort()
  return [
    ...(hasFabric && address === undefined
      ? [`Fabric ${fabricName}: no file says where its switch is; say --switch tcp:HOST:6640, or change ${noAddress} in it`]
      : []),
    ...(networks.length > 0
      ? [
          `L2Services are of physical networks ${networks.join(', ')}: a Fabric has to say in /spec/gateways which switch ports face their gateways`,
        ]
      : []),
  ]
}

const callback = (spec: Json): Json => (spec['CallbackURL'] === undefined ? {} : { callbackURL: spec['CallbackURL'] })

function renamed(spec: Json, words: Readonly<Record<string, string>>): Json {
  return Object.fromEntries(Object.entries(words).flatMap(([theirs, ours]) => (spec[theirs] === undefined ? [] : [[ours, spec[theirs]]])))
}

/** Both shapes; Opts is JSON inside a string. */
function pointOf(from: string, spec: Json): Json {
  const { SupportedCnis: cnis } = spec
  const { PhysicalNet: network } = spec
  const where = renamed(
    { ...spec, ...(typeof network === 'string' && { PhysicalNet: nameOf(network) }) },
    {
      Description: 'description',
      Type: 'type',
      NodePool: 'nodePool',
      PhysicalNet: 'physicalNet',
      InterfaceName: 'interfaceName',
      ResourceName: 'resourceName',
    },
  )
  if (!Array.isArray(cnis)) return where
  return {
    ...where,
    supportedCnis: (cnis as Json[]).map((each, i) => ({
      name: each['Name'],
      supportedInterfaceTypes: each['SupportedInterfaceTypes'],
      ...options(each['Opts'], `${from}: /spec/SupportedCnis/${i}/Opts`),
    })),
  }
}

function options(text: unknown, at: string): Json {
  if (text === undefined) return {}
  let read: unknown
  try {
    read = JSON.parse(String(text))
  } catch {
    throw new Error(`${at}: is not JSON`)
  }
  const known = { BridgeName: 'bridgeName', PoolName: 'poolName', Master: 'master' }
  const given = isObject(read) ? read : {}
  const unknown = Object.keys(given).filter((each) => !(each in known))
  if (unknown.length > 0) throw new Error(`${at}: ${unknown.join(', ')} is not understood`)
  return renamed(given, known)
}

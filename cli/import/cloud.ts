// What a cloud has that is nobody's, as objects that adopt it: a Vpc for a network, a Subnet, a Port. Names follow from the
// cloud's name and ID alone: whoever imports twice makes nothing twice.
import type { Json } from '../../core/json.ts'
import type { Stranger } from '../../core/kinds/vpc/audit.ts'
import type { Imported } from './eno.ts'

export interface CloudImport {
  readonly cloud: string
  readonly provider: string
  readonly namespace: string
  /** Names or IDs of networks; none: all. */
  readonly networks: readonly string[]
  /** By ID at the cloud, the names of Vpcs and Subnets of this namespace that have been imported before. */
  readonly there: ReadonlyMap<string, string>
}

const apiVersion = 'megrez.io/v1alpha1'

/** A name that Kubernetes takes, with as much of the ID as tells it from others of its name. */
export function nameFor({ name, id, kind }: Stranger): string {
  const word = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+/, '')
    .slice(0, 40)
  const end = id
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')
    .slice(-10)
  return `${word === '' ? kind : word.replace(/-+$/, '')}-${end}`
}

export function importCloud(strangers: readonly Stranger[], options: CloudImport): Imported {
  const of = (kind: Stranger['kind']): readonly Stranger[] => strangers.filter((each) => each.kind === kind)
  const networks = of('network').filter(({ id, name }) => isChosen([id, name], options))
  const names = new Map([...options.there, ...[...networks, ...of('subnet')].map((each) => [each.id, nameFor(each)] as const)])
  const before = [...options.there].filter((named) => isChosen(named, options)).map(([id]) => id)
  const vpcs = new Set([...networks.map(({ id }) => id), ...before])
  const subnets = of('subnet').filter(({ network = '' }) => vpcs.has(network))
  const inside = new Set([...subnets.map(({ id }) => id), ...before])
  const ports = of('port').filter(({ subnet = '' }) => inside.has(subnet))
  const metadata = (each: Stranger): Json => ({ namespace: options.namespace, name: nameFor(each) })
  const object = (kind: string, each: Stranger, spec: Json): Json => ({ apiVersion, kind, metadata: metadata(each), spec })
  return {
    objects: [
      ...networks.map((each) => object('Vpc', each, { provider: options.provider, cloud: options.cloud, existing: each.id })),
      ...subnets.map((each) => object('Subnet', each, { vpc: names.get(each.network ?? ''), existing: each.id })),
      ...ports.filter(isFree).map((each) => object('Port', each, { subnet: names.get(each.subnet ?? ''), portID: each.id })),
    ],
    notes: [
      ...missingNames(strangers, options),
      ...ports.filter((each) => !isFree(each)).map(({ id, host }) => `port ${id}: left out: it is bound to ${host ?? ''}, whose use it is`),
    ],
  }
}

/** What is bound to a host is in use there. */
const isFree = ({ host = '' }: Stranger): boolean => host === ''

const isChosen = (called: readonly (string | undefined)[], { networks }: CloudImport): boolean =>
  networks.length === 0 || called.some((each) => each !== undefined && networks.includes(each))

const missingNames = (strangers: readonly Stranger[], { networks, there, cloud }: CloudImport): readonly string[] =>
  networks
    .filter(
      (wanted) => !there.has(wanted) && !strangers.some(({ kind, id, name }) => kind === 'network' && (id === wanted || name === wanted)),
    )
    .map((wanted) => `network ${wanted}: cloud ${cloud} has none of that name or ID that is nobody's`)

// The annotations `megrez.io/nics` and `megrez.io/hot-nics`, from text to fields: every field known, of its type, and alone where it must
// be.
import { parsePlainCidr } from '../../net/cidr.ts'
import { canonicalIp, parseIp } from '../../net/ip.ts'
import { canonicalMac } from '../../net/mac.ts'
import { ownerMax, ownerMin, portTypes, type PortType, type TapUse } from '../../kinds/vpc/port.ts'
import { routedBlocksOfPortMost } from '../../kinds/vpc/routed-blocks.ts'
import { hotNicsAnnotation, nicsAnnotation } from '../../kinds/annotations.ts'
import { syntaxErrorOf } from '../json-syntax-error.ts'
import { nearest } from '../nearest.ts'
import { annotationAt, isRefusal, refuse, type Refusal } from '../refusal.ts'
import { quoted } from '../quoted.ts'

/** One Nic as it was written; addresses and MAC in their one spelling. */
export interface NicFields {
  readonly name: string | undefined
  readonly subnet: string | undefined
  readonly ips: readonly string[]
  /** Which field named the addresses: refusals point at it. */
  readonly ipsField: 'ip' | 'ips'
  readonly mac: string | undefined
  readonly securityGroups: readonly string[]
  readonly qosPolicy: string | undefined
  /** Port.spec.routedBlocks */
  readonly routedBlocks: readonly string[]
  /** As it says; absent: as its pod says of all. */
  readonly type: PortType | undefined
  /** Of the TAP that is made for it. */
  readonly tap: TapUse | undefined
  readonly portID: string | undefined
  readonly service: ServiceFields | undefined
  readonly defaultRoute: boolean
  readonly mtu: number | undefined
  /** The entry of the list, as it stands there. */
  readonly written: Readonly<Record<string, unknown>>
  /** Of the list that may change. */
  readonly hot?: true
}
/** What a Nic is to a network service. */
export interface ServiceFields {
  readonly as: 'client' | 'endpoint'
  /** `name`, of a client also `namespace/name`. */
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
}
export type NicAnnotation = typeof nicsAnnotation | typeof hotNicsAnnotation
export type NicList = readonly NicFields[] | Refusal

/** Where a Nic stands in the pod; further steps go into it. */
export const nicAt = ({ hot, index }: { readonly hot?: true; readonly index: number }, ...steps: readonly (string | number)[]): string =>
  annotationAt(hot === true ? hotNicsAnnotation : nicsAnnotation, index, ...steps)

const nicsMax = 64
const groupsMax = 16
const reference = /^([a-z0-9]([-a-z0-9]*[a-z0-9])?\/)?[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/
const plainName = /^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/
/** Linux takes 15 characters without a slash or a space; the rest keeps names readable in tools and file names. */
const interfaceName = /^[A-Za-z][A-Za-z0-9._-]{0,14}$/

type Test = (value: unknown) => string | undefined
const isText =
  (max: number, pattern?: RegExp, what = 'a name'): Test =>
  (value) =>
    typeof value === 'string' && value.length > 0 && value.length <= max && (pattern === undefined || pattern.test(value))
      ? undefined
      : `must be ${what}, not ${quoted(value)}`
const isAddress: Test = (value) =>
  typeof value === 'string' && parseIp(value) !== undefined ? undefined : `must be an IPv4 or IPv6 address, not ${quoted(value)}`
const isFlag: Test = (value) => (typeof value === 'boolean' ? undefined : `must be true or false, not ${quoted(value)}`)
const isBlock: Test = (value) =>
  typeof value === 'string' && parsePlainCidr(value) !== undefined
    ? undefined
    : `must be a block whose host bits are zero, such as 10.9.0.0/24, not ${quoted(value)}`

const isListOf =
  (one: Test, max: number): Test =>
  (value) => {
    if (!Array.isArray(value)) return `must be a list, not ${quoted(value)}`
    if (value.length > max) return `has ${value.length} entries; at most ${max} are taken`
    return value.map(one).find((wrong) => wrong !== undefined)
  }

const isOwner = (value: unknown): string | undefined =>
  Number.isInteger(value) && Number(value) >= ownerMin && Number(value) <= ownerMax
    ? undefined
    : `must be a whole number from ${ownerMin} to ${ownerMax}, not ${quoted(value)}`
const tapFields: Readonly<Record<string, Test>> = { uid: isOwner, gid: isOwner, multiQueue: isFlag }

function whyNotTap(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return `must be an object such as {"uid":1000}, not ${quoted(value)}`
  for (const [name, given] of Object.entries(value)) {
    const test = Object.hasOwn(tapFields, name) ? tapFields[name] : undefined
    if (test === undefined) return `has no field ${quoted(name)}: it takes ${Object.keys(tapFields).join(', ')}`
    const wrong = test(given)
    if (wrong !== undefined) return `${name} ${wrong}`
  }
  return undefined
}

const labelsMost = 64
function whyNotLabels(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return `must be an object such as {"app":"web"}, not ${quoted(value)}`
  const all = Object.entries(value)
  if (all.length > labelsMost) return `has ${all.length} labels; at most ${labelsMost} are taken`
  const wrong = all.find(([key, text]) => key === '' || key.length > 253 || typeof text !== 'string' || text.length > 1024)
  return wrong === undefined
    ? undefined
    : `the label ${quoted(wrong[0])} must be a text of at most 1024 characters, not ${quoted(wrong[1])}`
}

export const whyNotType = (value: unknown): string | undefined =>
  portTypes.some((type) => type === value) ? undefined : `must be kernel, dpdk or tap, not ${quoted(value)}`

const fields: Readonly<Record<string, Test>> = {
  name: (value) =>
    isText(15, interfaceName, 'an interface name: a letter, then up to 14 letters, digits or . _ -')(value) ??
    (value === 'lo' ? 'must not be lo' : undefined),
  subnet: isText(317, reference, 'the name of a Subnet'),
  ip: isAddress,
  ips: isListOf(isAddress, 2),
  mac: (value) =>
    typeof value === 'string' && canonicalMac(value) !== undefined
      ? undefined
      : `must be a unicast MAC address such as 02:00:00:00:00:01, not ${quoted(value)}`,
  securityGroup: isText(253),
  securityGroups: isListOf(isText(253), groupsMax),
  qosPolicy: isText(255),
  routedBlocks: isListOf(isBlock, routedBlocksOfPortMost),
  type: whyNotType,
  tap: whyNotTap,
  portID: isText(253),
  networkService: isText(317, reference, 'the name of a NetworkService'),
  serves: isText(253, plainName, 'the name of a NetworkService of its namespace'),
  labels: whyNotLabels,
  defaultRoute: isFlag,
  mtu: (value) =>
    Number.isInteger(value) && Number(value) >= 576 && Number(value) <= 65535
      ? undefined
      : `must be a whole number from 576 to 65535, not ${quoted(value)}`,
}
const fieldNames = Object.keys(fields)
/** What a pre-made Port has decided already. */
const decidedByPort = [
  'ip',
  'ips',
  'mac',
  'securityGroup',
  'securityGroups',
  'qosPolicy',
  'routedBlocks',
  'tap',
  'networkService',
  'serves',
] as const
/** Who reaches a Nic of a network service is its connections' to say. */
const decidedByService = ['securityGroup', 'securityGroups', 'routedBlocks'] as const

/** All copies of a workload carry the same text, and each is read by admission twice and by workers at every reconcile. */
const known = { [nicsAnnotation]: new Map<string, NicList>(), [hotNicsAnnotation]: new Map<string, NicList>() }
const knownMax = 1_024
const knownTextMax = 2_048

/** The Nics that the annotation's text names, or the first thing that is wrong with it. */
export function readNics(text: string, annotation: NicAnnotation = nicsAnnotation): NicList {
  const texts = known[annotation]
  const before = texts.get(text)
  if (before !== undefined) return before
  const now = read(text, annotation)
  if (text.length > knownTextMax) return now
  if (texts.size >= knownMax) texts.delete(texts.keys().next().value ?? '')
  texts.set(text, now)
  return now
}

function read(text: string, annotation: NicAnnotation): NicList {
  const list = parse(text, annotation)
  if (isRefusal(list)) return list
  if (!Array.isArray(list)) return refuse(annotationAt(annotation), `must be a list of NICs, not ${quoted(list)}`)
  if (list.length > nicsMax)
    return refuse(annotationAt(annotation, nicsMax), `the list has ${list.length} NICs; no pod may have more than ${nicsMax}`)
  const nics: NicFields[] = []
  for (const [index, entry] of list.entries()) {
    const wrong = problemInNic(entry, (...steps) => annotationAt(annotation, index, ...steps))
    if (wrong !== undefined) return wrong
    nics.push({ ...requested(entry as Written), ...(annotation === hotNicsAnnotation && { hot: true }) })
  }
  return nics
}

function parse(text: string, annotation: NicAnnotation): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    const problem = syntaxErrorOf(text)
    return refuse(
      `${annotationAt(annotation)}${problem?.at ?? ''}`,
      `is not JSON: found ${problem?.found ?? 'something else'} at position ${problem?.offset ?? 0}`,
    )
  }
}

type At = (...steps: readonly (string | number)[]) => string

function problemInNic(entry: unknown, at: At): Refusal | undefined {
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry))
    return refuse(at(), `must be an object such as {"subnet":"blue"}, not ${quoted(entry)}`)
  for (const [name, value] of Object.entries(entry)) {
    const test = Object.hasOwn(fields, name) ? fields[name] : undefined
    if (test === undefined) return refuse(at(name), unknownField(name))
    const wrong = test(value)
    if (wrong !== undefined) return refuse(at(name), wrong)
  }
  return problemTogether(entry, at)
}

function unknownField(name: string): string {
  const meant = nearest(name, fieldNames)
  return `a NIC has no field ${quoted(name)}: ${meant === undefined ? `it takes ${fieldNames.join(', ')}` : `did you mean ${meant}?`}`
}

interface Written {
  readonly name?: string
  readonly subnet?: string
  readonly ip?: string
  readonly ips?: readonly string[]
  readonly mac?: string
  readonly securityGroup?: string
  readonly securityGroups?: readonly string[]
  readonly qosPolicy?: string
  readonly routedBlocks?: readonly string[]
  readonly type?: PortType
  readonly tap?: TapUse
  readonly portID?: string
  readonly networkService?: string
  readonly serves?: string
  readonly labels?: Readonly<Record<string, string>>
  readonly defaultRoute?: boolean
  readonly mtu?: number
}

function problemTogether(nic: Written, at: At): Refusal | undefined {
  if (nic.ip !== undefined && nic.ips !== undefined) return refuse(at('ips'), 'say ip or ips, not both')
  const families = (nic.ips ?? []).map((ip) => parseIp(ip)?.family)
  if (new Set(families).size < families.length) return refuse(at('ips', 1), 'at most one address of each family')
  const ofService = problemInService(nic, at)
  if (ofService !== undefined || nic.portID === undefined) return ofService
  const decided = decidedByPort.find((name) => Object.hasOwn(nic, name))
  return decided === undefined ? undefined : refuse(at(decided), 'the Port that portID names has decided this already')
}

function problemInService(nic: Written, at: At): Refusal | undefined {
  const { networkService, serves } = nic
  if (networkService !== undefined && serves !== undefined) return refuse(at('serves'), 'say networkService or serves, not both')
  if (networkService === undefined && serves === undefined)
    return nic.labels === undefined ? undefined : refuse(at('labels'), 'are for a NIC with networkService, or with serves')
  const decided = decidedByService.find((name) => Object.hasOwn(nic, name))
  return decided === undefined ? undefined : refuse(at(decided), 'whom a NIC of a network service reaches is said by its connection')
}

const none: readonly never[] = []

function requested(written: Written): NicFields {
  const { name, subnet, ip, ips, mac, securityGroup, securityGroups, qosPolicy, routedBlocks, type, tap, portID, defaultRoute, mtu } =
    written
  return {
    name,
    subnet,
    ips: addressesOf(ip, ips),
    ipsField: ips === undefined ? 'ip' : 'ips',
    mac: mac === undefined ? undefined : (canonicalMac(mac) ?? mac),
    securityGroups: groupsOf(securityGroup, securityGroups),
    qosPolicy,
    routedBlocks: routedBlocks ?? none,
    type,
    tap,
    portID,
    service: serviceOf(written),
    defaultRoute: defaultRoute === true,
    mtu,
    written: written as Readonly<Record<string, unknown>>,
  }
}

function serviceOf({ networkService, serves, labels = {} }: Written): ServiceFields | undefined {
  if (networkService !== undefined) return { as: 'client', name: networkService, labels }
  return serves === undefined ? undefined : { as: 'endpoint', name: serves, labels }
}

/** The Nic of a pod that lists none. */
export const unlistedNic: NicFields = requested({})

function addressesOf(ip: string | undefined, ips: readonly string[] | undefined): readonly string[] {
  if (ips === undefined && ip === undefined) return none
  return (ips ?? [ip ?? '']).map((text) => canonicalIp(text) ?? text)
}

function groupsOf(one: string | undefined, several: readonly string[] | undefined): readonly string[] {
  if (one === undefined && several === undefined) return none
  return [...new Set([...(one === undefined ? [] : [one]), ...(several ?? [])])]
}

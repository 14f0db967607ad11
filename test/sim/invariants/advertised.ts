// No two prefixes that speakers say overlap, each is locked before it is said and until it is not said any more; and once all is quiet
// nothing is said, and no route comes into a Vpc, that its owner has not agreed to, and nothing is left of what is gone.
import { keyOfItem, type Resource } from '../../../core/kinds/index.ts'
import { encloses, overlaps, parseCidr } from '../../../core/net/cidr.ts'
import { bucketOf } from '../../../core/net/prefix-bucket.ts'
import { perKind, type Invariant } from '../invariant.ts'
import type { Truth } from '../truth.ts'

type Speaker = Resource<'BGPSpeaker'>
type Fail = (what: string) => void
interface SaidPrefix {
  readonly cidr: string
  readonly vni: number
  readonly node: string
}

const saidIn = ({ spec }: Speaker): readonly SaidPrefix[] =>
  spec.groups.flatMap(({ advertise }) => advertise.map(({ cidr, vni }) => ({ cidr, vni, node: spec.node })))
const textOf = ({ cidr, vni, node }: SaidPrefix): string => `${cidr} of VNI ${vni} by ${node}`

export const advertised: Invariant = {
  name: 'advertised',
  begin({ site: { truth } }, fail) {
    return {
      landed: perKind({
        BGPSpeaker: (before, after) => after && saysApart(before, after, truth, fail),
        PrefixLock(before, after) {
          if (after !== undefined) standsApart(after, fail)
          if (before !== undefined) freesWhatNobodySays(before, after, truth, fail)
        },
      }),
      atRest() {
        for (const speaker of truth.values('BGPSpeaker')) isAgreedTo(speaker, truth, fail)
        nothingIsLeft(truth, fail)
      },
    }
  },
}

function saysApart(before: Speaker | undefined, after: Speaker, truth: Truth, fail: Fail): void {
  const was = new Set((before === undefined ? [] : saidIn(before)).map(textOf))
  const all = [...truth.values('BGPSpeaker')].flatMap(saidIn)
  for (const each of saidIn(after).filter((one) => !was.has(textOf(one)))) {
    const lock = truth.at('PrefixLock', bucketOf(each.cidr) ?? '')
    if (lock?.spec.prefixes.some((of) => covers(of.cidr, each.cidr)) !== true) fail(`${textOf(each)} is said, and not locked`)
    const rival = all.find(
      (other) => other.vni !== each.vni && overlaps(parseCidr(other.cidr)!, parseCidr(each.cidr)!) && !isLent(each, other),
    )
    if (rival !== undefined) fail(`${textOf(each)} is said, and overlaps ${textOf(rival)}`)
  }
}

/** What a Vpc sends from is a prefix of its own VNI in the block of its pool, which is another's. */
const isLent = (one: SaidPrefix, other: SaidPrefix): boolean => [one, other].filter(({ cidr }) => cidr.endsWith('/32')).length === 1

/** A service address is a prefix of its own in the block of its pool. */
const covers = (locked: string, said: string): boolean => encloses(parseCidr(locked)!, parseCidr(said)!)

function standsApart({ metadata, spec: { prefixes } }: Resource<'PrefixLock'>, fail: Fail): void {
  for (const [i, each] of prefixes.entries())
    for (const other of prefixes.slice(i + 1))
      if (overlaps(parseCidr(each.cidr)!, parseCidr(other.cidr)!))
        fail(`in ${metadata.name} ${each.cidr} of ${each.subnet} overlaps ${other.cidr} of ${other.subnet}`)
}

function freesWhatNobodySays(before: Resource<'PrefixLock'>, after: Resource<'PrefixLock'> | undefined, truth: Truth, fail: Fail): void {
  const there = new Set(after?.spec.prefixes.map(({ cidr }) => cidr))
  const said = [...truth.values('BGPSpeaker')].flatMap(saidIn)
  for (const { cidr } of before.spec.prefixes.filter((each) => !there.has(each.cidr))) {
    const still = said.find((each) => covers(cidr, each.cidr))
    if (still !== undefined) fail(`${textOf(still)} is said, and its lock is freed`)
  }
}

function isAgreedTo({ spec }: Speaker, truth: Truth, fail: Fail): void {
  if (truth.at('Node', spec.node) === undefined) fail(`BGPSpeaker ${spec.node} is left over: its node is gone`)
  for (const { name, imports, advertise } of spec.groups) {
    const wanted = importedBy(truth.at('BGPSessionGroup', name), () => fail(`BGPSpeaker ${spec.node} speaks in ${name}, which is gone`))
    for (const { vpc: key } of imports)
      if (!wanted.has(key) || !agrees(truth.at('Vpc', key), name))
        fail(`${spec.node} brings routes of ${name} into Vpc ${key}, which did not ask for them`)
    for (const { cidr, vni } of advertise)
      if (!agrees(ownerOf(cidr, vni, truth), name)) fail(`${spec.node} says ${cidr} of VNI ${vni} in ${name}, and nobody agreed`)
  }
}

function importedBy(group: Resource<'BGPSessionGroup'> | undefined, isGone: () => void): ReadonlySet<string> {
  if (group === undefined) isGone()
  return new Set(group?.spec.imports?.map(({ vpc }) => vpc))
}

/** Of what another Vpc sends from, that of the pool. */
function ownerOf(cidr: string, vni: number, truth: Truth): Resource<'Vpc'> | undefined {
  const isSentFrom = ({ spec }: Resource<'EgressAddress'>): boolean => spec.addresses.some((each) => cidr === `${each}/32`)
  const lent = [...truth.values('EgressAddress')].find(isSentFrom)
  const pool = lent && truth.at('Subnet', lent.spec.subnet)
  if (pool !== undefined) return truth.at('Vpc', `${pool.metadata.namespace}/${pool.spec.vpc}`)
  return [...truth.values('Vpc')].find(({ status }) => status?.vni === vni)
}

const agrees = (vpc: Resource<'Vpc'> | undefined, group: string): boolean => vpc?.spec.bgpSessionGroups?.includes(group) === true

function nothingIsLeft(truth: Truth, fail: Fail): void {
  const groups = [...truth.values('BGPSessionGroup')]
  const going = groups.find(({ metadata }) => metadata.deletionTimestamp !== undefined)
  if (going !== undefined) fail(`BGPSessionGroup ${going.metadata.name} was deleted and is still there`)
  const uids = new Set([...truth.values('Subnet')].map(({ metadata }) => metadata.uid))
  for (const lock of truth.values('PrefixLock'))
    for (const { cidr, uid, subnet, leaving } of lock.spec.prefixes)
      if (!uids.has(uid) || leaving !== undefined) fail(`${cidr} of Subnet ${subnet} is left in PrefixLock ${keyOfItem(lock)}`)
  if (groups.length === 0) return
  const speaking = new Set([...truth.values('BGPSpeaker')].map(({ spec }) => spec.node))
  for (const { metadata } of truth.values('Node'))
    if (!speaking.has(metadata.name)) fail(`node ${metadata.name} is in a group and has no BGPSpeaker`)
}

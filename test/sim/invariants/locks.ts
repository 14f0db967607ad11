// Whatever is served has its lock, the lock names who it is for, and none is freed while something relies on it.
import { segmentInLock, segmentLockName, segmentOf } from '../../../core/kinds/vpc/segment.ts'
import { keyOfItem, type Kind, type Resource } from '../../../core/kinds/index.ts'
import { isKosMac } from '../../../core/net/mac.ts'
import { lockName } from '../../../core/plan/builtin/locks.ts'
import { firstOverlap } from '../../../core/plan/builtin/subnet.ts'
import type { InvariantOfStore } from '../invariant.ts'
import { perKind } from '../invariant.ts'
import type { Truth } from '../truth.ts'
import { isLettingGo } from './letting-go.ts'
import { isHolder } from './lock-holder.ts'

type Port = Resource<'Port'>
type Fail = (what: string) => void

export const locks: InvariantOfStore = {
  name: 'locks',
  begin({ site: { truth } }, fail) {
    return {
      landed: perKind({
        Port: (_, port) => port && isServed(port, truth, fail),
        Vpc: (_, vpc) => vpc && ownsVni(vpc, truth, fail),
        Subnet: (_, subnet) => subnet && standsInLock(subnet, truth, fail),
        IPLock(before, after) {
          if (before === undefined || after !== undefined) return
          for (const port of truth.values('Port')) if (port.metadata.uid === before.spec.holder?.uid) isServed(port, truth, fail)
        },
        SegmentLock(before, after) {
          if (after !== undefined) standApart(after, fail)
          if (before === undefined) return
          for (const vpc of truth.values('Vpc')) ownsVni(vpc, truth, fail)
          for (const subnet of truth.values('Subnet')) standsInLock(subnet, truth, fail)
          if (after === undefined) isReliedOn(before, truth, fail)
        },
      }),
      atRest() {
        for (const port of truth.values('Port')) isReachedAtItsMac(port, truth, fail)
        const kinds: readonly Kind[] = ['Port', 'ServiceAddress', 'EgressAddress', 'Vpc', 'Subnet', 'Pod', 'L2Service']
        const uids = new Set(kinds.flatMap((kind) => [...truth.values(kind)].map(({ metadata }) => metadata.uid)))
        const isLeft = ({ spec: { holder, reservation } }: Resource<'IPLock'>): boolean =>
          // A pod that waits for an address of the other family keeps what was set aside for it.
          !uids.has(holder?.uid ?? reservation?.podUID ?? '') && (holder ?? reservation) !== undefined
        for (const lock of truth.values('IPLock')) if (isLeft(lock)) fail(`the lock ${keyOfItem(lock)} is left over: its holder is gone`)
        for (const lock of truth.values('SegmentLock'))
          if (!uids.has(lock.spec.holder.uid)) fail(`the lock ${lock.metadata.name} is left over: its holder is gone`)
      },
    }
  },
}

function isServed(port: Port, truth: Truth, fail: Fail): void {
  const [vni, addresses = []] = [segmentOf(port), port.status?.addresses]
  if (vni === undefined || isLettingGo(port)) return
  for (const address of addresses) {
    const name = lockName(vni, { address })
    const lock = [...truth.values('IPLock')].find(({ metadata, spec }) => metadata.name === name && spec.vni === vni)
    if (lock === undefined) fail(`Port ${keyOfItem(port)} is served ${address} of VNI ${vni}, which has no lock`)
    else if (!isHolder(lock, port.metadata.uid))
      fail(
        `Port ${keyOfItem(port)} is served ${address} of VNI ${vni}, whose lock is for ${lock.spec.holder?.namespace}/${lock.spec.holder?.name}`,
      )
  }
}

/** Other nodes send to the MAC that the lock of an address tells of; and what needs a lock of its own has it. */
function isReachedAtItsMac(port: Port, truth: Truth, fail: Fail): void {
  // Where the fabric is not ours, nobody here sends to it.
  if (port.status?.mac === undefined || port.status.cloud !== undefined || isLettingGo(port)) return
  const { mac, addresses = [] } = port.status
  const vni = segmentOf(port) ?? 0
  const mine = [...truth.values('IPLock')].filter(({ spec }) => spec.vni === vni && spec.holder?.uid === port.metadata.uid)
  const has = `Port ${keyOfItem(port)} has ${addresses.join(' and ')} at MAC ${mac}`
  const isLocked = isKosMac(vni, mac, addresses) || mine.some(({ spec }) => spec.address === undefined && spec.mac === mac)
  if (!isLocked) fail(`${has}, which has no lock`)
  const wrong = mine.filter(isOfOneAddress).find(({ spec }) => spec.mac !== mac || !addresses.includes(spec.address ?? ''))
  if (wrong !== undefined) fail(`${has}, and a lock of ${wrong.spec.address} at ${wrong.spec.mac}`)
}

/** Where several hold an address its lock says nothing of where. */
const isOfOneAddress = ({ spec: { address, shared = [] } }: Resource<'IPLock'>): boolean => address !== undefined && shared.length === 0

function ownsVni(vpc: Resource<'Vpc'>, truth: Truth, fail: Fail): void {
  const vni = segmentOf(vpc)
  if (vni === undefined || vpc.metadata.deletionTimestamp !== undefined) return
  const holder = truth.at('SegmentLock', segmentLockName({ segment: vni, vlan: vpc.status?.vlan }))?.spec.holder
  if (holder?.uid !== vpc.metadata.uid)
    fail(
      `Vpc ${keyOfItem(vpc)} has VNI ${vni}, ${holder === undefined ? 'which has no lock' : `whose lock is for ${holder.namespace}/${holder.name}`}`,
    )
}

function standsInLock(subnet: Resource<'Subnet'>, truth: Truth, fail: Fail): void {
  const { vlan, validated } = subnet.status ?? {}
  const vni = segmentOf(subnet)
  if (vni === undefined || validated !== true || subnet.metadata.deletionTimestamp !== undefined) return
  const blocks = truth.at('SegmentLock', segmentLockName({ segment: vni, vlan }))?.spec.blocks ?? []
  if (!blocks.some(({ subnet: { uid } }) => uid === subnet.metadata.uid))
    fail(`Subnet ${keyOfItem(subnet)} is valid, and its block does not stand in the lock of VNI ${vni}`)
}

/** Blocks of one VNI never overlap. */
function standApart({ spec: { blocks = [] }, metadata: { name } }: Resource<'SegmentLock'>, fail: Fail): void {
  for (const [place, block] of blocks.entries()) {
    const rival = firstOverlap([block], blocks.slice(place + 1))
    if (rival !== undefined)
      fail(
        `${block.cidr} of Subnet ${block.subnet.namespace}/${block.subnet.name} overlaps ${rival.other.cidr} of Subnet ${rival.other.subnet.namespace}/${rival.other.subnet.name} in ${name}`,
      )
  }
}

/** What still relied on a lock that has just been freed. */
function isReliedOn({ spec, metadata: { name } }: Resource<'SegmentLock'>, truth: Truth, fail: Fail): void {
  const { blocks = [] } = spec
  const { segment } = segmentInLock(spec)
  const subnets = new Set([...truth.values('Subnet')].map(({ metadata }) => metadata.uid))
  for (const { subnet } of blocks)
    if (subnets.has(subnet.uid))
      fail(`the lock ${name} was freed with a block of Subnet ${subnet.namespace}/${subnet.name}, which is there`)
  for (const port of truth.values('Port'))
    if (segmentOf(port) === segment && !isLettingGo(port))
      fail(`the lock ${name} was freed under Port ${keyOfItem(port)}, which is served on it`)
}

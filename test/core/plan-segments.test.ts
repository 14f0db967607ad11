import { test } from 'node:test'
import assert from 'node:assert/strict'
import type { Resource } from '../../core/kinds/index.ts'
import { blocksOf, planSubnet, type Block } from '../../core/plan/builtin/subnet.ts'
import { planVpc, type VpcDesired } from '../../core/plan/builtin/vpc.ts'
import { vlanLockName } from '../../core/net/names.ts'
import { vlanSegment } from '../../core/net/segment.ts'
import { going, line, thing } from './plan-things.ts'

const lock = (vni: number, by = 'blue', blocks: readonly Block[] = []): Resource<'SegmentLock'> =>
  thing('SegmentLock', `vni-${vni}`, {
    vni,
    holder: { kind: 'Vpc', namespace: 'a', name: by, uid: `uid-${by}` },
    ...(blocks.length > 0 && { blocks: [...blocks] }),
  })
const vlan = { physicalNetwork: 'physnet1', id: 100 }
const number = vlanSegment('physnet1', 100)
const vlanLock = (by = 'blue', kind = 'Vpc', blocks: readonly Block[] = []): Resource<'SegmentLock'> =>
  thing('SegmentLock', vlanLockName('physnet1', 100), {
    physicalNetwork: 'physnet1',
    vlan: 100,
    holder: { kind, namespace: 'a', name: by, uid: `uid-${by}` },
    ...(blocks.length > 0 && { blocks: [...blocks] }),
  })
const vpc = (spec: object = {}, more: object = {}): Resource<'Vpc'> => thing('Vpc', 'blue', spec, more)
const subnetOf = (name: string, cidr: string, more: object = {}): Resource<'Subnet'> =>
  thing('Subnet', name, { vpc: 'blue', ipv4: { cidr } }, more)

interface VpcCase {
  readonly want: Partial<VpcDesired>
  readonly lock?: Resource<'SegmentLock'>
  readonly held?: readonly Resource<'SegmentLock'>[]
  readonly is: string
  readonly says?: RegExp
}
const vpcs: Readonly<Record<string, VpcCase>> = {
  'takes the VNI it is offered': { want: { offer: 7 }, is: 'ready InPlace, takeSegment' },
  'takes the VNI it names': { want: { vpc: vpc({ vni: 9 }), offer: 7 }, is: 'ready InPlace, takeSegment', says: /VNI 9/ },
  'keeps the VNI it has': { want: { vpc: vpc({}, { status: { vni: 9 } }) }, lock: lock(9), held: [lock(9)], is: 'ready InPlace' },
  'takes its VNI again where the lock was lost': { want: { vpc: vpc({}, { status: { vni: 9 } }) }, is: 'ready InPlace, takeSegment' },
  'keeps the lock it took before a crash': { want: { offer: 7 }, lock: lock(9), held: [lock(9)], is: 'ready InPlace', says: /VNI 9/ },
  'gives back what two workers have drawn at once': {
    want: { vpc: vpc({}, { status: { vni: 9 } }) },
    lock: lock(9),
    held: [lock(9), lock(11)],
    is: 'ready InPlace, freeSegment',
  },
  'gives nothing back before its status says which it keeps': {
    want: {},
    lock: lock(9),
    held: [lock(9), lock(11)],
    is: 'ready InPlace',
    says: /VNI 9/,
  },
  'is refused a VNI that another has': {
    want: { vpc: vpc({ vni: 9 }) },
    lock: lock(9, 'red'),
    is: 'error VniTaken',
    says: /VNI 9 belongs to another Vpc/,
  },
  'is refused a VNI that connections of NSM have': {
    want: { vpc: vpc({ vni: 9 }), reserved: { first: 9, last: 12 } },
    is: 'error VniReserved',
    says: /VNI 9 is reserved for connections of Network Service Mesh/,
  },
  'keeps a VNI that is reserved by now': {
    want: { vpc: vpc({ vni: 9 }), reserved: { first: 9, last: 12 } },
    lock: lock(9),
    held: [lock(9)],
    is: 'ready InPlace',
  },
  'that is a VLAN takes that and no VNI': {
    want: { vpc: vpc({ vlan }), offer: 7 },
    is: 'ready InPlace, takeSegment',
    says: /^VLAN 100 of physical network physnet1$/,
  },
  'that is a VLAN keeps it': {
    want: { vpc: vpc({ vlan }, { status: { vlan, segment: number } }) },
    lock: vlanLock(),
    held: [vlanLock()],
    is: 'ready InPlace',
  },
  'that is a VLAN is refused one that an L2Service has': {
    want: { vpc: vpc({ vlan }) },
    lock: vlanLock('signalling', 'L2Service'),
    is: 'error VlanTaken',
    says: /VLAN 100 of physical network physnet1 belongs to another Vpc or to an L2Service/,
  },
  'that is a VLAN gives back the VNI that a worker of before gave it': {
    want: { vpc: vpc({ vlan }, { status: { vni: 9 } }) },
    held: [lock(9)],
    is: 'ready InPlace, takeSegment, freeSegment',
  },
  'frees its VLAN when it goes': {
    want: { vpc: vpc({ vlan }, going) },
    held: [vlanLock()],
    is: 'deleted Freed, freeSegment',
    says: /its VLAN is free/,
  },
  'is told where no VNI is left': { want: {}, is: 'error NoFreeVni' },
  'waits for its Subnets, and names one': {
    want: { vpc: vpc({}, going), blockers: { first: 'one', others: 2 } },
    held: [lock(9)],
    is: 'terminating InUse',
    says: /Subnet one and 2 more are still in it/,
  },
  'waits for a block that was listed meanwhile': {
    want: { vpc: vpc({}, going) },
    held: [lock(9, 'blue', blocksOf(subnetOf('late', '10.0.0.0/24')))],
    is: 'terminating InUse',
    says: /Subnet late/,
  },
  'frees its VNI when it goes': { want: { vpc: vpc({}, going) }, held: [lock(9)], is: 'deleted Freed, freeSegment' },
}
for (const [name, { want, lock: seen, held = [], is, says = /./ }] of Object.entries(vpcs)) {
  test(`a Vpc ${name}`, () => {
    const plan = planVpc({ vpc: vpc(), offer: undefined, blockers: undefined, ...want }, { lock: seen, held })
    assert.equal(line(plan), is)
    assert.match(plan.message, says)
  })
}

const rival = subnetOf('rival', '10.0.0.0/16')
const one = (more: object = {}): Resource<'Subnet'> => subnetOf('one', '10.0.7.0/24', more)
const blue = vpc({}, { status: { vni: 9 } })
interface SubnetCase {
  readonly subnet?: Resource<'Subnet'>
  readonly vpc?: Resource<'Vpc'> | undefined
  readonly blocked?: boolean
  readonly seen?: Resource<'SegmentLock'> | undefined
  readonly is: string
  readonly says?: RegExp
}
const subnets: Readonly<Record<string, SubnetCase>> = {
  'is valid once its block is listed': { seen: lock(9), is: 'ready Validated, setBlocks', says: /10\.0\.7\.0\/24 on VNI 9/ },
  'is left alone when it is': { seen: lock(9, 'blue', blocksOf(one())), is: 'ready Validated' },
  'is refused while a rival overlaps it, and says which': {
    seen: lock(9, 'blue', blocksOf(rival)),
    is: 'error CidrOverlap',
    says: /10\.0\.7\.0\/24 overlaps 10\.0\.0\.0\/16 of Subnet a\/rival on VNI 9/,
  },
  'is valid beside one that only touches it': {
    seen: lock(9, 'blue', blocksOf(subnetOf('near', '10.0.8.0/24'))),
    is: 'ready Validated, setBlocks',
  },
  'is valid in a VLAN too': {
    seen: vlanLock(),
    is: 'ready Validated, setBlocks',
    says: /10\.0\.7\.0\/24 on VLAN 100 of physical network physnet1/,
  },
  'is refused where a rival overlaps it in the VLAN': { seen: vlanLock('blue', 'Vpc', blocksOf(rival)), is: 'error CidrOverlap' },
  'does not take the VLAN of an L2Service': { seen: vlanLock('signalling', 'L2Service'), is: 'pending VpcNotReady' },
  'waits for its Vpc': { vpc: undefined, is: 'pending VpcMissing', says: /Vpc blue not found/ },
  "waits for the Vpc's VNI": { seen: undefined, is: 'pending VpcNotReady' },
  'does not take the VNI of a Vpc made anew for that of the old': { seen: lock(9, 'older'), is: 'pending VpcNotReady' },
  'is refused by a Vpc that is going': {
    vpc: { ...blue, metadata: { ...blue.metadata, ...going } },
    seen: lock(9),
    is: 'error VpcTerminating',
  },
  'waits for its Ports when it goes': {
    subnet: one(going),
    blocked: true,
    seen: lock(9, 'blue', blocksOf(one())),
    is: 'terminating InUse',
    says: /Port p is still in it/,
  },
  "takes its blocks out, and leaves the others'": {
    subnet: one(going),
    seen: lock(9, 'blue', [...blocksOf(one()), ...blocksOf(rival)]),
    is: 'deleted Freed, setBlocks',
  },
  'goes at once when nothing is listed': { subnet: one(going), seen: undefined, is: 'deleted Freed' },
}
for (const [name, c] of Object.entries(subnets)) {
  test(`a Subnet ${name}`, () => {
    const plan = planSubnet(
      { subnet: c.subnet ?? one(), vpc: 'vpc' in c ? c.vpc : blue, blockers: c.blocked === true ? { first: 'p', others: 0 } : undefined },
      { lock: c.seen },
    )
    assert.equal(line(plan), c.is)
    assert.match(plan.message, c.says ?? /./)
    for (const { action } of plan.steps)
      assert.deepEqual(
        action.blocks.filter((block) => block.subnet.uid === 'uid-rival'),
        (c.seen?.spec.blocks ?? []).filter((block) => block.subnet.uid === 'uid-rival'),
      )
  })
}

test('a Subnet carries broadcast where it says so, or says nothing and its Vpc does, and never in a VLAN', () => {
  const told = (own: boolean | undefined, its: boolean | undefined, lockSeen = lock(9)): boolean | undefined => {
    const subnet = one()
    const plan = planSubnet(
      {
        subnet: { ...subnet, spec: { ...subnet.spec, ...(own !== undefined && { broadcast: own }) } },
        vpc: { ...blue, spec: { ...blue.spec, ...(its !== undefined && { broadcast: its }) } },
        blockers: undefined,
      },
      { lock: lockSeen },
    )
    assert.equal(plan.phase, 'ready')
    return (plan.sections?.segment as { broadcast?: boolean } | undefined)?.broadcast
  }
  assert.deepEqual(
    [told(undefined, undefined), told(undefined, true), told(true, undefined), told(false, true), told(true, false)],
    [undefined, true, true, undefined, true],
  )
  assert.deepEqual([told(true, true, vlanLock()), told(undefined, true, vlanLock())], [undefined, undefined])
})

// What Vpcs of an EgressClass may send to, and which say that they may.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Resource, SpecOf, StatusOf } from '../../core/kinds/index.ts'
import { isInBlock } from '../../core/net/cidr.ts'
import { parseIp } from '../../core/net/ip.ts'
import { exceptMost, leftBlocks } from '../../core/plan/egress/blocks.ts'
import { planEgressClass } from '../../core/plan/egress/egress-class.ts'
import { egressFrom } from '../../core/plan/egress/node-egress.ts'
import { letsOutOtherwise, withEgress, type EgressNet } from '../../core/plan/egress/vpc-egress.ts'
import { inPlace, waitingFor, type Plan } from '../../core/plan/plan.ts'
import { going, thing } from './plan-things.ts'

const classOf = (spec: Partial<SpecOf<'EgressClass'>> = {}, meta: object = {}): Resource<'EgressClass'> =>
  thing('EgressClass', 'internet', { vpcs: ['a/v'], ...spec }, meta)
const node = (name: string, addresses: readonly string[], podCIDRs: readonly string[] = []): Resource<'Node'> => ({
  ...thing('Node', name, { podCIDRs }),
  status: { addresses: addresses.map((address) => ({ type: 'InternalIP', address })) },
})
const vpc = (egressClass: string | undefined, status?: StatusOf<'Vpc'>): Resource<'Vpc'> =>
  thing('Vpc', 'v', { ...(egressClass !== undefined && { egressClass }) }, { ...(status && { status }) })

const group: Resource<'BGPSessionGroup'> = thing('BGPSessionGroup', 'edge', {
  as: 64512,
  peers: [{ name: 'gateway', address: '45.0.0.1', as: 65000 }],
})

/** Whether a packet for an address leaves. */
function leavesFor(address: string, of: Resource<'EgressClass'>, nodes: readonly Resource<'Node'>[] = []): boolean {
  const { to, except } = leftBlocks(of, { nodes, groups: [group] })
  const isIn = (blocks: readonly string[]): boolean => blocks.some((block) => isInBlock(block, parseIp(address)!))
  return isIn(to) && !isIn(except)
}

test('unless a class says more, what is private, link-local, a node, a pod of the cluster or a neighbour by BGP is not sent to', () => {
  const nodes = [node('n1', ['198.18.0.1', '2a00::1']), node('n2', ['9.9.9.9'], ['44.0.0.0/16'])]
  for (const address of ['8.8.8.8', '9.9.9.8', '2a00::2', '44.1.0.1']) assert.ok(leavesFor(address, classOf(), nodes), address)
  for (const address of [
    ...['10.96.0.1', '172.16.0.1', '192.168.1.1', '100.64.0.1', 'fd00::1', '169.254.169.254', 'fe80::1', '127.0.0.1', '224.0.0.5'],
    ...['168.63.129.16', 'fd00:ec2::254', '9.9.9.9', '2a00::1', '44.0.3.4', '::ffff:8.8.8.8', '45.0.0.1'],
  ])
    assert.equal(leavesFor(address, classOf(), nodes), false, address)
})

test('a private block that is named is sent to, and what is beside it is not; metadata and nodes in it are not', () => {
  const of = classOf({ to: ['0.0.0.0/0', '10.20.0.0/16', '100.64.0.0/10'], except: ['10.20.7.0/24', '8.8.0.0/16'] })
  const nodes = [node('n1', ['10.20.0.1'])]
  for (const address of ['10.20.1.1', '100.64.0.1', '9.9.9.9']) assert.ok(leavesFor(address, of, nodes), address)
  for (const address of ['10.21.0.1', '10.20.7.1', '10.20.0.1', '100.100.100.200', '8.8.8.8', '2a00::1'])
    assert.equal(leavesFor(address, of, nodes), false, address)
})

test('only what concerns the blocks of a class is left out, none of it within another', () => {
  assert.deepEqual(
    leftBlocks(classOf({ to: ['198.51.100.0/24', '198.51.100.0/25'] }), { nodes: [node('n1', ['198.51.100.7', '10.0.0.1'])], groups: [] }),
    {
      to: ['198.51.100.0/24'],
      except: ['198.51.100.7/32'],
    },
  )
})

const netOf = (of: Resource<'EgressClass'> | undefined, nodes = [node('n1', ['192.0.2.1', '2001:db8::1']), node('n2', [])]): EgressNet => ({
  egressClass: () => of,
  nodes: () => nodes,
  bgp: () => ({ groups: [], vpc: () => undefined, subnet: () => undefined, prefixLock: () => undefined }),
  addressesOf: () => [],
  nodesOf: () => ['n2', 'n1', 'n9'],
})
const ready: Plan<never> = { ...inPlace('InPlace', 'VNI 5'), sections: { segment: { vni: 5 } } }
const conditionText = (plan: Plan<unknown>): string => {
  const [condition] = plan.conditions ?? []
  return `${condition?.status} ${condition?.reason}: ${condition?.message}`
}

test('nodes are told while the operator and the owner say so, each with its own addresses; one without any is not', () => {
  const plan = withEgress(ready, vpc('internet'), netOf(classOf({ to: ['203.0.113.0/24'] })))
  assert.match(conditionText(plan), /^True InForce/)
  const egress = { class: 'internet', to: ['203.0.113.0/24'], except: [], nodes: [{ node: 'n1', addresses: ['192.0.2.1', '2001:db8::1'] }] }
  assert.deepEqual(plan.sections, { segment: { vni: 5 }, egress: { egress } })
  assert.ok(letsOutOtherwise(vpc('internet'), plan))
  assert.equal(letsOutOtherwise(vpc('internet', { egress }), plan), false)
  const told = vpc('internet', { egress })
  assert.deepEqual(egressFrom([told], 'n1'), { to: ['203.0.113.0/24'], except: [], sources: ['192.0.2.1', '2001:db8::1'] })
  assert.equal(egressFrom([told], 'n2'), undefined)
  assert.equal(egressFrom([vpc('internet')], 'n1'), undefined)
})

test('what one of both does not say is not done, and the other is told which', () => {
  const silent = (plan: Plan<unknown>): void => assert.deepEqual(plan.sections?.egress, {})
  for (const [net, why] of [
    [netOf(undefined), /^False ClassNotFound: EgressClass internet not found/],
    [netOf(classOf({}, going)), /^False ClassGoing/],
    [netOf(classOf({ vpcs: ['b/v'] })), /^False NotAgreed: EgressClass internet does not name a\/v in spec\.vpcs/],
  ] as const) {
    const plan = withEgress(ready, vpc('internet'), net)
    assert.match(conditionText(plan), why)
    silent(plan)
  }
  silent(withEgress(waitingFor('NoVni', 'none yet'), vpc('internet'), netOf(classOf())))
  const before = { egress: { class: 'internet', to: [], except: [], nodes: [] } }
  silent(withEgress(ready, vpc(undefined, before), netOf(classOf())))
  assert.equal(withEgress(ready, vpc(undefined), netOf(classOf())), ready, 'who has never asked is told nothing')
})

test('more nodes than can be told of one by one are refused with what to do', () => {
  const many = Array.from({ length: exceptMost + 1 }, (_, i) => node(`m${i}`, [`44.0.${i >> 7}.${(i & 127) * 2}`]))
  const plan = withEgress(ready, vpc('internet'), netOf(classOf({ to: ['44.0.0.0/8'] }), many))
  assert.match(conditionText(plan), /^False TooManyBlocks: 1001 blocks .* let EgressClass internet name wider ones in spec\.except/)
  assert.match(
    conditionText(withEgress(ready, vpc('internet'), netOf(classOf({ to: ['44.0.0.0/8'], except: ['44.0.0.0/16'] }), many))),
    /^True/,
  )
})

test('a class tells who sends by it and who does not agree, and stays until nobody does', () => {
  const sending = vpc('internet', {
    egress: { class: 'internet', to: [], except: [], nodes: [{ node: 'n1', addresses: ['192.0.2.1'] }] },
  })
  const vpcs = new Map([
    ['a/v', sending],
    ['b/v', thing('Vpc', 'v', {}, { namespace: 'b' })],
  ])
  const desired = { users: [sending], vpc: (key: string) => vpcs.get(key) }
  const plan = planEgressClass({ egressClass: classOf({ vpcs: ['a/v', 'b/v', 'c/v'] }), ...desired })
  assert.deepEqual(plan.sections?.users, {
    vpcs: [{ vpc: 'a/v', nodes: 1 }],
    refused: [
      { what: 'Vpc b/v', message: 'does not agree: its owner names internet in spec.egressClass' },
      { what: 'Vpc c/v', message: 'not found' },
    ],
  })
  assert.equal(planEgressClass({ egressClass: classOf({}, going), ...desired }).phase, 'terminating')
  assert.equal(planEgressClass({ egressClass: classOf({}, going), ...desired, users: [] }).phase, 'deleted')
})

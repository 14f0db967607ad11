// Of two peers of one Vpc with the same addresses one has routes: which, whoever comes when.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Resource } from '../../core/kinds/index.ts'
import { blocksMost, exchangeOf } from '../../core/plan/peering/exchange.ts'
import { planPeering, tellsMore } from '../../core/plan/peering/peering.ts'
import { pairsOf, vpcKeyOf, type Peering, type PeeringNet } from '../../core/plan/peering/sides.ts'
import { at, thing } from './plan-things.ts'

const made = (namespace: string, name: string, second: number) => ({
  namespace,
  uid: `${namespace}-${name}`,
  creationTimestamp: at(second * 1000),
})
const peering = (from: string, to: string, second: number): Peering =>
  thing('VpcPeering', to, { vpc: 'v', peer: `${to}/v` }, made(from, to, second))
const subnet = (namespace: string, name: string, cidr: string, second: number): Resource<'Subnet'> =>
  thing('Subnet', name, { vpc: 'v', ipv4: { cidr } }, { ...made(namespace, name, second), status: { validated: true } })
const routed = (each: Resource<'Subnet'>): Resource<'Subnet'> => ({ ...each, spec: { ...each.spec, mode: 'l3' } })
const vpc = (namespace: string, vni: number): Resource<'Vpc'> => thing('Vpc', 'v', {}, { ...made(namespace, 'v', 0), status: { vni } })
const vpcs = [vpc('a', 1), vpc('b', 2), vpc('c', 3)]
/** @param announced `namespace cidr` */
const netOf = (peerings: readonly Peering[], subnets: readonly Resource<'Subnet'>[], announced: readonly string[] = []): PeeringNet => ({
  peeringsOf: (key) => peerings.filter((each) => vpcKeyOf(each) === key),
  vpc: (key) => vpcs.find(({ metadata }) => `${metadata.namespace}/v` === key),
  subnetsOf: (key) => subnets.filter(({ metadata }) => `${metadata.namespace}/v` === key),
  routedBlocksOf: () => [],
  isAnnounced: (each, cidr) => announced.includes(`${each.metadata.namespace} ${cidr}`),
})
const blocksFrom = (peer: string, net: PeeringNet): readonly string[] =>
  pairsOf('a/v', net).flatMap((pair) => (pair.own.spec.peer === `${peer}/v` ? exchangeOf(pair, net).blocks : []))

const peerings = [peering('a', 'b', 1), peering('b', 'a', 2), peering('a', 'c', 3), peering('c', 'a', 30)]

test('who was peered first keeps its block, however old the Subnet of the other is', () => {
  const net = netOf(peerings, [subnet('c', 's', '10.2.0.0/24', 0), subnet('b', 's', '10.2.0.0/16', 20)])
  assert.deepEqual(blocksFrom('b', net), ['10.2.0.0/16'])
  assert.deepEqual(blocksFrom('c', net), [])
})

test('a Subnet that is made later takes no packets of another peer, however long its Vpc has been one', () => {
  const net = netOf(peerings, [subnet('c', 's', '10.2.0.0/24', 0), subnet('b', 's', '10.2.0.0/16', 31)])
  assert.deepEqual(blocksFrom('b', net), [])
  assert.deepEqual(blocksFrom('c', net), ['10.2.0.0/24'])
})

test('an l3 Subnet is given while it is announced, and keeps its place meanwhile: who is announced later takes no packets of others', () => {
  const subnets = [routed(subnet('b', 's', '10.2.0.0/24', 0)), subnet('c', 's', '10.2.0.0/16', 31)]
  const why =
    'is l3, and no BGPSessionGroup advertises 10.2.0.0/24: an operator names the Subnet in spec.advertise.subnets of one that its Vpc agrees to'
  const before = netOf(peerings, subnets)
  assert.deepEqual(blocksFrom('b', before), [])
  for (const pair of [pairsOf('a/v', before)[0]!, pairsOf('b/v', before)[0]!])
    assert.deepEqual(exchangeOf(pair, before).refused, [{ what: 'Subnet b/s', message: why }])
  assert.deepEqual(blocksFrom('c', before), [], 'nor does somebody else get in between')
  assert.deepEqual(blocksFrom('b', netOf(peerings, subnets, ['b 10.2.0.0/24'])), ['10.2.0.0/24'])
  assert.deepEqual(blocksFrom('c', netOf(peerings, subnets.slice(1))), ['10.2.0.0/16'])
})

test('a side gives so many blocks and no more, the oldest of them', () => {
  const many = Array.from({ length: blocksMost + 1 }, (_, i) => subnet('b', `s${i}`, `10.2.${i}.0/24`, i))
  const net = netOf(peerings, many)
  assert.equal(blocksFrom('b', net).length, blocksMost)
  const [pair] = pairsOf('a/v', net)
  assert.deepEqual(exchangeOf(pair!, net).refused, [
    { what: `Subnet b/s${blocksMost}`, message: `10.2.16.0/24 is one more than ${blocksMost} blocks` },
  ])
})

test('nodes are told of more only by a plan that has a block, or a VNI, which was not told before', () => {
  const [own] = peerings
  const small = netOf(peerings, [subnet('b', 's', '10.2.0.0/24', 0)])
  const plan = planPeering({ peering: own!, net: small })
  assert.equal(tellsMore(own!, plan), true)
  const reported: Peering = { ...own!, status: plan.sections!.exchange as NonNullable<Peering['status']> }
  assert.equal(tellsMore(reported, plan), false)
  assert.equal(tellsMore(reported, planPeering({ peering: own!, net: netOf(peerings.slice(0, 1), []) })), false)
  const more = netOf(peerings, [subnet('b', 's', '10.2.0.0/24', 0), subnet('a', 's', '10.1.0.0/24', 0)])
  assert.equal(tellsMore(reported, planPeering({ peering: own!, net: more })), true)
})

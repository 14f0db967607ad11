// Which NICs may come and go while a pod runs, and what becomes of the others meanwhile.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { hotNicsAnnotation, nicsAnnotation, vpcAnnotation } from '../../core/kinds/annotations.ts'
import { hotChange } from '../../core/admit/pod/hot-nics.ts'
import { resolveNics } from '../../core/admit/pod/nics.ts'
import { isRefusal } from '../../core/admit/refusal.ts'
import type { NicResolution, NicSettings } from '../../core/admit/network-view.ts'
import { furnish, openAdmission, podWith, type AdmissionTestServer } from '../webhooks/admission-test-server.ts'

let cluster: AdmissionTestServer
before(async () => {
  cluster = await openAdmission()
  await furnish(cluster)
  await cluster.make('Port', 'a/made', { subnet: 'front', portID: 'p-1' })
  const routes = [{ destination: '0.0.0.0/0', nextHop: '10.1.0.9' }]
  await cluster.make('Subnet', 'a/out', { vpc: 'blue', ipv4: { cidr: '10.1.0.0/24' }, routes })
})
after(() => cluster.close())

const settings: NicSettings = { nicLimits: { default: 3, flavors: {} }, clusterNic: 'delegate' }
const of = (hot: unknown, nics: unknown = [{ name: 'eth0', subnet: 'front' }], more: Record<string, string> = {}): NicResolution =>
  resolveNics(
    podWith(nics, { annotations: { [hotNicsAnnotation]: typeof hot === 'string' ? hot : JSON.stringify(hot), ...more } }),
    cluster.deps.world,
    settings,
  )
const inHot = (...steps: readonly (string | number)[]): string => ['/metadata/annotations/megrez.io~1hot-nics', ...steps].join('/')
const interfaces = (found: NicResolution): readonly string[] =>
  found.kind === 'nics' ? found.nics.map(({ name, interfaceName, hot }) => `${name} ${interfaceName}${hot ? ' hot' : ''}`) : assert.fail()

describe('NICs that come and go', () => {
  test('stand behind those that stay, whose names and interfaces they do not change', () => {
    assert.deepEqual(interfaces(of([{ name: 'eth7', subnet: 'front' }])), ['eth0 net1', 'eth7 net8 hot'])
    assert.deepEqual(interfaces(of([{ name: 'data', portID: 'p-1' }], undefined)), ['eth0 net1', 'data data hot'])
    const alone = of([{ name: 'data', subnet: 'front' }], undefined, { 'megrez.io/cluster-nic': 'none' })
    assert.deepEqual(interfaces(alone), ['eth0 eth0', 'data data hot'], 'none of them is ever eth0')
    assert.deepEqual(interfaces(of([])), ['eth0 net1'])
  })

  const refused: readonly (readonly [what: string, hot: unknown, at: string, says: RegExp])[] = [
    ['no name', [{ subnet: 'front' }], inHot(0, 'name'), /is missing: a NIC that comes and goes is known by its name/],
    ['no Subnet', [{ name: 'x' }], inHot(0, 'subnet'), /is missing: .* names its Subnet, or a Port by portID/],
    ['a socket', [{ name: 'x', subnet: 'front', type: 'dpdk' }], inHot(0, 'type'), /must be kernel/],
    ['the way out', [{ name: 'x', subnet: 'front', defaultRoute: true }], inHot(0, 'defaultRoute'), /must be false: the way out/],
    [
      'a Subnet that is the way out',
      [{ name: 'x', subnet: 'out' }],
      inHot(0, 'subnet'),
      /Subnet out has a route to 0\.0\.0\.0\/0: the way/,
    ],
    ['a name twice', [{ name: 'x', subnet: 'front' }, { name: 'x', subnet: 'front' }], inHot(1, 'name'), /two NICs are called x/], // prettier-ignore
    ['the name of one that stays', [{ name: 'eth0', subnet: 'front' }], inHot(0, 'name'), /would be net1, which is taken by NIC eth0/],
    ['a Subnet that is not there', [{ name: 'x', subnet: 'back' }], inHot(0, 'subnet'), /Subnet back not found in Vpc blue/],
    ['an address outside', [{ name: 'x', subnet: 'front', ip: '192.0.2.1' }], inHot(0, 'ip'), /not in 10\.0\.0\.0\/24/],
    ['a Port that is not there', [{ name: 'x', portID: 'none' }], inHot(0, 'portID'), /no Port with portID none/],
    ['an unknown field', [{ name: 'x', subnet: 'front', hot: true }], inHot(0, 'hot'), /a NIC has no field "hot"/],
    ['no list', '{}', inHot(), /must be a list of NICs/],
    ['no JSON', '[', inHot(0), /is not JSON/],
  ]
  for (const [what, hot, at, says] of refused)
    test(`are refused with ${what}`, () => {
      const found = of(hot)
      assert.ok(found.kind === 'refused', JSON.stringify(found))
      assert.equal(found.at.replace(/\/$/, ''), at.replace(/\/$/, ''))
      assert.match(found.message, says)
    })

  test('count as NICs, also beside the one that a pod without a list has', () => {
    const four = ['a', 'b', 'c'].map((name) => ({ name, subnet: 'front' }))
    for (const nics of [undefined, [{ name: 'eth0', subnet: 'front' }]]) {
      const found = resolveNics(podWith(nics, { annotations: { [hotNicsAnnotation]: JSON.stringify(four) } }), cluster.deps.world, settings)
      assert.ok(found.kind === 'refused')
      assert.deepEqual([found.at, found.message], [inHot(2), 'the pod asks for 4 NICs; the cluster allows 3'])
    }
  })

  test('have a pod refused that names no Vpc, and one whose network is its policy’s to say', () => {
    const bare = { metadata: { namespace: 'a', annotations: { [hotNicsAnnotation]: '[{"name":"x","subnet":"front"}]' } }, spec: {} }
    const found = resolveNics(bare, cluster.deps.world, settings)
    assert.deepEqual(found.kind === 'refused' && found.at, '/metadata/annotations/megrez.io~1vpc')
    const follows = of([{ name: 'x', subnet: 'front' }], [{ name: 'fast' }], { 'megrez.io/network': 'policy' })
    assert.deepEqual(follows.kind === 'refused' && follows.at, inHot())
  })

  test('share nothing with the others that two NICs cannot share, and a list is read as what it is', () => {
    const text = '[{"name":"x","subnet":"front","ip":"10.0.0.9"}]'
    const found = of(text, text.replace('"x"', '"y"'))
    assert.deepEqual(found.kind === 'refused' && [found.at, found.message], [
      inHot(0, 'ip'),
      'two NICs of the pod have the address 10.0.0.9',
    ])
    const same = of(text, text)
    assert.deepEqual(same.kind === 'refused' && same.at, inHot(0, 'name'))
  })
})

describe('a change of a pod that is there', () => {
  const change = (before: Record<string, string>, after: Record<string, string>) => hotChange({ [vpcAnnotation]: 'blue', ...before }, after)
  const hot = (text: string): Record<string, string> => ({ [hotNicsAnnotation]: text })
  const [x, y] = ['{"name":"x","subnet":"front"}', '{"name":"y","subnet":"front"}']
  test('says which NICs come', () => {
    assert.deepEqual(change({}, hot(`[${x}]`)), ['x'])
    assert.deepEqual(change(hot(`[${x}]`), hot(`[${y},${x}]`)), ['y'], 'in whatever order')
    assert.deepEqual(change(hot(`[${x}]`), {}), [])
    assert.deepEqual(change(hot(`[${x}]`), hot('[ { "subnet" : "front", "name" : "x" } ]')), [], 'spelt otherwise it is the same')
    assert.deepEqual(change(hot('what came past admission'), hot(`[${x}]`)), ['x'])
  })
  test('edits none that is there', () => {
    const found = change(hot(`[${x}]`), hot('[{"name":"x","subnet":"back"}]'))
    assert.ok(isRefusal(found))
    assert.deepEqual([found.at, /^NIC x is there: take it off the list/.test(found.message)], [inHot(0), true])
  })
  test('gives none to a pod that was made without', () => {
    const found = hotChange({ [nicsAnnotation]: '[]' }, hot(`[${x}]`))
    assert.ok(isRefusal(found))
    assert.match(found.message, /was made without NICs of Megrez/)
  })
})

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { parse } from 'yaml'
import { planNsd } from '../../core/nsd/tosca.ts'

const nsd = (): Record<string, never> =>
  parse(readFileSync(join(import.meta.dirname, '../../examples/eno/nsd.yaml'), 'utf8')) as Record<string, never>
type Nodes = Record<string, Record<string, never>>
const changed = (change: (nodes: Nodes) => void): unknown => {
  const whole = structuredClone(nsd()) as unknown as { topology_template: { node_templates: Nodes } }
  change(whole.topology_template.node_templates)
  return whole
}

test("a descriptor's virtual links and external connection points become our objects", () => {
  const plan = planNsd(nsd(), { physicalNW: ['physnet'], callbackURL: 'http://127.0.0.1/' })
  assert.ok(plan.kind === 'plan', JSON.stringify(plan))
  assert.deepEqual(
    plan.items.map(({ kind, metadata, spec }) => ({ kind, name: metadata.name, ...spec })),
    [
      {
        kind: 'Subnet',
        name: 'signalling-ipv4',
        l2Service: 'signalling',
        ipv4: { cidr: '10.10.10.0/24', gateway: '10.10.10.1', pools: [{ first: '10.10.10.10', last: '10.10.10.250' }] },
      },
      {
        kind: 'L2Service',
        name: 'signalling',
        segmentationID: 100,
        subnets: ['signalling-ipv4'],
        physicalNW: ['physnet'],
        callbackURL: 'http://127.0.0.1/',
      },
      { kind: 'L2Service', name: 'media', segmentationID: 200, physicalNW: ['physnet'], callbackURL: 'http://127.0.0.1/' },
      {
        kind: 'L2ServiceAttachment',
        name: 'signalling-access',
        l2Services: ['signalling'],
        connectionPoint: 'cp-br-data',
        vlanType: 'access',
        callbackURL: 'http://127.0.0.1/',
      },
      {
        kind: 'L2ServiceAttachment',
        name: 'all-tagged',
        l2Services: ['signalling', 'media'],
        connectionPoint: 'cp-agents',
        vlanType: 'selectivetrunk',
        callbackURL: 'http://127.0.0.1/',
      },
    ],
  )
})

const entriesOf = (link: object): object[] =>
  (link as { properties: { vl_profile: { virtual_link_protocol_data: object[] } } }).properties.vl_profile.virtual_link_protocol_data
const at = '/topology_template/node_templates'
const refusals: Readonly<Record<string, readonly [(nodes: Nodes) => void, string]>> = {
  'a node of another type': [(nodes) => Object.assign(nodes, { odd: { type: 'tosca.nodes.Compute' } }), `${at}/odd/type`],
  'a property of a link': [
    (nodes) => Object.assign(nodes['media']!['properties']!, { vendor_magic: 1 }),
    `${at}/media/properties/vendor_magic`,
  ],
  'a link without a VLAN': [
    (nodes) => Object.assign(nodes['media']!['properties']!, { vl_profile: {} }),
    `${at}/media/properties/vl_profile/virtual_link_protocol_data`,
  ],
  'a VXLAN': [
    (nodes) =>
      Object.assign(
        (nodes['media']!['properties'] as unknown as { vl_profile: { virtual_link_protocol_data: { l2_protocol_data: object }[] } })
          .vl_profile.virtual_link_protocol_data[0]!.l2_protocol_data,
        { network_type: 'vxlan' },
      ),
    `${at}/media/properties/vl_profile/virtual_link_protocol_data/0/l2_protocol_data/network_type`,
  ],
  'a connection point nowhere': [
    (nodes) => Object.assign(nodes['all-tagged']!, { metadata: {} }),
    `${at}/all-tagged/metadata/megrez.io~1connection-point`,
  ],
  'a connection point of no link': [
    (nodes) => Object.assign(nodes['all-tagged']!, { requirements: [{ external_virtual_link: 'nothing' }] }),
    `${at}/all-tagged/requirements/0/external_virtual_link`,
  ],
  'two links that would be one L2Service': [(nodes) => Object.assign(nodes, { Media_: nodes['media'] }), `${at}/Media_`],
  'two connection points that would be one attachment': [
    (nodes) => Object.assign(nodes, { 'ALL/tagged': nodes['all-tagged'] }),
    `${at}/ALL~1tagged`,
  ],
  'a link of two blocks that would be one Subnet': [
    (nodes) => void entriesOf(nodes['signalling']!).push(entriesOf(nodes['signalling']!)[1]!),
    `${at}/signalling/properties/vl_profile/virtual_link_protocol_data/2`,
  ],
  'a link whose name has no letter': [(nodes) => Object.assign(nodes, { __: nodes['media'] }), `${at}/__`],
  'a link whose name is too long for an object': [
    (nodes) => Object.assign(nodes, { ['m'.repeat(254)]: nodes['media'] }),
    `${at}/${'m'.repeat(254)}`,
  ],
}
for (const [name, [change, path]] of Object.entries(refusals)) {
  test(`a descriptor with ${name} is refused by path`, () => {
    const plan = planNsd(changed(change))
    assert.ok(plan.kind === 'refused')
    assert.ok(
      plan.problems.some((err) => err.at === path),
      JSON.stringify(plan.problems),
    )
  })
}
test('a descriptor of nothing is refused', () => assert.equal(planNsd({}).kind, 'refused'))

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { judge } from '../../core/admit/object/rules.ts'
import { check, withDefaults } from '../../core/admit/object/schema.ts'
import type { OwnKind } from '../../core/kinds/index.ts'
import { apiVersion } from '../../core/kinds/meta.ts'

const whole = (kind: OwnKind, spec: unknown, more: object = {}) => ({ apiVersion, kind, metadata: { name: 'x' }, spec, ...more })
const say = (kind: OwnKind, object: unknown): string[] => check(kind, object).map(({ at, message }) => `${at} ${message}`)

describe('check says where the fault is and what would be right', () => {
  const cases: Readonly<Record<string, readonly [kind: OwnKind, object: unknown, said: readonly string[]]>> = {
    'of a number in place of an object': ['Vpc', 7, [' must be an object of kind Vpc']],
    'of a list in place of an object': ['Vpc', [], [' must be an object of kind Vpc']],
    'of an empty object': [
      'Vpc',
      {},
      ['/apiVersion must be megrez.io/v1alpha1', '/kind must be Vpc', '/metadata is required', '/spec is required'],
    ],
    'of another kind': ['Vpc', { ...whole('Vpc', {}), kind: 'Subnet' }, ['/kind must be Vpc']],
    'of a field that belongs below': [
      'Port',
      whole('Port', { subnet: 'a' }, { subnets: 'a' }),
      ['/subnets is not a field of Port; did you mean spec.subnet?'],
    ],
    'of a field misspelt': [
      'Port',
      whole('Port', { subnet: 'a', securityGroup: [] }),
      ['/spec/securityGroup is not a field here; did you mean securityGroups?'],
    ],
    'of a field from elsewhere': [
      'Vpc',
      whole('Vpc', { colour: 'blue' }),
      [
        '/spec/colour is not a field here; there are provider, cloud, existing, vni, vlan, defaultSubnet, sharedWith, bgpSessionGroups, egressClass, mtu, broadcast, callbackURL',
      ],
    ],
    'of a word that is none of the choices': [
      'Port',
      whole('Port', { subnet: 'a', type: 'sriov' }),
      ['/spec/type must be one of kernel, dpdk, tap'],
    ],
    'of numbers out of range': [
      'Vpc',
      whole('Vpc', { vni: 0, mtu: 65536 }),
      ['/spec/vni must be from 1 to 16777215', '/spec/mtu must be from 576 to 65535'],
    ],
    'of a number without an upper end': [
      'Notice',
      whole('Notice', {
        of: { kind: 'Vpc', name: 'a', uid: 'u' },
        sequence: 0,
        phase: 'ready',
        time: '2026-11-21T12:00:00Z',
        callbackURL: 'x',
        object: {},
      }),
      ['/spec/sequence must be 1 or more'],
    ],
    'of texts in place of numbers and lists': [
      'Vpc',
      whole('Vpc', { vni: '7', sharedWith: 'a' }),
      ['/spec/vni must be a whole number', '/spec/sharedWith must be a list'],
    ],
    'deep inside a list': [
      'Subnet',
      whole('Subnet', {
        vpc: 'a',
        ipv4: {
          cidr: '10.0.0.0/24',
          pools: [
            { first: '10.0.0.2', last: '10.0.0.3' },
            { first: 2, lst: '10.0.0.9' },
          ],
        },
      }),
      [
        '/spec/ipv4/pools/1/last is required',
        '/spec/ipv4/pools/1/lst is not a field here; did you mean last?',
        '/spec/ipv4/pools/1/first must be a text',
      ],
    ],
    'of texts too short and too long': [
      'Port',
      whole('Port', { subnet: '', mac: '02:00:00:00:00:001' }),
      [
        '/spec/subnet must match ^([a-z0-9]([-a-z0-9]*[a-z0-9])?/)?[a-z0-9]([-a-z0-9.]*[a-z0-9])?$ (Subnet, as name or namespace/name)',
        '/spec/mac must have at most 17 characters, not 18',
      ],
    ],
    'of a namespace where there is none': [
      'SegmentLock',
      { ...whole('SegmentLock', { vni: 7, holder: { kind: 'Vpc', name: 'a', uid: 'u' } }), metadata: { name: 'x', namespace: 'a' } },
      ['/metadata/namespace must be absent: this kind is in no namespace'],
    ],
    'of a status too': [
      'Vpc',
      whole('Vpc', {}, { status: { phase: 'happy' } }),
      ['/status/phase must be one of pending, ready, error, terminating, deleted'],
    ],
    'of a name and of labels': [
      'Vpc',
      { ...whole('Vpc', {}), metadata: { labels: [], lable: {} } },
      [
        '/metadata/name is required, or generateName',
        '/metadata/labels must be an object of texts',
        '/metadata/lable is not a field of metadata; did you mean labels?',
      ],
    ],
    'and nothing where there is none': ['Port', whole('Port', { subnet: 'a/b', ips: ['10.0.0.5'] }), []],
  }
  for (const [name, [kind, object, said]] of Object.entries(cases))
    test(name, () => assert.deepEqual(say(kind, object).sort(), [...said].sort()))

  test('with a pointer that can be followed, whatever a key looks like', () => {
    assert.deepEqual(say('Vpc', whole('Vpc', { 'a/b~c': 1 }))[0]?.split(' ')[0], '/spec/a~1b~0c')
    assert.deepEqual(say('Vpc', whole('Vpc', JSON.parse('{"__proto__": 1, "constructor": 2}'))).length, 2)
  })
})

describe('defaults', () => {
  test('are filled in, inside lists too', () => {
    assert.deepEqual(withDefaults('Port', whole('Port', { subnet: 'a' })).spec, { subnet: 'a', portSecurity: true, type: 'kernel' })
    assert.deepEqual(
      withDefaults('SecurityGroup', whole('SecurityGroup', { rules: [{ direction: 'egress' }, { direction: 'ingress', protocol: 'tcp' }] }))
        .spec,
      {
        rules: [
          { direction: 'egress', etherType: 'IPv4', protocol: 'any' },
          { direction: 'ingress', protocol: 'tcp', etherType: 'IPv4' },
        ],
      },
    )
  })

  test('take the place of null, and a null without one is left out', () => {
    const given = {
      ...whole('Port', { subnet: 'a', type: null, node: null, claim: null }),
      metadata: { name: 'x', creationTimestamp: null },
    }
    const filled = withDefaults('Port', given)
    assert.deepEqual(filled, { ...whole('Port', { subnet: 'a', type: 'kernel', portSecurity: true }) })
    assert.deepEqual(given.spec, { subnet: 'a', type: null, node: null, claim: null }, 'what was given is left as it is')
  })

  test('change nothing that has them already', () => {
    const complete = withDefaults('Port', whole('Port', { subnet: 'a', ips: ['10.0.0.5'] }))
    assert.equal(withDefaults('Port', complete), complete)
  })

  test('leave alone what is no object, and what is not known', () => {
    for (const each of [undefined, null, 7, 'text', [1]]) assert.equal(withDefaults('Port', each), each)
    assert.deepEqual(withDefaults('Vpc', { spec: { colour: null, provider: 'builtin' } }), { spec: { colour: null, provider: 'builtin' } })
  })
})

describe('judge', () => {
  test('names every rule that is broken, and every field that changed', () => {
    const was = whole('Subnet', { vpc: 'a', ipv4: { cidr: '10.0.0.0/24' } })
    const is = whole('Subnet', { vpc: 'b', ipv4: { cidr: '10.0.1.0/24', gateway: '10.0.0.1' } })
    assert.deepEqual(judge('Subnet', is, was), [
      { at: '/spec/ipv4/gateway', message: 'must be an address of the block' },
      { at: '/spec/vpc', message: 'cannot be changed once the object is made' },
      { at: '/spec/ipv4/cidr', message: 'cannot be changed once the object is made' },
    ])
  })

  test('asks nothing of a spec that stays as it is, even where a rule has come since', () => {
    const broken = whole('Subnet', { vpc: 'a' })
    assert.equal(judge('Subnet', broken).length, 1)
    assert.deepEqual(judge('Subnet', whole('Subnet', { vpc: 'a' }, { metadata: { name: 'x', labels: { a: 'b' } } }), broken), [])
  })
})

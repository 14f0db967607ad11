import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import type { Resource } from '../../core/kinds/index.ts'
import { fieldText, parseLabels, selectablePaths } from '../../core/kinds/selector.ts'

describe('a label selector', () => {
  const labels = { app: 'web', tier: '', rank: '7', 'example.org/zone': 'a-1' }
  const holds = [
    '',
    'app=web',
    'app==web',
    'app',
    'tier',
    'tier=',
    'app!=db',
    'zone!=a',
    '!zone',
    'app in (db, web)',
    'app in (web)',
    'app notin (db)',
    'zone notin (a,b)',
    'example.org/zone=a-1',
    'app=web,tier=',
    'app in (db,web),!zone,app!=x',
    ' app = web , tier ',
    'rank>6',
    'rank < 8',
    'app in ( db , web )',
    'tier in ()',
  ]
  const fails = [
    'app=db',
    '!app',
    'zone',
    'app!=web',
    'app in (db)',
    'zone in (a)',
    'app notin (web,db)',
    'tier=x',
    'app=web,zone',
    'tier in (x)',
    'rank>7',
    'rank<7',
    'app>0',
    'absent<1',
  ]
  for (const text of holds) test(`${JSON.stringify(text)} holds`, () => assert.equal(parseLabels(text)?.(labels), true))
  for (const text of fails) test(`${JSON.stringify(text)} does not hold`, () => assert.equal(parseLabels(text)?.(labels), false))
  for (const text of [
    'app=',
    'app in ()',
    ',',
    'app=web,',
    '=web',
    'app in web',
    'app>x',
    'app in (a',
    '!',
    'app=a=b',
    'a b',
    'app=-',
    'a//b',
    '/a',
    'a/',
    'app in (-)',
    'app in (a b)',
    '-a',
  ]) {
    const taken = text === 'app=' || text === 'app in ()'
    test(`${JSON.stringify(text)} is ${taken ? 'one, of the empty value' : 'none'}`, () =>
      assert.equal(parseLabels(text) !== undefined, taken))
  }

  test('is refused however long it is, without every way of reading it being tried', () => {
    for (const text of [`a in (${',  '.repeat(5000)}!`, `a in (${' '.repeat(10_000)}!)`, 'a.'.repeat(8000), `${'a/'.repeat(8000)}=`])
      assert.equal(parseLabels(text), undefined)
  })

  test('is bounded: 4096 characters, names of 63 and prefixes of 253 as Kubernetes has them', () => {
    const long = Array.from({ length: 512 }, (_, i) => `k${String(i).padStart(6, '0')}`).join(',')
    assert.deepEqual([`${long}`.length, parseLabels(long) !== undefined, parseLabels(`${long},k`) !== undefined], [4095, true, false])
    for (const [max, of] of [
      [63, (n: number) => 'a'.repeat(n)],
      [63, (n: number) => `x=${'a'.repeat(n)}`],
      [253, (n: number) => `${'a'.repeat(n)}/b`],
      [63, (n: number) => `x in (${'a'.repeat(n)})`],
    ] as const) {
      assert.deepEqual([parseLabels(of(max)) !== undefined, parseLabels(of(max + 1)) !== undefined], [true, false], of(1))
    }
  })

  test('of several requirements holds where each of them does', () => {
    const word = fc.constantFrom('a', 'b', 'c')
    const part = fc.oneof(
      fc.tuple(word, word).map(([k, v]) => `${k}=${v}`),
      fc.tuple(word, word).map(([k, v]) => `${k}!=${v}`),
      fc.tuple(word, word, word).map(([k, v, w]) => `${k} in (${v},${w})`),
      fc.tuple(word, word, word).map(([k, v, w]) => `${k} notin (${v},${w})`),
      word,
      word.map((k) => `!${k}`),
    )
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 4 }), fc.dictionary(word, word), (parts, given) => {
        assert.equal(
          parseLabels(parts.join(','))?.(given),
          parts.every((each) => parseLabels(each)?.(given) === true),
        )
      }),
    )
  })

  test('that denies holds where the one that affirms does not', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('a', 'b'),
        fc.constantFrom('x', 'y'),
        fc.dictionary(fc.constantFrom('a', 'b'), fc.constantFrom('x', 'y', 'z')),
        (key, value, given) => {
          for (const [yes, no] of [
            [`${key}=${value}`, `${key}!=${value}`],
            [`${key} in (${value},z)`, `${key} notin (${value},z)`],
            [key, `!${key}`],
          ] as const) {
            assert.notEqual(parseLabels(yes)?.(given), parseLabels(no)?.(given))
          }
        },
      ),
    )
  })
})

describe("a field selector's value", () => {
  const port = {
    apiVersion: 'v',
    kind: 'Port',
    metadata: { namespace: 'a', name: 'p' },
    spec: { subnet: 'blue', portSecurity: false, ips: ['10.0.0.1'] },
    status: { vni: 0 },
  } as unknown as Resource<'Port'>
  test('is the text of a scalar, and empty where there is none', () => {
    const values = {
      '.metadata.name': 'p',
      '.spec.subnet': 'blue',
      '.status.vni': '0',
      '.spec.portSecurity': 'false',
      '.spec.node': '',
      '.spec.ips': '',
      '.spec.subnet.x': '',
      '.nothing.at.all': '',
    }
    for (const [path, text] of Object.entries(values)) assert.equal(fieldText(port, path), text, path)
  })
  test('can be asked of names everywhere, and of what the kind says', () => {
    assert.deepEqual(selectablePaths('Port'), [
      '.metadata.name',
      '.metadata.namespace',
      '.spec.node',
      '.spec.migratingTo',
      '.spec.podUID',
      '.spec.subnet',
      '.status.vni',
      '.status.segment',
    ])
    assert.deepEqual(selectablePaths('Pod'), ['.metadata.name', '.metadata.namespace', '.spec.nodeName', '.status.phase'])
    assert.deepEqual(selectablePaths('Node'), ['.metadata.name', '.metadata.namespace'])
  })
})

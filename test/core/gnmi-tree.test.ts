import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encodings, GetResponse, parsePath, valueOf } from '../../core/wire/gnmi/gnmi.ts'
import { treeAt } from '../../core/wire/gnmi/tree.ts'

type PathUpdate = readonly [path: string, value: unknown]
interface Notice {
  readonly prefix?: string
  readonly said: readonly PathUpdate[]
}
/** Through the bytes, as a target would send it. */
const notices = (...all: readonly Notice[]) =>
  GetResponse.decode(
    GetResponse.encode({
      notification: all.map(({ prefix, said }) => ({
        ...(prefix !== undefined && { prefix: parsePath(prefix) }),
        update: said.map(([path, value]) => ({ path: parsePath(path), val: valueOf(value, encodings.JSON_IETF) })),
      })),
    }),
  ).notification
const interfacesPath = parsePath('/interfaces')
const ports = (...names: readonly string[]) => ({ interface: names.map((name) => ({ name })) })

const cases: Readonly<Record<string, readonly [readonly Notice[], unknown]>> = {
  'nothing is nothing': [[], undefined],
  'a notification without an update is nothing': [[{ said: [] }], undefined],
  'one update is what it says, modules and all': [
    [{ said: [['/interfaces', { 'openconfig-interfaces:interface': [] }]] }],
    { 'openconfig-interfaces:interface': [] },
  ],
  'an update without a path is of what was asked': [[{ said: [['', ports('a')]] }], ports('a')],
  'an update of the root holds what was asked': [[{ said: [['', { 'openconfig-interfaces:interfaces': ports('a') }]] }], ports('a')],
  'two notifications of one path are both heard': [
    [{ said: [['/interfaces', ports('a')]] }, { said: [['/interfaces', ports('b')]] }],
    ports('a', 'b'),
  ],
  'entries of a list come one by one': [
    [
      {
        said: [
          ['/interfaces/interface[name=a]', { config: { mtu: 9 } }],
          ['/interfaces/interface[name=b]', {}],
        ],
      },
    ],
    { interface: [{ name: 'a', config: { mtu: 9 } }, { name: 'b' }] },
  ],
  'leaves below a prefix make up their container': [
    [
      {
        prefix: '/interfaces/interface[name=a/1]',
        said: [
          ['/config/mtu', 9],
          ['/config/description', 'x'],
        ],
      },
    ],
    { interface: [{ name: 'a/1', config: { mtu: 9, description: 'x' } }] },
  ],
  'a part of what was said is joined to it': [
    [
      {
        said: [
          ['/interfaces', { interface: [{ name: 'a', config: { mtu: 9 } }] }],
          ['/interfaces/interface[name=a]/state', { up: true }],
        ],
      },
    ],
    { interface: [{ name: 'a', config: { mtu: 9 }, state: { up: true } }] },
  ],
  'a list of values is said whole, the last time counts': [
    [
      {
        said: [
          ['/interfaces/vlans', [1, 2]],
          ['/interfaces/vlans', [3]],
        ],
      },
    ],
    { vlans: [3] },
  ],
  'what stands elsewhere is not taken for it': [[{ said: [['/system/config', { hostname: 'x' }]] }], undefined],
}
for (const [name, [said, is]] of Object.entries(cases))
  test(`of the answer to a Get ${name}`, () => assert.deepEqual(treeAt(interfacesPath, notices(...said)), is))

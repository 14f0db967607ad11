// Which Ports without a pod a Node takes, by its label.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { moveNamedIn, nodeNamedIn, refusalByMove, refusalByNode } from '../../core/admit/object/node-allowances.ts'
import { portsWithoutPodLabel } from '../../core/kinds/annotations.ts'
import type { Resource, SpecOf } from '../../core/kinds/index.ts'

const node = (says?: string) =>
  ({ metadata: { name: 'n1', ...(says !== undefined && { labels: { [portsWithoutPodLabel]: says } }) } }) as unknown as Resource<'Node'>
const bare: SpecOf<'Port'> = { subnet: 's', node: 'n1' }
const addressed: SpecOf<'Port'> = { ...bare, addressed: true }

/** What, where, and the field at fault. */
const cases: Readonly<Record<string, readonly [SpecOf<'Port'>, Resource<'Node'> | undefined, string | undefined]>> = {
  'MAC and name where it takes those': [bare, node('bare'), undefined],
  'MAC and name where it takes addresses too': [bare, node('addressed'), undefined],
  'addresses where it takes those': [addressed, node('addressed'), undefined],
  'no addresses where it takes only MAC and name': [addressed, node('bare'), '/spec/addressed'],
  'nothing where it says nothing': [bare, node(), '/spec/node'],
  'nothing where it says another word': [bare, node('yes'), '/spec/node'],
  'nothing where it says no word': [addressed, node(''), '/spec/node'],
  'nothing where it is not there': [bare, undefined, '/spec/node'],
}

describe('a node takes of Ports without a pod', () => {
  for (const [what, [spec, there, at]] of Object.entries(cases)) test(what, () => assert.equal(refusalByNode(spec, there)?.at, at))
  test('says of a node that is not there what it says of one that takes nothing', () =>
    assert.deepEqual(refusalByNode(bare, undefined), refusalByNode(bare, node())))
  test('is asked where a Port names it, and nowhere else', () =>
    assert.deepEqual(
      [
        { kind: 'Port', spec: bare },
        { kind: 'Port', spec: { subnet: 's' } },
        { kind: 'L2Service', spec: { node: 'n1' } },
      ].map(nodeNamedIn),
      ['n1', undefined, undefined],
    ))

  const vpc = (spec: object): Resource<'Vpc'> => ({ metadata: { name: 'v' }, spec }) as unknown as Resource<'Vpc'>
  const moving: SpecOf<'Port'> = { ...bare, type: 'tap', migratingTo: 'n2' }
  const claim = { pod: 'p', nic: 'eth0', owner: 'Pod/p', podUID: 'u' }
  const moves: Readonly<Record<string, readonly [SpecOf<'Port'>, Resource<'Node'> | undefined, object, RegExp | undefined]>> = {
    'a VM where it takes Ports without a pod': [moving, node('bare'), {}, undefined],
    'no VM where it takes none': [moving, node(), {}, /takes no Ports without a pod/],
    'no VM where it is not there': [moving, undefined, {}, /takes no Ports without a pod/],
    "no pod's VM": [{ ...moving, claim }, node('bare'), {}, /a pod has the Port/],
    'a VM of a cloud that binds a port to two nodes': [moving, node('bare'), { provider: 'neutron', cloud: 'c' }, undefined],
    'no VM of a cloud that binds it to one': [
      moving,
      node('bare'),
      { provider: 'alcor', cloud: 'c' },
      /provider alcor: it binds a port to one/,
    ],
    'no VM of a VLAN': [moving, node('bare'), { vlan: { physicalNetwork: 'p', id: 7 } }, /in a VLAN, as Vpc v is one/],
  }
  for (const [what, [spec, there, of, why]] of Object.entries(moves))
    test(what, () => {
      const { at, message } = refusalByMove(spec, there, vpc(of)) ?? {}
      assert.deepEqual([at, why?.test(message ?? '')], why === undefined ? [undefined, undefined] : ['/spec/migratingTo', true], message)
    })
  test('is asked of a move where it begins', () =>
    assert.deepEqual(
      [undefined, { spec: bare }, { spec: moving }].map((old) => moveNamedIn({ kind: 'Port', spec: moving }, old)),
      ['n2', 'n2', undefined],
    ))
})

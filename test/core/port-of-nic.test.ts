// Which Port is a Nic's to have, and in which words another is not.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { portNameFor, whyNotPortOf } from '../../core/admit/pod/port-of-nic.ts'
import type { ResolvedNic } from '../../core/admit/network-view.ts'
import type { Resource, SpecOf } from '../../core/kinds/index.ts'

const pod = { metadata: { namespace: 'a', name: 'web', uid: 'u1' } } as Resource<'Pod'>
const nic = { name: 'net1', subnet: { namespace: 'a', name: 'one' } } as ResolvedNic
const claim = { pod: 'web', nic: 'net1', owner: 'Pod/web', podUID: 'u1' }
const named = portNameFor(nic, pod)

interface Case {
  readonly metadata?: { readonly namespace?: string; readonly name?: string }
  readonly spec?: Partial<SpecOf<'Port'>>
  readonly nic?: Partial<ResolvedNic>
  readonly says: RegExp | undefined
}
const cases: Readonly<Record<string, Case>> = {
  'the one that is made for it': { says: undefined },
  'one that it names': { metadata: { name: 'mine' }, nic: { portName: 'mine' }, says: undefined },
  'one of a Subnet of another namespace, where the NIC asks for that': {
    spec: { subnet: 'b/one' },
    nic: { subnet: { namespace: 'b', name: 'one' } },
    says: undefined,
  },
  'not one of another namespace': { metadata: { namespace: 'b' }, says: /another Port/ },
  'not one of another name': { metadata: { name: 'forged' }, says: /another Port/ },
  'not the one of its derived name, where it names another': { nic: { portName: 'mine' }, says: /another Port/ },
  'not one in another Subnet': { spec: { subnet: 'two' }, says: /in Subnet two, and the NIC asks for one/ },
  'not one of a Subnet of the same name elsewhere': { spec: { subnet: 'b/one' }, says: /in Subnet b\/one/ },
  'not one that nobody claims': { spec: { claim: undefined as never }, says: /nobody has claimed/ },
  'not one that says the pod alone': { spec: { claim: undefined as never, podUID: 'u1' }, says: /nobody has claimed/ },
  'not one of another pod': { spec: { claim: { ...claim, pod: 'other' } }, says: /claimed for NIC net1 of pod other/ },
  'not one of a pod that had its name': { spec: { claim: { ...claim, podUID: 'u0' } }, says: /claimed for/ },
  'not one of another of its NICs': { spec: { claim: { ...claim, nic: 'net2' } }, says: /claimed for NIC net2/ },
  'not one that the pod before has still': { spec: { podUID: 'u0' }, says: /not let it go/ },
}

describe('a NIC has', () => {
  for (const [what, { metadata, spec, nic: more, says }] of Object.entries(cases)) {
    test(what, () => {
      const port = {
        metadata: { namespace: 'a', name: named, ...metadata },
        spec: { subnet: 'one', claim, podUID: 'u1', ...spec },
      } as Resource<'Port'>
      const why = whyNotPortOf(port, { ...nic, ...more }, pod)
      if (says === undefined) assert.equal(why, undefined)
      else assert.match(why ?? '', says)
    })
  }
})

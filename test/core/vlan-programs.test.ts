// Programs for VLANs as instructions; whether they do what they should is the kernel's to say (test/node/linux-vlan.test.ts).
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { programOf, vlansName } from '../../core/linux/vlan-programs.ts'
import { assemble, exit, jump, set } from '../../core/wire/netlink/bpf.ts'

const instructions = (bytes: Uint8Array): number => bytes.length / 8

test("a port's VLANs have one name, as people write them, and a short one where they are very many", () => {
  assert.equal(vlansName({ mode: 'access', vlans: [100] }), 'access 100')
  assert.equal(vlansName({ mode: 'tagged', vlans: [100, 200, 201, 202, 4094] }), 'tagged 100,200-202,4094')
  assert.equal(vlansName({ mode: 'tagged', vlans: 'all' }), 'tagged all')
  const every = (step: number): number[] => Array.from({ length: 1000 }, (_, i) => 1 + i * step)
  assert.notEqual(vlansName({ mode: 'tagged', vlans: every(2) }), vlansName({ mode: 'tagged', vlans: every(3) }))
  assert.ok(vlansName({ mode: 'tagged', vlans: every(2) }).length < 250)
})

test('VLANs in a row cost a program as much as one, and access as little as it can', () => {
  const row = Array.from({ length: 500 }, (_, i) => 100 + i)
  for (const way of ['in', 'out'] as const) {
    assert.equal(instructions(programOf({ mode: 'tagged', vlans: row }, way)), instructions(programOf({ mode: 'tagged', vlans: [7] }, way)))
    assert.ok(instructions(programOf({ mode: 'access', vlans: [7] }, way)) <= 12)
  }
})

test('jumps lead to what is behind their label, and one that leads nowhere is no program', () => {
  const bytes = assemble([jump('end'), set(0, 1), { label: 'end' }, exit])
  assert.deepEqual([bytes[0], bytes[2]], [0x05, 1])
  assert.throws(() => assemble([jump('nowhere'), exit]), RangeError)
  assert.throws(() => assemble([{ label: 'back' }, exit, jump('back')]), RangeError)
})

import assert from 'node:assert/strict'
import { appendFile, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import { thisDisk } from '../../agent/ledger/disk.ts'
import { Ledger } from '../../agent/ledger/ledger.ts'
import { wayNumberKey, wiredKey, zoneKey, type Wired } from '../../agent/ledger/record.ts'
import { silentLog } from '../../platform/log.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mz-ledger-'))
})
afterEach(() => rm(folder, { recursive: true }))

const open = (boot = 'one', node = 'n1'): Promise<Ledger> =>
  Ledger.open({ disk: thisDisk, folder, node, log: silentLog(), now: () => 7, boot })
const file = (): string => join(folder, 'ledger.jsonl')
const uids = (ledger: Ledger): string[] => [...ledger.wired()].map(({ port }) => port.uid).sort()

function wired(uid: string, containerID: string, number: number): Wired {
  const port = {
    uid,
    of: { kind: 'Port', name: uid },
    number,
    ifcName: `mgz${uid}`,
    attachment: { kind: 'vni', vni: 5 },
    mac: '02:00:00:00:00:01',
    addresses: [],
    allowedAddressPairs: [],
    portSecurity: true,
    type: 'kernel',
    mtu: 1400,
  } as const
  return { containerID, ifname: 'eth0', port, inside: { ifname: 'eth0', addresses: [], routes: [] }, vpcNamespace: 'a' }
}

test('what was put is there for the next agent, and what was dropped is not', async () => {
  const first = await open()
  await first.put(wired('a', 'c1', 1))
  await first.put(wired('b', 'c2', 2))
  await first.drop(wired('a', 'c1', 1))
  await first.close()
  const next = await open()
  assert.deepEqual(uids(next), ['b'])
  assert.equal(next.numberFor('b'), 2)
  await next.close()
})

test('a file that was written before any piece had a line in it is gone on with as it is', async () => {
  const lines = [
    { megrez: 'ledger', version: 1, node: 'n1', boot: 'one' },
    { put: wiredKey(wired('a', 'c1', 1)), value: wired('a', 'c1', 1) },
    {
      put: 'sandbox/c1/eth0',
      value: { containerID: 'c1', ifname: 'eth0', netns: '/run/netns/c1', pod: { namespace: 'a', name: 'p', uid: 'u' } },
    },
    { put: 'note/tunnel address', value: '192.0.2.1' },
  ]
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('')
  await writeFile(file(), text)
  const ledger = await open()
  assert.deepEqual(
    [uids(ledger), ledger.sandbox('c1', 'eth0')?.netns, ledger.noted('tunnel address'), ledger.isComplete, [...ledger.pieces('Port')]],
    [['a'], '/run/netns/c1', '192.0.2.1', true, []],
  )
  await ledger.close()
  assert.equal(await readFile(file(), 'utf8'), text)
})

test("what was begun is known at once, and written no later than the line behind it, or the ledger's end", async () => {
  const first = await open()
  first.begin(wired('a', 'c1', 1))
  assert.deepEqual(uids(first), ['a'])
  await first.putSandbox({ containerID: 'c1', ifname: 'eth0', netns: '/run/netns/x', pod: { namespace: 'a', name: 'web', uid: 'u' } })
  const lines = (await readFile(file(), 'utf8'))
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => (JSON.parse(line) as { put: string }).put)
  assert.deepEqual(lines, ['wired/c1/eth0', 'sandbox/c1/eth0'])
  first.begin(wired('b', 'c2', 2))
  await first.close()
  const next = await open()
  assert.deepEqual(uids(next), ['a', 'b'])
  await next.close()
})

test('another boot has none of its sandboxes', async () => {
  const first = await open()
  await first.put(wired('a', 'c1', 1))
  await first.close()
  const next = await open('two')
  assert.deepEqual(uids(next), [])
  await next.close()
})

test('a line that was cut off was never acknowledged, and costs nothing else', async () => {
  const first = await open()
  await first.put(wired('a', 'c1', 1))
  await first.close()
  await appendFile(file(), '{"put":"wired/c2/eth0","value":{"contai')
  const next = await open()
  assert.deepEqual(uids(next), ['a'])
  await next.close()
  assert.deepEqual(
    (await readdir(folder)).filter((name) => name.includes('broken')),
    [],
  )
})

test('a file with broken lines is set aside, and what can be read of it is kept', async () => {
  const first = await open()
  await first.put(wired('a', 'c1', 1))
  await first.put(wired('b', 'c2', 2))
  await first.close()
  const lines = (await readFile(file(), 'utf8')).split('\n')
  await writeFile(file(), [lines[0], 'what is this', ...lines.slice(1)].join('\n'))
  const next = await open()
  assert.deepEqual(uids(next), ['a', 'b'])
  await next.close()
  assert.deepEqual(
    (await readdir(folder)).filter((name) => name.includes('broken')),
    ['ledger.jsonl.broken-7'],
  )
})

test('one of another version or node name is read, and what cannot be read of it is known to be missing', async () => {
  const first = await open('one', 'old')
  await first.put(wired('a', 'c1', 1))
  await first.close()
  const renamed = await open('one', 'new')
  assert.deepEqual([uids(renamed), renamed.isComplete, renamed.formerNode], [['a'], true, 'old'])
  await renamed.close()
  const [head, ...lines] = (await readFile(file(), 'utf8')).split('\n')
  const later = { ...(JSON.parse(head!) as object), version: 2, more: true }
  await writeFile(
    file(),
    [JSON.stringify(later), ...lines.slice(0, -1), JSON.stringify({ put: 'wired/c9/eth0', value: { said: 'otherwise' } }), ''].join('\n'),
  )
  for (let life = 0; life < 2; life++) {
    const next = await open('one', 'new')
    assert.deepEqual([uids(next), next.isComplete, next.formerNode], [['a'], false, 'old'])
    await next.close()
  }
  const booted = await open('two', 'new')
  assert.deepEqual([uids(booted), booted.isComplete, booted.formerNode], [[], true, undefined])
  await booted.close()
})

test("one whose head was lost is not taken for another life's", async () => {
  const first = await open()
  await first.put(wired('a', 'c1', 1))
  await first.close()
  const lines = (await readFile(file(), 'utf8')).split('\n')
  await writeFile(file(), ['{"megrez":"led', ...lines.slice(1)].join('\n'))
  const next = await open()
  assert.deepEqual([uids(next), next.isComplete], [['a'], false])
  await next.close()
})

test('a line that was cut off is cut away, and the next one stands by itself', async () => {
  const first = await open()
  await first.put(wired('a', 'c1', 1))
  await first.close()
  await appendFile(file(), '{"put":"wired/c2/eth0","value":{"contai')
  const next = await open()
  await next.put(wired('b', 'c2', 2))
  await next.close()
  const last = await open()
  assert.deepEqual([uids(last), last.isComplete], [['a', 'b'], true])
  await last.close()
})

test("a Port is in one sandbox: the later one takes it, and the earlier one's end does not take it away", async () => {
  const ledger = await open()
  await ledger.put(wired('a', 'old', 1))
  await ledger.put(wired('a', 'new', 1))
  assert.deepEqual(
    [...ledger.wired()].map(({ containerID }) => containerID),
    ['new'],
  )
  await ledger.drop(wired('a', 'old', 1))
  assert.equal(ledger.wiredOf('a')?.containerID, 'new')
  await ledger.close()
})

test('numbers are given to one Port at a time, and come round late', async () => {
  const ledger = await open()
  const [one, two] = [ledger.numberFor('a'), ledger.numberFor('b')]
  assert.deepEqual([one, two, ledger.numberFor('a')], [1, 2, 1])
  ledger.forgetNumbers('a')
  assert.equal(ledger.numberFor('c'), 3)
  await ledger.close()
})

test('numbers beside that of a Port are kept over a restart, and given back with their VLAN, or with the Port', async () => {
  const ledger = await open()
  const { port, ...rest } = wired('a', 'c1', ledger.numberFor('a'))
  const inVlans = (...vlans: number[]): Wired => {
    const wayNumber = ledger.numberFor(wayNumberKey('a'))
    return { ...rest, port: { ...port, wayNumber, zones: vlans.map((vlan) => ({ vlan, number: ledger.numberFor(zoneKey('a', vlan)) })) } }
  }
  await ledger.put(inVlans(100, 200))
  await ledger.close()
  const again = await open()
  const numbers = (): readonly number[] => [wayNumberKey('a'), zoneKey('a', 100), zoneKey('a', 200)].map((key) => again.numberFor(key))
  assert.deepEqual(numbers(), [2, 3, 4])
  await again.put({ ...rest, port: { ...port, wayNumber: 2, zones: [{ vlan: 200, number: 4 }] } })
  assert.equal(again.numberFor('b'), 3)
  await again.drop(again.wiredOf('a')!)
  assert.equal(again.numberFor('c'), 4)
  await again.close()
})

test('it is written anew before it grows without end', async () => {
  const ledger = await open()
  for (let i = 0; i < 1_500; i++) void ledger.put(wired('a', 'c1', 1))
  await ledger.put(wired('a', 'c1', 1))
  for (let i = 0; i < 600; i++) await ledger.put(wired('a', 'c1', 1))
  await ledger.close()
  assert.ok((await readFile(file(), 'utf8')).split('\n').length < 1_100)
  const next = await open()
  assert.deepEqual(uids(next), ['a'])
  await next.close()
})

test("a ledger is one agent's at a time: another is refused until it is closed, and nobody keeps it who could not open it", async () => {
  const first = await open()
  await assert.rejects(open(), /the ledger in .* belongs to another agent, which still runs/)
  await first.close()
  const next = await open()
  await next.close()
})

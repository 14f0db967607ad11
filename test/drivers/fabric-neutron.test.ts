import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { retryOf, SwitchRefused, SwitchUnreachable } from '../../core/errors.ts'
import type { VlanId } from '../../core/net/segment.ts'
import { realClock } from '../../platform/clock.ts'
import { HttpClient } from '../../platform/http/client.ts'
import { NeutronApi, type NeutronOptions } from '../../workers/drivers/fabric/neutron-api.ts'
import { neutronTrunk } from '../../workers/drivers/fabric/neutron-trunk.ts'
import { driverLaws } from '../laws/driver.ts'
import { journeys, linesOf, scope, wants } from './fabric-wants.ts'
import { neutronDouble } from './neutron-double.ts'

const signal = new AbortController().signal
const random = (): number => 0.5
const apiOf = (url: string, more: Partial<NeutronOptions> = {}): NeutronApi =>
  new NeutronApi({ url, clock: realClock, random, credentials: {}, ...more })
const http = new HttpClient({ clock: realClock, timeoutMs: 30_000, answerMaxBytes: 2 ** 20 })
after(() => http.close())
/** Each request is a step on the way there and back. */
const askBy =
  (way: () => Promise<void>): NonNullable<NeutronOptions['ask']> =>
  async (request, until) => {
    await way()
    const answer = await http.ask(request, until)
    await way()
    return answer
  }

driverLaws('neutron-trunk', {
  journeys,
  async open() {
    const double = await neutronDouble({ names: ['a', 'b', 'c', 'theirs'] })
    double.trunks.get('id-theirs')!.sub_ports.push({ port_id: 'foreign', segmentation_type: 'vlan', segmentation_id: 100 })
    double.trunks.get('id-b')!.sub_ports.push({ port_id: 'foreign-b', segmentation_type: 'vlan', segmentation_id: 7 })
    const driverBy = (way = () => Promise.resolve()): ReturnType<typeof neutronTrunk> =>
      neutronTrunk(apiOf(double.url, { ask: askBy(way) }), { owner: 'megrez' })
    const driver = driverBy()
    return {
      instance: (through) => Promise.resolve({ driver: driverBy(through?.way), wants }),
      ours: async () => [...linesOf(await driver.observe(scope, signal)), `${double.ports.size} ports`],
      theirs: () =>
        Promise.resolve(
          [...double.trunks.values()].flatMap((trunk) =>
            trunk.sub_ports.filter((each) => each.port_id.startsWith('foreign')).map((each) => `${trunk.name} ${each.segmentation_id}`),
          ),
        ),
      close: () => double.close(),
    }
  },
})

test('neutron-trunk leaves no port behind, and gets a token where one is needed', async () => {
  const double = await neutronDouble({ names: ['a'], password: 'secret' })
  try {
    const credentials = { username: 'megrez', password: 'secret', project: 'infra', domain: 'Default' }
    const driver = neutronTrunk(apiOf(double.url, { identity: double.url, credentials }), { owner: 'megrez' })
    const change = { on: 'a', vlan: 100 as VlanId, of: 't' }
    await driver.apply({ do: 'setVlans', changes: [{ do: 'open', ...change }] }, signal)
    assert.equal(double.ports.size, 1)
    double.tokens.clear()
    await driver.apply({ do: 'setVlans', changes: [{ do: 'close', ...change }] }, signal)
    assert.deepEqual([double.ports.size, double.trunks.get('id-a')!.sub_ports], [0, []])
  } finally {
    await double.close()
  }
})

test('neutron-trunk refuses a VLAN that no network has, by its number', async () => {
  const double = await neutronDouble({ names: ['a'], without: [100] })
  try {
    const driver = neutronTrunk(apiOf(double.url), { owner: 'megrez' })
    await assert.rejects(
      driver.apply({ do: 'setVlans', changes: [{ do: 'open', on: 'a', vlan: 100 as VlanId, of: 't' }] }, signal),
      (err) => err instanceof SwitchRefused && /no network with VLAN 100/.test(err.message),
    )
  } finally {
    await double.close()
  }
})

test('neutron-trunk tries again later where the cloud is busy or broken, and not where it refuses', async () => {
  const double = await neutronDouble({ names: ['a'] })
  try {
    for (const [status, kind, retry] of [
      [429, SwitchUnreachable, 'later'],
      [503, SwitchUnreachable, 'later'],
      [403, SwitchRefused, 'never'],
    ] as const) {
      const driver = neutronTrunk(apiOf(double.url), { owner: 'megrez' })
      double.busy.push(...Array<number>(8).fill(status))
      const err: unknown = await driver.observe(scope, signal).catch((thrown: unknown) => thrown)
      double.busy.length = 0
      assert.ok(err instanceof kind, String(err))
      assert.match(err.message, new RegExp(`${status}.*not now`))
      assert.equal(retryOf(err), retry)
    }
  } finally {
    await double.close()
  }
})

type Double = Awaited<ReturnType<typeof neutronDouble>>
type Options = Parameters<typeof neutronDouble>[0]
async function onDouble(
  options: Options,
  run: (double: Double, driverOf: (physicalNetwork?: string) => ReturnType<typeof neutronTrunk>) => Promise<void>,
): Promise<void> {
  const double = await neutronDouble(options)
  try {
    await run(double, (physicalNetwork) => neutronTrunk(apiOf(double.url), { owner: 'megrez', physicalNetwork }))
  } finally {
    await double.close()
  }
}
const open = (on: string, vlan = 100, of = 't') => ({ do: 'open' as const, on, vlan: vlan as VlanId, of })
const set = (...changes: (Omit<ReturnType<typeof open>, 'do'> & { do: 'open' | 'close' })[]) => ({ do: 'setVlans' as const, changes })
const joined = (double: Double, trunk: string): string[] =>
  double.trunks.get(trunk)!.sub_ports.map(({ port_id: id, segmentation_id: vlan }) => `${vlan} ${double.ports.get(id)?.network_id}`)
/** A sub-port that somebody else has put into a trunk. */
function theirs(double: Double, trunk: string, network: string): void {
  double.ports.set('theirs', { id: 'theirs', name: '', description: '', network_id: network, device_owner: 'trunk:subport' })
  double.trunks.get(trunk)!.sub_ports.push({ port_id: 'theirs', segmentation_type: 'vlan', segmentation_id: 100 })
}
const two = { names: ['a', 'b'], physicalNetworks: ['one', 'two'] }

test('neutron-trunk opens a VLAN on the network of its physical network, and of two that have the number on none unless told which', () =>
  onDouble(two, async (double, driverOf) => {
    await driverOf('two').apply(set(open('a')), signal)
    await driverOf('one').apply(set(open('b')), signal)
    assert.deepEqual([joined(double, 'id-a'), joined(double, 'id-b')], [['100 net-two-100'], ['100 net-one-100']])
    await assert.rejects(
      driverOf().apply(set(open('a', 200)), signal),
      (err) => err instanceof SwitchRefused && /net-one-200 and net-two-200 both have VLAN 200/.test(err.message),
    )
    assert.equal(double.ports.size, 2)
  }))

test('neutron-trunk sees and closes what is on its physical network only, also in a trunk that carries two', () =>
  onDouble(two, async (double, driverOf) => {
    await driverOf('one').apply(set(open('a', 100)), signal)
    await driverOf('two').apply(set(open('a', 200)), signal)
    const seen = (await driverOf('one').observe({ ports: ['a'] }, signal)).get('a')!
    assert.deepEqual([[...seen.ours.keys()], [...seen.others]], [[100], []])
    await driverOf('one').apply(set({ ...open('a', 100), do: 'close' }, { ...open('a', 200), do: 'close' }), signal)
    assert.deepEqual(joined(double, 'id-a'), ['200 net-two-200'])
  }))

test('neutron-trunk takes a number that leads to another network for no VLAN that is open, and says which port has it', () =>
  onDouble(two, async (double, driverOf) => {
    theirs(double, 'id-a', 'net-two-100')
    assert.deepEqual([...(await driverOf('one').observe({ ports: ['a'] }, signal)).get('a')!.others], [])
    assert.deepEqual([...(await driverOf('two').observe({ ports: ['a'] }, signal)).get('a')!.others], [100])
    await assert.rejects(
      driverOf('one').apply(set(open('a')), signal),
      (err) => err instanceof SwitchRefused && /trunk id-a has VLAN 100 by port theirs/.test(err.message),
    )
    assert.deepEqual(joined(double, 'id-a'), ['100 net-two-100'])
  }))

test('neutron-trunk finds a trunk by its id, or by a name that no other has; what it has opened stays its own when a namesake comes', () =>
  onDouble({ names: ['a'] }, async (double, driverOf) => {
    const driver = driverOf()
    await driver.apply(set(open('a', 100)), signal)
    double.trunks.set('id-rogue', { id: 'id-rogue', name: 'a', sub_ports: [] })
    double.trunks.set('a-by-name', { id: 'a-by-name', name: 'id-a', sub_ports: [] })
    const seen = await driver.observe({ ports: ['a', 'id-a'] }, signal)
    assert.deepEqual(
      [...seen].map(([on, { mode, ours, others }]) => [on, mode, [...ours.keys()], [...others]]),
      [
        ['a', 'absent', [100], []],
        ['id-a', 'trunk', [], [100]],
      ],
    )
    await assert.rejects(driver.apply(set(open('a', 200)), signal), /id-a and id-rogue are both named a/)
    await driver.apply(set(open('id-a', 300)), signal)
    assert.deepEqual(
      [joined(double, 'id-a'), joined(double, 'id-rogue'), joined(double, 'a-by-name')],
      [['100 net-physnet-100', '300 net-physnet-300'], [], []],
    )
    await driver.apply(set({ ...open('a', 100), do: 'close' }), signal)
    assert.deepEqual([joined(double, 'id-a'), double.ports.size], [['300 net-physnet-300'], 1])
  }))

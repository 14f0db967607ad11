// What Neutron itself tells Megrez of its ports, by its notifier of Nova, over HTTPS, with a token of its service user.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { pathOf } from '../../cli/demo/rest.ts'
import type { NeutronPort } from '../../lab/openstack/caller.ts'
import { realClock } from '../../platform/clock.ts'
import { HttpClient } from '../../platform/http/client.ts'
import { until } from '../setup/until.ts'
import type { NeutronWorld } from './lab.ts'
import { cloudSpec, namespace, type OurPort, type PodsOfCloud } from './pods.ts'

/** The Cloud that Neutron tells of its ports, those of other Clouds among them. */
export const eventCloud = 'with-events'

export function eventTests(cloud: PodsOfCloud): void {
  const { make, world } = cloud
  const port = async (): Promise<OurPort> => (await cloud.ours()).find(({ spec }) => spec.claim?.pod === eventCloud)!
  /** How many events came to this. */
  const counted = async (result: string): Promise<number> => {
    const text = await (await fetch(`${cloud.agents().server.url}/metrics`)).text()
    return Number(new RegExp(`megrez_cloud_events_total\\{cloud="${eventCloud}",result="${result}"\\} (\\d+)`).exec(text)?.[1] ?? 0)
  }

  test('Neutron tells that a port is plugged in, and that one is deleted: the Port is looked at then, and not when its time comes', async (t) => {
    await make('Cloud', '/v1/clouds', eventCloud, { ...cloudSpec(world()), events: {} })
    await make('Vpc', pathOf('Vpc', namespace), eventCloud, { provider: 'neutron', cloud: eventCloud })
    await make('Subnet', pathOf('Subnet', namespace), eventCloud, { vpc: eventCloud, ipv4: { cidr: '10.16.0.0/24' } })
    // Nobody starts it: its node never plugs it in, and never tells of it.
    await cloud.agents().pod(cloud.nodes()[0]!, eventCloud, {
      'megrez.io/vpc': eventCloud,
      'megrez.io/nics': JSON.stringify([{ name: 'eth0', subnet: eventCloud }]),
    })
    await until(async () => /has still to plug it in/.test((await port())?.status?.message ?? ''), 'it is bound', 60_000)
    const { providerID } = (await port()).status!
    const there = await world().admin.get<NeutronPort>(`ports/${providerID}`)
    const before = await counted('looked')
    await world().plug(world().hosts[0], there, 1442)
    const isActive = async (): Promise<boolean> => (await world().admin.get<NeutronPort>(`ports/${there.id}`)).status === 'ACTIVE'
    await until(isActive, 'Neutron has activated it', 30_000)
    const began = performance.now()
    // It would be looked at after half a minute.
    await until(async () => (await port()).status?.phase === 'ready', 'the Port is ready', 8_000)
    t.diagnostic(`ready ${Math.round(performance.now() - began)} ms after it was seen ACTIVE`)
    assert.ok((await counted('looked')) > before, 'by what Neutron has told')

    await world().admin.delete(`ports/${there.id}`)
    // A Port that is ready is looked at after five minutes.
    await until(async () => ![undefined, there.id].includes((await port()).status?.providerID), 'it has another port', 30_000)
    assert.equal((await counted('unauthorized')) + (await counted('forbidden')) + (await counted('invalid')), 0)
  })

  test('tenants of the same Keystone, and whoever shows a token that it has revoked, are not heard', async () => {
    const { nova, keystone } = world()
    const { url, token } = keystone!
    const { providerID } = (await port()).status!
    const statusOf = (shown: string): Promise<number> => postEvent(nova!, shown, providerID!)
    assert.equal(await statusOf(await token('tenant-a')), 403)
    const revoked = await token('neutron')
    const headers = { 'x-auth-token': await token('admin'), 'x-subject-token': revoked }
    assert.equal((await fetch(`${url}/auth/tokens`, { method: 'DELETE', headers })).status, 204)
    assert.equal(await statusOf(revoked), 401)
    assert.equal(await statusOf(await token('neutron')), 200)
    for (const kind of ['Pod', 'Subnet', 'Vpc'] as const) await cloud.agents().rest.remove(pathOf(kind, namespace, eventCloud))
  })
}

async function postEvent({ l4Port, caFile }: NonNullable<NeutronWorld['nova']>, token: string, port: string): Promise<number> {
  const http = new HttpClient({ clock: realClock, timeoutMs: 20_000, tls: { ca: await readFile(caFile, 'utf8') } })
  const { status } = await http.ask({
    method: 'POST',
    url: `https://127.0.0.1:${l4Port}/clouds/${eventCloud}/v2.1/os-server-external-events`,
    headers: { 'content-type': 'application/json', 'x-auth-token': token },
    body: JSON.stringify({ events: [{ name: 'network-changed', server_uuid: port, tag: port }] }),
  })
  await http.close()
  return status
}

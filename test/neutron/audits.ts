// megrez audit --repair on a real Neutron. A repair waits until nothing that was asked can land any more: other tests go between.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pathOf } from '../../cli/demo/rest.ts'
import type { NeutronPort } from '../../lab/openstack/caller.ts'
import { madeFor, marked, nameOf } from '../../workers/drivers/cloud/neutron/owner.ts'
import type { CommandOutput } from '../cli/command-output.ts'
import { until } from '../setup/until.ts'
import { megrez } from './megrez.ts'
import { namespace, type OurPort, type PodsOfCloud } from './pods.ts'

const kept = 'kept'
const triesMost = 3

/** @returns what is tested once other tests have run */
export function auditTests(cloud: PodsOfCloud): { endTests(): void } {
  const { make, world } = cloud
  const ids = new Map<string, string>()
  let network = ''
  let repairing: Promise<CommandOutput>
  const port = async (name: string): Promise<OurPort | undefined> => (await cloud.ours()).find(({ metadata }) => metadata.name === name)
  const there = async (name: string): Promise<(NeutronPort & { readonly description: string }) | undefined> => {
    const { status, body } = await world().admin.ask('GET', `ports/${ids.get(name)}`)
    return status === 404 ? undefined : (body['port'] as NeutronPort & { readonly description: string })
  }

  /** A worker that happens to look at the Port before the audit does has made it another: then that one is lost. */
  async function auditOfLost(): Promise<CommandOutput> {
    for (let tries = 1; ; tries++) {
      const id = (await port('lost'))!.status!.providerID!
      ids.set('lost', id)
      await world().admin.delete(`ports/${id}`)
      const output = await megrez(cloud, 'audit', '--cloud', 'c')
      if (output.out.includes(id) || tries === triesMost) return output
      await until(async () => ![undefined, id].includes((await port('lost'))?.status?.providerID), 'the Port has another port', 60_000)
    }
  }

  test('an Audit finds at Neutron what is left of objects that are gone, and what a Port has no longer; without repair it changes nothing', async () => {
    await make('Vpc', pathOf('Vpc', namespace), kept, { provider: 'neutron', cloud: 'c' })
    await make('Subnet', pathOf('Subnet', namespace), kept, { vpc: kept, ipv4: { cidr: '10.15.0.0/24' } })
    await make('Port', pathOf('Port', namespace), 'lost', { subnet: kept })
    await until(async () => (await port('lost'))?.status?.phase === 'ready', 'the Port is at Neutron', 60_000)
    const { uid } = (await cloud.agents().rest.call('GET', '/v1/clouds/c')).body.metadata
    const user = await world().as('tenant-a')
    network = (await user.post<NeutronPort>('networks', { network: { name: 'of-users' } })).id
    const put = async (name: string, more: object): Promise<void> =>
      void ids.set(name, (await user.post<NeutronPort>('ports', { port: { network_id: network, name, ...more } })).id)
    const of = (owner: string, installation: string): { readonly description: string } => ({
      description: madeFor({ kind: 'Port', namespace, name: 'gone', uid: owner }, installation),
    })
    await put('orphan', { name: nameOf('nobody'), ...of('nobody', uid) })
    await put('adopted', { description: marked('as it was', { uid: 'nobody-either', installation: uid }) })
    await put('of others', { name: nameOf('somebody'), ...of('somebody', 'another-installation') })
    await put('of nobody', {})
    const { exit, out, err } = await auditOfLost()
    assert.equal(exit, 1, err)
    const found = [...ids].map(([name, id]) => [name, /^\w+(?=:)/.exec(out.split('\n').find((line) => line.includes(id)) ?? '')?.[0]])
    assert.deepEqual(Object.fromEntries(found), {
      lost: 'missing',
      orphan: 'orphan',
      adopted: 'orphan',
      'of others': undefined,
      'of nobody': undefined,
    })
    assert.ok((await there('orphan')) !== undefined && (await there('adopted'))!.description !== 'as it was')
    repairing = megrez(cloud, 'audit', '--cloud', 'c', '--repair')
  })

  return {
    endTests: () =>
      void test('with --repair an orphan is deleted, an adopted one let go, a missing port made again, and what is of others stays', async () => {
        const { out, err } = await repairing
        for (const name of ['orphan', 'adopted', 'lost'])
          assert.match(out, new RegExp(`${ids.get(name)}\\b.*: gone$`, 'm'), `${name}: ${out} ${err}`)
        assert.deepEqual([await there('orphan'), (await there('adopted'))!.description], [undefined, 'as it was'])
        assert.match((await there('of others'))!.description, /somebody@another-installation/)
        assert.equal((await there('of nobody'))!.description, '')
        await until(async () => (await port('lost'))?.status?.phase === 'ready', 'the Port has a port again', 60_000)
        const { providerID } = (await port('lost'))!.status!
        assert.notEqual(providerID, ids.get('lost'))
        assert.equal((await world().admin.get<NeutronPort>(`ports/${providerID}`)).name, nameOf((await port('lost'))!.metadata.uid))
        for (const name of ['adopted', 'of others', 'of nobody']) await world().admin.delete(`ports/${ids.get(name)}`)
        await world().admin.delete(`networks/${network}`)
        for (const [kind, name] of [
          ['Port', 'lost'],
          ['Subnet', kept],
          ['Vpc', kept],
        ] as const)
          await cloud.agents().rest.remove(pathOf(kind, namespace, name))
      }),
  }
}

import { test } from 'node:test'
import assert from 'node:assert/strict'
import { nicsAnnotation, nicStatusAnnotation, vpcAnnotation } from '../../core/kinds/annotations.ts'
import { openHouse, type House } from './house.ts'

const report = (pod: { metadata: { annotations?: Readonly<Record<string, string>> } } | undefined): { phase: string; message: string; nics: { addresses?: string[]; port: string }[] } => JSON.parse(pod?.metadata.annotations?.[nicStatusAnnotation] ?? '{}') as never

async function withNetwork(house: House): Promise<void> {
  await house.make('Vpc', 'a/blue', { vni: 5000 })
  await house.make('Subnet', 'a/one', { vpc: 'blue', ipv4: { cidr: '10.0.0.0/24' } })
  await house.settle()
}
const pod = (house: House, key: string, nics: object[] = [{}], spec: object = {}): ReturnType<House['make']> =>
  house.make('Pod', key, { containers: [], ...spec }, { annotations: { [vpcAnnotation]: 'blue', [nicsAnnotation]: JSON.stringify(nics) } })

test('a pod gets a Port with an address, and is told', async () => {
  const house = await openHouse()
  await withNetwork(house)
  assert.equal((await house.get('Vpc', 'a/blue'))?.status?.phase, 'ready')
  assert.equal((await house.get('Subnet', 'a/one'))?.status?.validated, true)
  await pod(house, 'a/web')
  await house.settle()
  const made = await house.get('Pod', 'a/web')
  const said = report(made)
  assert.equal(said.phase, 'ready', JSON.stringify(said))
  const [port] = await house.all('Port')
  assert.equal(port?.status?.phase, 'ready')
  assert.deepEqual(said.nics[0]?.addresses, port?.status?.addresses)
  const locks = await house.all('IPLock')
  assert.equal(locks.length, 1)
  await house.store.delete({ kind: 'Pod', namespace: 'a', name: 'web' })
  await house.settle()
  assert.deepEqual(await house.all('Port'), [])
  assert.deepEqual(await house.all('IPLock'), [])
  await house.close()
})

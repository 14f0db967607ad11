import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Resource } from '../../core/kinds/index.ts'
import { openHouse } from '../workers/house.ts'
import { makePod, withNetwork } from '../workers/network.ts'
import { eventually, openNode } from './node.ts'

test('what nobody does of what a Port asks for is said on the Port, and no longer once it is not asked for', async () => {
  const house = await openHouse()
  const node = await openNode({ store: house.store, name: 'n1', address: '192.0.2.1' })
  try {
    await withNetwork(house)
    const pod = await makePod(house, 'a/web', { node: 'n1', nics: [{ name: 'eth0' }] })
    await house.settle()
    assert.equal((await node.cni('ADD', { pod })).code, 0)
    const port = async (): Promise<Resource<'Port'>> => (await house.all('Port'))[0]!
    const asks = async (securityGroups: string[]): Promise<unknown> => {
      const now = await port()
      return house.store.update({ ...now, spec: { ...now.spec, securityGroups } })
    }
    await eventually(async () => (await port()).status?.node?.wired === true, 'the Port says that it is wired')
    assert.equal((await port()).status?.node?.conditions, undefined)
    await asks(['web'])
    await eventually(async () => (await port()).status?.node?.conditions?.[0]?.message.startsWith('security-groups: ') === true, 'the Port says what is not done')
    assert.equal((await port()).status?.node?.wired, true)
    await asks([])
    await eventually(async () => (await port()).status?.node?.conditions === undefined, 'the Port says it no longer')
  } finally {
    await node.close()
    await house.close()
  }
})

// A SecurityGroup that is named stays until nobody names it any more, says who does, and goes by itself.
import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import { openHouse, type House } from './house.ts'
import { withHeldWatch } from './late-watch.ts'
import { withNetwork } from './network.ts'

let house: House
beforeEach(async () => {
  house = await openHouse()
  await withNetwork(house)
  await house.make('SecurityGroup', 'a/web', { rules: [] })
  await house.settle()
})
afterEach(() => house.close())

const remove = async (kind: 'SecurityGroup' | 'Port', name: string): Promise<void> => {
  await house.store.delete({ kind, namespace: 'a', name })
  await house.settle()
}
const said = async (name = 'web'): Promise<string | undefined> => {
  const { status } = (await house.get('SecurityGroup', `a/${name}`)) ?? {}
  return status && `${status.phase} ${status.message}`
}

test('by a Port: until that is gone', async () => {
  await house.make('Port', 'a/p', { subnet: 'one', securityGroups: ['web'] })
  await house.make('Port', 'a/q', { subnet: 'one', securityGroups: ['web'] })
  await house.settle()
  await remove('SecurityGroup', 'web')
  assert.equal(await said(), 'terminating Port a/p and 1 more still names it')
  await remove('Port', 'p')
  assert.equal(await said(), 'terminating Port a/q still names it')
  await remove('Port', 'q')
  assert.equal(await said(), undefined)
})

test('by a Port: until that names another', async () => {
  const { metadata } = await house.make('Port', 'a/p', { subnet: 'one', securityGroups: ['web'] })
  await house.settle()
  await remove('SecurityGroup', 'web')
  const port = (await house.get('Port', 'a/p'))!
  assert.equal(port.metadata.uid, metadata.uid)
  await house.store.update({ ...port, spec: { ...port.spec, securityGroups: [] } })
  await house.settle()
  assert.equal(await said(), undefined)
})

test('by a rule of another; by its own, and by one that goes with it, it is not kept', async () => {
  const naming = (remoteGroup: string): object => ({ rules: [{ direction: 'ingress', remoteGroup }] })
  await house.make('SecurityGroup', 'a/db', naming('web'))
  await house.make('SecurityGroup', 'a/self', naming('self'))
  await house.settle()
  await remove('SecurityGroup', 'web')
  assert.equal(await said(), 'terminating SecurityGroup a/db still names it')
  await remove('SecurityGroup', 'db')
  await remove('SecurityGroup', 'self')
  assert.deepEqual([await said(), await said('db'), await said('self')], [undefined, undefined, undefined])
})

test('nobody names it: it goes at once', async () => {
  await remove('SecurityGroup', 'web')
  assert.equal(await said(), undefined)
})

test('a Port that no watch has told of yet keeps it too', async () => {
  const { store, letGo } = withHeldWatch('Port')
  const late = await openHouse({ store })
  try {
    await withNetwork(late)
    await late.make('SecurityGroup', 'a/web', { rules: [] })
    await late.settle()
    await late.make('Port', 'a/p', { subnet: 'one', securityGroups: ['web'] })
    await store.delete({ kind: 'SecurityGroup', namespace: 'a', name: 'web' })
    await late.settle()
    assert.equal((await late.get('SecurityGroup', 'a/web'))?.status?.message, 'Port a/p still names it')
    letGo()
  } finally {
    await late.close()
    await store.close()
  }
})

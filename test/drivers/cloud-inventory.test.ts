// What the memory cloud lists of itself, whose it says that is, and how what was made ahead changes hands.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CloudDriver, CloudItem, CloudPort, CloudScope } from '../../core/contracts/cloud.ts'
import { CloudOvertaken, CloudRefused } from '../../core/errors.ts'
import { memory } from '../../workers/drivers/cloud/memory.ts'
import { MemoryCloud } from '../../workers/drivers/cloud/memory-cloud.ts'
import { plainPort } from './plain-port.ts'

const signal = new AbortController().signal

function cloudWithSubnet(portsMax = Infinity) {
  const cloud = new MemoryCloud({ portsMax })
  const network = cloud.put('network', 'theirs', { mtu: 1500 })
  const subnet = cloud.put('subnet', 'theirs', { network: network.id, learned: { ipv4: { cidr: '10.0.0.0/24' } } })
  const scope = (uid: string, existing?: string): CloudScope => ({
    of: { kind: 'Port', namespace: 'a', name: uid, uid },
    existing,
    network: network.id,
    subnet: subnet.id,
  })
  return { cloud, driver: memory(cloud, { installation: 'one' }), scope }
}
const make = (driver: CloudDriver, scope: CloudScope): Promise<void> =>
  driver.port.apply({ do: 'create', scope, wanted: plainPort }, signal)
const seenOf = async (driver: CloudDriver, scope: CloudScope): Promise<CloudPort> => (await driver.port.observe(scope, signal)).there!
const linesOf = (items: readonly CloudItem[]): string[] =>
  items.map(({ kind, there, isMade }) => `${kind} ${there.name} of ${there.owner ?? 'nobody'}${isMade ? ', made' : ''}`)

test('ours is what this installation has made or adopted; what has no owner is its own; another installation has its own', async () => {
  const { cloud, driver, scope } = cloudWithSubnet()
  await make(driver, scope('u1'))
  const spare = cloud.put('port', 'spare', { subnet: scope('').subnet })
  await driver.port.apply({ do: 'adopt', scope: scope('u2', 'spare'), there: await seenOf(driver, scope('u2', 'spare')) }, signal)
  await make(memory(cloud, { installation: 'two' }), scope('u3'))
  assert.deepEqual(linesOf(await driver.inventory('ours', signal)), ['port megrez-u1 of u1, made', 'port spare of u2'])
  assert.deepEqual(linesOf(await driver.inventory('nobodys', signal)), ['network theirs of nobody', 'subnet theirs of nobody'])
  await driver.port.apply({ do: 'release', scope: scope('u2', 'spare'), there: await seenOf(driver, scope('u2', 'spare')) }, signal)
  assert.equal(cloud.get('port', spare.id)?.owner, undefined)
  assert.equal((await driver.inventory('nobodys', signal)).length, 3)
})

test('what was made ahead is claimed once, of two at one revision, and the end of its former owner leaves it alone', async () => {
  const { cloud, driver, scope } = cloudWithSubnet()
  await make(driver, scope('entry'))
  const there = await seenOf(driver, scope('entry'))
  await driver.port.apply({ do: 'claim', scope: scope('p'), there }, signal)
  await driver.port.apply({ do: 'claim', scope: scope('p'), there }, signal)
  await assert.rejects(driver.port.apply({ do: 'claim', scope: scope('q'), there }, signal), CloudOvertaken)
  await driver.port.apply({ do: 'delete', scope: scope('entry'), there }, signal)
  assert.deepEqual(
    cloud.all('port').map(({ id, name, owner }) => [id, name, owner]),
    [[there.id, 'megrez-p', 'p']],
  )
})

test('ports are made until the quota is reached, and then the cloud refuses', async () => {
  const { driver, scope } = cloudWithSubnet(2)
  await make(driver, scope('u1'))
  assert.deepEqual(await driver.quota?.(signal), { used: 1, limit: 2 })
  await make(driver, scope('u2'))
  assert.deepEqual(await driver.quota?.(signal), { used: 2, limit: 2 })
  await assert.rejects(make(driver, scope('u3')), CloudRefused)
})

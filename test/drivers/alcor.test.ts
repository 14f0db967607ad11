// What Alcor is asked, by HTTP, and what comes of it where it fails.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { CloudDriver, CloudPort, CloudScope, PortWanted } from '../../core/contracts/cloud.ts'
import { CloudOvertaken, CloudRefused, CloudUnreachable, ConfigInvalid } from '../../core/errors.ts'
import { apiVersion } from '../../core/kinds/meta.ts'
import type { Resource, SpecOf } from '../../core/kinds/index.ts'
import { realClock } from '../../platform/clock.ts'
import { alcor } from '../../workers/drivers/cloud/alcor/alcor.ts'
import { AlcorDouble, serveAlcor } from './alcor-double.ts'
import { plainPort } from './plain-port.ts'

const signal = new AbortController().signal
const uidOf = (nth: number): string => `${String(nth).padStart(8, '0')}-76f7-46d4-9d11-057063db1a14`
const scopeOf = (uid: string, existing?: string): CloudScope => ({
  of: { kind: 'Port', namespace: 'a', name: 'p', uid },
  existing,
  network: 'network-1',
  subnet: 'subnet-1',
})
const cloudOf = (endpoint: string, more: Partial<SpecOf<'Cloud'>> = {}, uid = 'cloud'): Resource<'Cloud'> => ({
  apiVersion,
  kind: 'Cloud',
  metadata: { name: 'c', uid, resourceVersion: '1', generation: 1, creationTimestamp: '2026-01-01T00:00:00Z' },
  spec: { provider: 'alcor', endpoint, ...more },
})
const make = (driver: CloudDriver, uid: string, more: Partial<PortWanted> = {}): Promise<void> =>
  driver.port.apply({ do: 'create', scope: scopeOf(uid), wanted: { ...plainPort, ...more } }, signal)
const seenOf = async (driver: CloudDriver, scope: CloudScope): Promise<CloudPort> => (await driver.port.observe(scope, signal)).there!

interface AlcorService {
  readonly double: AlcorDouble
  readonly driver: CloudDriver
  readonly other: (more: Partial<SpecOf<'Cloud'>>, uid?: string) => CloudDriver
}
async function served(run: (given: AlcorService) => Promise<void>): Promise<void> {
  const double = new AlcorDouble()
  double.put('vpcs', { id: 'network-1', name: 'theirs' })
  double.put('subnets', { id: 'subnet-1', name: 'theirs', network_id: 'network-1', cidr: '10.0.0.0/24' })
  const { endpoint, server } = await serveAlcor(double)
  const opened: CloudDriver[] = []
  const other: AlcorService['other'] = (more, uid) => {
    const driver = alcor(cloudOf(endpoint, more, uid), { credentials: {}, clock: realClock })
    opened.push(driver)
    return driver
  }
  try {
    await run({ double, driver: other({}), other })
  } finally {
    await Promise.all(opened.map((each) => each.close()))
    await new Promise((resolve) => server.close(resolve))
  }
}
const alcorTest = (sentence: string, run: (given: AlcorService) => Promise<void>): void => void test(sentence, () => served(run))

describe('Alcor', () => {
  alcorTest('ports that are asked for at once are made by few requests, and each has its UID, name, MAC and address', async (of) => {
    const { double, driver } = of
    double.faults.latencyMs = 20
    await Promise.all(Array.from({ length: 25 }, (_, i) => make(driver, uidOf(i))))
    // The first is on its way at once, and who comes meanwhile goes together.
    const posts = double.asked.filter((each) => each.startsWith('POST'))
    assert.ok(posts.length <= 4 && posts.includes('POST /ports/bulk'), posts.join())
    const there = await seenOf(driver, scopeOf(uidOf(3)))
    assert.deepEqual([there.id, there.name, there.owner, there.state], [uidOf(3), `megrez-${uidOf(3)}`, uidOf(3), 'down'])
    assert.match(there.mac ?? '', /^[0-9a-f][26ae](:[0-9a-f]{2}){5}$/)
    assert.equal(new Set(double.all('ports').map((each) => each['mac_address'])).size, 25)
  })

  alcorTest(
    'of a bulk that is refused only the port is refused that nobody gets, with the words of the cloud',
    async ({ double, driver }) => {
      double.faults.refusedAddress = '10.0.0.66'
      const results = await Promise.allSettled(
        [uidOf(1), uidOf(2), uidOf(3)].map((uid) => make(driver, uid, uid === uidOf(2) ? { addresses: ['10.0.0.66'] } : {})),
      )
      assert.deepEqual(
        results.map((each) => (each.status === 'fulfilled' ? 'made' : (each.reason as Error).message)),
        ['made', 'cloud c refuses a port: 409 IP address 10.0.0.66 is not available', 'made'],
      )
      assert.equal(double.all('ports').length, 2)
    },
  )

  alcorTest('a port that was made before Alcor broke is found, and not made twice; one that was not is asked for again', async (of) => {
    const { double, driver } = of
    double.faults.breaksAfter = 1
    await make(driver, uidOf(1))
    double.faults.breaksBefore = 1
    await assert.rejects(make(driver, uidOf(2)), CloudUnreachable)
    await make(driver, uidOf(2))
    assert.deepEqual(
      double.all('ports').map(({ id }) => id),
      [uidOf(1), uidOf(2)],
    )
  })

  alcorTest('lists that lag make no second port, and what was made is seen at once', async ({ double, driver, other }) => {
    double.faults.listsLag = 8
    await make(driver, uidOf(1))
    assert.equal((await seenOf(driver, scopeOf(uidOf(1)))).owner, uidOf(1))
    await make(other({}), uidOf(1))
    assert.equal(double.all('ports').length, 1)
  })

  alcorTest('a bound port says which interface its node waits for: by the pattern of its cloud, or as the port says', async (of) => {
    const { double, driver, other } = of
    double.faults.bindsLate = true
    const uid = 'a2815656-76f7-46d4-9d11-057063db1a14'
    await make(driver, uid)
    await driver.port.apply({ do: 'bind', scope: scopeOf(uid), there: await seenOf(driver, scopeOf(uid)), host: 'n1' }, signal)
    const binding = await seenOf(driver, scopeOf(uid))
    assert.deepEqual([binding.host, binding.state, binding.vif], ['n1', 'building', undefined])
    double.succeed(uid)
    const bound = await seenOf(driver, scopeOf(uid))
    assert.equal(bound.state, 'active')
    assert.deepEqual(bound.vif, { node: 'n1', plug: 'interface', interface: 'vetha2815656-76', interfaceID: uid, type: 'alcor' })
    assert.equal((await seenOf(other({ hostInterface: 'eth{portID}' }), scopeOf(uid))).vif?.interface, 'etha2815656-76f')
    double.put('ports', { ...double.all('ports')[0]!, veth_name: 'ta2815' })
    assert.equal((await seenOf(driver, scopeOf(uid))).vif?.interface, 'ta2815')
    double.put('ports', { ...double.all('ports')[0]!, veth_name: '../../etc' })
    assert.equal((await seenOf(driver, scopeOf(uid))).vif?.interface, 'vetha2815656-76')
  })

  alcorTest('of two who adopt one port one has it, and the other is told; it is let go without what is ours', async (of) => {
    const { double, driver, other } = of
    double.put('ports', { id: 'door', name: 'door', mac_address: '02:00:00:00:00:01', fixed_ips: [], tags: ['rack=7'] })
    const adopt = async (by: CloudDriver, uid: string): Promise<void> =>
      by.port.apply({ do: 'adopt', scope: scopeOf(uid, 'door'), there: await seenOf(by, scopeOf(uid, 'door')) }, signal)
    const results = await Promise.allSettled([adopt(driver, 'u1'), adopt(other({}), 'u2')])
    const lost = results.filter((each) => each.status === 'rejected')
    assert.ok(lost.length <= 1 && lost.every(({ reason }) => reason instanceof CloudOvertaken))
    const owner = (await seenOf(driver, scopeOf('u1', 'door'))).owner!
    await assert.rejects(adopt(driver, 'u3'), CloudOvertaken)
    const scope = scopeOf(owner, 'door')
    await driver.port.apply({ do: 'release', scope, there: await seenOf(driver, scope) }, signal)
    assert.deepEqual(double.all('ports')[0]?.['tags'], ['rack=7'])
  })

  alcorTest('an inventory tells ours from what is nobody’s and from another installation’s; what was claimed is found', async (of) => {
    const { driver, other } = of
    await make(driver, uidOf(1))
    await make(other({}, 'another'), uidOf(2))
    const linesOf = async (which: 'ours' | 'nobodys'): Promise<string[]> =>
      (await driver.inventory(which, signal)).map(({ kind, there, subnet, isMade }) => `${kind} ${there.name} ${subnet ?? ''} ${isMade}`)
    assert.deepEqual(await linesOf('ours'), [`port megrez-${uidOf(1)} subnet-1 true`])
    assert.deepEqual(await linesOf('nobodys'), ['network theirs  false', 'subnet theirs  false'])
    const there = await seenOf(driver, scopeOf(uidOf(1)))
    await driver.port.apply({ do: 'claim', scope: scopeOf(uidOf(3)), there }, signal)
    assert.deepEqual(
      [(await seenOf(driver, scopeOf(uidOf(3)))).id, await driver.port.observe(scopeOf(uidOf(1)), signal)],
      [uidOf(1), { there: undefined }],
    )
    await driver.port.apply({ do: 'delete', scope: scopeOf(uidOf(1)), there }, signal)
    assert.deepEqual(await linesOf('ours'), [`port megrez-${uidOf(3)} subnet-1 true`])
  })

  alcorTest('a Subnet of both families, or with pools, is refused by name, and nothing is made', async ({ double, driver }) => {
    const scope: CloudScope = {
      of: { kind: 'Subnet', namespace: 'a', name: 's', uid: 's' },
      existing: undefined,
      network: 'network-1',
      subnet: undefined,
    }
    const both = { ipv4: { cidr: '10.1.0.0/24' }, ipv6: { cidr: '2001:db8::/64' } }
    const pooled = { ipv4: { cidr: '10.1.0.0/24', excludes: ['10.1.0.9'] } }
    for (const wanted of [both, pooled]) await assert.rejects(driver.subnet.apply({ do: 'create', scope, wanted }, signal), CloudRefused)
    assert.equal(double.all('subnets').length, 1)
  })

  test('an endpoint without a project, and a user that nobody asks for, are refused with what would be right', () => {
    const open = (endpoint: string, credentials: object) => () => alcor(cloudOf(endpoint), { credentials, clock: realClock })
    assert.throws(
      open('http://alcor.example/', {}),
      (err: Error) => err instanceof ConfigInvalid && err.message.includes('/project/PROJECT'),
    )
    assert.throws(open('http://alcor.example/project/p', { username: 'u' }), ConfigInvalid)
  })

  test('one that nobody serves does not answer, and says why', async () => {
    const driver = alcor(cloudOf('http://127.0.0.1:1/project/p'), { credentials: {}, clock: realClock })
    await assert.rejects(driver.port.observe(scopeOf('u'), signal), CloudUnreachable)
    await driver.close()
  })
})

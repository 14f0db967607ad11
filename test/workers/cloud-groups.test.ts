// SecurityGroups at clouds, through the workers as they run: made for a Port, kept as they are, and gone with the last who needs them.
import { test } from 'node:test'
import assert from 'node:assert/strict'
import type { CloudDriver } from '../../core/contracts/cloud.ts'
import type { Resource, SpecOf } from '../../core/kinds/index.ts'
import { ruleText } from '../../core/plan/cloud/group-rules.ts'
import { TurnedClock } from '../../platform/clock.ts'
import { memory } from '../../workers/drivers/cloud/memory.ts'
import { MemoryCloud, type StoredThing } from '../../workers/drivers/cloud/memory-cloud.ts'
import { openTestCluster, type TestCluster } from './test-cluster.ts'
import { untilWithin } from './until-within.ts'

type Rules = NonNullable<SpecOf<'SecurityGroup'>['rules']>
interface Around {
  readonly cluster: TestCluster
  readonly clouds: Readonly<Record<'c' | 'd', MemoryCloud>>
}

/** Clouds `c` and `d`, and in namespace `a` a Vpc with a Subnet of each: `in-c`, `in-d`. */
async function around(change: (driver: CloudDriver) => CloudDriver = (driver) => driver): Promise<Around> {
  const clock = new TurnedClock(Date.parse('2026-01-01T00:00:00Z'))
  const clouds = { c: new MemoryCloud({ now: () => clock.now(), takesMs: 500 }), d: new MemoryCloud({ now: () => clock.now() }) }
  const cluster = await openTestCluster({
    clock,
    cloudRegistry: { memory: ({ metadata }) => change(memory(clouds[metadata.name as 'c' | 'd'], { landsWithinMs: 1_000 })) },
  })
  for (const cloud of ['c', 'd']) {
    await cluster.make('Cloud', cloud, { provider: 'memory', endpoint: 'here' })
    await cluster.make('Vpc', `a/${cloud}`, { provider: 'memory', cloud })
    await cluster.make('Subnet', `a/in-${cloud}`, { vpc: cloud, ipv4: { cidr: '10.0.0.0/24' } })
  }
  return { cluster, clouds }
}

const untilIn = untilWithin(90)
const until = ({ cluster }: Around, isSo: () => Promise<boolean> | boolean, most?: number): Promise<void> => untilIn(cluster, isSo, most)

const web: Rules = [{ direction: 'ingress', protocol: 'tcp', l4PortMin: 80 }]
const made = (of: Around, key: string) => async (): Promise<boolean> => reasonOf(await of.cluster.get('Port', key)) === 'Made'
const reasonOf = (item: Resource<'Port' | 'SecurityGroup'> | undefined): string | undefined => item?.status?.conditions?.[0]?.reason
const textsOf = ({ rules = [] }: StoredThing): readonly string[] => rules.map(ruleText).sort()
const drop = ({ cluster }: Around, kind: 'Port' | 'SecurityGroup' | 'Vpc' | 'Subnet' | 'Cloud', name: string): Promise<unknown> =>
  cluster.store.delete({ kind, ...(kind !== 'Cloud' && { namespace: 'a' }), name })

async function changeRules({ cluster }: Around, name: string, rules: Rules): Promise<void> {
  const group = (await cluster.get('SecurityGroup', `a/${name}`))!
  await cluster.store.update({ ...group, spec: { rules } })
}

test('a Port has the group that its cloud has of a SecurityGroup, with its rules, and follows them', async () => {
  const of = await around()
  const { cluster, clouds } = of
  await cluster.make('SecurityGroup', 'a/web', { rules: web })
  clouds.c.put('group', 'web', { rules: [] })
  await cluster.make('Port', 'a/p', { subnet: 'in-c', securityGroups: ['web', 'theirs'] })
  await until(of, made(of, 'a/p'))
  const [, group] = clouds.c.all('group')
  const [port] = clouds.c.all('port')
  assert.deepEqual(
    [port?.port?.groups, port?.port?.securityGroups],
    [[group!.id], ['theirs']],
    'what is no SecurityGroup is the cloud’s own',
  )
  assert.deepEqual(textsOf(group!), ['egress 4 -1 -1 -1  ', 'egress 6 -1 -1 -1  ', 'ingress 4 6 80 -1  '])
  assert.equal(clouds.d.all('group').length, 0)
  await changeRules(of, 'web', [
    { direction: 'egress', protocol: 'icmp' },
    { direction: 'ingress', protocol: 'udp', l4PortMin: 53, remoteCIDR: '192.0.2.0/24' },
  ])
  await until(of, () => textsOf(clouds.c.get('group', group!.id)!).join() === 'egress 4 1 -1 -1  ,ingress 4 17 53 -1 192.0.2.0/24 ')
  // What somebody adds there goes again.
  clouds.c.change('group', group!.id, { rules: [{ direction: 'ingress', family: 4 }] })
  await until(of, () => textsOf(clouds.c.get('group', group!.id)!).length === 2)
  await until(
    of,
    async () =>
      (await cluster.get('SecurityGroup', 'a/web'))?.status?.conditions?.some(
        ({ type, status }) => type === 'AtClouds' && status === 'True',
      ) === true,
  )
  await cluster.close()
})

test('each cloud has its own, and it goes with the last Port there; nothing is left', async () => {
  const of = await around()
  const { cluster, clouds } = of
  await cluster.make('SecurityGroup', 'a/web', { rules: web })
  await cluster.make('Port', 'a/p', { subnet: 'in-c', securityGroups: ['web'] })
  await cluster.make('Port', 'a/q', { subnet: 'in-d', securityGroups: ['web'] })
  await until(of, made(of, 'a/p'))
  await until(of, made(of, 'a/q'))
  await drop(of, 'SecurityGroup', 'web')
  await cluster.advance(5_000)
  assert.deepEqual([clouds.c.all('group').length, clouds.d.all('group').length], [1, 1], 'Ports name it still')
  await drop(of, 'Port', 'p')
  await until(of, () => clouds.c.all('group').length === 0)
  assert.equal(clouds.d.all('group').length, 1)
  await drop(of, 'Port', 'q')
  await until(of, () => clouds.d.all('group').length === 0)
  await until(of, async () => (await cluster.all('CloudSecurityGroup')).length + (await cluster.all('SecurityGroup')).length === 0)
  await cluster.close()
})

test('a group whose rules name another has that one there too, and two that name each other go together', async () => {
  const of = await around()
  const { cluster, clouds } = of
  await cluster.make('SecurityGroup', 'a/front', { rules: [{ direction: 'ingress', remoteGroup: 'back' }] })
  await cluster.make('SecurityGroup', 'a/back', {
    rules: [
      { direction: 'ingress', remoteGroup: 'front' },
      { direction: 'ingress', remoteGroup: 'nobody' },
    ],
  })
  await cluster.make('Port', 'a/p', { subnet: 'in-c', securityGroups: ['front'] })
  await until(of, made(of, 'a/p'))
  await until(of, () => clouds.c.all('group').filter(({ rules = [] }) => rules.some(({ group }) => group !== undefined)).length === 2)
  const [one, other] = clouds.c.all('group')
  assert.deepEqual(new Set([one, other].flatMap((each) => each!.rules!.flatMap(({ group }) => group ?? []))), new Set([one!.id, other!.id]))
  await drop(of, 'Port', 'p')
  await until(of, () => clouds.c.all('group').length === 0)
  await cluster.close()
})

test('a Port that comes while its group is going keeps it, and its rules go on being followed', async () => {
  const of = await around()
  const { cluster, clouds } = of
  await cluster.make('SecurityGroup', 'a/web', { rules: web })
  await cluster.make('Port', 'a/p', { subnet: 'in-d', securityGroups: ['web'] })
  await until(of, made(of, 'a/p'))
  const [at] = await cluster.all('CloudSecurityGroup')
  await cluster.store.delete({ kind: 'CloudSecurityGroup', namespace: 'a', name: at!.metadata.name })
  await cluster.advance(5_000)
  assert.equal(clouds.d.all('group').length, 1)
  await changeRules(of, 'web', [{ direction: 'egress', protocol: 'sctp' }])
  await until(of, () => textsOf(clouds.d.all('group')[0]!).join() === 'egress 4 132 -1 -1  ')
  await drop(of, 'Port', 'p')
  await until(of, () => clouds.d.all('group').length === 0)
  await cluster.close()
})

test('what a cloud has no rule for is not there, and the SecurityGroup says so', async () => {
  const of = await around((driver) => ({
    ...driver,
    group: { ...driver.group!, cannot: ({ protocol }) => (protocol === 47 ? 'is GRE' : undefined) },
  }))
  const { cluster, clouds } = of
  await cluster.make('SecurityGroup', 'a/web', { rules: [...web, { direction: 'ingress', protocolNumber: 47 }] })
  await cluster.make('Port', 'a/p', { subnet: 'in-c', securityGroups: ['web'] })
  await until(of, made(of, 'a/p'))
  assert.deepEqual(textsOf(clouds.c.all('group')[0]!), ['egress 4 -1 -1 -1  ', 'egress 6 -1 -1 -1  ', 'ingress 4 6 80 -1  '])
  const saysSo = async (): Promise<string | undefined> =>
    (await cluster.get('SecurityGroup', 'a/web'))?.status?.conditions?.find(
      ({ type, status }) => type === 'Unsupported' && status === 'True',
    )?.message
  await until(of, async () => (await saysSo()) !== undefined)
  assert.equal(await saysSo(), 'cloud c does not do /spec/rules/1 is GRE')
  await cluster.close()
})

test('a cloud that makes no groups has none of a SecurityGroup: a Port that names one says so, and is not made', async () => {
  const of = await around(({ group: _, ...driver }) => driver)
  const { cluster, clouds } = of
  await cluster.make('SecurityGroup', 'a/web', { rules: web })
  await cluster.make('Port', 'a/p', { subnet: 'in-c', securityGroups: ['web', 'theirs'] })
  await cluster.make('Port', 'a/q', { subnet: 'in-c', securityGroups: ['theirs'] })
  await until(of, made(of, 'a/q'))
  await until(of, async () => reasonOf(await cluster.get('Port', 'a/p')) === 'Unsupported')
  assert.match(
    (await cluster.get('Port', 'a/p'))!.status!.conditions![0]!.message,
    /cloud c makes no SecurityGroups: web would not be held/,
  )
  assert.deepEqual(
    clouds.c.all('port').map(({ port }) => port?.securityGroups),
    [['theirs']],
  )
  assert.equal((await cluster.all('CloudSecurityGroup')).length, 0)
  const port = (await cluster.get('Port', 'a/p'))!
  await cluster.store.update({ ...port, spec: { ...port.spec, securityGroups: ['theirs'] } })
  await until(of, made(of, 'a/p'))
  await cluster.close()
})

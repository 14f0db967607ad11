// Who replaces a switch's credentials restarts nothing: the next look at the switch shows the new ones.
import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { PeerUnavailable } from '../../core/errors.ts'
import { issueLeaf, makeAuthority } from '../../platform/tls/authority.ts'
import { readCredentials } from '../../workers/drivers/credentials.ts'
import { closedPort, memory, memorySwitch, type MemorySwitch } from '../../workers/drivers/fabric/memory.ts'
import { fabricRegistry, type FabricRegistry } from '../../workers/drivers/fabric/index.ts'
import { openTestCluster, type TestCluster } from './test-cluster.ts'

interface Scene {
  readonly cluster: TestCluster
  readonly tor: MemorySwitch
  /** What each line to the switch was made with, and whether it is closed. */
  readonly lines: { readonly password: string | undefined; closed: boolean }[]
  /** What the switch takes; anything else is nobody to it. */
  password: string
  /** Somebody waits with an answer until he lets it go. */
  hold: Promise<void>
  put(files: Readonly<Record<string, string>>, of?: string): Promise<void>
}

async function onSwitch(run: (scene: Scene) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'megrez-credentials-'))
  const lines: Scene['lines'] = []
  const tor = memorySwitch([['n1', closedPort()]])
  const registry: FabricRegistry = {
    ...fabricRegistry,
    memory(spec, { credentials }) {
      const { password } = readCredentials(credentials, spec.credentials)
      const mine = { password, closed: false }
      lines.push(mine)
      const driver = memory(tor)
      const way = async (): Promise<void> => {
        await scene.hold
        if (mine.closed || password !== scene.password)
          throw new PeerUnavailable({ target: 'tor', method: 'any', reason: mine.closed ? 'closed' : 'who are you' })
      }
      return {
        ...driver,
        observe: async (...asked) => (await way(), driver.observe(...asked)),
        apply: async (...asked) => (await way(), driver.apply(...asked)),
        close: () => ((mine.closed = true), Promise.resolve()),
      }
    },
  }
  const put: Scene['put'] = async (files, of = 'tor') => {
    await mkdir(join(folder, of), { recursive: true })
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, of, name), text)
  }
  await put({ password: 'first' })
  const cluster = await openTestCluster({ config: { fabricCredentials: folder }, fabricRegistry: registry })
  const scene: Scene = { cluster, tor, lines, password: 'first', hold: Promise.resolve(), put }
  try {
    await cluster.make('Fabric', 'dc', {
      switches: [{ name: 'tor', driver: 'memory', address: 'tor', credentials: 'tor' }],
      links: [{ node: 'n1', interface: 'e', switch: 'tor', switchPort: 'n1' }],
    })
    await cluster.make('NodePool', 'pool', { nodes: ['n1'], interfaces: [{ name: 'e', connectionPoint: 'cp' }] })
    await cluster.make('ConnectionPoint', 'cp', { supportedCnis: [{ name: 'ovs', supportedInterfaceTypes: ['kernel'], bridgeName: 'br' }] })
    await serve(cluster, 'one', 100)
    await run(scene)
  } finally {
    await cluster.close()
    await rm(folder, { recursive: true })
  }
}
async function serve(cluster: TestCluster, name: string, vlan: number): Promise<void> {
  await cluster.make('L2Service', `a/${name}`, { segmentationID: vlan })
  await cluster.make('L2ServiceAttachment', `a/${name}`, { l2Services: [name], connectionPoint: 'cp', vlanType: 'access' })
  await cluster.advance(2_000)
}
const open = ({ tor }: Scene): number[] => [...tor.ports.get('n1')!.ours.keys()].sort()
const phase = async ({ cluster }: Scene, name: string): Promise<string | undefined> =>
  (await cluster.get('L2Service', `a/${name}`))?.status?.phase

test('a password that was replaced is used for what comes next, and the line of before is closed', () =>
  onSwitch(async (scene) => {
    assert.deepEqual([open(scene), scene.lines], [[100], [{ password: 'first', closed: false }]])
    await scene.put({ password: 'second' })
    scene.password = 'second'
    await scene.cluster.advance(6_000)
    await serve(scene.cluster, 'two', 200)
    assert.deepEqual(open(scene), [100, 200])
    assert.deepEqual(scene.lines, [
      { password: 'first', closed: true },
      { password: 'second', closed: false },
    ])
  }))

test('each switch is shown what stands in its own folder, and one that names none nothing', () =>
  onSwitch(async (scene) => {
    await scene.put({ password: 'of the spine' }, 'spine')
    const others = [
      { name: 'spine', driver: 'memory', address: 'spine', credentials: 'spine' },
      { name: 'bare', driver: 'memory', address: 'bare' },
    ] as const
    const links = others.map(({ name }) => ({ node: name, interface: 'e', switch: name, switchPort: 'n1' }))
    await scene.cluster.make('Fabric', 'other', { switches: [...others], links })
    await scene.cluster.make('NodePool', 'others', {
      nodes: others.map(({ name }) => name),
      interfaces: [{ name: 'e', connectionPoint: 'cp' }],
    })
    await serve(scene.cluster, 'two', 200)
    assert.deepEqual(scene.lines.map(({ password }) => password).sort(), ['first', 'of the spine', undefined])
  }))

test('a switch that was unreachable for its old credentials is not any more once they are replaced', () =>
  onSwitch(async (scene) => {
    scene.password = 'second'
    await scene.cluster.advance(60_000)
    await serve(scene.cluster, 'two', 200)
    assert.equal(await phase(scene, 'two'), 'pending')
    await scene.put({ password: 'second' })
    await scene.cluster.advance(6_000)
    await scene.cluster.advance(6_000)
    assert.deepEqual([open(scene), await phase(scene, 'two')], [[100, 200], 'ready'])
  }))

test('half of a new pair takes nothing from the line that works; the whole of it is taken', () =>
  onSwitch(async (scene) => {
    const life = { now: Date.now(), ms: 3_600_000 }
    const authority = makeAuthority('switches', life)
    const [before, after] = [issueLeaf(authority, ['megrez'], life, 'clientAuth'), issueLeaf(authority, ['megrez'], life, 'clientAuth')]
    await scene.put({ 'tls.crt': before.cert, 'tls.key': before.key })
    await scene.cluster.advance(60_000)
    assert.equal(scene.lines.length, 2)
    await scene.put({ 'tls.crt': after.cert })
    await scene.cluster.advance(60_000)
    await serve(scene.cluster, 'two', 200)
    assert.deepEqual([scene.lines.length, open(scene)], [2, [100, 200]])
    await scene.put({ 'tls.key': after.key })
    await scene.cluster.advance(60_000)
    assert.deepEqual(
      scene.lines.map(({ closed }) => closed),
      [true, true, false],
    )
  }))

test('what is under way when credentials are replaced is done, and nobody is told of a switch that is unreachable', () =>
  onSwitch(async (scene) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const phases = new Set<string>()
    scene.cluster.caches.L2Service.on(({ after }) => void phases.add(`${after?.status?.phase} ${after?.status?.message ?? ''}`))
    scene.hold = promise
    await scene.cluster.make('L2Service', 'a/two', { segmentationID: 200 })
    await scene.cluster.make('L2ServiceAttachment', 'a/two', { l2Services: ['two'], connectionPoint: 'cp', vlanType: 'access' })
    for (let i = 0; i < 200; i++) await new Promise((done) => setImmediate(done))
    await scene.put({ password: 'first', username: 'megrez' })
    scene.cluster.clock.advance(61_000)
    for (let i = 0; i < 200; i++) await new Promise((done) => setImmediate(done))
    resolve()
    await scene.cluster.advance(2_000)
    assert.deepEqual(open(scene), [100, 200])
    assert.deepEqual(
      scene.lines.map(({ closed }) => closed),
      [true, false],
    )
    assert.deepEqual(
      [...phases].filter((each) => each.includes('unreachable')),
      [],
    )
  }))

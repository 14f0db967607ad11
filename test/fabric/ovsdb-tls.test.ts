// A real Open vSwitch that is managed over TLS only, by workers that read their certificates from a folder of credentials.
import assert from 'node:assert/strict'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { labPrefix, makeNamespace, must, type Namespace } from '../../lab/namespaces.ts'
import { realClock } from '../../platform/clock.ts'
import { keep, type KeptServer } from '../../platform/redis-server/keep.ts'
import { issueLeaf, makeAuthority } from '../../platform/tls/authority.ts'
import { fabricRegistry } from '../../workers/drivers/fabric/index.ts'
import { freePorts } from '../../platform/programs/free-ports.ts'
import { ovsFolder, ovsSkip } from '../setup/ovs.ts'
import { until } from '../setup/until.ts'
import { openTestCluster, type TestCluster } from '../workers/test-cluster.ts'

describe('a switch over OVSDB and TLS', { skip: ovsSkip }, () => {
  const folder = ovsFolder()
  const credentials = join(folder, 'credentials')
  const socket = join(folder, 'db.sock')
  const kept: KeptServer[] = []
  let namespace: Namespace | undefined
  let l4Port = 0
  const life = { now: Date.now(), ms: 3_600_000 }
  /** The server looks at its files itself, and takes them up when they are others. */
  const shows = async (server: { readonly cert: string; readonly key: string }, ca: string): Promise<void> => {
    for (const [name, text] of Object.entries({ 'key.pem': server.key, 'cert.pem': server.cert, 'ca.pem': ca }))
      await file(join(folder, name), text)
  }
  const vsctl = async (...args: readonly string[]): Promise<string> =>
    (await must('ovs-vsctl', `--db=unix:${socket}`, '--timeout=20', ...args)).stdout.trim()
  const file = async (path: string, text: string): Promise<string> => {
    await writeFile(path, text)
    return path
  }

  before(async () => {
    const [authority, strange] = [makeAuthority('switches', life), makeAuthority('strangers', life)]
    const [server, client] = [issueLeaf(authority, ['tor.example.org'], life), issueLeaf(authority, ['megrez'], life, 'clientAuth')]
    for (const [name, files] of Object.entries({
      good: { 'ca.crt': authority.cert, 'tls.crt': client.cert, 'tls.key': client.key },
      'wrong-ca': { 'ca.crt': strange.cert, 'tls.crt': client.cert, 'tls.key': client.key },
      replaced: { 'ca.crt': authority.cert, 'tls.crt': client.cert, 'tls.key': client.key },
      'no-certificate': { 'ca.crt': authority.cert },
      'no-ca': { 'tls.crt': client.cert, 'tls.key': client.key },
    })) {
      await mkdir(join(credentials, name), { recursive: true })
      for (const [each, text] of Object.entries(files)) await file(join(credentials, name, each), text)
    }
    await must('ovsdb-tool', 'create', join(folder, 'conf.db'), '/usr/share/openvswitch/vswitch.ovsschema')
    ;[l4Port = 0] = await freePorts(1)
    await shows(server, authority.cert)
    const tls = [
      `--private-key=${join(folder, 'key.pem')}`,
      `--certificate=${join(folder, 'cert.pem')}`,
      `--ca-cert=${join(folder, 'ca.pem')}`,
    ]
    // The database listens on this machine's loopback; the switch itself has a network of its own.
    kept.push(
      await keep(
        'ovsdb-server',
        [
          join(folder, 'conf.db'),
          `--remote=punix:${socket}`,
          `--remote=pssl:${l4Port}:127.0.0.1`,
          ...tls,
          `--unixctl=${join(folder, 'db.ctl')}`,
          '--no-chdir',
          '-vsyslog:off',
        ],
        { log: join(folder, 'db.log') },
      ),
    )
    await until(async () => (await vsctl('--no-wait', 'init')) === '', 'ovsdb-server answers')
    const name = labPrefix()
    namespace = await makeNamespace(name)
    const env = { OVS_RUNDIR: folder, OVS_LOGDIR: folder, OVS_DBDIR: folder, OVS_SYSCONFDIR: folder }
    kept.push(
      await keep(
        'ip',
        [
          'netns',
          'exec',
          name,
          'ovs-vswitchd',
          `unix:${socket}`,
          `--unixctl=${join(folder, 'vswitchd.ctl')}`,
          '--disable-system',
          '--no-chdir',
          '-vconsole:warn',
          '-vsyslog:off',
        ],
        { log: join(folder, 'vswitchd.log'), env },
      ),
    )
    await vsctl(
      'add-br',
      'tor',
      '--',
      'set',
      'bridge',
      'tor',
      'datapath_type=netdev',
      '--',
      'add-port',
      'tor',
      'n1',
      '--',
      'set',
      'interface',
      'n1',
      'type=internal',
      '--',
      'set',
      'port',
      'n1',
      'trunks=4095',
    )
  })
  after(async () => {
    for (const each of kept.toReversed()) await each.stop()
    await namespace?.remove()
    await rm(folder, { recursive: true })
  })

  /** Workers with one L2Service of VLAN 100, the switch's credentials under this name. */
  async function using(name: string | undefined, run: (cluster: TestCluster) => Promise<void>): Promise<void> {
    // Its connection lives in the time of this machine, whatever the workers are told.
    const registry = {
      ...fabricRegistry,
      ovsdb: (...[spec, deps]: Parameters<typeof fabricRegistry.ovsdb>) => fabricRegistry.ovsdb(spec, { ...deps, clock: realClock }),
    }
    const cluster = await openTestCluster({ config: { fabricCredentials: credentials }, fabricRegistry: registry })
    try {
      await cluster.make('Fabric', 'dc', {
        switches: [{ name: 'tor', driver: 'ovsdb', address: `ssl:127.0.0.1:${l4Port}`, ...(name !== undefined && { credentials: name }) }],
        links: [{ node: 'n1', interface: 'e', switch: 'tor', switchPort: 'n1' }],
      })
      await cluster.make('NodePool', 'pool', { nodes: ['n1'], interfaces: [{ name: 'e', connectionPoint: 'cp' }] })
      await cluster.make('ConnectionPoint', 'cp', {
        supportedCnis: [{ name: 'ovs', supportedInterfaceTypes: ['kernel'], bridgeName: 'br' }],
      })
      await cluster.make('L2Service', 'a/one', { segmentationID: 100 })
      await cluster.make('L2ServiceAttachment', 'a/one', { l2Services: ['one'], connectionPoint: 'cp', vlanType: 'access' })
      await run(cluster)
    } finally {
      await cluster.close()
    }
  }
  const message = async (cluster: TestCluster): Promise<string> => (await cluster.get('L2Service', 'a/one'))?.status?.message ?? ''

  test('opens and closes a VLAN, both showing certificates', () =>
    using('good', async (cluster) => {
      await until(
        async () => (await cluster.advance(10_000), (await cluster.get('L2ServiceAttachment', 'a/one'))?.status?.phase === 'ready'),
        'the attachment is ready',
      )
      assert.equal(await vsctl('get', 'port', 'n1', 'trunks'), '[100]')
      await cluster.store.delete({ kind: 'L2ServiceAttachment', namespace: 'a', name: 'one' })
      await until(
        async () => (await cluster.advance(10_000), (await vsctl('get', 'port', 'n1', 'trunks')) === '[4095]'),
        'the VLAN is closed',
      )
    }))

  const wrong: Readonly<Record<string, RegExp>> = {
    'wrong-ca': /^0 of 1 switch port; switch dc\/tor is unreachable: .*its certificate is not of an authority that we were given to trust/,
    'no-certificate': /^0 of 1 switch port; switch dc\/tor is unreachable: .*certificate/,
    'no-ca': /^0 of 1 switch port; switch dc\/tor is unreachable: .*ssl needs ca\.crt/,
    absent: /^0 of 1 switch port; switch dc\/tor is unreachable: .*holds none of .*ca\.crt/,
  }
  for (const [name, says] of Object.entries(wrong))
    test(`says what is wrong with credentials ${name}, and opens nothing`, () =>
      using(name, async (cluster) => {
        await until(async () => (await cluster.advance(10_000), says.test(await message(cluster))), 'it says so').catch(
          async (err: Error) => assert.fail(`${err.message}: ${await message(cluster)}`),
        )
        assert.equal(await vsctl('get', 'port', 'n1', 'trunks'), '[4095]')
        await until(
          async () => (await cluster.advance(10_000), (await cluster.get('Fabric', 'dc'))?.status?.switches?.[0]?.state === 'unreachable'),
          'the Fabric says so too',
        )
      }))

  test('goes on with certificates of another authority once both sides have replaced theirs, by the same workers', () =>
    using('replaced', async (cluster) => {
      const serve = (name: string, vlan: number) =>
        Promise.all([
          cluster.make('L2Service', `a/${name}`, { segmentationID: vlan }),
          cluster.make('L2ServiceAttachment', `a/${name}`, { l2Services: [name], connectionPoint: 'cp', vlanType: 'access' }),
        ])
      const trunks = (is: string) =>
        until(async () => (await cluster.advance(10_000), (await vsctl('get', 'port', 'n1', 'trunks')) === is), `trunks are ${is}`)
      await trunks('[100]')
      const authority = makeAuthority('switches anew', life)
      const [server, client] = [issueLeaf(authority, ['tor.example.org'], life), issueLeaf(authority, ['megrez'], life, 'clientAuth')]
      await shows(server, authority.cert)
      // Connections that stand are not asked again: the server ends them, as at a restart.
      await must('ovs-appctl', '-t', join(folder, 'db.ctl'), 'ovsdb-server/reconnect')
      await serve('two', 200)
      await until(
        async () => (
          await cluster.advance(10_000),
          /unreachable: .*authority that we were given to trust/.test((await cluster.get('L2Service', 'a/two'))?.status?.message ?? '')
        ),
        "the old authority is no longer the server's",
      )
      for (const [name, text] of Object.entries({ 'ca.crt': authority.cert, 'tls.crt': client.cert, 'tls.key': client.key }))
        await file(join(credentials, 'replaced', name), text)
      await trunks('[100, 200]')
      for (const name of ['one', 'two']) await cluster.store.delete({ kind: 'L2ServiceAttachment', namespace: 'a', name })
      await trunks('[4095]')
    }))
})

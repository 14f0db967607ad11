// The cluster's own CNI is delegated to whenever its configuration comes: before us, after us, or anew.
import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { delegateConf, install, multusAway, refreshConf } from '../../agent/cni/conf.ts'
import { followConf } from '../../agent/cni/follow-conf.ts'
import { restoreDelegate } from '../../agent/cni/restore-delegate.ts'
import { thisMachine } from '../../agent/machine/this-machine.ts'
import { realClock, TurnedClock } from '../../platform/clock.ts'
import { readConfig, type Config } from '../../platform/config.ts'
import { silentLog } from '../../platform/log.ts'
import { until } from '../setup/until.ts'

let folder: string
let config: Config
const at = (name: string): string => join(folder, name)
const list = (name: string, more: object = {}): string => JSON.stringify({ cniVersion: '1.0.0', name, plugins: [{ type: 'ptp', ...more }] })
const confs = async (): Promise<readonly string[]> => (await readdir(at('conf'))).sort()
const delegated = async (): Promise<string | undefined> => (await delegateConf(at('delegate')))?.name
const refreshed = (): Promise<void> => refreshConf(config, silentLog())

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'megrez-conf-'))
  config = readConfig({}, { cniConf: at('conf'), cniDelegate: at('delegate'), cniBin: at('bin'), cniSocket: at('cni.sock') })
  await mkdir(at('conf'))
  await mkdir(at('bin'))
  await install(config, silentLog())
})
afterEach(() => rm(folder, { recursive: true }))

test('one that comes after us is delegated to, with what it can', async () => {
  assert.equal(await delegated(), undefined)
  await writeFile(at('conf/10-pods.conflist'), list('pods', { capabilities: { portMappings: true } }))
  await refreshed()
  assert.deepEqual([await delegated(), await confs()], ['pods', ['01-megrez.conflist', '10-pods.conflist.megrez-moved']])
  assert.match(await readFile(at('conf/01-megrez.conflist'), 'utf8'), /"portMappings": true/)
})

test('one that is written anew replaces what was delegated to', async () => {
  for (const name of ['pods', 'newer']) {
    await writeFile(at('conf/10-pods.conflist'), list(name))
    await refreshed()
    assert.deepEqual([await delegated(), await confs()], [name, ['01-megrez.conflist', '10-pods.conflist.megrez-moved']])
  }
})

test("one that a runtime would pass over is somebody else's and stays; one that it would take before is the cluster's", async () => {
  await writeFile(at('conf/10-pods.conflist'), list('pods'))
  await refreshed()
  await writeFile(at('conf/87-podman.conflist'), list('podman'))
  await refreshed()
  await install(config, silentLog())
  assert.deepEqual([await delegated(), (await confs()).includes('87-podman.conflist')], ['pods', true])
  await writeFile(at('conf/05-first.conflist'), list('first'))
  await refreshed()
  assert.equal(await delegated(), 'first')
})

const multus = (more: object): string => JSON.stringify({ cniVersion: '0.3.1', name: 'multus-cni-network', type: 'multus-shim', ...more })

test('Multus stays in front: after us it calls us by our own file, before us by the file that it has chosen, which is then a copy of ours', async () => {
  await writeFile(at('conf/10-pods.conflist'), list('pods'))
  await refreshed()
  await writeFile(at('conf/00-multus.conf'), multus({ clusterNetwork: '/host/etc/cni/net.d/01-megrez.conflist' }))
  await refreshed()
  assert.deepEqual([await delegated(), await confs()], ['pods', ['00-multus.conf', '01-megrez.conflist', '10-pods.conflist.megrez-moved']])
  await writeFile(at('conf/00-multus.conf'), multus({ clusterNetwork: '/host/etc/cni/net.d/10-pods.conflist' }))
  await refreshed()
  const [ours, called] = await Promise.all(['01-megrez.conflist', '10-pods.conflist'].map((file) => readFile(at(`conf/${file}`), 'utf8')))
  assert.deepEqual([called, await delegated()], [ours, 'pods'])
  // Its DaemonSet writes it anew.
  await writeFile(at('conf/10-pods.conflist'), list('newer'))
  await refreshed()
  assert.deepEqual([await readFile(at('conf/10-pods.conflist'), 'utf8'), await delegated()], [ours, 'newer'])
  await restoreDelegate(config)
  assert.deepEqual(
    [await confs(), await readFile(at('conf/10-pods.conflist'), 'utf8')],
    [['00-multus.conf', '10-pods.conflist'], list('newer')],
  )
})

test("Multus that has copied the cluster's own CNI is what we delegate to", async () => {
  await writeFile(at('conf/00-multus.conf'), multus({ delegates: [JSON.parse(list('pods')) as object] }))
  await refreshed()
  assert.deepEqual([await delegated(), await confs()], ['multus-cni-network', ['00-multus.conf.megrez-moved', '01-megrez.conflist']])
  await writeFile(at('bin/multus'), '')
  assert.equal(await multusAway(config), undefined)
})

test('Multus is away where its plugin is there and its configuration is not', async () => {
  assert.equal(await multusAway(config), undefined)
  await writeFile(at('bin/multus-shim'), '')
  assert.equal(await multusAway(config), at('bin/multus-shim'))
  await writeFile(at('conf/00-multus.conf'), multus({ clusterNetwork: '/host/etc/cni/net.d/01-megrez.conflist' }))
  assert.equal(await multusAway(config), undefined)
})

test('a lone loopback is no delegate, nor what cannot be read', async () => {
  await writeFile(at('conf/10-broken.conflist'), '{"name":"half')
  await writeFile(at('conf/20-lo.conf'), JSON.stringify({ cniVersion: '1.0.0', name: 'lo', type: 'loopback' }))
  await refreshed()
  assert.deepEqual([await delegated(), await confs()], [undefined, ['01-megrez.conflist', '10-broken.conflist', '20-lo.conf']])
  await writeFile(at('conf/99-pods.conf'), JSON.stringify({ cniVersion: '0.4.0', name: 'pods', type: 'ptp' }))
  await refreshed()
  assert.equal(await delegated(), 'pods')
})

test('where nothing has changed nothing is written', async () => {
  await writeFile(at('conf/10-pods.conflist'), list('pods'))
  await refreshed()
  const files = async (): Promise<readonly (readonly [string, number])[]> => {
    const names = [...(await confs()).map((name) => `conf/${name}`), ...(await readdir(at('delegate'))).map((name) => `delegate/${name}`)]
    return Promise.all(names.map(async (name) => [name, (await stat(at(name))).ino] as const))
  }
  const before = await files()
  await refreshed()
  assert.deepEqual(await files(), before)
})

test('a node that was given back stays so while its agent still runs', async () => {
  await writeFile(at('conf/10-pods.conflist'), list('pods'))
  await refreshed()
  await restoreDelegate(config)
  await refreshed()
  assert.deepEqual([await confs(), await readdir(at('delegate'))], [['10-pods.conflist'], []])
})

describe('the folder is followed', () => {
  test('as the system tells of it', async () => {
    const { end } = await followConf({ machine: thisMachine, config, clock: realClock, log: silentLog() })
    try {
      await writeFile(at('conf/10-pods.conflist.next'), list('pods'))
      await rename(at('conf/10-pods.conflist.next'), at('conf/10-pods.conflist'))
      await until(async () => (await delegated()) === 'pods', 'it is delegated to')
      await writeFile(at('conf/10-pods.conflist'), list('newer'))
      await until(async () => (await delegated()) === 'newer', 'the newer is')
    } finally {
      end()
    }
  })

  test('and it is told what is missing: a delegate until one comes, the folder where it cannot be looked through or does not answer', async () => {
    const clock = new TurnedClock()
    let reads: () => Promise<void> = () => refreshed()
    const { problem, end } = await followConf({
      machine: { ...thisMachine, refreshConf: () => reads(), watchFolder: () => () => undefined },
      config,
      clock,
      log: silentLog(),
    })
    const becomes = (is: RegExp | undefined): Promise<void> =>
      until(() => (clock.advance(10_000), is === undefined ? problem() === undefined : is.test(problem() ?? '')), `${String(is)} is told`)
    assert.equal(problem(), `there is no delegate CNI in ${at('delegate')} yet`)
    await writeFile(at('conf/20-lo.conf'), JSON.stringify({ cniVersion: '1.0.0', name: 'lo', type: 'loopback' }))
    await becomes(/there is no delegate CNI/)
    await writeFile(at('conf/10-pods.conflist'), list('pods'))
    await becomes(undefined)
    reads = () => Promise.reject(new Error('EIO: i/o error'))
    await becomes(/cannot be looked through for the cluster's own CNI: EIO/)
    reads = () => new Promise(() => undefined)
    await becomes(/does not answer/)
    end()
    const none = await followConf({
      machine: thisMachine,
      config: { ...config, clusterNic: 'none', cniDelegate: at('empty') },
      clock,
      log: silentLog(),
    })
    assert.equal(none.problem(), undefined)
    none.end()
  })

  test('and where it tells nothing, by looks; not after its end', async () => {
    const clock = new TurnedClock()
    const deaf = { ...thisMachine, watchFolder: () => () => undefined }
    const { end } = await followConf({ machine: deaf, config, clock, log: silentLog() })
    await writeFile(at('conf/10-pods.conflist'), list('pods'))
    clock.advance(10_000)
    await until(async () => (await delegated()) === 'pods', 'it is delegated to')
    end()
    await writeFile(at('conf/05-late.conflist'), list('late'))
    clock.advance(60_000)
    await new Promise((resolve) => setTimeout(resolve, 50))
    assert.equal(await delegated(), 'pods')
  })
})

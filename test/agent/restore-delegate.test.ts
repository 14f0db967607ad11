// An agent takes the runtime's folder of configurations over, and gives it back where it is told to leave for good.
import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, describe, test } from 'node:test'
import { install } from '../../agent/cni/conf.ts'
import { restoreDelegate } from '../../agent/cni/restore-delegate.ts'
import { silentLog } from '../../platform/log.ts'

describe('an agent that leaves its node for good', () => {
  let folder: string
  const at = (name: string): string => join(folder, name)
  const config = (): Parameters<typeof install>[0] => ({
    cniConf: at('conf'),
    cniDelegate: at('delegate'),
    cniBin: at('bin'),
    cniSocket: at('cni.sock'),
    cniShim: at('shim'),
  })
  const conf = (name: string): string => JSON.stringify({ cniVersion: '1.0.0', name, plugins: [{ type: 'ptp' }] })
  before(async () => (folder = await mkdtemp(join(tmpdir(), 'megrez-leave-'))))
  after(() => rm(folder, { recursive: true }))
  beforeEach(async () => {
    for (const name of ['conf', 'bin', 'delegate']) await rm(at(name), { recursive: true, force: true })
    await mkdir(at('conf'))
    await writeFile(at('shim'), 'x')
    await writeFile(at('conf/10-pods.conflist'), conf('pods'))
    await install(config(), silentLog())
    assert.deepEqual((await readdir(at('conf'))).sort(), ['01-megrez.conflist', '10-pods.conflist.megrez-moved'])
  })

  test("puts the configuration of the cluster's own CNI back, and takes its own and its plugin away; twice is once", async () => {
    await restoreDelegate(config())
    await restoreDelegate(config())
    assert.deepEqual([await readdir(at('conf')), await readdir(at('bin')), await readdir(at('delegate'))], [['10-pods.conflist'], [], []])
    assert.equal(await readFile(at('conf/10-pods.conflist'), 'utf8'), conf('pods'))
  })
  test('keeps one that its daemon has written anew', async () => {
    await writeFile(at('conf/10-pods.conflist'), conf('newer'))
    await restoreDelegate(config())
    assert.deepEqual(await readdir(at('conf')), ['10-pods.conflist'])
    assert.equal(await readFile(at('conf/10-pods.conflist'), 'utf8'), conf('newer'))
  })
  test('can come back', async () => {
    await restoreDelegate(config())
    await install(config(), silentLog())
    assert.deepEqual(
      [(await readdir(at('conf'))).sort(), await readdir(at('delegate'))],
      [['01-megrez.conflist', '10-pods.conflist.megrez-moved'], ['10-pods.conflist']],
    )
  })
})

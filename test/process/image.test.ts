// What the Dockerfile puts together is enough for every role that the chart starts. The image itself is built, and run, in
// test/cluster/pods.test.ts.
import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync, readdirSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { assemble, type Image } from '../../lab/image/dockerfile.ts'
import type { Component } from '../../platform/programs/sbom.ts'
import { run, type Outcome } from '../setup/run.ts'

const chart = resolve(import.meta.dirname, '../../charts/megrez/templates')
/** The words after `node` of each container's command. */
function commands(): readonly (readonly string[])[] {
  const found = readdirSync(chart).flatMap((name) =>
    [...readFileSync(join(chart, name), 'utf8').matchAll(/^\s*command: \[node, (.*)\]$/gm)].map(([, words = '']) => words),
  )
  return found
    .flatMap((words) =>
      words.includes('{{ .component }}') ? ['webhooks', 'workers'].map((role) => words.replace('{{ .component }}', role)) : [words],
    )
    .map((words) => words.split(', '))
}

describe('the image', () => {
  let folder: string
  let image: Image
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'megrez-image-'))
    image = assemble(folder)
  })
  after(() => rm(folder, { recursive: true }))
  /** As in a container: nothing of this machine's settings, and paths of the image's own. */
  const start = (words: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Outcome> => {
    const own = Object.fromEntries(
      Object.entries(image.env).map(([name, value]) => [name, value.startsWith('/') ? join(image.folder, value) : value]),
    )
    const ours = Object.fromEntries(
      Object.keys(process.env)
        .filter((name) => name.startsWith('MEGREZ_'))
        .map((name) => [name, undefined]),
    )
    return run(process.execPath, words, { cwd: join(image.folder, image.workdir), env: { ...ours, ...own, ...env } })
  }

  test("holds the programs that the chart starts, is nobody's with rights, and has neither tests nor their packages", () => {
    const inside = (path: string): boolean => existsSync(join(image.folder, image.workdir, path))
    assert.deepEqual(
      commands()
        .map((words) => words.at(-1))
        .sort(),
      ['agent/main.ts', 'agent/uninstall.ts', 'webhooks/main.ts', 'workers/main.ts'],
    )
    for (const words of commands()) assert.ok(inside(words.at(-1)!), words.at(-1))
    assert.match(image.user, /^[1-9]\d+:[1-9]\d+$/)
    for (const path of ['test', 'node_modules/typescript', 'node_modules/fast-check', 'package-lock.json'])
      assert.equal(inside(path), false, path)
  })

  test('its SBOM names exactly the packages of npm that it holds, each with its licence and its hash', () => {
    const { components } = JSON.parse(readFileSync(join(image.folder, image.workdir, 'sbom.cdx.json'), 'utf8')) as {
      components: readonly Component[]
    }
    const folder = join(image.folder, image.workdir)
    const held = globSync('node_modules/{,**/node_modules/}{[!@]*,@*/*}/package.json', { cwd: folder }).map(
      (path) => JSON.parse(readFileSync(join(folder, path), 'utf8')) as { name: string; version: string },
    )
    assert.deepEqual(
      components.map((each) => each['bom-ref']),
      [...new Set(held.map(({ name, version }) => `${name}@${version}`))].sort(),
    )
    for (const { name, licenses, hashes } of components) assert.deepEqual([licenses?.length, hashes?.[0]?.content.length], [1, 128], name)
  })

  for (const words of commands()) {
    test(`${words.at(-1)} finds all that it is made of, and says which setting is wrong`, async () => {
      const { code, stderr } = await start(words, { MEGREZ_VNI_MIN: 'x' })
      assert.deepEqual([code, /MEGREZ_VNI_MIN/.test(stderr), /ERR_MODULE_NOT_FOUND/.test(stderr)], [1, true, false], stderr)
    })
  }
  test('what is loaded only where it is needed is there: how to reach a cluster', async () => {
    const { code, stderr } = await start(['--disable-warning=ExperimentalWarning', 'workers/main.ts'], {
      MEGREZ_QUEUE_IN_PROCESS: 'true',
      MEGREZ_KUBECONFIG: '/nowhere/kubeconfig',
    })
    assert.deepEqual([code, /\/nowhere\/kubeconfig/.test(stderr), /ERR_MODULE_NOT_FOUND/.test(stderr)], [1, true, false], stderr)
  })
  test("the agent's addon loads, and its shim answers kubelet", async () => {
    const check =
      "const { loadAddon } = await import('./agent/native/addon.ts'); const { builtNative } = await import('./agent/native/build.ts'); console.log(JSON.stringify([Object.keys(loadAddon()), builtNative('shim')]))"
    const { code, stdout, stderr } = await start(['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', check])
    assert.equal(code, 0, stderr)
    const [addon, shim] = JSON.parse(stdout) as [string[], { path: string }]
    assert.ok(addon.includes('exchange'), stdout)
    const answer = await run(shim.path, [], { env: { CNI_COMMAND: 'VERSION' }, input: '{"cniVersion":"1.1.0"}' })
    assert.match(answer.stdout, /cniVersion/, answer.stderr)
  })
  test('the command line explains itself', async () => {
    const { code, stdout, stderr } = await start(['bin/megrez.mjs', '--help'])
    assert.deepEqual([code, /apply/.test(stdout)], [0, true], stderr)
  })
})

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'

const program = join(import.meta.dirname, '../run.ts')
const bare = { PATH: '/nowhere', XDG_CACHE_HOME: '/nowhere' }

/** Runs test/run.ts as a person would; inside a test Node.js would otherwise report to the outer runner. */
function runTests(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const { NODE_TEST_CONTEXT: _, CI: __, KUBEBUILDER_ASSETS: ___, ...own } = process.env
  const all = ['--disable-warning=ExperimentalWarning', program, ...args]
  const done = spawnSync(process.execPath, all, { env: { ...own, ...env }, encoding: 'utf8' })
  return { code: done.status, stdout: done.stdout, stderr: done.stderr }
}

test('a group whose service cannot be had is skipped, and the lines say what is missing and what would help', () => {
  const { code, stdout } = runTests(['kube'], bare)
  assert.equal(code, 0)
  assert.match(stdout, /^kube: skipped$/m)
  for (const name of ['etcd', 'kube-apiserver', 'kubectl', 'helm'])
    assert.match(stdout, new RegExp(`^ +${name}: there is no go on PATH; building needs Go .*, or `, 'm'))
})

test('the same fails where CI=true', () => {
  const { code, stdout } = runTests(['kube', 'redis', '--no-install'], { ...bare, CI: 'true' })
  assert.equal(code, 1)
  assert.match(stdout, /^kube: failed$/m)
  assert.match(stdout, /^redis: failed\n +redis-server: it is not on PATH, and installing it was declined$/m)
})

test('a group without files is no failure, and starts nothing', () => {
  const { code, stdout } = runTests(['redis', 'test/cli/lab-versions.test.ts'], bare)
  assert.equal(code, 0)
  assert.match(stdout, /^redis: no test files$/m)
})

test('a word that is no group, no flag and no test file is refused, with the groups named', () => {
  const { code, stderr } = runTests(['kubernetes', 'test/redis/no-such.test.ts'])
  assert.equal(code, 2)
  assert.match(
    stderr,
    /unknown: kubernetes test\/redis\/no-such.test.ts; groups are fast, sim, redis, kube, node, cluster, policy, bess, nsm, fabric, neutron, process/,
  )
})

test('flags reach the runner of Node.js, and its failure is ours', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'megrez-run-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const only = ['fast', 'test/cli/lab-versions.test.ts']
  const passed = runTests([...only, '--test-name-pattern=part by part'])
  assert.equal(passed.code, 0)
  assert.match(passed.stdout, /pass 1$/m)
  assert.match(passed.stdout, /^fast: passed$/m)
  const failed = runTests([...only, '--no-such-flag'])
  assert.equal(failed.code, 1)
  assert.match(failed.stdout, /^fast: failed$/m)
})

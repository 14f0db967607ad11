import { after, before, test } from 'node:test'
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { until } from '../setup/until.ts'

/** Says each module that is loaded. */
const hook = `data:text/javascript,${encodeURIComponent('import { registerHooks } from "node:module"; registerHooks({ load(url, context, next) { process.stderr.write(url + "\\n"); return next(url, context) } })')}`

let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mz-modules-'))
})
after(() => rm(folder, { recursive: true }))

/** Packages in the memory of an agent that has started. Its API server is away. */
async function packagesOf(dataplane: string): Promise<ReadonlySet<string>> {
  const kubeconfig = join(folder, 'kubeconfig')
  await writeFile(
    kubeconfig,
    JSON.stringify({
      'current-context': 'x',
      contexts: [{ name: 'x', context: { cluster: 'x', user: 'x' } }],
      clusters: [{ name: 'x', cluster: { server: 'http://127.0.0.1:1' } }],
      users: [],
    }),
  )
  const at = (name: string): string => join(folder, name)
  const env = {
    MEGREZ_NODE: 'n1',
    MEGREZ_DATAPLANE: dataplane,
    MEGREZ_KUBECONFIG: kubeconfig,
    MEGREZ_TUNNEL_ADDRESS: '192.0.2.1',
    MEGREZ_CNI_SOCKET: at('cni.sock'),
    MEGREZ_CNI_BIN: at('bin'),
    MEGREZ_CNI_CONF: at('conf'),
    MEGREZ_CNI_DELEGATE: at('delegate'),
    MEGREZ_LEDGER: at('ledger'),
    MEGREZ_LISTEN_HOST: '127.0.0.1',
    MEGREZ_HEALTH_L4PORT: '0',
  }
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', '--import', hook, resolve(import.meta.dirname, '../../agent/main.ts')],
    { env: { ...process.env, ...env }, stdio: ['ignore', 'ignore', 'pipe'] },
  )
  const ended = once(child, 'exit')
  let said = ''
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()))
  try {
    const died = ended.then(([code, signal]) => assert.fail(`the agent has ended by ${String(code ?? signal)}: ${said.slice(-2_000)}`))
    died.catch(() => undefined)
    await Promise.race([until(() => Promise.resolve(said.includes('"msg":"listening"')), 'the agent has started', 60_000), died])
  } finally {
    child.kill('SIGKILL')
    await ended
  }
  return new Set([...said.matchAll(/\/node_modules\/((?:@[^/]+\/)?[^/]+)/g)].map(([, name = '']) => name))
}

test('an agent has neither the Kubernetes library in memory, nor gRPC where it has no BESS', async () => {
  const packages = await packagesOf('memory')
  // What is certainly there, so that this test sees anything at all.
  assert.ok(packages.has('undici'))
  for (const heavy of ['@kubernetes/client-node', '@grpc/grpc-js', '@bufbuild/protobuf', 'fastify', 'bullmq', 'ioredis'])
    assert.equal(packages.has(heavy), false, heavy)
})

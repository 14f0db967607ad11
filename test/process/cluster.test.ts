// The processes of a cluster before there is a cluster: what they refuse, and what they say while they wait for an API server.
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { issueLeaf, makeAuthority } from '../../platform/tls/authority.ts'
import { freePorts } from '../../platform/programs/free-ports.ts'
import { startMain, complaintsIn, type Main } from './mains.ts'

describe('the processes of a cluster', () => {
  let folder: string
  let env: Readonly<Record<string, string>>
  const started: Main[] = []
  const start = (...args: Parameters<typeof startMain>): Main => {
    const main = startMain(...args)
    started.push(main)
    return main
  }

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'megrez-cluster-'))
    const life = { now: Date.now(), ms: 3_600_000 }
    const leaf = issueLeaf(makeAuthority('test', life), ['127.0.0.1'], life)
    const [nobody] = await freePorts(1)
    const kubeconfig = {
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': 'nobody',
      clusters: [{ name: 'nobody', cluster: { server: `https://127.0.0.1:${nobody}` } }],
      users: [{ name: 'nobody', user: { token: 'x' } }],
      contexts: [{ name: 'nobody', context: { cluster: 'nobody', user: 'nobody' } }],
    }
    env = {
      MEGREZ_KUBECONFIG: join(folder, 'kubeconfig'),
      MEGREZ_TLS_CERT: join(folder, 'tls.crt'),
      MEGREZ_TLS_KEY: join(folder, 'tls.key'),
    }
    await writeFile(env['MEGREZ_KUBECONFIG']!, JSON.stringify(kubeconfig))
    await writeFile(env['MEGREZ_TLS_CERT']!, leaf.cert)
    await writeFile(env['MEGREZ_TLS_KEY']!, leaf.key)
  })
  after(async () => {
    await Promise.all(started.map((main) => main.end('SIGKILL')))
    await rm(folder, { recursive: true })
  })

  test('workers refuse to start without Redis, and say how one alone may', async () => {
    const main = start('workers/main.ts', env)
    assert.equal(await main.ended, 1)
    assert.match(complaintsIn(main.log), /MEGREZ_REDIS.*MEGREZ_QUEUE_IN_PROCESS/)
  })

  test('webhooks refuse to start without a certificate, and name its file', async () => {
    const main = start('webhooks/main.ts', { ...env, MEGREZ_TLS_KEY: join(folder, 'nowhere.key') })
    assert.equal(await main.ended, 1)
    assert.match(complaintsIn(main.log), /nowhere\.key/)
  })

  test('webhooks refuse an issuer of tokens that is half given', async () => {
    const main = start('webhooks/main.ts', { ...env, MEGREZ_TOKEN_ISSUER: 'https://issuer.example.org' })
    assert.equal(await main.ended, 1)
    assert.match(complaintsIn(main.log), /MEGREZ_TOKEN_AUDIENCE: is not set/)
  })

  for (const [file, more] of [
    ['webhooks/main.ts', {}],
    ['workers/main.ts', { MEGREZ_QUEUE_IN_PROCESS: 'true' }],
  ] as const) {
    test(`${file} lives without an API server, is not ready, says for what it waits, and ends when told`, async () => {
      const main = start(file, { ...env, ...more })
      const url = `http://127.0.0.1:${await main.l4PortOf('healthL4Port')}`
      assert.equal((await fetch(`${url}/livez`)).status, 200)
      assert.match(await main.missing(), /^the API server has not told of .*vpcs.* yet$/m)
      assert.match(await (await fetch(`${url}/metrics`)).text(), /^process_cpu_user_seconds_total /m)
      assert.equal((await fetch(`${url}/nothing`)).status, 404)
      assert.equal(await main.end(), 0)
    })
  }
})

// `megrez top server`, of a server that runs, with the metrics that it really has.
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { outputOf } from '../cli/command-output.ts'
import { until } from '../setup/until.ts'
import { serve } from './server.ts'

test('top server shows each figure that a server of one machine has, by what it measures', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'megrez-top-'))
  const server = await serve(folder, { args: ['--no-install'] })
  try {
    const { rest, line } = server
    const at = '/v1/namespaces/t/vpcs'
    const body = { apiVersion: 'megrez.io/v1alpha1', kind: 'Vpc', metadata: { name: 'blue' }, spec: {} }
    assert.equal((await rest.call('POST', at, body)).status, 201)
    await until(async () => (await rest.call('GET', `${at}/blue`)).body.status?.phase === 'ready', 'it is reconciled')
    const { exit, out, err } = await outputOf(['top', 'server'], { MEGREZ_URL: line.url, MEGREZ_TOKEN: line.token })
    assert.deepEqual([exit, err], [0, ''])
    const rows = out.split('\n').slice(1)
    const of = (what: string): readonly string[] => rows.filter((row) => row.startsWith(what))
    for (const what of ['keys waiting', 'objects whose notice is refused', 'bytes of memory', 'seconds of event loop lag, 99 %'])
      assert.ok(of(what).length > 0, `${what} is not in\n${out}`)
    assert.ok(
      of('keys waiting').some((row) => /\bVpc\b/.test(row)),
      'each queue by its name',
    )
    assert.ok(of('keys waiting').every((row) => /\s\d+$/.test(row)))
    assert.ok(Number(/(\d+)$/.exec(of('bytes of memory')[0]!.trim())?.[1]) > 20_000_000)
  } finally {
    await server.end('SIGTERM')
    await rm(folder, { recursive: true, force: true })
  }
})

// Metrics over HTTPS, for whoever shows a certificate.
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { ConfigInvalid } from '../../core/errors.ts'
import { realClock, TurnedClock } from '../../platform/clock.ts'
import { readConfig, type Config } from '../../platform/config.ts'
import { listenHealth } from '../../platform/health.ts'
import { silentLog } from '../../platform/log.ts'
import { startMetrics } from '../../platform/metrics/listen.ts'
import { MetricSet } from '../../platform/metrics/set.ts'
import { Stops } from '../../platform/run.ts'
import { issueLeaf, makeAuthority, type Issued } from '../../platform/tls/authority.ts'
import { until } from '../setup/until.ts'

const life = { now: Date.now(), ms: 3_600_000 }
const [servers, clients, strangers] = [makeAuthority('servers', life), makeAuthority('clients', life), makeAuthority('strangers', life)]
const prometheus = issueLeaf(clients, ['prometheus'], life, 'clientAuth')

interface Answer {
  readonly status: number
  readonly text: string
}

/** @throws where the connection is refused */
function ask(l4Port: number, client: Issued | undefined, { path = '/metrics', method = 'GET', ca = servers.cert } = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const shown = client === undefined ? {} : { cert: client.cert, key: client.key }
    request({ host: '127.0.0.1', port: l4Port, servername: 'megrez-metrics', path, method, ca, ...shown, agent: false }, (response) => {
      let text = ''
      response
        .setEncoding('utf8')
        .on('data', (part: string) => (text += part))
        .on('end', () => resolve({ status: response.statusCode ?? 0, text }))
        .on('error', reject)
    })
      .on('error', reject)
      .end()
  })
}

describe('metrics over HTTPS', () => {
  const [stops, clock] = [new Stops(), new TurnedClock()]
  let [folder, l4Port]: [string, number] = ['', 0]
  const at = (name: string): string => join(folder, name)
  const set = new MetricSet({ ofProcess: false })
  const configOf = (more: Partial<Config> = {}): Config =>
    readConfig(
      {},
      {
        metricsL4Port: 0,
        metricsHost: '127.0.0.1',
        metricsCert: at('tls.crt'),
        metricsKey: at('tls.key'),
        metricsClientCa: at('ca.crt'),
        ...more,
      },
    )
  const shows = async (leaf: Issued): Promise<void> => {
    await writeFile(at('tls.crt'), leaf.cert)
    await writeFile(at('tls.key'), leaf.key)
  }

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'megrez-metrics-'))
    await shows(issueLeaf(servers, ['megrez-metrics'], life))
    await writeFile(at('ca.crt'), clients.cert)
    set.counter('megrez_agent_apply_failures_total')({}, 3)
    l4Port = (await startMetrics(configOf(), set.registry, { clock, log: silentLog(), stops }))!
  })
  after(async () => {
    await stops.run()
    await rm(folder, { recursive: true })
  })

  test('are told to whoever the authority has signed', async () => {
    const { status, text } = await ask(l4Port, prometheus)
    assert.equal(status, 200)
    assert.match(text, /^megrez_agent_apply_failures_total 3$/m)
  })

  test('are told to nobody else: no certificate, one of a stranger, one that is over, one of a server', async () => {
    const over = issueLeaf(clients, ['prometheus'], { now: Date.now() - 7_200_000, ms: 3_600_000 }, 'clientAuth')
    for (const client of [
      undefined,
      issueLeaf(strangers, ['prometheus'], life, 'clientAuth'),
      over,
      issueLeaf(clients, ['prometheus'], life),
    ])
      await assert.rejects(ask(l4Port, client))
  })

  test('are nowhere but at /metrics, and only read', async () => {
    assert.equal((await ask(l4Port, prometheus, { path: '/livez' })).status, 404)
    assert.equal((await ask(l4Port, prometheus, { method: 'POST' })).status, 405)
    assert.deepEqual(await ask(l4Port, prometheus, { method: 'HEAD' }), { status: 200, text: '' })
  })

  test('are told only to those whose names are listed, where some are', async () => {
    const listed = (await startMetrics(configOf({ metricsClientNames: ['prometheus', 'agent of another'] }), set.registry, {
      clock,
      log: silentLog(),
      stops,
    }))!
    assert.equal((await ask(listed, prometheus)).status, 200)
    assert.deepEqual(await ask(listed, issueLeaf(clients, ['curious'], life, 'clientAuth')), {
      status: 403,
      text: 'metrics are not for megrez, curious\n',
    })
  })

  test('follow their files: a new certificate, and a new authority of clients', async () => {
    const [next, others] = [makeAuthority('next', life), makeAuthority('others', life)]
    await shows(issueLeaf(next, ['megrez-metrics'], life))
    await writeFile(at('ca.crt'), others.cert)
    const other = issueLeaf(others, ['prometheus'], life, 'clientAuth')
    await until(async () => {
      clock.advance(10_000)
      return ask(l4Port, other, { ca: next.cert }).then(
        ({ status }) => status === 200,
        () => false,
      )
    }, 'the new files are taken')
    await assert.rejects(ask(l4Port, prometheus, { ca: next.cert }))
  })

  test('without a certificate keep the process from starting, and say which file', async () => {
    const missing = startMetrics(configOf({ metricsCert: at('none.crt') }), set.registry, { clock: realClock, log: silentLog(), stops })
    await assert.rejects(missing, (err: unknown) => err instanceof ConfigInvalid && err.message.includes(at('none.crt')))
  })

  test('are then not beside health any more, where everybody could ask', async () => {
    const health = await listenHealth({ host: '127.0.0.1', l4Port: 0 }, { problems: () => [], registry: undefined })
    stops.add(() => health.close())
    const answer = await fetch(`http://127.0.0.1:${health.l4Port}/metrics`)
    assert.deepEqual([answer.status, await answer.text()], [404, 'there are /livez and /readyz\n'])
    assert.equal((await fetch(`http://127.0.0.1:${health.l4Port}/livez`)).status, 200)
  })

  test('stay where they were unless a TCP port is set for them', async () => {
    assert.equal(await startMetrics(readConfig({}), set.registry, { clock: realClock, log: silentLog(), stops }), undefined)
  })
})

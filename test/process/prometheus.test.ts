// A real Prometheus scrapes a real server and a real agent over HTTPS, by a certificate; and judges the alerts and the queries that ship.
import assert from 'node:assert/strict'
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { stringify } from 'yaml'
import { startPrometheus, type Prometheus } from '../../lab/programs/prometheus.ts'
import { issueLeaf, makeAuthority, type Issued } from '../../platform/tls/authority.ts'
import { dashboardQueries } from '../repo/dashboard.ts'
import { freePorts } from '../../platform/programs/free-ports.ts'
import { run } from '../setup/run.ts'
import { until } from '../setup/until.ts'
import { startMain, complaintsIn, type Main } from './mains.ts'
import { serve, type Running } from './server.ts'

const [program, promtool] = [process.env['MEGREZ_TEST_PROMETHEUS'] ?? '', process.env['MEGREZ_TEST_PROMTOOL'] ?? '']
const skip = program === '' ? 'no Prometheus: node bootstrap.mjs test/run.ts process installs one' : false
const root = join(import.meta.dirname, '../..')
const rules = join(root, 'charts/megrez/files/monitoring/rules.yaml')

describe('a real Prometheus', { skip }, () => {
  const life = { now: Date.now(), ms: 3_600_000 }
  const [servers, clients, strangers] = ['servers', 'clients', 'strangers'].map((name) => makeAuthority(name, life)) as [
    Issued,
    Issued,
    Issued,
  ]
  let [folder, server, agent, prometheus]: [string, Running, Main, Prometheus] = [undefined!, undefined!, undefined!, undefined!]
  const at = (...path: readonly string[]): string => join(folder, ...path)
  let ports: { readonly server: number; readonly agent: number; readonly web: number }
  const urlOf = (l4Port: number): string => `https://127.0.0.1:${l4Port}/metrics`

  async function write(name: string, leaf: Issued): Promise<void> {
    await writeFile(at(`${name}.crt`), leaf.cert)
    await writeFile(at(`${name}.key`), leaf.key)
  }
  const settings = (l4Port: number): Readonly<Record<string, string>> => ({
    MEGREZ_METRICS_L4PORT: String(l4Port),
    MEGREZ_METRICS_HOST: '127.0.0.1',
    MEGREZ_METRICS_CERT: at('server.crt'),
    MEGREZ_METRICS_KEY: at('server.key'),
    MEGREZ_METRICS_CLIENT_CA: at('clients.crt'),
  })
  const jobOf = (name: string, client: string, l4Ports: readonly number[]): object => ({
    job_name: name,
    scheme: 'https',
    tls_config: {
      server_name: 'megrez-metrics',
      ca_file: at('servers.crt'),
      cert_file: at(`${client}.crt`),
      key_file: at(`${client}.key`),
    },
    static_configs: [{ targets: l4Ports.map((l4Port) => `127.0.0.1:${l4Port}`) }],
  })

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mz-prom-'))
    const [a, b, c] = await freePorts(3)
    ports = { server: a!, agent: b!, web: c! }
    await write('server', issueLeaf(servers, ['megrez-metrics'], life))
    await write('prometheus', issueLeaf(clients, ['prometheus'], life, 'clientAuth'))
    await write('stranger', issueLeaf(strangers, ['prometheus'], life, 'clientAuth'))
    await writeFile(at('servers.crt'), servers.cert)
    await writeFile(at('clients.crt'), clients.cert)
    server = await serve(at('server'), { args: ['--no-install'], env: { MEGREZ_AGENTS: 'true', ...settings(ports.server) } })
    for (const name of ['bin', 'conf', 'delegate']) await mkdir(at(name))
    agent = startMain('agent/main.ts', {
      MEGREZ_STORE_SOCKET: at('server', 'agents.sock'),
      MEGREZ_NODE: 'n1',
      MEGREZ_TUNNEL_ADDRESS: '127.0.0.1',
      MEGREZ_DATAPLANE: 'memory',
      MEGREZ_LEDGER: at('ledger'),
      MEGREZ_CNI_SOCKET: at('cni.sock'),
      MEGREZ_CNI_BIN: at('bin'),
      MEGREZ_CNI_CONF: at('conf'),
      MEGREZ_CNI_DELEGATE: at('delegate'),
      ...settings(ports.agent),
    })
    await agent.l4PortOf('metricsL4Port')
    const config = {
      global: { scrape_interval: '1s', scrape_timeout: '1s' },
      rule_files: [rules],
      scrape_configs: [jobOf('megrez-metrics', 'prometheus', [ports.server, ports.agent]), jobOf('stranger', 'stranger', [ports.agent])],
    }
    // The scrape of a stranger has the same URL: its job is told apart by a parameter.
    Object.assign(config.scrape_configs[1]!, { params: { by: ['stranger'] } })
    prometheus = await startPrometheus({ program, folder: at('prometheus'), l4Port: ports.web, config: stringify(config) })
  })
  after(async () => {
    await prometheus?.stop()
    await agent?.end()
    await server?.end('SIGTERM')
    await rm(folder, { recursive: true, force: true })
  })

  test('reads the metrics of each, and a stranger reads none', async () => {
    const isUp = async (url: string): Promise<boolean> => (await prometheus.targets())[url]?.health === 'up'
    await until(async () => (await isUp(urlOf(ports.server))) && (await isUp(urlOf(ports.agent))), 'both targets are up').catch(
      async (err: unknown) => {
        throw new Error(`${JSON.stringify(await prometheus.targets())} ${complaintsIn(agent.log)}`, { cause: err })
      },
    )
    const ofStranger = `${urlOf(ports.agent)}?by=stranger`
    await until(async () => (await prometheus.targets())[ofStranger]?.health === 'down', 'the stranger is refused')
    assert.deepEqual(await prometheus.query('megrez_build_info{job="stranger"}'), [])
    const versions = await prometheus.query('megrez_build_info{job="megrez-metrics"}')
    assert.deepEqual(
      versions.map(({ metric }) => metric['instance']).sort(),
      [ports.server, ports.agent].map((l4Port) => `127.0.0.1:${l4Port}`).sort(),
    )
    assert.deepEqual(
      (await prometheus.query('megrez_agent_ports')).map(({ value }) => value),
      [0],
    )
  })

  test("sees a pod's Port come by: its address, its readiness, the reconcile, the queue and the commit behind it", async () => {
    const post = async (path: string, body: object): Promise<void> => {
      const answer = await fetch(`${server.line.url}${path}`, {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { authorization: `Bearer ${server.line.token}`, 'content-type': 'application/json' },
      })
      assert.equal(answer.status, 201, await answer.text())
    }
    const home = '/v1/namespaces/a'
    await post(`${home}/vpcs`, { metadata: { name: 'blue' }, spec: {} })
    await post(`${home}/subnets`, { metadata: { name: 'front' }, spec: { vpc: 'blue', ipv4: { cidr: '10.0.0.0/24' } } })
    await until(
      async () => (await prometheus.query('megrez_subnet_create_to_validated_seconds_count > 0')).length === 1,
      'the Subnet is validated, and that is measured',
    )
    const nics = JSON.stringify([{ name: 'eth0', subnet: 'front' }])
    await post(`${home}/pods`, {
      metadata: { name: 'web', annotations: { 'megrez.io/vpc': 'blue', 'megrez.io/nics': nics } },
      spec: { containers: [{ name: 'c', image: 'example.org/c' }] },
    })
    for (const expr of [
      'megrez_port_create_to_address_seconds_count{contention="none",waited="no"} == 1',
      'megrez_port_create_to_ready_seconds_count{contention="none",waited="no"} == 1',
      'sum(megrez_reconcile_seconds_count{controller="Pod",outcome="done"}) >= 1',
      'megrez_queue_wait_seconds_count{queue="Pod"} >= 1',
      'megrez_commit_seconds_count{locks="yes",outcome="done"} >= 1',
    ])
      await until(async () => (await prometheus.query(expr)).length === 1, expr)
    const [took] = await prometheus.query('megrez_port_create_to_ready_seconds_sum')
    assert.ok(took !== undefined && took.value >= 0 && took.value < 60, `${took?.value} s`)
  })

  test('takes every query of the dashboard', async () => {
    for (const expr of dashboardQueries()) await prometheus.query(expr)
    await assert.rejects(prometheus.query('histogram_quantile(0.99,'), /parse error/)
  })

  test('finds nothing wrong in how the metrics are written', async () => {
    const ofMegrez = (await (await metricsText()).text())
      .split('\n')
      .filter((line) => /^(# \w+ )?megrez_/.test(line))
      .join('\n')
    const { code, stderr } = await run(promtool, ['check', 'metrics'], { input: `${ofMegrez}\n` })
    assert.deepEqual([code, stderr], [0, ''])
  })

  /** As another process is told them, in the clear: the text is the same. */
  async function metricsText(): Promise<Response> {
    const plain = await serve(at('plain'), { args: ['--no-install'] })
    const text = await (await fetch(`${plain.line.url}/metrics`)).text()
    await plain.end('SIGTERM')
    return new Response(text)
  }

  test('lets each alert fire where it should, and not before', async () => {
    await mkdir(at('alerts'))
    await copyFile(rules, at('alerts', 'rules.yaml'))
    await copyFile(join(import.meta.dirname, 'alerts.test.yaml'), at('alerts', 'alerts.test.yaml'))
    for (const args of [
      ['check', 'rules', at('alerts', 'rules.yaml')],
      ['test', 'rules', at('alerts', 'alerts.test.yaml')],
    ]) {
      const { code, stdout, stderr } = await run(promtool, args)
      assert.equal(code, 0, `${stdout}${stderr}`)
    }
  })
})

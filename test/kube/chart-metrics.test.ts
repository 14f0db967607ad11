// The chart's metrics: what helm makes of them is taken by a real API server, and a real Prometheus finds its targets there and reads them.
import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { parse, parseAllDocuments, stringify } from 'yaml'
import { startPrometheus } from '../../lab/programs/prometheus.ts'
import { realClock } from '../../platform/clock.ts'
import { readConfig, type Config } from '../../platform/config.ts'
import { silentLog } from '../../platform/log.ts'
import { startMetrics } from '../../platform/metrics/listen.ts'
import { makeMetrics } from '../../platform/metrics.ts'
import { Stops } from '../../platform/run.ts'
import { dashboard } from '../repo/dashboard.ts'
import { freePorts } from '../../platform/programs/free-ports.ts'
import { kubeconfigPath, kubectl, kubeSkip, newNamespace } from '../setup/kubectl.ts'
import { run, type Outcome } from '../setup/run.ts'
import { until } from '../setup/until.ts'

const root = join(import.meta.dirname, '../..')
const chart = join(root, 'charts/megrez')
const program = process.env['MEGREZ_TEST_PROMETHEUS']
const metrics = { enabled: true }

interface Manifest {
  readonly kind: string
  readonly metadata: { readonly name: string; readonly labels?: Readonly<Record<string, string>> }
  readonly data?: Readonly<Record<string, string>>
  readonly spec?: unknown
}

interface PodList {
  readonly items: readonly {
    readonly metadata: { readonly name: string; readonly labels: Readonly<Record<string, string>> }
    readonly spec: {
      readonly nodeName: string
      readonly containers: readonly {
        readonly name: string
        readonly ports: readonly { readonly name: string; readonly containerPort: number }[]
      }[]
    }
    readonly status: { readonly podIP: string }
  }[]
}

/**
 * One for each TCP port of each container, with the labels that discovery in Kubernetes gives it (Prometheus, kubernetes_sd_config, role
 * pod).
 */
function targetsOf({ items }: PodList): readonly object[] {
  return items.flatMap(({ metadata, spec, status }) =>
    spec.containers.flatMap((container) =>
      container.ports.map((port) => ({
        targets: [`${status.podIP}:${port.containerPort}`],
        labels: {
          __meta_kubernetes_pod_name: metadata.name,
          __meta_kubernetes_pod_node_name: spec.nodeName,
          __meta_kubernetes_pod_container_name: container.name,
          __meta_kubernetes_pod_container_port_name: port.name,
          ...Object.fromEntries(
            Object.entries(metadata.labels).map(([name, value]) => [
              `__meta_kubernetes_pod_label_${name.replace(/[^a-zA-Z0-9_]/g, '_')}`,
              value,
            ]),
          ),
        },
      })),
    ),
  )
}

describe('the metrics of the chart', { skip: kubeSkip }, () => {
  let [folder, namespace] = ['', '']
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'megrez-chart-metrics-'))
    namespace = await newNamespace('metrics')
  })
  after(() => rm(folder, { recursive: true }))

  function helm(args: readonly string[], values: object): Promise<Outcome> {
    const env = { HELM_CACHE_HOME: folder, HELM_CONFIG_HOME: folder, HELM_DATA_HOME: folder, KUBECONFIG: kubeconfigPath }
    return run(
      process.env['MEGREZ_TEST_HELM'] ?? 'helm',
      [...args, 'megrez', chart, '--namespace', namespace, '--kube-version', '1.34', '--values', '-'],
      { env, input: stringify(values) },
    )
  }
  async function render(values: object): Promise<readonly Manifest[]> {
    const { code, stdout, stderr } = await helm(['template'], values)
    assert.equal(code, 0, stderr)
    return parseAllDocuments(stdout)
      .map((document) => document.toJS() as Manifest | null)
      .filter((each) => each !== null)
  }
  const named = (all: readonly Manifest[], kind: string, name: string): Manifest =>
    all.find((each) => each.kind === kind && each.metadata.name === name) ?? assert.fail(`no ${kind} ${name}`)
  const pem = ({ data = {} }: Manifest, key: string): string => Buffer.from(data[key] ?? '', 'base64').toString()

  test('are in the clear unless they are asked for', async () => {
    assert.doesNotMatch(JSON.stringify(await render({ agents: { enabled: true } })), /MEGREZ_METRICS|megrez-metrics/)
  })

  test('reach webhooks, workers and agents, with certificates mounted, and agents are on the address of their node', async () => {
    const all = await render({
      metrics: { enabled: true, l4Port: 8082, agentL4Port: 9382, clientNames: ['prometheus'] },
      agents: { enabled: true },
    })
    for (const [kind, name, l4Port] of [
      ['Deployment', 'megrez-webhooks', 8082],
      ['Deployment', 'megrez-workers', 8082],
      ['DaemonSet', 'megrez-agent', 9382],
    ] as const) {
      const { spec } = named(all, kind, name) as unknown as {
        spec: {
          template: {
            spec: {
              containers: [
                { env: { name: string; value?: string; valueFrom?: object }[]; ports: object[]; volumeMounts: { mountPath: string }[] },
              ]
            }
          }
        }
      }
      const [{ env, ports, volumeMounts }] = spec.template.spec.containers
      const config = readConfig(
        Object.fromEntries(env.filter(({ name: each }) => each.startsWith('MEGREZ_METRICS')).map((each) => [each.name, each.value])),
      )
      assert.deepEqual([config.metricsL4Port, config.metricsClientNames], [l4Port, ['prometheus']], name)
      for (const path of [config.metricsCert, config.metricsKey, config.metricsClientCa])
        assert.ok(
          volumeMounts.some(({ mountPath }) => path.startsWith(`${mountPath}/`)),
          `${name} mounts ${path}`,
        )
      assert.ok(
        ports.some((each) => JSON.stringify(each) === JSON.stringify({ name: 'metrics', containerPort: l4Port })),
        name,
      )
      const host = env.find((each) => each.name === 'MEGREZ_METRICS_HOST')?.valueFrom
      assert.deepEqual(host, kind === 'DaemonSet' ? { fieldRef: { fieldPath: 'status.hostIP' } } : undefined)
    }
  })

  test('are read by what an operator of Prometheus is told, which names what is there', async () => {
    const all = await render({
      metrics,
      serviceMonitor: { enabled: true },
      prometheusRule: { enabled: true, labels: { release: 'x' } },
      dashboard: { enabled: true },
    })
    const monitor = named(all, 'ServiceMonitor', 'megrez').spec as {
      endpoints: [{ port: string; scheme: string; tlsConfig: { serverName: string; ca: object; cert: { secret: { name: string } } } }]
    }
    const [{ port, scheme, tlsConfig }] = monitor.endpoints
    assert.deepEqual(
      [port, scheme, tlsConfig.serverName, tlsConfig.cert.secret.name],
      ['metrics', 'https', `megrez-metrics.${namespace}.svc`, 'megrez-metrics-client'],
    )
    const service = named(all, 'Service', 'megrez-metrics').spec as { ports: object[]; publishNotReadyAddresses: boolean }
    assert.deepEqual([service.ports, service.publishNotReadyAddresses], [[{ name: 'metrics', port: 8081, targetPort: 'metrics' }], true])
    const rule = named(all, 'PrometheusRule', 'megrez')
    assert.ok((rule.spec as { groups: readonly { rules: readonly unknown[] }[] }).groups[0]!.rules.length > 10)
    assert.equal(rule.metadata.labels?.['release'], 'x')
    const shown = named(all, 'ConfigMap', 'megrez-dashboard')
    assert.deepEqual(
      [JSON.parse(shown.data?.['megrez.json'] ?? ''), shown.metadata.labels?.['grafana_dashboard']],
      [JSON.parse(dashboard()), '1'],
    )
  })

  test('with everything switched on are taken by the API server', async () => {
    const all = await render({
      metrics,
      agents: { enabled: true },
      monitoring: { enabled: true },
      dashboard: { enabled: true },
      networkPolicy: { enabled: true, apiServer: ['10.0.0.0/24'] },
    })
    await kubectl(['apply', '--dry-run=server', '--validate=strict', '-f', '-'], {
      input: all.map((each) => stringify(each)).join('---\n'),
    })
  })

  const refused: Readonly<Record<string, readonly [object, RegExp]>> = {
    'a part of the certificates': [
      { metrics: { enabled: true, secretName: 'mine' } },
      /secretName, clientCaSecret and clientSecret are set together/,
    ],
    'a Prometheus that has nothing to read': [{ monitoring: { enabled: true } }, /metrics\.enabled/],
    'a TCP port that is none': [{ metrics: { l4Port: 0 } }, /\/metrics\/l4Port/],
  }
  for (const [what, [values, complaint]] of Object.entries(refused))
    test(`refuse ${what}`, async () => {
      const { code, stderr } = await helm(['template'], values)
      assert.notEqual(code, 0)
      assert.match(stderr, complaint)
    })

  test("keep their certificates over an upgrade, and servers' are no clients'", async () => {
    const all = await render({ metrics })
    const secrets = all.filter(({ kind, metadata }) => kind === 'Secret' && metadata.name.startsWith('megrez-metrics'))
    await kubectl(['apply', '-n', namespace, '-f', '-'], { input: secrets.map((each) => stringify(each)).join('---\n') })
    const { code, stdout, stderr } = await helm(['template', '--dry-run=server'], { metrics })
    assert.equal(code, 0, stderr)
    for (const secret of secrets)
      for (const text of Object.values(secret.data ?? {})) assert.ok(stdout.includes(text), secret.metadata.name)
    const [server, clients, client] = ['megrez-metrics-tls', 'megrez-metrics-clients', 'megrez-metrics-client'].map((name) =>
      named(all, 'Secret', name),
    ) as [Manifest, Manifest, Manifest]
    const isSigned = (leaf: string, authority: string): boolean =>
      new X509Certificate(leaf).verify(new X509Certificate(authority).publicKey)
    assert.deepEqual(
      [
        isSigned(pem(server, 'tls.crt'), pem(client, 'ca.crt')),
        isSigned(pem(client, 'tls.crt'), pem(clients, 'ca.crt')),
        isSigned(pem(server, 'tls.crt'), pem(clients, 'ca.crt')),
      ],
      [true, true, false],
    )
    assert.equal(
      new X509Certificate(pem(server, 'tls.crt')).checkHost(`megrez-metrics.${namespace}.svc`),
      `megrez-metrics.${namespace}.svc`,
    )
  })

  test(
    "are read by the chart's own Prometheus, which chooses them among the pods, with the certificate that it is given",
    { skip: program === undefined && 'no Prometheus' },
    async () => {
      const all = await render({ metrics, monitoring: { enabled: true } })
      for (const [name, secret] of [
        ['metrics', 'megrez-metrics-tls'],
        ['clients', 'megrez-metrics-clients'],
        ['client', 'megrez-metrics-client'],
      ] as const) {
        await mkdir(join(folder, name))
        for (const key of Object.keys(named(all, 'Secret', secret).data ?? {}))
          await writeFile(join(folder, name, key), pem(named(all, 'Secret', secret), key))
      }
      const [stops, told] = [new Stops(), makeMetrics()]
      const config: Config = readConfig(
        {},
        {
          metricsL4Port: 0,
          metricsHost: '127.0.0.1',
          metricsCert: join(folder, 'metrics/tls.crt'),
          metricsKey: join(folder, 'metrics/tls.key'),
          metricsClientCa: join(folder, 'clients/ca.crt'),
        },
      )
      after(() => stops.run())
      const l4Port = await startMetrics(config, told.registry, { clock: realClock, log: silentLog(), stops })
      // A pod as the kubelet of a node would report it, of which all runs here.
      const labels = { 'app.kubernetes.io/name': 'megrez', 'app.kubernetes.io/component': 'agent' }
      const pod = {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: 'megrez-agent-x', namespace, labels },
        spec: {
          nodeName: 'n1',
          containers: [
            {
              name: 'agent',
              image: 'example.org/megrez',
              ports: [
                { name: 'health', containerPort: 9380 },
                { name: 'metrics', containerPort: l4Port },
              ],
            },
          ],
        },
      }
      await kubectl(['create', '-f', '-'], { input: stringify(pod) })
      await kubectl([
        'patch',
        'pod',
        'megrez-agent-x',
        '-n',
        namespace,
        '--subresource=status',
        '--type=merge',
        '-p',
        JSON.stringify({ status: { phase: 'Running', podIP: '127.0.0.1', podIPs: [{ ip: '127.0.0.1' }], hostIP: '127.0.0.1' } }),
      ])
      const { 'prometheus.yaml': text = '', 'rules.yaml': rules = '' } = named(all, 'ConfigMap', 'megrez-prometheus').data ?? {}
      const configured = parse(text.replaceAll('/etc/megrez/client', join(folder, 'client'))) as {
        global: object
        scrape_configs: [{ kubernetes_sd_configs?: unknown; file_sd_configs?: unknown }]
      }
      Object.assign(configured.global, { scrape_interval: '1s' })
      // Debian builds Prometheus without discovery in Kubernetes: it is told of the pods as that would tell it, and chooses among them by
      // itself.
      const [job] = configured.scrape_configs
      assert.deepEqual(job.kubernetes_sd_configs, [{ role: 'pod', namespaces: { names: [namespace] } }])
      delete job.kubernetes_sd_configs
      job.file_sd_configs = [{ files: [join(folder, 'pods.json')] }]
      await writeFile(
        join(folder, 'pods.json'),
        JSON.stringify(targetsOf(JSON.parse(await kubectl(['get', 'pods', '-n', namespace, '-o', 'json'])) as PodList)),
      )
      await mkdir(join(folder, 'prometheus'))
      await writeFile(join(folder, 'prometheus/rules.yaml'), rules)
      const [web] = await freePorts(1)
      const prometheus = await startPrometheus({
        program: program!,
        folder: join(folder, 'prometheus'),
        l4Port: web!,
        config: stringify(configured),
      })
      try {
        const up = 'up{job="megrez-metrics",container="agent",pod="megrez-agent-x",node="n1"} == 1'
        await until(async () => (await prometheus.query(up)).length === 1, 'the agent is found and read', 60_000)
        assert.equal((await prometheus.query('megrez_build_info{container="agent"}')).length, 1)
        assert.equal(Object.keys(await prometheus.targets()).length, 1, 'nothing else is scraped')
      } finally {
        await prometheus.stop()
      }
    },
  )
})

// Admission behind a real API server: the chart's own registrations, changed in name and narrowed to this file's namespaces.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { request } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { openCaches, type Caches } from '../../platform/cache/caches.ts'
import { realClock } from '../../platform/clock.ts'
import { readConfig } from '../../platform/config.ts'
import { readRegistrations } from '../../platform/kube/admission/registration.ts'
import { silentLog } from '../../platform/log.ts'
import { openKubeStore } from '../../platform/store/kube/open.ts'
import type { KubeStore } from '../../platform/store/kube/kube.ts'
import { issueLeaf, makeAuthority } from '../../platform/tls/authority.ts'
import { Certificates } from '../../platform/tls.ts'
import { networkViewOf } from '../../platform/cache/network-view.ts'
import { RegisteredPaths } from '../../webhooks/admission/paths.ts'
import { catchUpOf } from '../../webhooks/admission/catch-up.ts'
import { buildAdmission } from '../../webhooks/server.ts'
import { webhookClientCa } from '../setup/kubeconfig.ts'
import { installCrds, kubeconfigPath, kubectl, kubeSkip, newNamespace, tryKubectl } from '../setup/kubectl.ts'
import {
  manifest,
  podPolicies,
  callAt,
  mark,
  markLabel,
  registrations,
  strange,
  stranger,
  type Manifest,
  type Pod,
  type WantedPod,
} from './admission-registrations.ts'
import { hotPlugIsJudged } from './hot-plug-judged.ts'
import { until } from '../setup/until.ts'

const vpcAt = 'megrez.io/vpc'
const nicsAt = 'megrez.io/nics'
const apiVersion = 'megrez.io/v1alpha1'
const asList = (items: readonly object[]): string => JSON.stringify({ apiVersion: 'v1', kind: 'List', items })

describe('admission behind an API server', { skip: kubeSkip }, () => {
  let store: KubeStore
  let caches: Caches
  let server: ReturnType<typeof buildAdmission>
  let door: RegisteredPaths
  let url = ''
  let ca = ''
  let folder: string
  let space: string
  let hooks: readonly Manifest[] = []
  const stop = new AbortController()
  /** What came in, so that a test can tell whether we were asked at all. */
  const asked: { path: string; at: string; uid: string; name: string; namespace: string }[] = []

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'megrez-admission-'))
    await installCrds()
    store = await openKubeStore({ kubeconfig: String(kubeconfigPath) })
    caches = openCaches(store)
    await caches.start(stop.signal)
    const life = { now: Date.now(), ms: 3_600_000 }
    const authority = makeAuthority('test', life)
    door = new RegisteredPaths({ read: () => readRegistrations(store.client, `admission-${mark}`), clock: realClock, log: silentLog() })
    server = buildAdmission({
      store,
      world: networkViewOf(caches),
      settings: readConfig({}),
      clock: realClock,
      log: silentLog(),
      news: catchUpOf(caches, realClock),
      certificate: new Certificates({
        ...issueLeaf(authority, ['127.0.0.1'], life),
        clientCa: await readFile(webhookClientCa(String(kubeconfigPath)), 'utf8'),
      }),
      door,
      lingerMs: 1,
    })
    server.addHook('preHandler', async (request) => {
      if (request.url.startsWith('/stranger')) return
      const {
        request: { uid, name = '', namespace = '' },
      } = JSON.parse(String(request.body)) as { request: { uid: string; name?: string; namespace?: string } }
      asked.push({ path: request.url.split('?')[0]!, at: request.originalUrl.split('?')[0]!, uid, name, namespace })
    })
    server.post('/stranger', (request, reply) => reply.header('content-type', 'application/json').send(strange(String(request.body))))
    await server.listen({ host: '127.0.0.1', port: 0 })
    ca = authority.cert
    url = `https://127.0.0.1:${(server.server.address() as AddressInfo).port}`
    hooks = [...(await registrations(url, authority.cert)), stranger(url, authority.cert)]
    await kubectl(['create', '-f', '-'], { input: asList(hooks) })
    space = await newNamespace('admission', markLabel)
    await make({ kind: 'Vpc', metadata: { name: 'blue' }, spec: {} }, { segment: { vni: 77_001 } })
    await make(
      { kind: 'Subnet', metadata: { name: 'front' }, spec: { vpc: 'blue', ipv4: { cidr: '10.77.0.0/24' } } },
      { segment: { vni: 77_001, validated: true } },
    )
    // The registrations are heard of a moment after they are made.
    await until(
      async () =>
        (await tried({ name: `first-${randomBytes(3).toString('hex')}`, annotations: { [nicsAt]: '[]' } }, ['--dry-run=server'])).includes(
          'is missing',
        ),
      'the webhooks are asked',
    )
  })
  after(async () => {
    if (hooks.length > 0) await tryKubectl(['delete', '--ignore-not-found', '-f', '-'], { input: asList(hooks) })
    stop.abort()
    door.close()
    await server.close()
    await store.close()
    await rm(folder, { recursive: true })
  })

  async function make(
    object: { kind: string; metadata: { name: string }; spec: object },
    sections?: Readonly<Record<string, object>>,
  ): Promise<void> {
    await kubectl(['create', '-n', space, '-f', '-'], { input: JSON.stringify({ apiVersion, ...object }) })
    if (sections === undefined) return
    const made = (await store.get({ kind: object.kind as 'Vpc', namespace: space, name: object.metadata.name }))!
    await store.commit([
      {
        do: 'patchStatus',
        ref: { kind: object.kind as 'Vpc', namespace: space, name: object.metadata.name },
        uid: made.metadata.uid,
        sections,
      },
    ])
  }
  const create = async (wanted: WantedPod, args: readonly string[] = [], namespace = space): Promise<Pod> =>
    JSON.parse(await kubectl(['create', '-n', namespace, '-o', 'json', '-f', '-', ...args], { input: manifest(wanted) })) as Pod
  /** What a refused create is told. */
  const tried = async (wanted: WantedPod, args: readonly string[] = []): Promise<string> =>
    (await tryKubectl(['create', '-n', space, '-f', '-', ...args], { input: manifest(wanted) })).stderr
  const locks = async (): Promise<readonly string[]> =>
    (await store.list('IPLock', { namespace: space })).items.map(({ metadata }) => metadata.name)
  const blue = { [vpcAt]: 'blue' }

  test("fills a pod's default NIC in", async () => {
    const { metadata } = await create({ name: 'plain', annotations: blue })
    assert.equal(metadata.annotations?.[nicsAt], '[{"name":"eth0","subnet":"front"}]')
    assert.equal(metadata.labels?.['megrez.io/managed'], 'true')
  })
  test('is not asked about pods that do not ask, in exempt namespaces, or of others', async () => {
    const exempt = `exempt-${mark}`
    await kubectl(['create', '-f', '-'], {
      input: JSON.stringify({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: exempt, labels: markLabel } }),
    })
    const before = asked.length
    assert.equal((await create({ name: 'none' })).metadata.labels, undefined)
    assert.equal((await create({ name: 'exempt', annotations: blue }, [], exempt)).metadata.labels, undefined)
    assert.equal(
      (await create({ name: 'mirror', annotations: { ...blue, 'kubernetes.io/config.mirror': 'x' }, spec: { nodeName: 'some-node' } }))
        .metadata.labels,
      undefined,
    )
    assert.equal(asked.length, before)
  })
  test('is not asked about what agents, workers and webhooks write, who go on while it is down', async () => {
    await make({ kind: 'Port', metadata: { name: 'wired' }, spec: { subnet: 'front' } })
    const as = (user: string): readonly string[] => [`--as=${user}`, '--as-group=system:masters']
    const written = async (user: string, label: string): Promise<number> => {
      const before = asked.length
      await kubectl(['label', 'port', 'wired', '-n', space, `by=${label}`, '--overwrite', ...as(user)])
      return asked.length - before
    }
    for (const name of ['agent', 'workers', 'webhooks'])
      assert.equal(await written(`system:serviceaccount:megrez-system:megrez-${name}`, name), 0, name)
    assert.equal(await written('system:serviceaccount:elsewhere:megrez-agent', 'stranger'), 2)
  })
  test('gives every pod of a defaulted namespace its NIC', async () => {
    const namespace = await newNamespace('defaulted', { ...markLabel, 'megrez.io/default': 'enabled' })
    await kubectl(['annotate', 'namespace', namespace, `${vpcAt}=${space}/blue`])
    const vpc = (await store.get({ kind: 'Vpc', namespace: space, name: 'blue' }))!
    await store.update({ ...vpc, spec: { ...vpc.spec, sharedWith: [namespace] } })
    await until(
      () =>
        caches.Vpc.get(`${space}/blue`)?.spec.sharedWith?.includes(namespace) === true &&
        caches.Namespace.get(namespace)?.metadata.annotations?.[vpcAt] !== undefined,
      'the caches know',
    )
    const { metadata } = await create({ name: 'unasked' }, [], namespace)
    const nics = '[{"name":"eth0","subnet":"front"}]'
    assert.partialDeepStrictEqual(metadata.annotations, { [vpcAt]: `${space}/blue`, [nicsAt]: nics })
    assert.equal((await create({ name: 'host', spec: { hostNetwork: true } }, [], namespace)).metadata.labels, undefined)
  })
  test('refuses at the field, and kubectl shows it', async () => {
    const said = await tried({ name: 'wrong', annotations: { ...blue, [nicsAt]: '[{"subnet":"front","ip":"10.78.0.1"}]' } })
    assert.match(
      said,
      /^The request is invalid: \/metadata\/annotations\/megrez\.io~1nics\/0\/ip: 10\.78\.0\.1 is not in 10\.77\.0\.0\/24 of Subnet front/,
    )
  })
  test('keeps a fixed address for the pod, and not for a dry run', async () => {
    const fixed = { ...blue, [nicsAt]: '[{"ip":"10.77.0.20"}]' }
    await create({ name: 'dry', annotations: fixed }, ['--dry-run=server'])
    assert.deepEqual(await locks(), [])
    const { metadata } = await create({ name: 'wet', annotations: fixed })
    assert.deepEqual(await locks(), ['v1-77001-10-77-0-20'])
    const lock = await store.get({ kind: 'IPLock', namespace: space, name: 'v1-77001-10-77-0-20' })
    assert.equal(lock?.spec.reservation?.podUID, metadata.uid)
    assert.match(await tried({ name: 'late', annotations: fixed }), /10\.77\.0\.20 of Subnet front is taken by a reservation for Pod\/wet/)
  })
  test('knows a generated name and the UID, and what its owner reserved the next of its kind takes over', async () => {
    const fixed = { ...blue, [nicsAt]: '[{"ip":"10.77.0.21"}]' }
    const first = await create({ generateName: 'made-', annotations: fixed })
    const second = await create({ generateName: 'made-', annotations: fixed })
    assert.notEqual(first.metadata.name, second.metadata.name)
    const lock = await store.get({ kind: 'IPLock', namespace: space, name: 'v1-77001-10-77-0-21' })
    assert.equal(lock?.spec.reservation?.podUID, second.metadata.uid)
    assert.ok(asked.some(({ path, name }) => path === '/validate-pods' && name === second.metadata.name))
  })
  test("takes a quota's refusal: what was kept is there for the next try", async () => {
    const fixed = { ...blue, [nicsAt]: '[{"ip":"10.77.0.22"}]' }
    // Refused after our webhooks by a policy, as a quota would.
    const name = `refuse-${mark}`
    await kubectl(['create', '-f', '-'], {
      input: asList([
        { apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', metadata: { name }, value: 1 },
        {
          apiVersion: 'v1',
          kind: 'ResourceQuota',
          metadata: { name: 'none-left', namespace: space },
          spec: {
            hard: { pods: '0' },
            scopeSelector: { matchExpressions: [{ scopeName: 'PriorityClass', operator: 'In', values: [name] }] },
          },
        },
      ]),
    })
    const wanted = { generateName: 'quota-', annotations: fixed, spec: { priorityClassName: name } }
    // What the quota controller would write; there is none here.
    await kubectl([
      'patch',
      'resourcequota',
      'none-left',
      '-n',
      space,
      '--subresource=status',
      '--type=merge',
      '-p',
      JSON.stringify({ status: { hard: { pods: '0' }, used: { pods: '0' } } }),
    ])
    let said = ''
    await until(async () => /exceeded quota/.test((said = await tried(wanted))), 'the quota refuses', 60_000).catch((cause: unknown) =>
      assert.fail(`${String(cause)}: ${said}`),
    )
    assert.ok((await locks()).includes('v1-77001-10-77-0-22'))
    await kubectl(['delete', 'resourcequota', 'none-left', '-n', space])
    await until(
      async () => (await tryKubectl(['create', '-n', space, '-f', '-'], { input: manifest(wanted) })).code === 0,
      'the pod is made once there is room',
    )
    await kubectl(['delete', 'priorityclass', name])
  })
  test('is asked again after another webhook, gives its container the same, and changes nothing twice', async () => {
    const before = asked.length
    const { metadata } = await create({ name: 'dpdk', labels: { stranger: mark }, annotations: { ...blue, [nicsAt]: '[{"type":"dpdk"}]' } })
    assert.equal(metadata.annotations?.[nicsAt], '[{"name":"eth0","type":"dpdk","subnet":"front"}]')
    assert.equal(asked.slice(before).filter(({ path }) => path === '/mutate-pods').length, 2)
    const { spec } = JSON.parse(await kubectl(['get', 'pod', 'dpdk', '-n', space, '-o', 'json'])) as {
      spec: {
        volumes: { name: string }[]
        containers: { name: string; env: { name: string }[]; volumeMounts: { name: string; subPathExpr?: string }[] }[]
      }
    }
    assert.deepEqual(
      spec.volumes.map(({ name }) => name),
      ['megrez-vhost', 'megrez-network-status'],
    )
    assert.deepEqual(
      spec.containers.map(({ name }) => name),
      ['sidecar', 'app'],
    )
    for (const { env, volumeMounts } of spec.containers) {
      assert.deepEqual(
        env.map(({ name }) => name),
        ['MEGREZ_POD_UID'],
      )
      assert.deepEqual(
        volumeMounts.map(({ name, subPathExpr }) => [name, subPathExpr]),
        [
          ['megrez-vhost', '$(MEGREZ_POD_UID)'],
          ['megrez-network-status', undefined],
        ],
      )
    }
  })
  test('puts the finalizers of birth on our own kinds, and refuses what it sees to be wrong', async () => {
    assert.deepEqual((await store.get({ kind: 'Vpc', namespace: space, name: 'blue' }))?.metadata.finalizers, ['megrez.io/vpc'])
    const subnet = (spec: object): Promise<string> =>
      tryKubectl(['create', '-n', space, '-f', '-'], {
        input: JSON.stringify({ apiVersion, kind: 'Subnet', metadata: { name: 'more' }, spec }),
      }).then(({ stderr }) => stderr)
    assert.match(await subnet({ vpc: 'green', ipv4: { cidr: '10.78.0.0/24' } }), /\/spec\/vpc: Vpc green not found/)
    assert.match(
      await subnet({ vpc: 'blue', ipv4: { cidr: '10.78.0.0/24', pools: [{ first: '10.78.0.9', last: '10.78.0.8' }] } }),
      /\/spec\/ipv4\/pools: each pool must begin no later than it ends/,
    )
    assert.match(
      await subnet({ vpc: 'blue', ipv4: { cidr: '10.77.0.128/25' } }),
      /\/spec\/ipv4\/cidr: 10\.77\.0\.128\/25 overlaps 10\.77\.0\.0\/24 of Subnet front/,
    )
  })
  test('hears nobody but the API server, which shows what its configuration has for it', async () => {
    const said = await new Promise<string>((resolve) => {
      request(`${url}/mutate-pods`, { method: 'POST', ca, agent: false }, () => resolve('an answer'))
        .on('error', ({ code = '' }: NodeJS.ErrnoException) => resolve(code))
        .end('{}')
    })
    assert.match(said, /CERTIFICATE_REQUIRED|ECONNRESET/)
    await create({ name: 'heard', annotations: blue })
  })
  test('is called at another path from one moment to the next, and no pod is refused meanwhile', async () => {
    const refusals: string[] = []
    let [made, turning] = [0, true]
    const body = JSON.parse(manifest({ generateName: 'turn-', annotations: blue })) as object
    const making = Promise.all(
      [1, 2, 3].map(async () => {
        while (turning) {
          const answer = await store.client.ask({
            verb: 'create',
            resource: 'pods',
            path: `/api/v1/namespaces/${space}/pods`,
            query: { dryRun: 'All' },
            body,
          })
          made++
          if (answer.status !== 201) refusals.push(JSON.stringify(answer.body))
        }
      }),
    )
    const rounds = 4
    for (let round = 0; round < rounds; round++) {
      const before = `/${randomBytes(16).toString('hex')}`
      await callAt(hooks.slice(0, 2), `${url}${before}`)
      const called = (end: string): boolean => asked.some((each) => each.at === `${before}${end}`)
      await until(() => called('/mutate-pods') && called('/validate-pods'), 'both are called there', 30_000)
    }
    turning = false
    await making
    assert.deepEqual(refusals, [])
    assert.ok(made > rounds, `${made} pods`)
  })
  test('the policy keeps what was asked for as it was, on pods and on their status', async () => {
    const narrowed = await podPolicies()
    await kubectl(['create', '-f', '-'], { input: asList(narrowed) })
    try {
      await create({ name: 'kept', annotations: { ...blue, [nicsAt]: '[{"subnet":"front","name":"x"}]' } })
      const annotate = async (change: string, ...more: string[]): Promise<string> =>
        (await tryKubectl(['annotate', 'pod', 'kept', '-n', space, '--overwrite', change, ...more])).stderr
      await until(
        async () => /megrez\.io~1vpc: cannot be changed/.test(await annotate(`${vpcAt}=red`, '--dry-run=server')),
        'the policy is in force',
      )
      assert.match(await annotate(`${vpcAt}-`), /megrez\.io~1vpc: cannot be changed/)
      assert.match(await annotate(`${nicsAt}=[]`), /megrez\.io~1nics: cannot be changed/)
      assert.match(await annotate('k8s.v1.cni.cncf.io/networks=other'), /cncf\.io~1networks: cannot be changed/)
      assert.match(await annotate('megrez.io/nic-status={}'), /is written by Megrez alone/)
      const patch = (annotations: object, ...more: string[]): Promise<string> =>
        tryKubectl([
          'patch',
          'pod',
          'kept',
          '-n',
          space,
          '--subresource=status',
          '--type=merge',
          '-p',
          JSON.stringify({ metadata: { annotations } }),
          ...more,
        ]).then(({ stderr }) => stderr)
      assert.match(await patch({ [nicsAt]: '[]' }), /megrez\.io~1nics: cannot be changed/)
      assert.equal(
        await patch(
          { 'megrez.io/nic-status': '{}' },
          '--as=system:serviceaccount:megrez-system:megrez-workers',
          '--as-group=system:masters',
        ),
        '',
      )
      // A pod that never asked cannot begin to.
      await create({ name: 'silent' })
      assert.match(
        (await tryKubectl(['annotate', 'pod', 'silent', '-n', space, `${vpcAt}=blue`])).stderr,
        /megrez\.io~1vpc: cannot be changed/,
      )
      assert.equal((await tryKubectl(['annotate', 'pod', 'silent', '-n', space, 'k8s.v1.cni.cncf.io/networks=other'])).stderr, '')
      await hotPlugIsJudged(space, () => asked.filter(({ name, path }) => name === 'kept' && path === '/validate-pods').length)
    } finally {
      await kubectl(['delete', '--ignore-not-found', '-f', '-'], { input: asList(narrowed) })
    }
  })
})

// Policies of every kind on a real API server, from objects to the rule sets that nodes enforce; with the CRDs of cluster-wide policies
// absent, come late, and gone again.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { RuleSetSpec } from '../../core/kinds/policy/policy-rule-set.ts'
import type { Main } from '../process/mains.ts'
import { kubectl, kubeSkip, tryKubectl } from '../setup/kubectl.ts'
import { until } from '../setup/until.ts'
import { create, list, network, openTestCluster, type Manifest, type TestCluster } from './test-cluster.ts'

const group = 'policy.networking.k8s.io'
/** As many of sigs.k8s.io/network-policy-api's kinds as we read; what is in them is not for the API server to look at here. */
const clusterWide = [
  ['AdminNetworkPolicy', 'adminnetworkpolicies', 'v1alpha1'],
  ['BaselineAdminNetworkPolicy', 'baselineadminnetworkpolicies', 'v1alpha1'],
  ['ClusterNetworkPolicy', 'clusternetworkpolicies', 'v1alpha2'],
] as const
const crdOf = ([kind, plural, version]: (typeof clusterWide)[number]): object => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  // Without it the API server takes no CRD of its own domain.
  metadata: {
    name: `${plural}.${group}`,
    annotations: { 'api-approved.kubernetes.io': 'https://github.com/kubernetes/enhancements/pull/2522' },
  },
  spec: {
    group,
    scope: 'Cluster',
    names: { kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List` },
    versions: [
      {
        name: version,
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
})

describe('policies on a real API server', { skip: kubeSkip }, () => {
  let cluster: TestCluster
  let workers: Main
  let space = ''
  before(
    async () => {
      cluster = await openTestCluster()
      workers = await cluster.startWorkers()
      space = await network('policies', '10.1.0.0/24')
      await create(port('web', { app: 'web' }), port('db', { app: 'db' }))
    },
    { timeout: 240_000 },
  )
  after(async () => {
    await removeCrds()
    await cluster?.close()
  })

  const port = (name: string, labels: object): object => ({
    apiVersion: 'megrez.io/v1alpha1',
    kind: 'Port',
    metadata: { namespace: space, name, labels },
    spec: { subnet: 's' },
  })
  const removeCrds = (): Promise<unknown> =>
    tryKubectl(['delete', 'crd', '--ignore-not-found', '--wait=true', ...clusterWide.map(([, plural]) => `${plural}.${group}`)])

  /** Of our namespace: who judges, in words. */
  async function setsNow(): Promise<readonly string[]> {
    const items = await list<Manifest & { readonly spec: RuleSetSpec }>('policyrulesets', '-n', space)
    return items.map(({ spec }) => `${spec.policy.kind} ${spec.policy.name}: ${spec.tier}, ${spec.rules.length}`).sort()
  }
  async function become(...wanted: readonly string[]): Promise<void> {
    let now: readonly string[] = []
    await until(
      async () => {
        now = await setsNow()
        return String(now) === String([...wanted].sort())
      },
      `the rule sets are ${wanted.join('; ')}`,
      120_000,
    ).catch((err: unknown) => {
      throw new Error(`they are ${now.join('; ')}: ${workers.log.slice(-3).map((each) => JSON.stringify(each))}`, { cause: err })
    })
  }
  /** The tiers that judge a Port, by what its status says. */
  async function tiersOf(name: string): Promise<readonly string[]> {
    const [ports, sets] = await Promise.all([
      list<Manifest & { readonly status?: { readonly policy?: { readonly ruleSets: readonly string[] } } }>('ports', '-n', space),
      list<Manifest & { readonly spec: RuleSetSpec }>('policyrulesets', '-n', space),
    ])
    const named = ports.find(({ metadata }) => metadata.name === name)?.status?.policy?.ruleSets ?? []
    return named.map((each) => sets.find(({ metadata }) => metadata.name === each)?.spec.tier ?? each).sort()
  }
  const judged = (name: string, ...tiers: readonly string[]): Promise<void> =>
    until(async () => String(await tiersOf(name)) === String([...tiers].sort()), `${name} is judged by ${tiers.join() || 'nobody'}`, 30_000)

  /** Others on this server are no business of theirs. */
  const ours = (): object => ({ matchLabels: { 'kubernetes.io/metadata.name': space } })
  const selects = (app: string): object => ({ podSelector: { matchLabels: { app } } })
  const named = (apiVersion: string, kind: string, name: string, spec: object): object => ({
    apiVersion,
    kind,
    metadata: { name, ...(apiVersion.startsWith(group) ? {} : { namespace: space }) },
    spec,
  })
  const networkPolicy = (): object =>
    named('networking.k8s.io/v1', 'NetworkPolicy', 'np', {
      ...selects('web'),
      policyTypes: ['Ingress'],
      ingress: [{ from: [selects('db')], ports: [{ protocol: 'TCP', port: 80, endPort: 90 }] }],
    })
  const unified = (spec: object = {}): object =>
    named('megrez.io/v1alpha1', 'UnifiedNetworkPolicy', 'unp', { ...selects('web'), bandwidth: { max: { egress: '10M' } }, ...spec })

  test('are read by workers with the rights that the chart gives them, and written by them nowhere', async () => {
    const rights = await kubectl(['auth', 'can-i', '--list', '--no-headers', '-n', space], { as: 'workers' })
    const lines = rights.split('\n').filter((line) => !line.trimStart().startsWith('['))
    assert.deepEqual(
      lines.filter((line) => line.startsWith('*')),
      [],
      'nothing is allowed of all kinds',
    )
    const verbsOf = lines.flatMap((line) => {
      const [, resource, verbs] = /^(\S+networking\.k8s\.io)\s.*\[([^\]]*)\]$/.exec(line.trimEnd()) ?? []
      return resource === undefined ? [] : [`${resource}: ${verbs}`]
    })
    const wanted = ['networkpolicies.networking.k8s.io', ...clusterWide.map(([, plural]) => `${plural}.${group}`)]
    assert.deepEqual(verbsOf.sort(), wanted.map((resource) => `${resource}: get list watch`).sort())
  })

  test('those of namespaces are there without CRDs of cluster-wide ones, and go again', async () => {
    await create(networkPolicy(), unified())
    await become('NetworkPolicy np: networkPolicy, 1', 'UnifiedNetworkPolicy unp: unified, 2')
    await judged('web', 'networkPolicy', 'unified')
    await judged('db')
    await kubectl(['delete', 'networkpolicy', 'np', '-n', space])
    await become('UnifiedNetworkPolicy unp: unified, 2')
    await judged('web', 'unified')
    await kubectl(['label', 'port', 'db', '-n', space, 'app=web', '--overwrite'])
    await judged('db', 'unified')
    await kubectl(['label', 'port', 'db', '-n', space, 'app=db', '--overwrite'])
    await judged('db')
  })

  test('whose CRDs come late are taken up by workers that run, each in its tier; with their CRDs they go, and no others', async () => {
    await create(...clusterWide.map(crdOf))
    await kubectl(['wait', 'crd', '--for=condition=Established', '--timeout=30s', ...clusterWide.map(([, plural]) => `${plural}.${group}`)])
    const subject = { pods: { namespaceSelector: ours(), podSelector: { matchLabels: { app: 'web' } } } }
    const deny = (action = 'Deny'): object => ({
      ingress: [{ name: 'no', action, from: [{ pods: { namespaceSelector: {}, podSelector: {} } }] }],
    })
    await create(
      named(`${group}/v1alpha1`, 'AdminNetworkPolicy', 'anp', { priority: 5, subject, ...deny() }),
      named(`${group}/v1alpha1`, 'BaselineAdminNetworkPolicy', 'default', { subject: { namespaces: ours() }, ...deny() }),
      named(`${group}/v1alpha2`, 'ClusterNetworkPolicy', 'cnp', { tier: 'Admin', priority: 6, subject, ...deny('Accept') }),
    )
    const unp = 'UnifiedNetworkPolicy unp: unified, 2'
    await become(
      unp,
      'AdminNetworkPolicy anp: admin, 1',
      'BaselineAdminNetworkPolicy default: baseline, 1',
      'ClusterNetworkPolicy cnp: admin, 1',
    )
    await judged('web', 'admin', 'admin', 'baseline', 'unified')
    await judged('db', 'baseline')
    // Of a form that their kinds have not, which these definitions let pass: what cannot be read denies, and touches nobody else's rules.
    const ports = Array.from({ length: 300 }, (_, i) => ({ portNumber: { protocol: 'TCP', port: 1 + i * 2 } }))
    const many = ports.map((each) => ({ action: 'Deny', from: [{ namespaces: {} }], ports: [each] }))
    await create(
      named(`${group}/v1alpha1`, 'AdminNetworkPolicy', 'odd', {
        priority: 7,
        subject,
        ingress: 'all',
        egress: [{ action: 'Drop', to: [{ networks: ['10.0.0.1/8'] }] }],
      }),
      named(`${group}/v1alpha1`, 'AdminNetworkPolicy', 'nobody', { priority: 8, subject: null, ...deny() }),
      named(`${group}/v1alpha1`, 'AdminNetworkPolicy', 'many', { priority: 9, subject, ingress: many }),
    )
    await become(
      unp,
      'AdminNetworkPolicy anp: admin, 1',
      'AdminNetworkPolicy many: admin, 255',
      'AdminNetworkPolicy odd: admin, 2',
      'BaselineAdminNetworkPolicy default: baseline, 1',
      'ClusterNetworkPolicy cnp: admin, 1',
    )
    await judged('db', 'baseline')
    const toldOf = async (name: string): Promise<string> => {
      const uid = await kubectl(['get', 'adminnetworkpolicy', name, '-o', 'jsonpath={.metadata.uid}'])
      return kubectl([
        'get',
        'events.events.k8s.io',
        '-n',
        'default',
        `--field-selector=regarding.uid=${uid}`,
        '-o',
        'jsonpath={.items[*].note}',
      ])
    }
    for (const [name, path] of [
      ['odd', '/spec/ingress must be a list'],
      ['nobody', '/spec/subject is not of the form that its kind has'],
      ['many', 'is more than 256 rules in one policy'],
    ] as const)
      await until(async () => (await toldOf(name)).includes(path), `an Event says what is wrong with ${name}`, 30_000)
    await kubectl(['delete', 'adminnetworkpolicy', 'odd', 'nobody', 'many'])
    await kubectl(['delete', 'adminnetworkpolicy', 'anp'])
    await become(unp, 'BaselineAdminNetworkPolicy default: baseline, 1', 'ClusterNetworkPolicy cnp: admin, 1')
    await removeCrds()
    await become(unp)
    await judged('db')
    assert.equal(workers.log.filter(({ level }) => Number(level) >= 60).length, 0, 'no worker died of it')
  })

  test('a part that is wrong is refused by its path, and one that is not done is said on the policy, which weakens no other', async () => {
    const wrong = unified({ ingress: [{ action: 'allow', peers: [{ cidr: '10.0.0.1/8' }] }] })
    const { code, stderr } = await tryKubectl(['create', '-f', '-'], { input: JSON.stringify(wrong).replace('"unp"', '"wrong"') })
    assert.notEqual(code, 0)
    assert.match(stderr, /spec\.ingress.*cidr must be a block whose host bits are zero/)
    await create(networkPolicy())
    const ingress = [{ action: 'deny', peers: [{ fqdn: 'nobody.invalid' }] }]
    await kubectl(['patch', 'unp', 'unp', '-n', space, '--type=merge', '-p', JSON.stringify({ spec: { ingress } })])
    await become('NetworkPolicy np: networkPolicy, 1', 'UnifiedNetworkPolicy unp: unified, 3')
    await judged('web', 'networkPolicy', 'unified')
    const isSaid = async (): Promise<boolean> =>
      (await kubectl(['get', 'unp', 'unp', '-n', space, '-o', 'json'])).includes('/spec/ingress/0/peers/0/fqdn has no address')
    await until(isSaid, 'its status says which part is not done', 30_000)
  })
})

// The chart by a real helm, and what it renders on a real API server.
import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { stringify } from 'yaml'
import { nsmKinds } from '../../core/kinds/foreign-network-services.ts'
import { definitionOf, groupOf, kinds, pluralOf, type OwnKind } from '../../core/kinds/index.ts'
import { readConfig } from '../../platform/config.ts'
import { kubectl, kubeSkip } from '../setup/kubectl.ts'

import { chart, closeHelm, helm, helmed, manifests, namespace, render, type Manifest } from './helm.ts'

describe('the chart', { skip: kubeSkip }, () => {
  after(closeHelm)

  test('passes helm lint, warnings counted', async () => {
    await helmed(['lint', '--strict', chart])
  })

  const wrong: Record<string, readonly [values: object, complaint: RegExp]> = {
    'a value that is not known': [{ webhook: { replicas: 2 } }, /additional properties 'webhook' not allowed/],
    'one deep inside': [{ settings: { nicLimit: {} } }, /additional properties 'nicLimit' not allowed/],
    'a wrong type': [{ workers: { replicas: 'two' } }, /\/workers\/replicas/],
    'a failure policy that is none': [{ admission: { failurePolicy: 'fail' } }, /\/admission\/failurePolicy/],
    'a timeout above what admission may take': [{ admission: { timeoutSeconds: 30 } }, /\/admission\/timeoutSeconds/],
    'a block that is none': [{ settings: { callbackAllow: ['10.0.0.1'] } }, /\/settings\/callbackAllow\/0/],
    'a path that could be guessed': [{ admission: { path: 'secret' } }, /\/admission\/path/],
    'a CA that is not PEM': [{ tls: { secretName: 'mine', caBundle: 'abc' } }, /\/tls\/caBundle/],
    'several workers without Redis': [{ workers: { replicas: 2 } }, /redis\.url/],
    'half an issuer': [{ rest: { tokenIssuer: 'https://issuer.example.org' } }, /set together/],
    'network policies that do not know who tells of ports': [
      { networkPolicy: { apiServer: ['10.0.0.0/24'] }, cloudEvents: { enabled: true } },
      /networkPolicy\.clouds/,
    ],
    'an nsmgr without a certificate': [{ agents: { enabled: true, nsmgr: { enabled: true } } }, /nsmgr\.secretName/],
    'an nsmgr without a registry': [{ agents: { enabled: true, nsmgr: { enabled: true, secretName: 'mesh' } } }, /nsmgr\.registry, or nsm/],
    'network policies that do not know the API server': [{ networkPolicy: { enabled: true } }, /networkPolicy\.apiServer/],
  }
  for (const [name, [values, complaint]] of Object.entries(wrong))
    test(`refuses ${name}`, async () => {
      const { code, stderr } = await helm(['template', 'megrez', chart, '--kube-version', '1.34', '--values', '-'], stringify(values))
      assert.notEqual(code, 0)
      assert.match(stderr, complaint)
    })

  test('refuses a cluster older than 1.32', async () => {
    const { code, stderr } = await helm(['template', 'megrez', chart, '--kube-version', '1.31'])
    assert.notEqual(code, 0)
    assert.match(stderr, /kubeVersion/)
  })

  test('renders the CRDs where asked to, each of them, and otherwise those of NSM alone, to be kept', async () => {
    const names = (found: readonly Manifest[]): string[] =>
      found
        .filter(({ kind }) => kind === 'CustomResourceDefinition')
        .map(({ metadata }) => metadata.name)
        .sort()
    const wanted = (Object.keys(kinds) as OwnKind[]).map((kind) => `${definitionOf(kind).plural}.megrez.io`).sort()
    const asked = manifests(await render({ crds: { render: true } }, '--show-only', 'templates/crds.yaml'))
    assert.deepEqual([names(asked), asked.length], [wanted, wanted.length])
    const ofNsm = nsmKinds.map((kind) => `${pluralOf(kind)}.${groupOf(kind)}`).sort()
    const plain = manifests(await render({}))
    assert.deepEqual([names(plain), names(manifests(await render({ crds: { networkServices: false } })))], [ofNsm, []])
    for (const { kind, metadata } of plain)
      if (kind === 'CustomResourceDefinition')
        assert.equal((metadata as { annotations?: Record<string, string> }).annotations?.['helm.sh/resource-policy'], 'keep')
  })

  const examples: Record<string, unknown> = {
    logLevel: 'debug',
    redisPrefix: 'm',
    lingerMs: 1000,
    nicLimits: { default: 4, flavors: { 'm1.large': 2 } },
    clusterNic: 'none',
    agents: true,
    reservationMs: 20_000,
    reservationRate: 50,
    addressRestMs: 0,
    vniMin: 5000,
    vniMax: 16_000_000,
    concurrency: 10,
    blockerWaitMs: 1_000_000,
    callbackTimeoutMs: 5000,
    callbackHorizonMs: 259_200_000,
    callbackAllow: ['10.0.0.0/8', 'fd00::/8'],
    callbackHttp: true,
    callbackAllowIn: { nfvo: ['10.1.0.0/16'] },
    callbackSharedSignature: false,
    callbackOrigin: 'megrez.example.org',
    publicUrl: 'https://megrez.example.org/nfv',
    fabricOwner: 'site-1',
    fabricRate: 5,
    fabricFreshMs: 20_000,
    fabricAuditMs: 30_000,
    nameServers: ['192.0.2.53', '[2001:db8::53]:5353'],
    policyClasses: { gold: 46, silver: 26 },
    policyEnforcement: 'audit',
    dataplane: 'linux',
    bridge: 'br-m',
    tunnelL4Port: 8472,
    tunnelBlocks: ['192.0.2.0/24'],
    underlayMtu: 9000,
    underlayInterface: 'eth1',
    underlayMbps: 40_000,
    uplinks: { physnet1: 'eth1' },
    ovsDb: 'unix:/ovs/db.sock',
    ovsRunDir: '/ovs',
    ovsDatapath: 'netdev',
    bessTarget: 'unix:/bess.sock',
    dpdkSockets: '/dpdk',
    tunnelDscp: 'inherit',
    bessDpdk: 'memif',
    bessBesideOthers: true,
    cniSocket: '/cni.sock',
    cniBin: '/bin',
    cniConf: '/conf',
    cniDelegate: '/delegate',
    cniShim: '/shim',
    cniConcurrency: 4,
    cniBudgetMs: 60_000,
    ledger: '/ledger',
    auditMs: 1000,
    attachmentNamespaces: ['shared'],
    execAllow: ['/usr/bin/true'],
    bgp: 'bird',
    bgpForeignTable: 100,
    bgpForeignProtocol: 'zebra',
  }
  test('every setting that it takes reaches both processes as they read it', async () => {
    const schema = JSON.parse(await readFile(join(chart, 'values.schema.json'), 'utf8')) as {
      properties: { settings: { properties: object } }
    }
    assert.deepEqual(Object.keys(schema.properties.settings.properties).sort(), Object.keys(examples).sort())
    const deployments = manifests(await render({ settings: examples })).filter(({ kind }) => kind === 'Deployment')
    assert.equal(deployments.length, 2)
    for (const { spec } of deployments) {
      const env = Object.fromEntries(spec!.template!.spec.containers[0]!.env.map(({ name, value }) => [name, value]))
      const config: Record<string, unknown> = readConfig({ ...env, MEGREZ_CALLBACK_SECRET: undefined })
      for (const [name, value] of Object.entries(examples)) assert.deepEqual(config[name], value, name)
    }
  })

  test('serves REST to clients with certificates where it is told who signs them, and to nobody by default', async () => {
    const webhooksOf = async (values: object): Promise<string> =>
      JSON.stringify(
        manifests(await render(values)).filter(
          ({ kind, metadata }) => metadata.name === 'megrez-webhooks' && ['Deployment', 'Service'].includes(kind),
        ),
      )
    const text = await webhooksOf({ rest: { clientCaSecret: 'clients' } })
    assert.match(text, /"name":"MEGREZ_CLIENT_CA","value":"\/etc\/megrez\/client-ca\/ca\.crt"/)
    assert.match(text, /"name":"client-ca","mountPath":"\/etc\/megrez\/client-ca","readOnly":true/)
    assert.match(
      text,
      /"name":"client-ca","secret":\{"secretName":"clients","defaultMode":\d+,"items":\[\{"key":"ca\.crt","path":"ca\.crt"\}\]\}/,
    )
    assert.match(text, /"port":8444/)
    assert.doesNotMatch(await webhooksOf({}), /client-ca|8444/)
  })

  test('where Clouds may tell of ports, workers listen behind a Service whose name their certificate is for; by default nobody does', async () => {
    const all = manifests(await render({ cloudEvents: { enabled: true, serviceType: 'LoadBalancer' } }))
    const workers = JSON.stringify(all.find(({ kind, metadata }) => kind === 'Deployment' && metadata.name === 'megrez-workers'))
    assert.match(workers, /"name":"MEGREZ_CLOUD_EVENTS_L4PORT","value":"8774"/)
    assert.match(workers, /"name":"cloud-events-tls","secret":\{"secretName":"megrez-cloud-events-tls"/)
    const service = JSON.stringify(all.find(({ kind, metadata }) => kind === 'Service' && metadata.name === 'megrez-cloud-events')?.spec)
    assert.match(
      service,
      /"type":"LoadBalancer","externalTrafficPolicy":"Local".*component":"workers".*"port":8774,"targetPort":"cloud-events"/,
    )
    const { data = {} } = all.find(({ metadata }) => metadata.name === 'megrez-cloud-events-tls') ?? {}
    const [leaf, authority] = ['tls.crt', 'ca.crt'].map((file) => new X509Certificate(Buffer.from(data[file]!, 'base64')))
    assert.equal(leaf!.verify(authority!.publicKey), true)
    assert.equal(leaf!.checkHost(`megrez-cloud-events.${namespace}.svc`), `megrez-cloud-events.${namespace}.svc`)
    const named = manifests(await render({ cloudEvents: { enabled: true, secretName: 'mine' } }))
    assert.equal(
      named.some(({ metadata }) => metadata.name === 'megrez-cloud-events-tls'),
      false,
    )
    assert.match(JSON.stringify(named), /"secretName":"mine"/)
    assert.doesNotMatch(await render({}), /cloud-events|CLOUD_EVENTS/)
  })

  test('agents are nsmgrs of their nodes where asked to, with the registry of the chart or another one; by default none is', async () => {
    const agentOf = async (values: object): Promise<string> =>
      JSON.stringify(manifests(await render(values)).find(({ kind, metadata }) => kind === 'DaemonSet' && metadata.name === 'megrez-agent'))
    const nsmgr = { enabled: true, secretName: 'mesh' }
    const own = await agentOf({ nsm: { enabled: true, secretName: 'mesh' }, agents: { enabled: true, nsmgr } })
    assert.match(own, /"name":"NODE_ADDRESS",.*"name":"MEGREZ_NSMGR_URL","value":"tcp:\/\/\$\(NODE_ADDRESS\):5001"/)
    assert.match(own, /"name":"MEGREZ_NSMGR_REGISTRY","value":"tcp:\/\/megrez-webhooks\.megrez-system\.svc:5002"/)
    assert.match(own, /"name":"nsm","mountPath":"\/etc\/megrez\/nsm","readOnly":true/)
    assert.match(own, /"name":"nsm","secret":\{"secretName":"mesh","defaultMode":\d+\}/)
    const registry = 'tcp://registry.example.org:5002'
    const other = await agentOf({ agents: { enabled: true, nsmgr: { ...nsmgr, registry, forwarder: 'kernel', socketDir: '/run/nsm' } } })
    assert.doesNotMatch(own, /NSMGR_SOCKET|nsm-socket/)
    assert.match(other, /"name":"MEGREZ_NSMGR_SOCKET","value":"unix:\/\/\/run\/nsm\/nsm\.io\.sock"/)
    assert.match(other, /"name":"nsm-socket","hostPath":\{"path":"\/run\/nsm","type":"DirectoryOrCreate"\}/)
    assert.match(other, /"value":"tcp:\/\/registry\.example\.org:5002".*"name":"MEGREZ_NSMGR_FORWARDER","value":"kernel"/)
    assert.doesNotMatch(await agentOf({ agents: { enabled: true } }), /nsm/i)
  })

  test('gives nobody of ours a wildcard, secrets outside our own namespace unless asked to, or the right to change pods', async () => {
    const rest = { tokenIssuer: 'a', tokenAudience: 'b', kubeTokens: true }
    const all = manifests(await render({ rest }))
    const rules = all.flatMap(({ rules: some = [], kind }) => (kind === 'ClusterRole' || kind === 'Role' ? some : []))
    assert(rules.length > 5)
    for (const { kind, metadata, rules: some = [] } of all)
      if (some.some(({ resources }) => resources.includes('secrets')))
        assert.deepEqual([kind, metadata.namespace], ['Role', namespace], metadata.name)
    const asked = manifests(await render({ workers: { subscriptionSecrets: true } })).find(
      ({ kind, metadata }) => kind === 'ClusterRole' && metadata.name === 'megrez-workers',
    )
    assert.deepEqual(
      asked?.rules?.filter(({ resources }) => resources.includes('secrets')),
      [{ apiGroups: [''], resources: ['secrets'], verbs: ['get'] }],
    )
    const ofAgents = manifests(await render({ agents: { enabled: true, bgpSecrets: ['bgp'] } })).find(
      ({ kind, metadata }) => kind === 'Role' && metadata.name === 'megrez-agent-bgp',
    )
    assert.deepEqual(ofAgents?.rules, [{ apiGroups: [''], resources: ['secrets'], resourceNames: ['bgp'], verbs: ['get'] }])
    for (const rule of rules) {
      assert.equal(
        [...rule.apiGroups, ...rule.resources, ...rule.verbs].some((each) => each.includes('*')),
        false,
        JSON.stringify(rule),
      )
      assert.equal(
        rule.resources.includes('pods') && rule.verbs.some((verb) => verb === 'patch' || verb === 'update'),
        false,
        JSON.stringify(rule),
      )
    }
  })

  const reading = ['get', 'list', 'watch']
  const changing = ['create', 'patch', 'delete']
  const rights: Readonly<Record<string, (kind: OwnKind) => readonly string[]>> = {
    'megrez-webhooks': (kind) => [...reading, ...(definitionOf(kind).internal ? [] : changing)],
    // What each role has is asked in rights.test.ts. Who only reads sees no Inquiries: a capture holds what pods send to each other; nor
    // what policies come to: it tells how a guest labels pods; nor Audits: they tell what every tenant has at a cloud.
    'megrez-rest-read': (kind) => (['Notice', 'Inquiry', 'Audit', 'PolicyIdentity', 'PolicyRuleSet'].includes(kind) ? [] : reading),
    // A controller adds a finalizer to what it looks after, and lets it go.
    'megrez-workers': (kind) => [...reading, ...(kind === 'Notice' ? [] : ['patch'])],
  }
  for (const [role, verbsOf] of Object.entries(rights))
    test(`${role} has its rights to each kind of the table`, async () => {
      const found = manifests(await render({ rest: { tokenIssuer: 'a', tokenAudience: 'b' } })).find(
        ({ kind, metadata }) => kind === 'ClusterRole' && metadata.name === role,
      )
      const has = (plural: string, verb: string): boolean =>
        found?.rules?.some(
          ({ apiGroups, resources, verbs }) => apiGroups.includes('megrez.io') && resources.includes(plural) && verbs.includes(verb),
        ) === true
      const lacking = (Object.keys(kinds) as OwnKind[]).flatMap((kind) =>
        verbsOf(kind)
          .filter((verb) => !has(definitionOf(kind).plural, verb))
          .map((verb) => `${verb} ${definitionOf(kind).plural}`),
      )
      assert.deepEqual(lacking, [])
    })

  test('the workers may report on each kind', async () => {
    const rules = manifests(await render({}))
      .filter(
        ({ kind, metadata }) =>
          (kind === 'ClusterRole' && metadata.name === 'megrez-workers') || (kind === 'Role' && metadata.name === 'megrez-notices'),
      )
      .flatMap(({ rules: some = [] }) => some)
    const lacking = (Object.keys(kinds) as OwnKind[])
      .map((kind) => `${definitionOf(kind).plural}/status`)
      .filter((status) => !rules.some(({ resources, verbs }) => resources.includes(status) && verbs.includes('patch')))
    assert.deepEqual(lacking, [])
  })

  test("an agent sees bessd's folder where that is its data plane, and gives its node back where it is told to leave", async () => {
    const agent = async (values: object): Promise<string> =>
      JSON.stringify(manifests(await render(values)).find(({ kind }) => kind === 'DaemonSet'))
    const [plain, bess, leaving] = await Promise.all(
      [
        { agents: { enabled: true } },
        { agents: { enabled: true, bessRunDir: '/bess' }, settings: { dataplane: 'bess' } },
        { agents: { enabled: true, leave: true } },
      ].map(agent),
    )
    assert.doesNotMatch(plain!, /\/run\/bess|preStop/)
    assert.match(bess!, /"name":"bess","mountPath":"\/run\/bess".*"name":"bess","hostPath":\{"path":"\/bess"/)
    assert.match(leaving!, /"preStop":\{"exec":\{"command":\["node",[^\]]*"agent\/cni\/restore-delegate\.ts"\]/)
  })

  test('BIRD is in pods of its own where it is asked for, which an upgrade of agents leaves alone', async () => {
    const sets = async (settings: object): Promise<Readonly<Record<string, string>>> =>
      Object.fromEntries(
        manifests(await render({ agents: { enabled: true }, settings }))
          .filter(({ kind }) => kind === 'DaemonSet')
          .map((each) => [each.metadata.name, JSON.stringify(each)]),
      )
    const [bird, foreign, none] = await Promise.all([{ bgp: 'bird' }, { bgp: 'foreign' }, {}].map(sets))
    assert.deepEqual(
      [bird, foreign, none].map((each) => Object.keys(each!).sort()),
      [['megrez-agent', 'megrez-bgp'], ['megrez-agent'], ['megrez-agent']],
    )
    assert.match(bird!['megrez-agent']!, /"name":"MEGREZ_BGP_START","value":"false"/)
    const { bgpFolder } = readConfig({})
    for (const word of [`-c ${bgpFolder}/bird.conf`, `-s ${bgpFolder}/bird.ctl`, '-R', '"birdc"', '"hostNetwork":true'])
      assert.ok(bird!['megrez-bgp']!.includes(word), word)
    assert.doesNotMatch(none!['megrez-agent']!, /BGP/)
  })

  test('with everything switched on, all of it is taken by the API server', async () => {
    await kubectl(['create', 'namespace', namespace]).catch(() => undefined)
    const values = {
      redis: { secretName: 'redis', caSecretName: 'redis-ca' },
      workers: { replicas: 3, nodeSelector: { a: 'b' }, tolerations: [{ operator: 'Exists' }] },
      webhooks: { affinity: { podAntiAffinity: {} }, podAnnotations: { a: 'b' } },
      rest: { tokenIssuer: 'a', tokenAudience: 'b', tokenKeysUrl: 'https://issuer.example.org/keys' },
      image: { pullSecrets: ['registry'] },
      settings: examples,
      agents: { enabled: true },
      cloudEvents: { enabled: true, serviceType: 'LoadBalancer', serviceAnnotations: { a: 'b' } },
      networkPolicy: { enabled: true, apiServer: ['10.0.0.0/24'], redis: ['10.1.0.0/24'], clouds: ['10.2.0.0/24'] },
      admission: { annotations: { 'cert-manager.io/inject-ca-from': 'a/b' }, exemptNamespaces: ['other'] },
    }
    await kubectl(['apply', '--dry-run=server', '--validate=strict', '-f', '-'], { input: await render(values) })
    const monitors = manifests(await render({ serviceMonitor: { enabled: true, labels: { release: 'prometheus' } } })).filter(
      ({ kind }) => kind === 'ServiceMonitor',
    )
    assert.equal(monitors.length, 1)
  })
})

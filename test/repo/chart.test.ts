// What the chart says of our kinds and settings by hand, held to their tables; nothing of it needs helm or an API server.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parse } from 'yaml'
import { agentReads, agentWrites } from '../../core/admit/object/agent-access.ts'
import { mayRole } from '../../core/admit/rest/roles.ts'
import { allKinds, definitionOf, pluralOf, type Kind } from '../../core/kinds/index.ts'
import { settings } from '../../platform/config.ts'
import { read } from './sources.ts'

test("the policy of agents names every field of a Port's status: those of two sections are a node's, that of its Port or of where that moves", () => {
  const [text = ''] = read('charts/megrez/files/policies/agents.yaml').split('name: inquiries.agents.megrez.io')
  const fields = Object.keys(definitionOf('Port').status.properties).map((field) => `status.?${field} ==`)
  assert.deepEqual(
    fields.filter((field) => !text.includes(field)),
    [],
  )
})

test("the policy of agents names every field of an Inquiry's status but its answer", () => {
  const [, text = ''] = read('charts/megrez/files/policies/agents.yaml').split('name: inquiries.agents.megrez.io')
  const fields = Object.keys(definitionOf('Inquiry').status.properties).map((field) => `status.?${field} ==`)
  assert.deepEqual(
    fields.filter((field) => !text.includes(field)),
    ['status.?answer =='],
  )
})

test('agents, in a cluster and outside, read what their one table says and nothing else', () => {
  const rules = parse(read('charts/megrez/files/agent-rules.yaml')) as readonly {
    readonly resources: readonly string[]
    readonly verbs: readonly string[]
  }[]
  const given = rules
    .filter(({ verbs }) => verbs.includes('get'))
    .map(({ resources: [plural], verbs }) => `${plural} ${verbs.includes('watch') ? 'watch' : 'get'}`)
  assert.deepEqual(
    given,
    Object.entries(agentReads).map(([kind, how]) => `${pluralOf(kind as Kind)} ${how}`),
  )
  assert.match(read('charts/megrez/templates/agents.yaml'), /Files\.Get "files\/agent-rules\.yaml"/)
  for (const kind of allKinds) assert.equal(mayRole('agent', 'read', kind), Object.hasOwn(agentReads, kind), kind)
  for (const kind of Object.keys(agentWrites))
    assert.match(read('charts/megrez/files/policies/agents.yaml'), new RegExp(`name: ${pluralOf(kind as Kind)}\\.agents\\.`), kind)
})

test('what the chart does not take of the settings is what it decides itself, or what nodes outside Kubernetes need', () => {
  const schema = JSON.parse(read('charts/megrez/values.schema.json')) as { properties: { settings: { properties: object } } }
  const own = [
    'namespace',
    'redis',
    'redisCa',
    'queueInProcess',
    'kubeconfig',
    'kubeContext',
    'listenHost',
    'admissionL4Port',
    'restL4Port',
    'healthL4Port',
    'metricsL4Port',
    'metricsHost',
    'metricsCert',
    'metricsKey',
    'metricsClientCa',
    'metricsClientNames',
    'admissionRegistration',
    'admissionClientCa',
    'admissionClientNames',
    'tlsCert',
    'tlsKey',
    'renewCertificates',
    'tokenIssuer',
    'tokenAudience',
    'tokenKeysUrl',
    'tokenIssuers',
    'openidIssuer',
    'openidClient',
    'openidSecretFile',
    'openidScopes',
    'kubeTokens',
    'accessReview',
    'restRate',
    'clientCa',
    'callbackSecret',
    'sqliteSynchronous',
    'node',
    'pod',
    'storeSocket',
    'tunnelAddress',
    'portsWithoutPod',
    'fabricCredentials',
    'cloudCredentials',
    'cloudEventsL4Port',
    'cloudEventsCert',
    'cloudEventsKey',
    'nsmgrListen',
    'nsmgrSocket',
    'nsmgrUrl',
    'nsmgrRegistry',
    'nsmgrForwarder',
    'nsmgrForwarderService',
    'nsmgrExcludedPrefixes',
    'nsmgrTunnelL4Port',
    'nsmgrVniMin',
    'nsmgrVniMax',
    'nsmgrCert',
    'nsmgrKey',
    'nsmgrCa',
    'nsmgrTokenSeconds',
    'nsmListen',
    'nsmNamespace',
    'nsmCert',
    'nsmKey',
    'nsmCa',
    'nsmEndpointSeconds',
    'nsmTokenSeconds',
    'bgpStart',
    'bgpFolder',
    'birdProgram',
    'frrPrograms',
  ]
  assert.deepEqual([...Object.keys(schema.properties.settings.properties), ...own].sort(), Object.keys(settings).sort())
})

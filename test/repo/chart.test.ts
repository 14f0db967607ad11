// What the chart says of our kinds and settings by hand, held to their tables; nothing of it needs helm or an API server.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { definitionOf } from '../../core/kinds/index.ts'
import { settings } from '../../platform/config.ts'
import { read } from './sources.ts'

test("the policy of agents names every field of a Port's status that an agent may not write", () => {
  const text = read('charts/megrez/files/policies/agents.yaml')
  const fields = Object.keys(definitionOf('Port').status.properties).map((field) => `status.?${field} ==`)
  assert.deepEqual(
    fields.filter((field) => !text.includes(field)),
    ['status.?node =='],
  )
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
  ]
  assert.deepEqual([...Object.keys(schema.properties.settings.properties), ...own].sort(), Object.keys(settings).sort())
})

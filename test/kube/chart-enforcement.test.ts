// Whether policies are enforced or in audit, as the chart decides by what is installed.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { kubectl, kubeSkip, newNamespace } from '../setup/kubectl.ts'
import { chart, closeHelm, helmed, manifests } from './helm.ts'

describe('what the chart says of enforcement', { skip: kubeSkip }, () => {
  let namespace = ''
  before(async () => {
    namespace = await newNamespace('enforcement')
  })
  after(async () => {
    await kubectl(['delete', 'namespace', namespace, '--wait=false'])
    await closeHelm()
  })

  async function enforcement(...more: readonly string[]): Promise<readonly (string | undefined)[]> {
    const args = [
      'template',
      'megrez',
      chart,
      '--namespace',
      namespace,
      '--kube-version',
      '1.34',
      '--dry-run=server',
      '--show-only',
      'templates/workers.yaml',
      ...more,
    ]
    const workers = manifests(await helmed(args)).find(({ kind }) => kind === 'Deployment')
    const env = workers?.spec?.template?.spec.containers[0]?.env ?? []
    return env.filter(({ name }) => name === 'MEGREZ_POLICY_ENFORCEMENT').map(({ value }) => value)
  }
  const installed = (env: readonly object[]): object => ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'megrez-workers', namespace },
    spec: {
      replicas: 0,
      selector: { matchLabels: { app: 'workers' } },
      template: { metadata: { labels: { app: 'workers' } }, spec: { containers: [{ name: 'workers', image: 'a', env }] } },
    },
  })
  const isThere = (env: readonly object[]): Promise<string> =>
    kubectl(['apply', '-f', '-'], { input: JSON.stringify(installed([{ name: 'MEGREZ_NAMESPACE', value: namespace }, ...env])) })

  test('a new installation enforces; one from before begins in audit; each keeps what it has, unless it is told otherwise', async () => {
    assert.deepEqual(await enforcement(), ['enforce'])
    await isThere([])
    assert.deepEqual(await enforcement(), ['audit'])
    await isThere([{ name: 'MEGREZ_POLICY_ENFORCEMENT', value: 'enforce' }])
    assert.deepEqual(await enforcement(), ['enforce'])
    await isThere([{ name: 'MEGREZ_POLICY_ENFORCEMENT', value: 'audit' }])
    assert.deepEqual(await enforcement(), ['audit'])
    assert.deepEqual(await enforcement('--set', 'settings.policyEnforcement=enforce'), ['enforce'])
  })
})

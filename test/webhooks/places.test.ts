// A Port without a pod on a node of its maker's choice: admission and REST ask the Node, and nobody else changes the choice.
import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { portsWithoutPodLabel } from '../../core/kinds/annotations.ts'
import { problemsAround, type OwnObject } from '../../webhooks/admission/objects.ts'
import { furnish, openAdmission, type AdmissionTestServer } from './admission-test-server.ts'
import { openHarness, type Harness } from './rest-harness.ts'

const port = (spec: object): OwnObject =>
  ({ kind: 'Port', metadata: { namespace: 'a', name: 'p' }, spec: { subnet: 'front', ...spec } }) as unknown as OwnObject

describe('admission', () => {
  let cluster: AdmissionTestServer
  beforeEach(async () => {
    cluster = await openAdmission()
    await furnish(cluster)
    await cluster.store.create({ kind: 'Node', metadata: { name: 'open', labels: { [portsWithoutPodLabel]: 'bare' } }, spec: {} })
    await cluster.store.create({ kind: 'Node', metadata: { name: 'shut' }, spec: {} })
  })
  afterEach(() => cluster.close())
  const at = async (spec: object, old?: OwnObject): Promise<string | undefined> =>
    (await problemsAround(cluster.deps, port(spec), old))[0]?.at

  test('asks the Node that a new Port names, and no Node for any other', async () => {
    assert.deepEqual(
      [
        await at({ node: 'open' }),
        await at({ node: 'open', addressed: true }),
        await at({ node: 'shut' }),
        await at({ node: 'none' }),
        await at({}),
      ],
      [undefined, '/spec/addressed', '/spec/node', '/spec/node', undefined],
    )
  })

  test('takes what is ours from nobody: whose a Port is, and on which node it is once it is made', async () => {
    const claim = { pod: 'web', nic: 'net1', owner: 'Pod/web', podUID: 'u' }
    const [free, taken] = [port({}), port({ claim, podUID: 'u', node: 'shut' })]
    const tried = { claim: { claim }, pod: { podUID: 'u' }, 'claim on a node': { claim, podUID: 'u', node: 'open' } }
    for (const [what, spec] of Object.entries(tried)) assert.match((await at(spec)) ?? '', /^\/spec\/(claim|podUID)$/, what)
    assert.deepEqual(
      [await at({ claim }, free), await at({ podUID: 'u' }, free), await at({ node: 'open' }, free)],
      ['/spec/claim', '/spec/podUID', '/spec/node'],
    )
    assert.deepEqual(
      [await at({ podUID: 'u', node: 'shut' }, taken), await at({ claim, node: 'shut' }, taken), await at({ claim, podUID: 'u' }, taken)],
      ['/spec/claim', '/spec/podUID', '/spec/node'],
    )
    assert.equal(await at({ claim, podUID: 'u', node: 'shut', retain: true }, taken), undefined)
  })

  test('asks none where a Port changes that is there: what it says of its node stays', async () => {
    assert.equal(await at({ node: 'shut', securityGroups: ['g'] }, port({ node: 'shut' })), undefined)
  })
})

describe('REST', () => {
  let harness: Harness
  beforeEach(async () => {
    harness = await openHarness()
    await harness.network('blue')
    await harness.store.create({ kind: 'Node', metadata: { name: 'n1', labels: { [portsWithoutPodLabel]: 'addressed' } }, spec: {} })
    await harness.store.create({ kind: 'Node', metadata: { name: 'n2' }, spec: {} })
  })
  afterEach(() => harness.close())
  const posted = (spec: object) =>
    harness.ask('POST /v1/namespaces/blue/ports', {
      body: { apiVersion: 'megrez.io/v1alpha1', kind: 'Port', metadata: { name: 'p' }, spec: { subnet: 'subnet-1', ...spec } },
    })

  test('makes a Port on a node that takes it, and refuses it by pointer elsewhere', async () => {
    const refused = await posted({ node: 'n2' })
    assert.deepEqual([refused.status, refused.problem.errors?.[0]?.pointer], [422, '/spec/node'], refused.text)
    assert.equal((await posted({ node: 'n1', addressed: true })).status, 201)
  })

  test('takes no addresses of a Port that names no node', async () => {
    const { status, text } = await posted({ addressed: true })
    assert.equal(status, 422)
    assert.match(text, /name its node/)
  })
})

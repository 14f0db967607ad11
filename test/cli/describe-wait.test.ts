import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openCliServer, type CliServer } from './cli-server.ts'

let cli: CliServer
before(async () => {
  cli = await openCliServer()
})
after(() => cli.close())

const vpcNamed = (name: string) => cli.rest.store.create({ kind: 'Vpc', metadata: { namespace: 'w', name }, spec: { provider: 'builtin' } })
const condition = (status: 'True' | 'False') =>
  ({ type: 'Ready', status, reason: 'InPlace', message: 'all of it', lastTransitionTime: '2026-01-01T00:00:00Z' }) as const

async function reported(name: string, status: 'True' | 'False', message = 'all of it'): Promise<void> {
  const ref = { kind: 'Vpc', namespace: 'w', name } as const
  const { metadata } = (await cli.rest.store.get(ref)) ?? assert.fail(name)
  await cli.rest.store.patchStatus(
    { ref, uid: metadata.uid },
    {
      report: {
        phase: status === 'True' ? 'ready' : 'error',
        message,
        conditions: [condition(status)],
        timeline: [{ sequence: 1, time: '2026-01-01T00:00:00Z', phase: 'ready', reason: 'InPlace' }],
      },
    },
  )
}

test('an object is described with spec, conditions, timeline and the events of it alone', async () => {
  const { metadata } = await vpcNamed('seen')
  await vpcNamed('other')
  await reported('seen', 'True', 'a\u001b[2J message')
  for (const name of ['seen', 'other'])
    await cli.rest.store.create({
      kind: 'Event',
      metadata: { namespace: 'w', name: `of-${name}` },
      spec: {
        regarding: { apiVersion: 'megrez.io/v1alpha1', kind: 'Vpc', namespace: 'w', name, uid: metadata.uid },
        type: 'Warning',
        reason: 'Refused',
        action: 'Report',
        note: `note of ${name}`,
        eventTime: '2026-01-01T00:00:00.000000Z',
        count: 3,
      },
    })
  const { exit, out } = await cli.megrez('describe vpc seen -n w')
  assert.equal(exit, 0)
  assert.match(out, /^Name: +seen\nNamespace: +w\nKind: +Vpc \(megrez\.io\/v1alpha1\)\nCreated: +\S+ \(\d+s ago\)\nPhase: +ready\n/)
  assert.match(out, /\nSpec:\n {2}provider: builtin\n/)
  assert.match(out, /\nConditions:\n {2}TYPE +STATUS.*\n {2}Ready +True +\d+d +InPlace +all of it\n/)
  assert.match(out, /\nTimeline:\n {2}TIME.*\n {2}2026-01-01T00:00:00Z +ready +InPlace\n/)
  assert.match(out, /\nEvents:\n.*\n {2}Warning +Refused +\d+d \(3 times\) +note of seen\n$/)
  assert.doesNotMatch(out, /\u001b|note of other/)
})

test('of several kinds each has its own events, those of the cluster too', async () => {
  const { metadata } = await vpcNamed('mixed')
  const node = await cli.rest.store.create({ kind: 'Node', metadata: { name: 'mixed' }, spec: {} })
  const told = (namespace: string, regarding: { readonly kind: string; readonly namespace?: string; readonly uid: string }) =>
    cli.rest.store.create({
      kind: 'Event',
      metadata: { namespace, name: `of-mixed-${regarding.kind.toLowerCase()}` },
      spec: {
        regarding: { apiVersion: 'v1', name: 'mixed', ...regarding },
        type: 'Warning',
        reason: 'Refused',
        action: 'Report',
        note: `note of the ${regarding.kind}`,
        eventTime: '2026-01-01T00:00:00.000000Z',
      },
    })
  await told('w', { kind: 'Vpc', namespace: 'w', uid: metadata.uid })
  await told('default', { kind: 'Node', uid: node.metadata.uid })
  for (const order of ['vpc/mixed node/mixed', 'node/mixed vpc/mixed']) {
    const parts = (await cli.megrez(`describe ${order} -n w`)).out.split('\n---\n')
    assert.equal(parts.length, 2)
    for (const part of parts) {
      const kind = /\nKind: +(\w+)/.exec(part)?.[1] ?? ''
      assert.deepEqual(part.match(/note of the \w+/g), [`note of the ${kind}`], order)
    }
  }
})

test('a pod is described with its Nics', async () => {
  const report = {
    phase: 'pending',
    nics: [{ name: 'eth0', port: 'p-1', phase: 'pending', addresses: ['192.0.2.4'], message: 'no node yet' }],
  }
  await cli.rest.store.create({
    kind: 'Pod',
    metadata: { namespace: 'w', name: 'web', annotations: { 'megrez.io/nic-status': JSON.stringify(report) } },
    spec: { containers: [] },
  })
  assert.match((await cli.megrez('describe pod web -n w')).out, /\nNics:\n {2}NIC .*\n {2}eth0 +p-1 +pending +192\.0\.2\.4 +no node yet\n/)
})

test('what is not there is not described, with the name that was probably meant', async () => {
  await vpcNamed('front')
  assert.deepEqual(await cli.megrez('describe vpc frnt -n w'), {
    exit: 1,
    out: '',
    err: 'megrez: Vpc w/frnt not found; did you mean front?\n',
  })
})

test('wait ends once a condition holds, and not before', async () => {
  await vpcNamed('soon')
  await reported('soon', 'False')
  const waiting = cli.megrez('wait vpc/soon -n w --timeout 60s')
  await reported('soon', 'True')
  assert.deepEqual(await waiting, { exit: 0, out: 'vpc/soon condition met\n', err: '' })
  assert.equal((await cli.megrez('wait vpc soon -n w --for condition=Ready=False --timeout 0')).exit, 1)
})

test('wait ends with a value, with the beginning, and with the end of an object', async () => {
  const created = cli.megrez('wait vpc/late -n w --for=create --timeout 60s')
  await vpcNamed('late')
  assert.equal((await created).out, 'vpc/late created\n')
  const valued = cli.megrez('wait vpc/late -n w --for=jsonpath={.status.phase}=ready --timeout 60s')
  await reported('late', 'True')
  assert.equal((await valued).out, 'vpc/late condition met\n')
  const deleted = cli.megrez('wait vpc/late vpc/never -n w --for=delete --timeout 60s')
  await cli.rest.store.delete({ kind: 'Vpc', namespace: 'w', name: 'late' })
  assert.deepEqual((await deleted).out.trim().split('\n').sort(), ['vpc/late deleted', 'vpc/never deleted'])
})

test('wait that is over says what is still in the way, and waits for all that are selected', async () => {
  await cli.rest.store.create({
    kind: 'Vpc',
    metadata: { namespace: 'w', name: 'stuck', labels: { l: 'y' } },
    spec: { provider: 'builtin' },
  })
  await reported('stuck', 'False', 'no VNI is free')
  const { exit, out, err } = await cli.megrez('wait vpcs -n w -l l=y --timeout 1s')
  assert.deepEqual([exit, out, err], [1, '', 'megrez: vpc/stuck is not so after 1 s: error: no VNI is free\n'])
  assert.match((await cli.megrez('wait vpcs -n w -l l=z')).err, /there is nothing of that in namespace w/)
})

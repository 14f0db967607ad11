// Explanations over REST: Ports, pods, other kinds, and who may read them.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { nicStatusAnnotation } from '../../core/kinds/annotations.ts'
import { realClock } from '../../platform/clock.ts'
import { openHarness, type Answer, type Harness } from './rest-harness.ts'

let rest: Harness
before(async () => {
  rest = await openHarness((store) => store, realClock, 100, { agents: true })
  await rest.network('blue', { vni: 7001 })
  const claim = { pod: 'web', nic: 'eth0', owner: 'Pod/web', podUID: 'u' }
  const port = await rest.store.create({
    kind: 'Port',
    metadata: { namespace: 'blue', name: 'web-eth0' },
    spec: { subnet: 'subnet-1', claim, type: 'kernel', node: 'n1' },
  })
  await rest.store.patchStatus(
    { ref: { kind: 'Port', namespace: 'blue', name: 'web-eth0' }, uid: port.metadata.uid },
    {
      report: {
        phase: 'ready',
        message: 'in place',
        sequence: 1,
        timeline: [{ sequence: 1, time: '2026-01-01T00:00:00Z', phase: 'ready', reason: 'InPlace' }],
      },
      address: { addresses: ['192.168.0.7'], mac: '0a:00:00:00:00:07', vni: 7001, ifcName: 'mgz7', hostIP: '192.0.2.1' },
    },
  )
  await rest.store.create({ kind: 'Pod', metadata: { namespace: 'blue', name: 'web' }, spec: { nodeName: 'n1' } })
})
after(() => rest.close())

interface Shown {
  readonly steps: readonly { readonly step: string; readonly state: string; readonly because: string; readonly help?: string }[]
  readonly nics?: readonly (Shown & { readonly nic: string; readonly port?: string })[]
  readonly plane?: { readonly node: string; readonly items: readonly object[] }
}
const shownBy = ({ body }: Answer): Shown => body as unknown as Shown
const words = ({ steps }: Shown): readonly string[] => steps.map(({ step, state }) => `${state} ${step}`)

test("a Port's way is told in steps: what is done, where it stands, and what its node does for it", async () => {
  const port = shownBy(await rest.ask('GET /v1/explain/ports/blue/web-eth0'))
  assert.deepEqual(words(port), ['done asked for', 'done addressed', 'done ready', 'done on a node', 'now wired'])
  assert.match(port.steps.at(-1)?.because ?? '', /agent of n1/)
  assert.equal(port.plane?.node, 'n1')
  assert.ok(port.plane.items.length > 5)
})

test('where no agents run a Port that is ready has come to its end: whoever runs the pod wires it', async () => {
  const other = await openHarness()
  try {
    const { metadata } = await other.store.create({
      kind: 'Port',
      metadata: { namespace: 'blue', name: 'web-eth0' },
      spec: { subnet: 'subnet-1', claim: { pod: 'web', nic: 'eth0', owner: 'Pod/web', podUID: 'u' }, type: 'kernel', node: 'n1' },
    })
    const ref = { kind: 'Port', namespace: 'blue', name: 'web-eth0' } as const
    const report = { phase: 'ready', message: 'in place', sequence: 1 } as const
    await other.store.patchStatus({ ref, uid: metadata.uid }, { report, address: { addresses: ['192.168.0.7'] } })
    await other.store.create({ kind: 'Pod', metadata: { namespace: 'blue', name: 'web' }, spec: { nodeName: 'n1' } })
    const port = shownBy(await other.ask('GET /v1/explain/ports/blue/web-eth0'))
    assert.deepEqual(words(port), ['done asked for', 'done addressed', 'done ready', 'done on a node'])
    assert.match(port.steps.at(-1)?.because ?? '', /^on n1; no agents run here/)
    const pod = shownBy(await other.ask('GET /v1/explain/pods/blue/web'))
    assert.doesNotMatch(pod.steps.at(-1)?.because ?? '', /wired/)
    await other.store.patchStatus({ ref, uid: metadata.uid }, { node: { node: { wired: true, dataplane: 'ovs' } } })
    const wired = shownBy(await other.ask('GET /v1/explain/ports/blue/web-eth0'))
    assert.deepEqual(words(wired).at(-1), 'done wired', 'what an agent has said is believed')
  } finally {
    await other.close()
  }
})

test('a Port that is in error says so, and what a person can do', async () => {
  const { metadata } = await rest.store.create({
    kind: 'Port',
    metadata: { namespace: 'blue', name: 'full' },
    spec: { subnet: 'subnet-1' },
  })
  await rest.store.patchStatus(
    { ref: { kind: 'Port', namespace: 'blue', name: 'full' }, uid: metadata.uid },
    {
      report: {
        phase: 'error',
        message: 'no address is free',
        sequence: 1,
        timeline: [{ sequence: 1, time: '2026-01-01T00:00:00Z', phase: 'error', reason: 'SubnetFull' }],
      },
    },
  )
  const port = shownBy(await rest.ask('GET /v1/explain/Port/blue/full'))
  assert.deepEqual(words(port).slice(0, 3), ['done asked for', 'failed addressed', 'next ready'])
  assert.deepEqual(
    [port.steps[1]?.because, port.steps[1]?.help],
    ['no address is free', 'delete Ports of the Subnet, or name another Subnet'],
  )
})

test("a pod's Nics are told by their Ports, and what holds the pod up by its Nics", async () => {
  const pod = shownBy(await rest.ask('GET /v1/explain/pods/blue/web'))
  assert.deepEqual(
    pod.nics?.map(({ nic, port }) => [nic, port]),
    [['eth0', 'blue/web-eth0']],
  )
  assert.match(pod.steps.at(-1)?.because ?? '', /^Nic eth0 is not wired: /)
})

test('what the owner of a pod has written where our report stands breaks nothing', async () => {
  for (const [i, text] of [
    '{',
    '[]',
    '7',
    '{"nics":7,"timeline":[{}],"phase":{}}',
    '{"nics":[null,{"name":"<b>\u202e","phase":"x"}]}',
  ].entries()) {
    const name = `odd-${i}`
    await rest.store.create({ kind: 'Pod', metadata: { namespace: 'blue', name, annotations: { [nicStatusAnnotation]: text } }, spec: {} })
    assert.equal((await rest.ask(`GET /v1/explain/pods/blue/${name}`)).status, 200, text)
  }
})

test('other kinds are told by their report, also those of the cluster', async () => {
  assert.deepEqual(words(shownBy(await rest.ask('GET /v1/explain/vpcs/blue/vpc-1a2b3c4d'))), [
    'done asked for',
    'done looked at',
    'done ready',
  ])
  await rest.store.create({ kind: 'Node', metadata: { name: 'n1' }, spec: {} })
  assert.deepEqual(words(shownBy(await rest.ask('GET /v1/explain/nodes/n1'))), [])
})

test("another's is refused alike whether it is there or not", async () => {
  const token = await rest.issuer.issue({ subject: 'alice', scope: 'viewer', namespaces: ['red'] }, 600)
  const headers = { authorization: `Bearer ${token}` }
  const [there, absent] = [
    await rest.ask('GET /v1/explain/pods/blue/web', { headers }),
    await rest.ask('GET /v1/explain/pods/blue/none', { headers }),
  ]
  assert.deepEqual([there.status, there.text], [403, absent.text])
  assert.equal((await rest.ask('GET /v1/explain/nodes/n1', { headers })).status, 403)
  assert.equal((await rest.ask('GET /v1/explain/nodes/blue/n1')).status, 404)
})

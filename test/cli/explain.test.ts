import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import type { SpecOf } from '../../core/kinds/index.ts'
import { realClock } from '../../platform/clock.ts'
import { openHarness, type Harness } from '../webhooks/rest-harness.ts'
import { outputOf, type CommandOutput } from './command-output.ts'

let rest: Harness
let url: string
before(async () => {
  rest = await openHarness((store) => store, realClock, 100, { agents: true })
  await rest.app.listen({ host: '127.0.0.1', port: 0 })
  url = `http://127.0.0.1:${(rest.app.server.address() as AddressInfo).port}`
})
after(() => rest.close())

const explained = (name: string): Promise<CommandOutput> =>
  outputOf(['explain', name, '-n', 'a'], { MEGREZ_URL: url, MEGREZ_TOKEN: rest.token })

/** As workers leave it. */
async function readyPort(name: string, address: string, spec: Partial<SpecOf<'Port'>> = {}): Promise<void> {
  const { metadata } = await rest.store.create({
    kind: 'Port',
    metadata: { namespace: 'a', name },
    spec: { subnet: 's', type: 'kernel', ...spec },
  })
  await rest.store.patchStatus(
    { ref: { kind: 'Port', namespace: 'a', name }, uid: metadata.uid },
    {
      report: {
        phase: 'ready',
        message: `${address} in Subnet s`,
        sequence: 1,
        timeline: [{ sequence: 1, time: '2026-01-01T00:00:00Z', phase: 'ready', reason: 'InPlace' }],
      },
      address: { addresses: [address], mac: '0a:00:00:00:00:07', vni: 5000, ifcName: 'mgz7', hostIP: '192.0.2.1' },
    },
  )
}

test('a Port on a node is explained by its story and by each flow that it comes to, with its reason', async () => {
  await readyPort('web', '10.0.0.7', { node: 'n1' })
  const { exit, out, err } = await explained('port/web')
  assert.equal(exit, 0, err)
  assert.match(out, /^Port a\/web is ready: 10\.0\.0\.7 in Subnet s\n {2}2026-01-01T00:00:00Z {2}ready: InPlace\n/)
  assert.match(out, /On n1, with Open vSwitch:/)
  const flows = out.slice(out.indexOf('On n1')).trim().split('\n').slice(1)
  // Where, what is matched, what is done, and why.
  assert.equal(flows.length % 4, 0)
  const reasons = flows.filter((_, i) => i % 4 === 3)
  assert.ok(reasons.length > 5)
  assert.ok(
    reasons.every((reason) => /^ {4}because .+: Port a\/web$/.test(reason)),
    reasons.join('\n'),
  )
  // What it may send from is guarded, and what comes for it is brought to it.
  assert.ok(flows.some((line) => line.includes('10.0.0.7')) && flows.some((line) => line.includes('0a:00:00:00:00:07')))
})

test('a Port is explained for the data plane that its node says it runs', async () => {
  const on = {
    bess: /On n1, with BESS:\n {2}port\n {4}p\.1\n {4}→ kernel,iface=mgz/,
    linux: /On n1, with the kernel's bridges:\n {2}guarded\n/,
  }
  for (const [dataplane, expected] of Object.entries(on)) {
    await readyPort(dataplane, '10.0.0.11', { node: 'n1' })
    const port = await rest.store.get({ kind: 'Port', namespace: 'a', name: dataplane })
    await rest.store.patchStatus(
      { ref: { kind: 'Port', namespace: 'a', name: dataplane }, uid: port!.metadata.uid },
      { node: { node: { wired: true, dataplane } } },
    )
    const { exit, out, err } = await explained(`port/${dataplane}`)
    assert.equal(exit, 0, err)
    assert.match(out, expected)
    assert.ok(out.includes('10.0.0.11') && out.includes('0a:00:00:00:00:07'), out)
  }
})

test('what the node does not do of what was asked is said too', async () => {
  await readyPort('half', '10.0.0.9', { node: 'n1' })
  const port = await rest.store.get({ kind: 'Port', namespace: 'a', name: 'half' })
  const conditions = [
    {
      type: 'Unsupported',
      status: 'True' as const,
      reason: 'NotByLinux',
      message: 'routes: no way',
      lastTransitionTime: '2026-01-01T00:00:00Z',
    },
  ]
  await rest.store.patchStatus(
    { ref: { kind: 'Port', namespace: 'a', name: 'half' }, uid: port!.metadata.uid },
    { node: { node: { wired: true, conditions } } },
  )
  assert.match((await explained('port/half')).out, /\n {2}NotByLinux: routes: no way\n/)
})

test('a Port on no node says so, and one that nobody knows is an error', async () => {
  await readyPort('idle', '10.0.0.8')
  assert.match((await explained('port/idle')).out, /It is on no node/)
  assert.notEqual((await explained('port/nobody')).exit, 0)
  assert.equal((await explained('vpc/none')).exit, 1)
})

test('a pod is explained Nic by Nic: where each stands, and what comes then', async () => {
  await rest.store.create({ kind: 'Pod', metadata: { namespace: 'a', name: 'db' }, spec: {} })
  await readyPort('db-eth0', '10.0.0.21', { claim: { pod: 'db', nic: 'eth0', owner: 'Pod/db', podUID: 'u' } })
  const { exit, out, err } = await explained('pod/db')
  assert.equal(exit, 0, err)
  assert.match(out, /^Pod a\/db is new/)
  assert.match(out, /not yet scheduled: it is on no node yet/)
  assert.match(out, /Nic eth0 is ready: 10\.0\.0\.21 in Subnet s\n.*ready: InPlace\n {2}not yet on a node: .*\n {2}then wired: /)
})

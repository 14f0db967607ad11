import assert from 'node:assert/strict'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { factsOf, nodeFindings, serverFindings, type MachineFacts } from '../../cli/doctor/machine.ts'
import { openCliServer, type CliServer } from './cli-server.ts'
import { outputOf } from './command-output.ts'

const nothing: MachineFacts = { node: '24.15.0', isRoot: false, programs: new Set(), hugePages: 0, modules: new Set(), sockets: new Set() }
const statesOf = (facts: MachineFacts, dataplane: 'ovs' | 'bess' | 'linux') =>
  nodeFindings(facts, dataplane).map(({ state, what }) => `${state} ${what.split(':')[0]}`)

test('a node without anything lacks what its data plane needs, with words to type', () => {
  const findings = nodeFindings(nothing, 'ovs')
  assert.ok(findings.filter(({ state }) => state !== 'ok').every(({ help }) => help !== undefined))
  assert.deepEqual(findings.find(({ what }) => what.startsWith('no ovs-vsctl'))?.help, 'apt install openvswitch-switch')
  assert.ok(statesOf(nothing, 'linux').includes('lacks kernel module vxlan is not loaded'))
  assert.ok(!statesOf(nothing, 'linux').some((each) => each.includes('ovs-vsctl')), 'of another data plane nothing is wanted')
  assert.ok(statesOf(nothing, 'bess').includes('note no huge pages'))
})

test('a node that has everything lacks nothing', () => {
  const everything: MachineFacts = {
    node: '24.15.0',
    isRoot: true,
    programs: new Set(['redis-server', 'ip', 'nft', 'ovs-vsctl', 'bessd']),
    hugePages: 512,
    modules: new Set(['vxlan', 'openvswitch', 'veth']),
    sockets: new Set(['/run/megrez/cni.sock', '/var/run/openvswitch/db.sock']),
  }
  for (const dataplane of ['ovs', 'bess', 'linux'] as const)
    assert.deepEqual(
      nodeFindings(everything, dataplane).filter(({ state }) => state !== 'ok'),
      [],
    )
  assert.ok(serverFindings(everything).every(({ state }) => state === 'ok'))
})

let cli: CliServer
let folder = ''
before(async () => {
  cli = await openCliServer()
  folder = await mkdtemp(join(tmpdir(), 'megrez-doctor-'))
})
after(async () => {
  await cli.close()
  await rm(folder, { recursive: true })
})

test('programs are those on PATH that may be run', async () => {
  await writeFile(join(folder, 'redis-server'), '')
  await chmod(join(folder, 'redis-server'), 0o755)
  await writeFile(join(folder, 'ip'), '')
  await chmod(join(folder, 'ip'), 0o644)
  const { programs } = await factsOf({ env: { PATH: folder } } as unknown as Parameters<typeof factsOf>[0])
  assert.deepEqual([...programs], ['redis-server'])
})

test('of a server it says who asks, and which objects are in error', async () => {
  const { metadata } = await cli.rest.store.create({
    kind: 'Vpc',
    metadata: { namespace: 'x', name: 'bad' },
    spec: { provider: 'builtin' },
  })
  const before_ = await cli.megrez('doctor')
  assert.match(before_.out, /^note {3}you are test: admin; the token ends at /m)
  assert.doesNotMatch(before_.out, /in error/)
  await cli.rest.store.patchStatus(
    { ref: { kind: 'Vpc', namespace: 'x', name: 'bad' }, uid: metadata.uid },
    { report: { phase: 'error', message: 'no VNI is free' } },
  )
  const { exit, out } = await cli.megrez('doctor')
  assert.equal(exit, 1)
  assert.match(out, /^lacks {2}Vpc in error: x\/bad \(no VNI is free\)\n +megrez describe vpc bad -n x$/m)
})

test('Ports on a node of which no agent has spoken are told, with what to do there', async () => {
  const { metadata } = await cli.rest.store.create({
    kind: 'Port',
    metadata: { namespace: 'x', name: 'p' },
    spec: { subnet: 's', type: 'kernel', node: 'silent' },
  })
  const ref = { kind: 'Port', namespace: 'x', name: 'p' } as const
  await cli.rest.store.patchStatus({ ref, uid: metadata.uid }, { report: { phase: 'ready' } })
  assert.match(
    (await cli.megrez('doctor')).out,
    /^lacks {2}no agent has told of the Ports on silent\n +on that node: megrez doctor --node$/m,
  )
})

test('that no server is meant is no fault; one that does not answer is', async () => {
  const none = await outputOf(['doctor', '--data', folder], { PATH: process.env['PATH'] ?? '' })
  assert.match(none.out, /^note {3}no server runs from the folder/m)
  assert.equal(none.exit, 0)
  const gone = await outputOf(['doctor', '--url', 'http://127.0.0.1:2'], {})
  assert.match(gone.out, /^lacks {2}http:\/\/127\.0\.0\.1:2 does not answer/m)
  assert.equal(gone.exit, 1)
  assert.match((await outputOf(['doctor', '--dataplane', 'x'], {})).err, /there are ovs, bess, linux/)
})

import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { coloured, progressOf, terminalOf } from '../../cli/output/terminal.ts'
import { NamespaceSecrets, readSecrets } from '../../platform/signing.ts'
import { openCliServer, type CliServer } from './cli-server.ts'

let cli: CliServer
before(async () => {
  cli = await openCliServer()
})
after(() => cli.close())

const since = '2026-01-01T00:00:00Z'

test('deliveries says of each Subscription whether it is told, and why not', async () => {
  const { metadata } = await cli.rest.store.create({
    kind: 'Subscription',
    metadata: { namespace: 'd', name: 'down' },
    spec: { sink: 'https://example.org/x', profile: 'eno' },
  })
  await cli.rest.store.create({ kind: 'Subscription', metadata: { namespace: 'd', name: 'pulled' }, spec: {} })
  assert.equal((await cli.megrez('deliveries -n d')).exit, 0)
  await cli.rest.store.patchStatus(
    { ref: { kind: 'Subscription', namespace: 'd', name: 'down' }, uid: metadata.uid },
    {
      delivery: {
        delivering: { taken: false, since, reason: 'it answered 500' },
        circuit: 'open',
        parkedCount: 3,
        parked: [{ kind: 'Port', namespace: 'd', name: 'p', uid: 'u', sequence: 7, since, reason: 'it answered 422' }],
      },
    },
  )
  const { exit, out } = await cli.megrez('deliveries -n d')
  assert.equal(exit, 1)
  assert.match(out, /^down +https:\/\/example\.org\/x +eno +no, tried seldom +\d+d +3 +0 +it answered 500$/m)
  assert.match(out, /^pulled +\(pulled\) +eno +nothing sent yet +- +0 +0 +-$/m)
  assert.match((await cli.megrez('deliveries down -n d')).out, /\nPARKED +SEQUENCE.*\nPort d\/p +7 +\d+d +it answered 422\nand 2 more\n$/)
  assert.match((await cli.megrez('deliveries -A')).out, /^NAMESPACE /)
})

test('deliveries names what is not there, and what is meant by what was typed', async () => {
  assert.deepEqual(await cli.megrez('deliveries dwn -n d'), {
    exit: 1,
    out: '',
    err: 'megrez: Subscription d/dwn not found; did you mean down?\n',
  })
  assert.match((await cli.megrez('deliveries --test')).err, /test which one\?/)
  assert.match((await cli.megrez('deliveries x -A')).err, /a name is of one namespace/)
  assert.equal((await cli.megrez('deliveries -n empty')).err, 'no subscriptions in namespace empty\n')
})

test('secret replaces what a Subscription is signed with, says until when the one before signs too, and prints the new one alone', async () => {
  const signing = new NamespaceSecrets(readSecrets(`whsec_${Buffer.alloc(32, 7).toString('base64')}`), false)
  const app = cli.rest.another({ signing })
  await app.listen({ host: '127.0.0.1', port: 0 })
  try {
    const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
    const ask = (line: string) => cli.megrez(`secret ${line} -n r --url ${url}`)
    await cli.rest.store.create({
      kind: 'Subscription',
      metadata: { namespace: 'r', name: 'nfvo' },
      spec: { sink: 'https://example.org/x' },
    })
    const tried = await ask('nfvo --rotate --dry-run --overlap 2h')
    assert.deepEqual([tried.exit, tried.out], [0, ''])
    assert.match(tried.err, /^what signed before would sign too, until \d{4}-/)
    const done = await ask('nfvo --rotate')
    assert.equal(done.exit, 0)
    assert.match(done.out, /^whsec_\S+\n$/)
    assert.match((await ask('nfvo --rotate --overlap 0s')).err, /^what signed before signs no longer\n$/)
    assert.match((await ask('--rotate')).err, /of which Subscription\?/)
    assert.match((await ask('nfvo')).err, /is shown when it is made: megrez secret nfvo --rotate/)
    assert.match((await ask('--overlap 2h')).err, /--overlap goes with --rotate/)
    assert.match((await ask('nfv --rotate')).err, /Subscription r\/nfv/)
  } finally {
    await app.close()
  }
})

test('top nodes counts Ports, the fullest first', async () => {
  await cli.rest.store.create({ kind: 'Node', metadata: { name: 'idle' }, spec: {} })
  for (const [name, wired] of [
    ['p1', true],
    ['p2', false],
  ] as const) {
    const { metadata } = await cli.rest.store.create({
      kind: 'Port',
      metadata: { namespace: 't', name },
      spec: { subnet: 's', type: 'kernel', node: 'busy' },
    })
    await cli.rest.store.patchStatus(
      { ref: { kind: 'Port', namespace: 't', name }, uid: metadata.uid },
      { node: { node: { wired, dataplane: 'ovs' } } },
    )
  }
  assert.match((await cli.megrez('top nodes')).out, /^NODE +PORTS +WIRED +IN ERROR +DATA PLANE\nbusy +2 +1 +0 +ovs\nidle +0 +0 +0 +-\n$/)
})

test('top subnets counts locks against the addresses that there are', async () => {
  const subnet = (name: string, ipv4: string) =>
    cli.rest.store.create({ kind: 'Subnet', metadata: { namespace: 't', name }, spec: { vpc: 'v', ipv4: { cidr: ipv4 } } })
  await subnet('wide', '10.0.0.0/24')
  await subnet('tight', '10.1.0.0/29')
  for (const address of ['10.1.0.2', '10.1.0.3'])
    await cli.rest.store.create({
      kind: 'IPLock',
      metadata: { namespace: 't', name: `v1-7-${address}` },
      spec: { vni: 7, address, subnet: 'tight' },
    })
  const { out } = await cli.megrez('top subnets -n t')
  assert.match(out, /^t +tight +10\.1\.0\.0\/29 +2 +5 +40\.0 %$/m)
  assert.ok(out.indexOf('tight') < out.indexOf('wide'))
})

test('top says what it does not have, and what was meant', async () => {
  assert.match((await cli.megrez('top server')).err, /metrics at another address/)
  assert.match((await cli.megrez('top nods')).err, /did you mean nodes\?/)
  assert.equal((await cli.megrez('top ports -n empty')).exit, 0)
})

test('colours and progress are for people alone', () => {
  const both = { out: true, err: true }
  assert.deepEqual(terminalOf({}, both), { colours: true, progress: true })
  assert.deepEqual(terminalOf({}, { out: false, err: true }), { colours: false, progress: true })
  assert.equal(terminalOf({ NO_COLOR: '1' }, both).colours, false)
  assert.equal(terminalOf({ NO_COLOR: '' }, both).colours, true, 'an empty one is none (no-color.org)')
  assert.deepEqual(terminalOf({ TERM: 'dumb' }, both), { colours: false, progress: false })
  const colours = { colours: true, progress: false }
  assert.equal(coloured('error  ', colours), '\u001b[31merror  \u001b[0m')
  assert.equal(coloured('terrors', colours), 'terrors')
  assert.equal(coloured('error', undefined), 'error')
  let told = ''
  const err = (text: string): void => void (told += text)
  progressOf({ err })('unseen')
  progressOf({ err, terminal: { colours: false, progress: true } })('seen')
  assert.equal(told, '\r\u001b[Kseen')
})

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openCliServer, type CliServer } from './cli-server.ts'

let cli: CliServer
before(async () => {
  cli = await openCliServer()
  const vpc = (name: string, tier: string) =>
    cli.rest.store.create({
      kind: 'Vpc',
      metadata: { namespace: 'a', name, labels: { tier } },
      spec: { provider: 'builtin', vni: tier.length },
    })
  await vpc('front', 'web')
  await vpc('back', 'store')
  await cli.rest.store.create({ kind: 'Port', metadata: { namespace: 'a', name: 'p1' }, spec: { subnet: 's', type: 'kernel', node: 'n1' } })
  await cli.rest.store.create({ kind: 'Port', metadata: { namespace: 'a', name: 'p2' }, spec: { subnet: 's', type: 'kernel', node: 'n2' } })
})
after(() => cli.close())

test('several kinds are shown one under the other, each name with its kind', async () => {
  const { exit, out } = await cli.megrez('get vpcs,ports -n a')
  assert.equal(exit, 0)
  const [vpcs = '', ports = '', ...rest] = out.split('\n\n')
  assert.match(vpcs, /^NAME .*PROVIDER/)
  assert.match(vpcs, /^vpc\/front /m)
  assert.match(ports, /^NAME .*SUBNET/)
  assert.match(ports, /^port\/p1 /m)
  assert.deepEqual(rest, [])
})

test('`all` is what people write in a namespace, of as many kinds as the caller may list', async () => {
  const { out } = await cli.megrez('get all -n a -o name')
  assert.deepEqual(out.trim().split('\n').sort(), ['port/p1', 'port/p2', 'vpc/back', 'vpc/front'])
  const viewer = await cli.rest.issuer.issue({ subject: 'v', scope: 'provider:a' }, 60)
  const seen = await cli.megrez('get all -n a -o name', viewer)
  assert.deepEqual([seen.exit, seen.err], [0, ''], 'a provider may not list pods, and is not told so')
  assert.match(seen.out, /^vpc\/front$/m)
  assert.match((await cli.megrez('get all -n empty')).err, /^no objects in namespace empty\n$/)
})

test('several names, of one kind or of several', async () => {
  assert.equal((await cli.megrez('get ports p1 p2 -n a -o name')).out, 'port/p1\nport/p2\n')
  assert.equal((await cli.megrez('get port/p2 vpc/back -n a -o name')).out, 'port/p2\nvpc/back\n')
})

test('what is not there is said with the name that was probably meant, and the rest is shown', async () => {
  const { exit, out, err } = await cli.megrez('get vpcs frnt back -n a -o name')
  assert.deepEqual([exit, out], [1, 'vpc/back\n'])
  assert.equal(err, 'megrez: Vpc a/frnt not found; did you mean front?\n')
  assert.deepEqual(await cli.megrez('get vpc frnt -n a --ignore-not-found'), { exit: 0, out: '', err: '' })
})

test('what a caller may not list is not guessed for them', async () => {
  const operator = await cli.rest.issuer.issue({ subject: 'o', scope: 'operator:b' }, 60)
  const { exit, err } = await cli.megrez('get vpc frnt -n a', operator)
  assert.equal(exit, 1)
  assert.doesNotMatch(err, /front/)
})

test("selectors are the server's own: labels, and the fields that a kind can be selected by", async () => {
  assert.equal((await cli.megrez('get vpcs -n a -l tier=web -o name')).out, 'vpc/front\n')
  assert.equal((await cli.megrez('get ports -n a --field-selector spec.node=n2 -o name')).out, 'port/p2\n')
  assert.match((await cli.megrez('get ports -n a --field-selector spec.mac=x')).err, /cannot be by spec\.mac, only by .*spec\.node/)
})

test('a JSONPath prints what it finds, as kubectl does', async () => {
  const printed = async (template: string, rest = 'vpcs -n a') => (await cli.megrez(`get ${rest} -o jsonpath=${template}`)).out
  assert.equal(await printed('{.items[*].metadata.name}'), 'back front')
  assert.equal(await printed('{.metadata.name}', 'vpc front -n a'), 'front')
  assert.equal(await printed('.metadata.labels', 'vpc front -n a'), '{"tier":"web"}')
  assert.equal(await printed('{.items[?(@.metadata.labels.tier=="web")].spec.vni}'), '3')
  assert.equal(await printed('{.items[-1:].metadata.name}{"\\n"}'), 'front\n')
})

test('without headings a table is rows alone', async () => {
  assert.doesNotMatch((await cli.megrez('get vpcs -n a --no-headers')).out, /NAME/)
})

test('delete takes a selector, and everything of a kind only when told so', async () => {
  await cli.megrez('get vpcs -n a')
  const selected = await cli.megrez('delete vpcs -n a -l tier=web --dry-run')
  assert.deepEqual([selected.exit, selected.out], [0, 'vpc/front deleted (dry run)\n'])
  const all = await cli.megrez('delete vpcs -n a --all --dry-run')
  assert.deepEqual(all.out.trim().split('\n').length, 2)
})

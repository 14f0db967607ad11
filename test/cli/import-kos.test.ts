import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { importKos } from '../../cli/import/kos.ts'
import { judge } from '../../core/admit/object/rules.ts'
import { check, withDefaults } from '../../core/admit/object/schema.ts'
import { isOwnKind } from '../../core/kinds/index.ts'
import { openCliServer, type CliServer } from './cli-server.ts'

const apiVersion = 'network.example.com/v1alpha1'
const subnet = (name: string, ipv4: string, vni: number, namespace = 'tenant') => ({
  from: `${name}.yaml`,
  body: { apiVersion, kind: 'Subnet', metadata: { name, namespace }, spec: { ipv4, vni }, status: { validated: true } },
})
const attachment = (name: string, spec: object, ipv4?: string) => ({
  from: `${name}.yaml`,
  body: {
    apiVersion,
    kind: 'NetworkAttachment',
    metadata: { name, namespace: 'tenant' },
    spec,
    ...(ipv4 !== undefined && { status: { ipv4 } }),
  },
})

test("KOS' Subnets and NetworkAttachments become a Vpc for each VNI, Subnets, and Ports that keep their addresses", () => {
  const exec = ['/usr/bin/TestByPing', '${ifname}', '${ipv4}']
  const { objects, notes } = importKos([
    subnet('s1', '10.1.0.0/16', 77),
    subnet('s2', '10.2.0.0/16', 77),
    attachment('na1', { node: 'n1', subnet: 's1', postCreateExec: exec, postDeleteExec: ['/usr/bin/gone'] }, '10.1.3.4'),
    attachment('na2', { node: 'n2', subnet: 's2', postCreateExec: [] }),
    { from: 'lock.yaml', body: { apiVersion, kind: 'IPLock', metadata: { name: 'v1-77-10-1-3-4' }, spec: { subnetName: 's1' } } },
  ])
  const common = { apiVersion: 'megrez.io/v1alpha1' }
  const at = (name: string) => ({ name, namespace: 'tenant' })
  assert.deepEqual(objects, [
    { ...common, kind: 'Vpc', metadata: at('kos-77'), spec: { vni: 77 } },
    { ...common, kind: 'Subnet', metadata: at('s1'), spec: { vpc: 'kos-77', ipv4: { cidr: '10.1.0.0/16' } } },
    { ...common, kind: 'Subnet', metadata: at('s2'), spec: { vpc: 'kos-77', ipv4: { cidr: '10.2.0.0/16' } } },
    {
      ...common,
      kind: 'Port',
      metadata: at('na1'),
      spec: { subnet: 's1', node: 'n1', ips: ['10.1.3.4'], postCreateExec: exec, postDeleteExec: ['/usr/bin/gone'] },
    },
    { ...common, kind: 'Port', metadata: at('na2'), spec: { subnet: 's2', node: 'n2' } },
  ])
  assert.match(
    notes.join('\n'),
    /^1 IPLocks are left out: each Port takes its own\n.*kubectl label node n1 n2 megrez\.io\/ports-without-pod=bare$/,
  )
  for (const each of objects) {
    const kind = String(each['kind'])
    assert.ok(isOwnKind(kind))
    const object = withDefaults(kind, each)
    assert.deepEqual([...check(kind, object), ...judge(kind, object as unknown as { spec: unknown })], [], JSON.stringify(each))
  }
})

test('what is not understood is refused by its file and path, or left out with a note', () => {
  const wrong =
    (...documents: Parameters<typeof importKos>[0]) =>
    () =>
      importKos(documents)
  assert.throws(wrong({ from: 'x', body: { apiVersion, kind: 'Widget', metadata: { name: 'a' } } }), /x: \/kind: there is no Widget in KOS/)
  assert.throws(wrong({ from: 'x', body: { apiVersion: 'v1', kind: 'Pod' } }), /x: \/apiVersion: Pod is not of network\.example\.com/)
  assert.throws(wrong(attachment('a', { node: 'n' })), /a\.yaml: \/spec\/subnet: .* is missing/)
  assert.throws(wrong(subnet('a', '10.0.0.0/8', 1.5)), /\/spec\/vni: of Subnet a must be a number/)
  assert.throws(wrong(subnet('a', '10.1.0.0/16', 7, 'x'), subnet('b', '10.2.0.0/16', 7, 'y')), /is of Subnet a in namespace x too/)
  const { notes } = importKos([subnet('s', '10.1.0.0/16', 7), attachment('a', { node: 'n', subnet: 's', colour: 'red' })])
  assert.match(notes.join('\n'), /\/spec\/colour of NetworkAttachment a is left out: it is not known/)
})

let cli: CliServer
let folder = ''
before(async () => {
  cli = await openCliServer()
  folder = await mkdtemp(join(tmpdir(), 'megrez-kos-'))
})
after(async () => {
  await cli.close()
  await rm(folder, { recursive: true })
})

test('megrez import kos makes them over REST, and nothing new when it is said again', async () => {
  const list = {
    apiVersion,
    kind: 'List',
    items: [subnet('s', '10.1.0.0/16', 9).body, attachment('a', { node: 'n1', subnet: 's' }, '10.1.0.9').body],
  }
  const file = join(folder, 'kos.yaml')
  await writeFile(file, JSON.stringify(list))
  await cli.rest.store.create({
    kind: 'Node',
    metadata: { name: 'n1', labels: { 'megrez.io/ports-without-pod': 'bare' } },
    spec: {},
  })
  const first = await cli.megrez(`import kos ${file}`)
  assert.deepEqual([first.exit, first.out], [0, 'vpc/kos-9 created\nsubnet/s created\nport/a created\n'], first.err)
  assert.equal((await cli.megrez(`import kos ${file}`)).out, 'vpc/kos-9 unchanged\nsubnet/s unchanged\nport/a unchanged\n')
})

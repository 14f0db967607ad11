// The CRDs on a real API server: that it takes them, that it refuses what our own check and judge refuse, and what kubectl shows.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { definitionOf, kinds, type OwnKind } from '../../core/kinds/index.ts'
import { apiVersion } from '../../core/kinds/meta.ts'
import { metadataCases } from '../core/metadata-cases.ts'
import { ruleCases, type RuleCase } from '../core/rule-cases.ts'
import { installCrds, kubectl, kubeSkip, newNamespace, tryKubectl } from '../setup/kubectl.ts'
import { openRaw, type Answer } from './raw.ts'

/** A cause inside metadata names the map or the list, never the key or the item; strict decoding and Go's types refuse in prose. */
function namesMetadata({ body }: Answer, refused: string): boolean {
  const field = body.details?.causes?.[0]?.field ?? 'none'
  const prose = body.message ?? ''
  return (
    refused.replaceAll(/\[\d+\]/g, '').startsWith(field) ||
    prose.includes(`unknown field "${refused}"`) ||
    prose.includes('cannot unmarshal')
  )
}

describe('the CRDs', { skip: kubeSkip }, () => {
  const raw = kubeSkip === false ? openRaw() : undefined
  const run = randomBytes(3).toString('hex')
  let namespace = ''
  before(async () => {
    await installCrds()
    namespace = await newNamespace('crds')
  })
  after(() => raw?.close())

  const pathOf = (kind: OwnKind): string => {
    const { plural, scope } = definitionOf(kind)
    return `/apis/${apiVersion}${scope === 'Cluster' ? '' : `/namespaces/${namespace}`}/${plural}`
  }
  const send = (
    method: string,
    path: string,
    object: { readonly kind: OwnKind; readonly metadata: object; readonly spec: object },
  ): Promise<Answer> => raw!.request(method, `${path}?fieldValidation=Strict`, { apiVersion, ...object })

  async function tried({ kind, spec, was }: RuleCase, name: string): Promise<Answer> {
    const all = pathOf(kind)
    if (was === undefined) return send('POST', all, { kind, metadata: { name }, spec })
    const made = await send('POST', all, { kind, metadata: { name }, spec: was })
    assert.equal(made.status, 201, made.body.message)
    return send('PUT', `${all}/${name}`, { kind, metadata: { name, resourceVersion: made.body.metadata?.resourceVersion }, spec })
  }

  test('are established, each in the category megrez', async () => {
    const shown = await kubectl(['api-resources', '--categories=megrez', '-o', 'name'])
    const wanted = (Object.keys(kinds) as OwnKind[]).map((kind) => `${definitionOf(kind).plural}.megrez.io`)
    assert.deepEqual(shown.trim().split('\n').sort(), wanted.sort())
  })

  for (const [i, [name, each]] of Object.entries(ruleCases)
    .filter(([, { byUsAlone }]) => byUsAlone !== true)
    .entries()) {
    test(`${name}: ${each.refused === undefined ? 'taken' : `refused at ${each.refused}`}`, async () => {
      const { status, body } = await tried(each, `case-${run}-${i}`)
      if (each.refused === undefined) return assert.ok(status === 200 || status === 201, body.message)
      assert.ok(status === 422 || status === 400, `${status} ${body.message}`)
      const fields = body.details?.causes?.map(({ field }) => field) ?? []
      // Fields that are not known are refused before validation, in prose.
      assert.ok(
        fields.includes(each.refused) || body.message?.includes(`unknown field "${each.refused}"`),
        `${JSON.stringify(fields)} ${body.message}`,
      )
    })
  }

  for (const [i, [name, { metadata, refused }]] of Object.entries(metadataCases).entries()) {
    test(`metadata, ${name}: ${refused === undefined ? 'taken' : `refused at ${refused}`}`, async () => {
      const named = 'name' in metadata || 'generateName' in metadata ? metadata : { name: `metadata-${run}-${i}`, ...metadata }
      const { status, body } = await send('POST', pathOf('Vpc'), { kind: 'Vpc', metadata: named, spec: {} })
      if (refused === undefined) return assert.equal(status, 201, body.message)
      assert.ok(status === 422 || status === 400, `${status} ${body.message}`)
      assert.ok(namesMetadata({ status, body }, refused), body.message)
    })
  }

  test('fill in the defaults that withDefaults fills in', async () => {
    await kubectl(['create', '-n', namespace, '-f', '-'], {
      input: JSON.stringify({ apiVersion, kind: 'Port', metadata: { name: 'defaults' }, spec: { subnet: 'a' } }),
    })
    const { spec } = JSON.parse(await kubectl(['get', 'port', 'defaults', '-n', namespace, '-o', 'json'])) as { spec: object }
    assert.deepEqual(spec, { subnet: 'a', portSecurity: true, type: 'kernel' })
  })

  test('have a status that only its subresource writes', async () => {
    const create = { apiVersion, kind: 'Vpc', metadata: { name: 'status' }, spec: {}, status: { vni: 9 } }
    await kubectl(['create', '-n', namespace, '-f', '-'], { input: JSON.stringify(create) })
    const status = () => kubectl(['get', 'vpc', 'status', '-n', namespace, '-o', 'jsonpath={.status}'])
    assert.equal(await status(), '')
    await kubectl([
      'patch',
      'vpc',
      'status',
      '-n',
      namespace,
      '--subresource=status',
      '--type=merge',
      '-p',
      '{"status":{"vni":9,"phase":"ready"}}',
    ])
    assert.deepEqual(JSON.parse(await status()), { vni: 9, phase: 'ready' })
    const refused = await tryKubectl([
      'patch',
      'vpc',
      'status',
      '-n',
      namespace,
      '--subresource=status',
      '--type=merge',
      '-p',
      '{"status":{"phase":"happy"}}',
    ])
    assert.match(refused.stderr, /status\.phase: Unsupported value: "happy"/)
  })

  test('show their columns, the plain ones and the wide', async () => {
    await kubectl(['create', '-n', namespace, '-f', '-'], {
      input: JSON.stringify({
        apiVersion,
        kind: 'Port',
        metadata: { name: 'columns' },
        spec: { subnet: 'blue', node: 'node-1', claim: { pod: 'web-0', nic: 'eth0', owner: 'Pod/web-0', podUID: 'u' } },
      }),
    })
    await kubectl([
      'patch',
      'port',
      'columns',
      '-n',
      namespace,
      '--subresource=status',
      '--type=merge',
      '-p',
      JSON.stringify({ status: { addresses: ['10.0.0.5', '2001:db8::5'], mac: '02:00:00:00:00:01', phase: 'ready', message: 'as asked' } }),
    ])
    const cells = (text: string): string[][] =>
      text
        .trim()
        .split('\n')
        .map((line) => line.trim().split(/\s{2,}/))
    const plain = cells(await kubectl(['get', 'port', 'columns', '-n', namespace]))
    assert.deepEqual(plain[0], ['NAME', 'SUBNET', 'ADDRESSES', 'POD', 'NIC', 'NODE', 'PHASE', 'AGE'])
    assert.deepEqual(plain[1]?.slice(0, -1), ['columns', 'blue', '["10.0.0.5","2001:db8::5"]', 'web-0', 'eth0', 'node-1', 'ready'])
    const wide = cells(await kubectl(['get', 'port', 'columns', '-n', namespace, '-o', 'wide']))
    assert.deepEqual(wide[0], ['NAME', 'SUBNET', 'ADDRESSES', 'MAC', 'VLAN', 'POD', 'NIC', 'NODE', 'PHASE', 'MESSAGE', 'AGE'])
    for (const kind of Object.keys(kinds) as OwnKind[]) {
      const { plural, columns, scope } = definitionOf(kind)
      const good = Object.values(ruleCases).find((each) => each.kind === kind && each.refused === undefined && each.was === undefined)
      assert.equal((await tried(good!, `columns-${run}`)).status, 201, kind)
      const [heads = []] = cells(await kubectl(['get', plural, `columns-${run}`, ...(scope === 'Cluster' ? [] : ['-n', namespace])]))
      assert.deepEqual(heads, ['NAME', ...columns.filter((column) => column.wide !== true).map((column) => column.name.toUpperCase())])
    }
  })

  test('are explained and described by kubectl', async () => {
    assert.match(await kubectl(['explain', 'subnet.spec.ipv4.cidr']), /host bits are zero: 10\.0\.0\.0\/24/)
    assert.match(await kubectl(['explain', 'port.status']), /ifcName.*\n.*the interface on the host/)
    await kubectl(['create', '-n', namespace, '-f', '-'], {
      input: JSON.stringify({
        apiVersion,
        kind: 'Port',
        metadata: { name: 'described' },
        spec: { subnet: 'blue', claim: { pod: 'web-0', nic: 'eth0', owner: 'Pod/web-0', podUID: 'u' } },
      }),
    })
    assert.match(await kubectl(['describe', 'port', 'described', '-n', namespace]), /Owner:\s+Pod\/web-0/)
  })

  test('can be selected by each selectable field', async () => {
    await kubectl(['create', '-n', namespace, '-f', '-'], {
      input: JSON.stringify({ apiVersion, kind: 'Port', metadata: { name: 'elsewhere' }, spec: { subnet: 'selected', node: 'node-2' } }),
    })
    assert.equal(
      await kubectl(['get', 'ports', '-n', namespace, '--field-selector=spec.subnet=selected,spec.node=node-2', '-o', 'name']),
      'port.megrez.io/elsewhere\n',
    )
    for (const kind of Object.keys(kinds) as OwnKind[]) {
      const { plural, selectable } = definitionOf(kind)
      for (const path of selectable) await kubectl(['get', plural, '-A', `--field-selector=${path.slice(1)}=none`])
    }
    const refused = await tryKubectl(['get', 'ports', '-n', namespace, '--field-selector=spec.mac=x'])
    assert.match(refused.stderr, /field label not supported: spec\.mac/)
  })

  test('are known by their short names', async () => {
    for (const kind of Object.keys(kinds) as OwnKind[])
      for (const short of definitionOf(kind).shortNames) await kubectl(['get', short, '-A', '-o', 'name'])
  })
})

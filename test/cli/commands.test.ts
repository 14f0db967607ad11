import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import { parse } from 'yaml'
import { run } from '../../cli/run.ts'
import { until } from '../setup/until.ts'
import { openHarness, type Harness } from '../webhooks/rest-harness.ts'

let rest: Harness
let url: string
let folder: string
before(async () => {
  rest = await openHarness()
  await rest.app.listen({ host: '127.0.0.1', port: 0 })
  url = `http://127.0.0.1:${(rest.app.server.address() as AddressInfo).port}`
  folder = await mkdtemp(join(tmpdir(), 'megrez-cli-'))
  await writeFile(join(folder, 'ready.json'), JSON.stringify({ url, token: rest.token }))
})
after(async () => {
  await rest.close()
  await rm(folder, { recursive: true })
})

interface Ran {
  readonly exit: number
  readonly out: string
  readonly err: string
}
interface More {
  readonly input?: string
  readonly env?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
  readonly onOut?: (all: string) => void
}

/** The command, against the harness. */
async function megrez(args: string, { input = '', env, signal = new AbortController().signal, onOut }: More = {}): Promise<Ran> {
  let out = ''
  let err = ''
  const exit = await run(
    args.split(' ').filter((arg) => arg !== ''),
    {
      env: env ?? { MEGREZ_URL: url, MEGREZ_TOKEN: rest.token },
      out(text) {
        out += text
        onOut?.(out)
      },
      err: (text) => (err += text),
      stdin: [Buffer.from(input)] as unknown as AsyncIterable<Buffer>,
      now: () => Date.now(),
      signal,
    },
  )
  return { exit, out, err }
}
/** The command as a program of its own, in the folder `cwd`: a checkout's own `.data` is not looked at. */
async function megrezIn(cwd: string, ...args: readonly string[]): Promise<{ readonly out: string; readonly err: string }> {
  const { MEGREZ_URL: _url, MEGREZ_TOKEN: _token, ...env } = process.env
  const child = spawn(process.execPath, [join(import.meta.dirname, '../../bin/megrez.mjs'), ...args], { cwd, env })
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)])
  return { out, err }
}
const applying = (input: string, flags = ''): Promise<Ran> => megrez(`apply -f - ${flags}`, { input })
const stored = async (namespace: string, name: string) => (await rest.store.get({ kind: 'Vpc', namespace, name }))?.spec

describe('megrez apply', () => {
  const manifest = (mtu: number, more = '') =>
    `apiVersion: megrez.io/v1alpha1\nkind: Vpc\nmetadata: {name: blue}\nspec: {mtu: ${mtu}${more}}\n`

  test('makes, leaves alone, and changes', async () => {
    assert.deepEqual(await applying(manifest(1400, ', defaultSubnet: a'), '-n c1'), { exit: 0, out: 'vpc/blue created\n', err: '' })
    assert.deepEqual(await applying(manifest(1400, ', defaultSubnet: a'), '-n c1'), { exit: 0, out: 'vpc/blue unchanged\n', err: '' })
    assert.deepEqual(await applying(manifest(1500), '-n c1'), { exit: 0, out: 'vpc/blue configured\n', err: '' })
    assert.deepEqual(
      await stored('c1', 'blue'),
      { provider: 'builtin', mtu: 1500 },
      'what the manifest no longer says is gone, what others say stays',
    )
  })

  test('with --dry-run changes nothing', async () => {
    assert.equal((await applying(manifest(1300), '-n c1 --dry-run')).out, 'vpc/blue configured (dry run)\n')
    assert.equal((await applying(manifest(1300), '-n c1new --dry-run')).out, 'vpc/blue created (dry run)\n')
    assert.deepEqual([(await stored('c1', 'blue'))?.mtu, await stored('c1new', 'blue')], [1500, undefined])
  })

  test('leaves to others what they have written since', async () => {
    await applying('apiVersion: megrez.io/v1alpha1\nkind: Vpc\nmetadata: {name: red}\nspec: {}\n', '-n c1')
    const red = await rest.store.get({ kind: 'Vpc', namespace: 'c1', name: 'red' })
    assert.ok(red !== undefined)
    await rest.store.update({ ...red, spec: { ...red.spec, mtu: 1234 } })
    assert.equal(
      (await applying('apiVersion: megrez.io/v1alpha1\nkind: Vpc\nmetadata: {name: red, labels: {a: b}}\nspec: {}\n', '-n c1')).out,
      'vpc/red configured\n',
    )
    assert.equal((await stored('c1', 'red'))?.mtu, 1234)
  })

  test('takes several documents, JSON and Lists, in the order they are in', async () => {
    const list = JSON.stringify({
      apiVersion: 'v1',
      kind: 'List',
      items: [
        { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'c2' } },
        { apiVersion: 'megrez.io/v1alpha1', kind: 'Vpc', metadata: { name: 'a', namespace: 'c2' }, spec: {} },
      ],
    })
    const file = join(folder, 'several.yaml')
    await writeFile(file, `${list}\n---\n${manifest(1400).replace('name: blue', 'name: b, namespace: c2')}---\n`)
    assert.equal((await megrez(`apply -f ${file}`)).out, 'namespace/c2 created\nvpc/a created\nvpc/b created\n')
  })

  for (const n of [1, 2, 3, 4, 5]) {
    test(`takes pod${n} of the seed, applied twice`, async () => {
      const text = await readFile(join(import.meta.dirname, `../../examples/pod${n}.yaml`), 'utf8')
      const pod = text.split(/^---\s*$/m).find((part) => /^kind: Pod$/m.test(part)) ?? ''
      const { metadata } = parse(pod) as { metadata: { namespace?: string } }
      const namespace = metadata.namespace ?? `cli-pod${n}`
      await rest.network(namespace, { vni: 7000 + n })
      await rest.store.create({
        kind: 'Port',
        metadata: { namespace, name: 'premade' },
        spec: { subnet: 'subnet-1', portID: 'a2815656-76f7-46d4-9d11-057063db1a14' },
      })
      assert.deepEqual(await applying(pod, `-n ${namespace}`), { exit: 0, out: 'pod/nginx created\n', err: '' })
      assert.deepEqual(await applying(pod, `-n ${namespace}`), { exit: 0, out: 'pod/nginx unchanged\n', err: '' })
      const shown = await megrez(`get pod nginx -n ${namespace} -o json`)
      assert.ok((JSON.parse(shown.out) as { metadata: { annotations: Record<string, string> } }).metadata.annotations['megrez.io/nics'])
    })
  }

  test('tells of a refusal where it is and why, goes on with the rest, and ends with 1', async () => {
    await rest.network('c3', { vni: 7100 })
    const pod = (name: string, subnet: string) =>
      `apiVersion: v1\nkind: Pod\nmetadata: {name: ${name}}\nspec:\n  containers: [{name: c, image: i}]\n  vpc: vpc-1a2b3c4d\n  nics: [{subnet: ${subnet}}]\n`
    const { exit, out, err } = await applying(`${pod('bad', 'nowhere')}---\n${pod('good', 'subnet-1')}`, '-n c3')
    assert.deepEqual([exit, out], [1, 'pod/good created\n'])
    assert.match(err, /^megrez: pod\/bad of standard input \(document 1\) is refused:\n {2}\/spec\/nics\/0\/subnet: .*nowhere/)
  })

  const wrong: Readonly<Record<string, { input: string; says: RegExp; exit?: number; flags?: string }>> = {
    'a literal pod that cannot be understood, before anything is sent': {
      input: `${manifest(1400).replace('blue', 'unsent')}---\nkind: Pod\napiVersion: v1\nmetadata: {name: x}\nspec: {vpc: 7}\n`,
      says: /nothing was sent\n {2}standard input \(document 2\): \/spec\/vpc: must be the name of a Vpc/,
    },
    'text that is not YAML': { input: 'a: [', says: /standard input: it is not YAML/ },
    'a document that is no object': { input: '- 1', says: /is no object of a kind/ },
    'a kind that is not kept': {
      input: 'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: x}',
      says: /\/kind: there is no "Deployment": it is not kept here; --kubectl sends it to a cluster/,
    },
    'a kind spelt wrongly': { input: 'apiVersion: megrez.io/v1alpha1\nkind: Subnets\nmetadata: {name: x}', says: /did you mean Subnet\?/ },
    'another apiVersion': {
      input: 'apiVersion: v1\nkind: Vpc\nmetadata: {name: x}',
      says: /\/apiVersion: must be megrez.io\/v1alpha1 for Vpc/,
    },
    'no name': { input: 'apiVersion: megrez.io/v1alpha1\nkind: Vpc\nspec: {}', says: /\/metadata\/name: is missing/ },
    'two namespaces': {
      input: manifest(1).replace('blue', 'blue, namespace: a'),
      flags: '-n b',
      says: /\/metadata\/namespace: is a, and -n says b/,
    },
  }
  for (const [what, { input, says, flags = '' }] of Object.entries(wrong)) {
    test(`refuses ${what}`, async () => {
      const { exit, out, err } = await applying(input, flags)
      assert.deepEqual([exit, out], [1, ''])
      assert.match(err, says)
    })
  }

  test('through kubectl sends what was rewritten, and ends as kubectl ends', async () => {
    const program = join(folder, 'kubectl')
    await writeFile(program, `#!/bin/sh\necho "$@"\ncat\nexit "$KUBECTL_EXIT"\n`)
    await chmod(program, 0o755)
    const input = 'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {template: {spec: {vpc: blue, containers: []}}}\n'
    const env = { PATH: `${folder}:${process.env['PATH']}`, KUBECTL_EXIT: '0' }
    const { exit, out } = await megrez('apply -f - -n blue --kubectl --dry-run', { input, env })
    const [line, ...rest] = out.split('\n')
    assert.deepEqual([exit, line], [0, 'apply -f - -n blue --dry-run=server'])
    const { items } = JSON.parse(rest.join('\n')) as { items: readonly { spec: { template: unknown } }[] }
    assert.deepEqual(items[0]?.spec.template, { spec: { containers: [] }, metadata: { annotations: { 'megrez.io/vpc': 'blue' } } })
    assert.equal((await megrez('apply -f - --kubectl', { input, env: { ...env, KUBECTL_EXIT: '3' } })).exit, 1)
    assert.match((await megrez('apply -f - --kubectl', { input, env: { PATH: '/nonexistent' } })).err, /there is no kubectl on PATH/)
  })
})

describe('megrez get', () => {
  before(async () => {
    for (const [namespace, name, tier] of [
      ['g1', 'a', 'web'],
      ['g1', 'b', 'db'],
      ['g2', 'c', 'web'],
    ] as const)
      await rest.ask(`POST /v1/namespaces/${namespace}/vpcs`, { body: { metadata: { name, labels: { tier, cli: 'yes' } }, spec: {} } })
  })

  test('prints the columns of the table of kinds', async () => {
    const { exit, out } = await megrez('get vpcs -n g1')
    assert.equal(exit, 0)
    assert.match(
      out,
      /^NAME {3}PROVIDER {3}VNI {3}VLAN {3}PHASE {3}AGE\na {6}builtin {4}- {5}- {6}- {7}\d+s\nb {6}builtin {4}- {5}- {6}- {7}\d+s\n$/,
    )
    assert.match((await megrez('get vpc -n g1 -o wide')).out, /PHASE {3}MESSAGE {3}AGE/)
  })

  test('takes every name of a kind, a name behind a slash, labels and all namespaces', async () => {
    for (const word of ['Vpc', 'vpc', 'vpcs', 'VPCS']) assert.match((await megrez(`get ${word} a -n g1`)).out, /\na /)
    assert.match((await megrez('get vpc/b -n g1')).out, /\nb /)
    assert.match((await megrez('get vpcs -A -l cli=yes,tier=web')).out, /^NAMESPACE {3}NAME.*\ng1 {10}a .*\ng2 {10}c .*\n$/)
    assert.match((await megrez('get sn -n g1')).err, /no subnets in namespace g1/)
    assert.equal((await megrez('get segmentlocks')).exit, 0)
  })

  test('prints JSON and YAML that can be applied again', async () => {
    const one = await megrez('get vpc a -n g1 -o json')
    assert.equal((JSON.parse(one.out) as { metadata: { name: string } }).metadata.name, 'a')
    const all = parse((await megrez('get vpcs -n g1 -o yaml')).out) as { kind: string; items: unknown[] }
    assert.deepEqual([all.kind, all.items.length], ['List', 2])
    const again = await applying((await megrez('get vpcs -n g1 -o yaml')).out)
    assert.deepEqual([again.exit, again.out], [0, 'vpc/a unchanged\nvpc/b unchanged\n'], again.err)
  })

  test('reads more than a page', async () => {
    await Promise.all(
      Array.from({ length: 1203 }, (_, i) =>
        rest.store.create({ kind: 'SecurityGroup', metadata: { namespace: 'many', name: `n${i}` }, spec: {} }),
      ),
    )
    assert.equal((await megrez('get securitygroups -n many')).out.split('\n').length, 1205)
  })

  test('shows what our report says of a pod', async () => {
    const pod = await rest.store.create({ kind: 'Pod', metadata: { namespace: 'g3', name: 'p' }, spec: { containers: [] } })
    const report = { phase: 'ready', nics: [{ name: 'eth0', addresses: ['192.0.2.4', '2001:db8::4'] }] }
    await rest.store.commit([
      {
        do: 'patchPodStatus',
        pod: { kind: 'Pod', namespace: 'g3', name: 'p' },
        uid: pod.metadata.uid,
        annotations: { 'megrez.io/nic-status': JSON.stringify(report) },
      },
    ])
    assert.match(
      (await megrez('get pods -n g3')).out,
      /^NAME {3}PHASE {5}NETWORK {3}ADDRESSES {20}NODE {3}AGE\np {6}Pending {3}ready {5}eth0=192\.0\.2\.4\+2001:db8::4 {3}- {6}/,
    )
  })

  test('with -w prints each change until it is ended', async () => {
    const stop = new AbortController()
    let so = ''
    const watching = megrez('get vpcs -n g4 -w -o json', { signal: stop.signal, onOut: (all) => (so = all) })
    await rest.store.create({ kind: 'Vpc', metadata: { namespace: 'g4', name: 'w' }, spec: {} })
    await until(() => so.includes('"name":"w"'), 'the new one is told')
    await rest.store.delete({ kind: 'Vpc', namespace: 'g4', name: 'w' })
    await until(() => so.includes('"gone"'), 'its end is told')
    stop.abort()
    assert.equal((await watching).exit, 0)
  })

  test('never lets a name or message write to the terminal', async () => {
    const made = await rest.store.create({ kind: 'Vpc', metadata: { namespace: 'g5', name: 'v' }, spec: {} })
    await rest.store.patchStatus(
      { ref: { kind: 'Vpc', namespace: 'g5', name: 'v' }, uid: made.metadata.uid },
      { report: { message: 'a\u001b[2Jb\nc' } },
    )
    assert.doesNotMatch((await megrez('get vpc v -n g5 -o wide')).out, /\u001b|b\nc/)
  })
})

describe('megrez delete', () => {
  test('deletes by name, by several, and what files name, the last first', async () => {
    for (const name of ['a', 'b', 'c', 'd'])
      await rest.ask('POST /v1/namespaces/d1/network-attachment-definitions', { body: { metadata: { name }, spec: {} } })
    assert.deepEqual(await megrez('delete networkattachmentdefinition a b -n d1'), {
      exit: 0,
      out: 'networkattachmentdefinition/a deleted\nnetworkattachmentdefinition/b deleted\n',
      err: '',
    })
    const manifest = (name: string) =>
      `apiVersion: k8s.cni.cncf.io/v1\nkind: NetworkAttachmentDefinition\nmetadata: {name: ${name}}\nspec: {}\n`
    assert.equal(
      (await megrez('delete -f - -n d1', { input: `${manifest('c')}---\n${manifest('d')}` })).out,
      'networkattachmentdefinition/d deleted\nnetworkattachmentdefinition/c deleted\n',
    )
    assert.deepEqual(await megrez('delete networkattachmentdefinition/a -n d1'), {
      exit: 1,
      out: '',
      err: 'megrez: NetworkAttachmentDefinition d1/a not found\n',
    })
    assert.equal((await megrez('delete networkattachmentdefinition a -n d1 --ignore-not-found')).exit, 0)
  })

  test('says when something is only on its way out', async () => {
    await rest.ask('POST /v1/namespaces/d1/vpcs', { body: { metadata: { name: 'held' }, spec: {} } })
    assert.equal((await megrez('delete vpc held -n d1 --dry-run')).out, 'vpc/held deleted (dry run)\n')
    assert.equal((await megrez('delete vpc held -n d1')).out, 'vpc/held is being deleted\n')
  })
})

describe('the command line', () => {
  const wrong: readonly (readonly [string, RegExp])[] = [
    ['', /megrez COMMAND/],
    ['aply', /there is no command "aply": did you mean apply\?/],
    [
      'frobnicate',
      /there are apply, get, describe, delete, wait, explain, inspect, trace, routes, endpoints, audit, import, flows, top, doctor, bundle, deliveries, listen, nsm, plan, secret, token, completion, version/,
    ],
    ['get', /which kind\?/],
    ['get prts', /there is no kind "prts": did you mean ports\?/],
    ['get widgets', /there are vpcs, subnets, ports/],
    ['get ports/a b', /"b" is one word too many/],
    ['get ports --namespce x', /there is no flag --namespce: did you mean --namespace\?/],
    ['get ports -Z', /there is no flag -Z: there are --namespace/],
    ['get ports -n', /needs a value/],
    ['get ports -o jsn', /there is no output "jsn": there are table, wide, json, yaml, name, jsonpath=TEMPLATE/],
    ['get port a -A', /a name is of one namespace/],
    ['get port a -l x=y', /no selector beside it/],
    ['get ports,subnets -w', /-w follows one kind/],
    ['get ports -o jsonpath', /needs a template/],
    ['get ports -o jsonpath={.a[', /jsonpath: .* closing brace/],
    ['get ports -o jsonpath={.a[]}', /jsonpath: "\[\]" of \{\.a\[\]\} is not understood/],
    ['describe', /which kind\?/],
    ['wait port/a --for ready', /--for is delete, create, condition=Ready/],
    ['wait port/a --timeout soon', /--timeout is a length of time/],
    ['delete ports', /which ports\? name it, or say -l LABELS or --all/],
    ['delete port a --all', /no --all beside it/],
    ['apply', /which manifests\?/],
    ['apply file.yaml', /files are named with -f/],
    ['delete', /delete what\?/],
    ['delete port', /which port\?/],
    ['delete port a -f x', /one word too many beside -f/],
    ['get ports --url nonsense', /is no address of a server/],
  ]
  for (const [line, says] of wrong) {
    test(`refuses: megrez ${line}`, async () => {
      const { exit, out, err } = await megrez(line)
      assert.deepEqual([exit, out], [2, ''], err)
      assert.match(err, says)
    })
  }

  test('help is no mistake, and names every flag', async () => {
    for (const line of ['--help', 'help', 'get --help', 'apply -h', 'delete --help', 'version --help', 'wait --help'])
      assert.deepEqual([(await megrez(line)).exit, (await megrez(line)).err], [0, ''], line)
    assert.match((await megrez('get --help')).out, /-A, --all-namespaces +in all namespaces/)
  })

  test('the server is found by flags, by environment, or by its folder', async () => {
    assert.match((await megrezIn(folder, 'version')).err, /no server runs from the folder \.data/)
    assert.match(
      (await megrez(`version --data ${folder}`, { env: {} })).out,
      /^megrez \d+\.\d+\.\d+\nserver http:\/\/127.*, API v1alpha1\n$/,
    )
    assert.equal((await megrez(`get vpcs --data ${folder}`, { env: { MEGREZ_URL: 'http://127.0.0.1:1' } })).exit, 3)
    const unauthorized = await megrez('get vpcs', { env: { MEGREZ_URL: url } })
    assert.deepEqual([unauthorized.exit, unauthorized.err], [1, 'megrez: a valid bearer token is needed: there is none\n'])
    assert.equal((await megrez(`get vpcs --url ${url} --token ${rest.token}`, { env: {} })).exit, 0)
    const gone = await megrez('get vpcs --url http://127.0.0.1:1', { env: {} })
    assert.deepEqual([gone.exit, /does not answer/.test(gone.err)], [3, true])
  })

  test('bin/megrez.mjs is the same command', async () => {
    const child = spawn(process.execPath, [join(import.meta.dirname, '../../bin/megrez.mjs'), 'get', 'vpcs', '-n', 'g1', '-o', 'json'], {
      env: { ...process.env, MEGREZ_URL: url, MEGREZ_TOKEN: rest.token },
    })
    let out = ''
    child.stdout.on('data', (text: Buffer) => (out += text.toString()))
    assert.equal(await new Promise((resolve) => child.on('close', resolve)), 0)
    assert.equal((JSON.parse(out) as { items: unknown[] }).items.length, 2)
  })
})

// One table, two judges: REST, and a real API server with the chart's roles and policies, are asked the same and say the same.
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fetch } from 'undici'
import { parseAllDocuments, stringify } from 'yaml'
import { pluralOf } from '../../core/kinds/index.ts'
import { installCrds, kubectl, kubeSkip, newNamespace } from '../setup/kubectl.ts'
import { run } from '../setup/run.ts'
import { until } from '../setup/until.ts'
import { openHarness, type Harness } from '../webhooks/rest-harness.ts'
import { openRaw } from './raw.ts'
import { callers, fieldCells, kindCells, numbered, ports, writers, type Cell, type Who } from './rights-cells.ts'

const chart = join(import.meta.dirname, '../../charts/megrez')
const ofChart = /^(ClusterRole|ClusterRoleBinding) megrez-(view|edit|admin|provider|rest-.*)$|rights\.megrez\.io$/
/** What of the cluster's own roles goes with each of ours, as RoleBindings in a namespace. */
const bound = { viewer: ['view'], operator: ['view', 'edit'], owner: ['view', 'edit', 'admin'], provider: ['provider'] } as const

interface Manifest {
  readonly kind: string
  readonly metadata: { readonly name: string }
}

/** The answer of one side, and whether it is a yes. */
interface AccessAnswer {
  readonly yes: boolean
  readonly status: number
  readonly text: string
}
type Judge = (who: Who, cell: Cell) => Promise<AccessAnswer>

describe('rights', { skip: kubeSkip }, () => {
  let folder = ''
  let rest: Harness
  let url = ''
  let mine: readonly Manifest[] = []
  const spaces = { home: '', guest: '' }
  const raw = openRaw()
  const tokens = new Map<string, string>()

  const users = (who: Who): string => `rights ${who.name} ${spaces.home}`
  /** Names of namespaces in specs are those of this run. */
  const placed = (spec: object): object => JSON.parse(JSON.stringify(spec).replaceAll('"home/', `"${spaces.home}/`)) as object
  const bodyOf = ({ kind, verb, name, spec }: Cell): object | undefined =>
    verb === 'create' || verb === 'update'
      ? { apiVersion: 'megrez.io/v1alpha1', kind, metadata: { name }, spec: placed(spec) }
      : verb === 'patch'
        ? { spec: placed(spec) }
        : undefined
  const pathOf = ({ kind, namespace, name, verb }: Cell): string =>
    `${namespace === undefined ? '' : `/namespaces/${spaces[namespace]}`}/${pluralOf(kind)}${['list', 'watch', 'create'].includes(verb) ? '' : `/${name}`}`
  const methodOf = { get: 'GET', list: 'GET', watch: 'GET', create: 'POST', update: 'PUT', patch: 'PATCH', delete: 'DELETE' } as const
  const queryOf = ({ verb }: Cell, dryRun: string): string =>
    verb === 'watch' ? '?watch=true' : verb === 'get' || verb === 'list' ? '' : `?dryRun=${dryRun}`

  const askRest: Judge = async (who, cell) => {
    const body = bodyOf(cell)
    const headers = {
      authorization: `Bearer ${tokens.get(who.name)}`,
      'if-match': '*',
      ...(body && { 'content-type': cell.verb === 'patch' ? 'application/merge-patch+json' : 'application/json' }),
    }
    const stop = new AbortController()
    const response = await fetch(`${url}/v1${pathOf(cell)}${queryOf(cell, 'true')}`, {
      method: methodOf[cell.verb],
      headers,
      signal: stop.signal,
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = cell.verb === 'watch' ? '' : await response.text()
    stop.abort()
    return { yes: ![403, 405].includes(response.status), status: response.status, text }
  }
  const askServer: Judge = async (who, cell) => {
    const { status, text } = await raw.as(
      { user: users(who), groups: who.everywhere === undefined ? [] : [`megrez:${who.everywhere}`] },
      methodOf[cell.verb],
      `/apis/megrez.io/v1alpha1${pathOf(cell)}${queryOf(cell, 'All')}`,
      bodyOf(cell),
    )
    return { yes: status !== 403, status, text }
  }

  async function rendered(): Promise<Manifest[]> {
    const env = { HELM_CACHE_HOME: folder, HELM_CONFIG_HOME: folder, HELM_DATA_HOME: folder }
    const { code, stdout, stderr } = await run(
      process.env.MEGREZ_TEST_HELM ?? 'helm',
      ['template', 'megrez', chart, '--namespace', 'megrez-system', '--kube-version', '1.34', '--values', '-'],
      { env, input: stringify({ rest: { kubeTokens: true } }) },
    )
    assert.equal(code, 0, stderr)
    return parseAllDocuments(stdout)
      .map((document) => document.toJS() as Manifest | null)
      .filter((each): each is Manifest => each !== null && ofChart.test(`${each.kind} ${each.metadata.name}`))
  }
  const bindings = (who: Who): object[] =>
    (who.in ?? []).flatMap(([role, where]) =>
      bound[role as keyof typeof bound].map((name) => ({
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'RoleBinding',
        metadata: { name: `${who.name.replaceAll(/[^a-z]+/g, '-')}-${role}-${name}`, namespace: spaces[where] },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: `megrez-${name}` },
        subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: users(who) }],
      })),
    )

  before(
    async () => {
      folder = await mkdtemp(join(tmpdir(), 'megrez-rights-'))
      await installCrds()
      spaces.home = await newNamespace('home')
      spaces.guest = await newNamespace('guest')
      rest = await openHarness()
      url = await rest.app.listen({ host: '127.0.0.1', port: 0 })
      await rest.network(spaces.home, { vpc: 'v', subnet: 's' })
      const vpc = (await rest.store.get({ kind: 'Vpc', namespace: spaces.home, name: 'v' }))!
      await rest.store.update({ ...vpc, spec: { ...vpc.spec, sharedWith: [spaces.guest] } })
      const apiVersion = 'megrez.io/v1alpha1'
      const there: { kind: string; metadata: { name: string; namespace: string }; spec: object }[] = [
        { kind: 'Vpc', metadata: { name: numbered.name, namespace: spaces.home }, spec: { provider: 'builtin', ...numbered.spec } },
      ]
      for (const namespace of Object.values(spaces))
        for (const [name, spec] of Object.entries(ports))
          there.push({
            kind: 'Port',
            metadata: { name, namespace },
            spec: { subnet: `${spaces.home}/s`, type: 'kernel', portSecurity: true, ...spec },
          })
      for (const { kind, metadata, spec } of there) await rest.store.create({ kind: kind as 'Port', metadata, spec: spec as never })
      mine = await rendered()
      const all = [...callers, ...writers]
      // Before the policies: what is ours of a Port, nobody could make afterwards.
      await kubectl(['apply', '--server-side', '-f', '-'], {
        input: JSON.stringify({ apiVersion: 'v1', kind: 'List', items: there.map((each) => ({ apiVersion, ...each })) }),
      })
      await kubectl(['apply', '--server-side', '--force-conflicts', '-f', '-'], {
        input: JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [...mine, ...all.flatMap(bindings)] }),
      })
      for (const who of all) {
        const scope = who.everywhere ?? (who.in ?? []).map(([role, where]) => `${role}:${spaces[where]}`).join(' ')
        tokens.set(
          who.name,
          await rest.issuer.issue({ subject: 'somebody', scope, ...(who.everywhere === 'agent' && { node: 'n1' }) }, 600),
        )
      }
      const owner = all.find(({ name }) => name === 'owner in home')!
      // A policy counts once the API server has compiled it, and a binding once it has heard of it.
      for (const what of ['a new Port of home with security off', 'a new Vpc'])
        await until(async () => (await askServer(owner, cell(what))).yes, 'the bindings are known', 30_000)
      const operator = all.find(({ name }) => name === 'operator everywhere')!
      await until(
        async () => /Admission|denied/.test((await askServer(operator, cell('a new Port of home with security off'))).text),
        'the policies are in force',
        30_000,
      )
      await until(async () => !(await askServer(owner, cell('a new Vpc with a VNI'))).yes, 'the policies are in force', 30_000)
    },
    { timeout: 120_000 },
  )
  after(async () => {
    await rest.close()
    await kubectl(['delete', '--ignore-not-found', '-f', '-'], { input: JSON.stringify({ apiVersion: 'v1', kind: 'List', items: mine }) })
    await kubectl(['delete', 'namespace', ...Object.values(spaces), '--wait=false'])
    await raw.close()
    await rm(folder, { recursive: true })
  })
  const cell = (what: string): Cell => fieldCells.find((each) => each.what === what)!

  /** Both are asked each cell, several at a time; who of them is asked first makes no difference, since nothing is stored. */
  async function compared(
    whos: readonly Who[],
    cells: readonly Cell[],
  ): Promise<{ readonly count: number; readonly yes: number; readonly apart: readonly string[] }> {
    const todo = whos.flatMap((who) => cells.map((each) => ({ who, each })))
    const apart: string[] = []
    let yes = 0
    const work = async (): Promise<void> => {
      for (let next = todo.pop(); next !== undefined; next = todo.pop()) {
        const { who, each } = next
        const [here, there] = await Promise.all([askRest(who, each), askServer(who, each)])
        if (here.yes) yes++
        const taken = !each.whole || !here.yes || (here.status < 300 && there.status < 300)
        if (here.yes !== there.yes || !taken)
          apart.push(
            `${who.name}: ${each.what}: REST ${here.status} ${here.text.slice(0, 300)}, API server ${there.status} ${there.text.slice(0, 300)}`,
          )
      }
    }
    await Promise.all(Array.from({ length: 6 }, work))
    return { count: whos.length * cells.length, yes, apart }
  }

  test('REST and the API server give the same verdict on each kind, verb and role, in one namespace and everywhere', async () => {
    const { count, yes, apart } = await compared(callers, kindCells)
    assert.ok(count >= 900 && yes > 200 && yes < count - 200, `${count} cells, ${yes} allowed`)
    assert.deepEqual(apart.slice(0, 20), [])
  })

  test("and on each field that is not everybody's, at its making and at each change, in the Subnet's namespace and in a guest's", async () => {
    const { count, yes, apart } = await compared(writers, fieldCells)
    assert.ok(count >= 300 && yes > 100 && yes < count - 100, `${count} cells, ${yes} allowed`)
    assert.deepEqual(apart.slice(0, 20), [])
  })

  test('a Subscription is pointed at a Secret, and from then on at a sink, by whoever may read that Secret', async () => {
    const editor = writers.find(({ name }) => name === 'operator in home')!
    const path = `/apis/megrez.io/v1alpha1/namespaces/${spaces.home}/subscriptions`
    const asks = async (method: string, name: string, spec: object): Promise<number> => {
      const body = method === 'PATCH' ? { spec } : { apiVersion: 'megrez.io/v1alpha1', kind: 'Subscription', metadata: { name }, spec }
      return (await raw.as({ user: users(editor), groups: [] }, method, `${path}${method === 'PATCH' ? `/${name}` : ''}?dryRun=All`, body))
        .status
    }
    const told = { sink: 'https://a.example.org/', auth: { type: 'bearer', secret: 'token' } }
    const kept = { ...told, auth: { type: 'basic', secret: 'credentials-sol-x' } }
    const items = [
      ['named', told],
      ['kept', kept],
    ].map(([name, spec]) => ({ apiVersion: 'megrez.io/v1alpha1', kind: 'Subscription', metadata: { name, namespace: spaces.home }, spec }))
    await kubectl(['create', '-f', '-'], { input: JSON.stringify({ apiVersion: 'v1', kind: 'List', items }) })
    const all = async (): Promise<number[]> => [
      await asks('POST', 'new', told),
      await asks('POST', 'new', { sink: told.sink, signing: { secret: 'token' } }),
      await asks('PATCH', 'named', { sink: 'https://b.example.org/' }),
      await asks('PATCH', 'kept', { sink: 'https://b.example.org/' }),
      await asks('POST', 'new', { sink: told.sink }),
      await asks('PATCH', 'named', { paused: true }),
      await asks('PATCH', 'kept', { paused: true }),
    ]
    await until(async () => (await asks('POST', 'new', told)) === 403, 'the policy is in force', 30_000)
    assert.deepEqual(await all(), [403, 403, 403, 403, 201, 200, 200])
    await kubectl(['create', 'role', 'reads-token', '-n', spaces.home, '--verb=get', '--resource=secrets', '--resource-name=token'])
    await kubectl(['create', 'rolebinding', 'reads-token', '-n', spaces.home, '--role=reads-token', `--user=${users(editor)}`])
    await until(async () => (await asks('POST', 'new', told)) === 201, 'the binding is known', 30_000)
    assert.deepEqual(await all(), [201, 201, 200, 403, 201, 200, 200], "what a client came with is nobody's in that namespace")
  })

  test('an EndpointScaler names a Deployment, and is changed, by whoever may patch the scale of that Deployment', async () => {
    const editor = writers.find(({ name }) => name === 'operator in home')!
    const path = `/apis/megrez.io/v1alpha1/namespaces/${spaces.home}/endpointscalers`
    const asks = async (method: string, name: string, rest: object): Promise<readonly [status: number, text: string]> => {
      const body = method === 'PATCH' ? rest : { apiVersion: 'megrez.io/v1alpha1', kind: 'EndpointScaler', metadata: { name }, ...rest }
      const url = `${path}${method === 'PATCH' ? `/${name}` : ''}?dryRun=All`
      const { status, text } = await raw.as({ user: users(editor), groups: [] }, method, url, body)
      return [status, text]
    }
    const of = (name: string): object => ({ spec: { scaleTargetRef: { name } } })
    await kubectl(['create', '-f', '-'], {
      input: JSON.stringify({
        apiVersion: 'megrez.io/v1alpha1',
        kind: 'EndpointScaler',
        metadata: { name: 'there', namespace: spaces.home },
        ...of('theirs'),
      }),
    })
    const all = async (): Promise<number[]> => {
      const answers = await Promise.all([
        asks('POST', 'new', of('own')),
        asks('POST', 'new', of('theirs')),
        asks('PATCH', 'there', of('own')),
        asks('PATCH', 'there', { spec: { cooldownSeconds: 10 } }),
        asks('PATCH', 'there', { metadata: { labels: { a: 'b' } } }),
        asks('POST', 'new', of('elsewhere/own')),
      ])
      return answers.map(([status]) => status)
    }
    await until(async () => (await asks('POST', 'new', of('own')))[0] === 403, 'the policy is in force', 30_000)
    assert.deepEqual(await all(), [403, 403, 403, 403, 200, 422])
    assert.match(
      (await asks('POST', 'new', of('own')))[1],
      /\/spec\/scaleTargetRef: is named by whoever may scale that Deployment; the right to patch deployments\/scale of it is missing/,
    )
    const role = ['create', 'role', 'scales-own', '--verb=patch', '--resource=deployments.apps/scale', '--resource-name=own']
    await kubectl([...role, '-n', spaces.home])
    await kubectl(['create', 'rolebinding', 'scales-own', '-n', spaces.home, '--role=scales-own', `--user=${users(editor)}`])
    await until(async () => (await asks('POST', 'new', of('own')))[0] === 201, 'the binding is known', 30_000)
    assert.deepEqual(await all(), [201, 403, 200, 403, 200, 422])
  })

  test("a verb that an owner has he may hand on: then a guest's Port may go without port security", async () => {
    const guest = writers.find(({ name }) => name === 'operator in guest')!
    const loose = cell('a new Port of guest with security off')
    assert.equal((await askServer(guest, loose)).yes, false)
    const owner = users(writers.find(({ name }) => name === 'owner in home')!)
    const list = {
      apiVersion: 'v1',
      kind: 'List',
      items: [
        {
          apiVersion: 'rbac.authorization.k8s.io/v1',
          kind: 'Role',
          metadata: { name: 'loose', namespace: spaces.home },
          rules: [{ apiGroups: ['megrez.io'], resources: ['subnets'], resourceNames: ['s'], verbs: ['disable-port-security'] }],
        },
        {
          apiVersion: 'rbac.authorization.k8s.io/v1',
          kind: 'RoleBinding',
          metadata: { name: 'loose', namespace: spaces.home },
          roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'loose' },
          subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: users(guest) }],
        },
      ],
    }
    // RBAC itself keeps him from handing on more than he has; that he may write roles at all is of the cluster's own admin.
    await kubectl([
      'create',
      'role',
      'roles',
      '-n',
      spaces.home,
      '--verb=create,get',
      '--resource=roles.rbac.authorization.k8s.io,rolebindings.rbac.authorization.k8s.io',
    ])
    await kubectl(['create', 'rolebinding', 'roles', '-n', spaces.home, '--role=roles', `--user=${owner}`])
    await until(
      async () =>
        kubectl(['create', '--as', owner, '-f', '-'], { input: JSON.stringify(list) }).then(
          () => true,
          () => false,
        ),
      'the owner hands it on',
      30_000,
    )
    await until(async () => (await askServer(guest, loose)).yes, 'the guest has it', 30_000)
    assert.equal((await askServer(guest, cell('a new Port of guest with a pair'))).yes, false)
  })
})

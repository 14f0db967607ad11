// What policies would change, before they are stored: over REST and on the command line, and what a tenant sees of it.
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { outputOf } from '../cli/command-output.ts'
import { openHarness, type Answer, type Harness } from './rest-harness.ts'

let rest: Harness
let url = ''
let folder = ''
const vni = 7001
const apiVersion = 'megrez.io/v1alpha1'

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'megrez-plan-'))
  rest = await openHarness()
  url = await rest.app.listen({ host: '127.0.0.1', port: 0 })
  await rest.network('blue', { vni })
  for (const [namespace, name, app, address] of [
    ['blue', 'web-1', 'web', '192.168.0.1'],
    ['blue', 'web-2', 'web', '192.168.0.2'],
    ['blue', 'db', 'db', '192.168.0.3'],
    ['guest', 'secret', 'web', '192.168.0.4'],
  ] as const) {
    const metadata = { namespace, name, labels: { app } }
    const made = await rest.store.create({ kind: 'Port', metadata, spec: { subnet: 'blue/subnet-1' } })
    const ref = { kind: 'Port', namespace, name } as const
    await rest.store.patchStatus({ ref, uid: made.metadata.uid }, { address: { addresses: [address], vni } })
  }
})
after(async () => {
  await rest.close()
  await rm(folder, { recursive: true })
})

const toDb = {
  apiVersion,
  kind: 'UnifiedNetworkPolicy',
  metadata: { namespace: 'blue', name: 'db' },
  spec: {
    podSelector: { matchLabels: { app: 'db' } },
    defaults: { ingress: 'deny' },
    ingress: [{ action: 'allow', peers: [{ podSelector: { matchLabels: { app: 'web' } } }], ports: [{ protocol: 'tcp', l4Port: 5432 }] }],
  },
}
const plan = async (body: object, role = 'operator', ...namespaces: readonly string[]): Promise<Answer> => {
  const token = await rest.issuer.issue({ subject: 'alice', scope: role, ...(namespaces.length > 0 && { namespaces }) }, 600)
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  return rest.ask('POST /v1/policy/plan?vpc=blue/vpc-1a2b3c4d', { body, headers })
}
interface Verdict {
  readonly from: { readonly port: string; readonly count: number }
  readonly to: { readonly port: string }
  readonly transport: { readonly l4Port?: number }
  readonly after: { readonly isAllowed: boolean }
}
const verdictsOf = ({ body }: Answer): readonly string[] =>
  (body['verdicts'] as readonly Verdict[]).map(
    ({ from, to, transport, after: { isAllowed } }) => `${from.port} ${from.count} ${to.port} ${transport.l4Port} ${isAllowed}`,
  )

describe('a plan of policies', () => {
  test('warns of Ports that it would select and not judge, as a cloud carries them; of those alone that the caller may read', async () => {
    const made: Parameters<typeof rest.store.delete>[0][] = []
    for (const [namespace, name, app] of [
      ['blue', 'far-db', 'db'],
      ['blue', 'far-web', 'web'],
      ['guest', 'far-secret', 'db'],
    ] as const) {
      const ref = { kind: 'Port', namespace, name } as const
      const { metadata } = await rest.store.create({
        kind: 'Port',
        metadata: { namespace, name, labels: { app } },
        spec: { subnet: 'far' },
      })
      await rest.store.patchStatus({ ref, uid: metadata.uid }, { provider: { cloud: 'c' } })
      made.push(ref)
    }
    const everywhere = {
      apiVersion: 'policy.networking.k8s.io/v1alpha1',
      kind: 'AdminNetworkPolicy',
      metadata: { name: 'all' },
      spec: { priority: 7, subject: { namespaces: {} } },
    }
    const told = async (policy: object, ...who: Parameters<typeof plan> extends [object, ...infer R] ? R : never): Promise<unknown> =>
      (await plan({ put: [policy] }, ...who)).body['problems']
    const selects = 'selects Ports that it does not judge, as their clouds carry what they send:'
    const closes = '; those that it is in force on it closes, as it says onUnsupported: deny, unless the cluster audits'
    assert.deepEqual(await told(toDb, 'operator', 'blue'), [
      {
        policy: { kind: 'UnifiedNetworkPolicy', namespace: 'blue', name: 'db' },
        path: '/spec',
        message: `${selects} blue/far-db (cloud c)${closes}`,
      },
    ])
    assert.deepEqual(await told(everywhere, 'admin'), [
      {
        policy: { kind: 'AdminNetworkPolicy', name: 'all' },
        path: '/spec',
        message: `${selects} blue/far-db (cloud c), blue/far-web (cloud c), guest/far-secret (cloud c)`,
      },
    ])
    for (const ref of made) await rest.store.delete(ref)
    assert.deepEqual(await told(toDb), [])
  })

  test('says whom a new one would judge, its rules, and each verdict that would be another', async () => {
    const answer = await plan({ put: [toDb] })
    assert.equal(answer.status, 200, answer.text)
    const policy = { kind: 'UnifiedNetworkPolicy', namespace: 'blue', name: 'db' }
    const [binding] = answer.body['bindings'] as readonly { readonly rulesAfter: number }[]
    assert.deepEqual({ ...binding, rulesAfter: 0 }, { policy, gains: ['blue/db'], loses: [], rulesBefore: 0, rulesAfter: 0 })
    assert.ok(binding!.rulesAfter > 0)
    assert.deepEqual([...verdictsOf(answer)].sort(), [
      'blue/db 1 blue/db 5432 false',
      'blue/db 1 blue/db 65535 false',
      'blue/web-1 2 blue/db 65535 false',
      'guest/secret 1 blue/db 5432 false',
      'guest/secret 1 blue/db 65535 false',
    ])
    assert.deepEqual(await rest.store.list('UnifiedNetworkPolicy').then(({ items }) => items), [])
  })

  test("says nothing of Ports that its reader may not see, and is no tenant's to make for another", async () => {
    const answer = await plan({ put: [toDb] }, 'operator', 'blue')
    assert.equal(answer.status, 200, answer.text)
    assert.doesNotMatch(answer.text, /guest|secret/)
    assert.equal((await plan({ put: [toDb] }, 'operator', 'guest')).status, 403)
    assert.equal((await plan({ put: [toDb] }, 'viewer')).status, 403)
  })

  test('of one that would be deleted is the reverse of what it did', async () => {
    const { namespace, name } = toDb.metadata
    await rest.store.create({ kind: 'UnifiedNetworkPolicy', metadata: toDb.metadata, spec: toDb.spec as never })
    const answer = await plan({ delete: [{ kind: 'UnifiedNetworkPolicy', namespace, name }] })
    assert.equal(verdictsOf(answer).length, 5)
    assert.ok(verdictsOf(answer).every((each) => each.endsWith('true')))
    assert.deepEqual(verdictsOf(await plan({ put: [toDb] })), [], 'what is there already changes nothing')
  })

  test('of a SecurityGroup that a Port names already opens what its absence closes', async () => {
    const metadata = { namespace: 'blue', name: 'early' }
    const { metadata: made } = await rest.store.create({
      kind: 'Port',
      metadata,
      spec: { subnet: 'blue/subnet-1', securityGroups: ['early'] },
    })
    const ref = { kind: 'Port', ...metadata } as const
    await rest.store.patchStatus({ ref, uid: made.uid }, { address: { addresses: ['192.168.0.5'], vni } })
    const group = { apiVersion, kind: 'SecurityGroup', metadata, spec: { rules: [{ direction: 'ingress', protocol: 'tcp' }] } }
    const verdicts = verdictsOf(await plan({ put: [group] }))
    assert.ok(verdicts.includes('blue/web-1 2 blue/early 65535 true'), verdicts.join('\n'))
    await rest.store.delete(ref)
  })

  describe('of the network of pods that follow their policy', () => {
    const metadata = { namespace: 'blue', name: 'slice' }
    const slice = (network?: string) => ({
      apiVersion,
      kind: 'UnifiedNetworkPolicy',
      metadata,
      spec: { podSelector: { matchLabels: { app: 'ran' } }, ...(network !== undefined && { network }) },
    })
    before(async () => {
      for (const [name, follows] of [
        ['follower', true],
        ['stayer', false],
      ] as const) {
        const annotations = follows ? { 'megrez.io/network': 'policy' } : {}
        await rest.store.create({
          kind: 'Pod',
          metadata: { namespace: 'blue', name, labels: { app: 'ran' }, annotations },
          spec: { containers: [{ name: 'c', image: 'none' }] },
        })
      }
    })

    test('names each pod that would be moved, and where to', async () => {
      const answer = await plan({ put: [slice('vpc-1a2b3c4d')] })
      assert.equal(answer.status, 200, answer.text)
      assert.deepEqual(answer.body['moves'], [{ pod: 'blue/follower', to: 'blue/vpc-1a2b3c4d' }])
      await rest.store.create({ kind: 'UnifiedNetworkPolicy', metadata, spec: slice('vpc-1a2b3c4d').spec })
      const other = await plan({ put: [slice('guest/other')] })
      assert.deepEqual(other.body['moves'], [{ pod: 'blue/follower', from: 'blue/vpc-1a2b3c4d', to: 'guest/other' }])
      assert.deepEqual((await plan({ put: [slice(`vni:${vni}`)] })).body['moves'], [], 'the same one by its number')
      assert.deepEqual((await plan({ put: [slice()] })).body['moves'], [], 'it stays where it is')
      await rest.store.delete({ kind: 'UnifiedNetworkPolicy', ...metadata })
    })

    test('into a VLAN it moves whom that is shared with, and nobody where it is not', async () => {
      const vlan = { physicalNetwork: 'physnet1', id: 100 }
      const named = slice('vlan:physnet1/100')
      const made = await rest.store.create({
        kind: 'Vpc',
        metadata: { namespace: 'guest', name: 'tagged' },
        spec: { provider: 'builtin', vlan },
      })
      assert.deepEqual((await plan({ put: [named] })).body['moves'], [])
      await rest.store.update({ ...made, spec: { ...made.spec, sharedWith: ['blue'] } })
      assert.deepEqual((await plan({ put: [named] })).body['moves'], [{ pod: 'blue/follower', to: 'guest/tagged' }])
      assert.deepEqual((await plan({ put: [slice('vlan:physnet1/101')] })).body['moves'], [], 'one that nobody is')
      await rest.store.delete({ kind: 'Vpc', namespace: 'guest', name: 'tagged' })
    })
  })

  describe('of enforcement', () => {
    const spec = { rules: [{ direction: 'ingress', protocol: 'tcp', l4PortMin: 22, l4PortMax: 22 }] }
    const group = { kind: 'SecurityGroup', namespace: 'guest', name: 'default' } as const
    const policy = { ...group, uid: 'default' }
    const set = { kind: 'PolicyRuleSet', namespace: 'blue', name: `vni-${vni}-1` } as const
    const audited = {
      vni,
      number: 1,
      tier: 'securityGroup',
      priority: 0,
      policy,
      audit: true,
      subjects: [],
      isolates: [],
      rules: [],
    } as const
    before(async () => {
      const { namespace, name } = toDb.metadata
      await rest.store.delete({ kind: 'UnifiedNetworkPolicy', namespace, name })
      await rest.store.create({ kind: 'SecurityGroup', metadata: { namespace: 'guest', name: 'default' }, spec: spec as never })
      await rest.store.create({ kind: 'PolicyRuleSet', metadata: { namespace: 'blue', name: set.name }, spec: audited as never })
    })
    after(async () => {
      await rest.store.delete(group)
      await rest.store.delete(set)
      await rest.store.create({ kind: 'UnifiedNetworkPolicy', metadata: toDb.metadata, spec: toDb.spec as never })
    })

    test('names just what the cluster lets pass only because it audits', async () => {
      const answer = await plan({ enforce: true })
      assert.equal(answer.status, 200, answer.text)
      assert.equal(answer.body['isAudit'], true)
      const verdicts = verdictsOf(answer)
      assert.deepEqual(verdicts, ['blue/db 3 guest/secret 65535 false', 'guest/secret 1 guest/secret 65535 false'])
    })

    test('of what is enforced already names nothing', async () => {
      const now = (await rest.store.get(set))!
      await rest.store.update({ ...now, spec: { ...now.spec, audit: false } })
      const answer = await plan({ enforce: true })
      assert.deepEqual([answer.body['isAudit'], verdictsOf(answer)], [false, []])
      await rest.store.update({ ...(await rest.store.get(set))!, spec: now.spec })
    })

    test('is told on the command line, with who would deny', async () => {
      const env = { MEGREZ_URL: url, MEGREZ_TOKEN: rest.token }
      const { exit, out, err } = await outputOf(['plan', '--enforce', '--vpc', 'vpc-1a2b3c4d', '-n', 'blue'], env)
      assert.equal(exit, 0, err)
      assert.match(out, /^policies are in audit here/)
      assert.match(out, /^- .* → guest\/secret tcp\/65535: would be denied by SecurityGroup guest\/default$/m)
    })
  })

  test('is refused by path', async () => {
    for (const [body, at] of [
      [{}, '/put'],
      [{ put: [{ kind: 'Vpc', metadata: { namespace: 'blue', name: 'x' } }] }, '/put/0/kind'],
      [{ put: [{ ...toDb, metadata: { name: 'x' } }] }, '/put/0/metadata/namespace'],
      [{ put: [{ ...toDb, spec: { ...toDb.spec, priority: 7_000 } }] }, '/put/0/spec/priority'],
      [{ delete: [{ kind: 'SecurityGroup', namespace: 'blue' }] }, '/delete/0/metadata/name'],
      [{ put: [toDb], dryRun: true }, '/dryRun'],
      [{ put: [toDb], enforce: 'yes' }, '/enforce'],
    ] as const) {
      const { status, text } = await plan(body)
      assert.equal(status, 422, text)
      assert.match(text, new RegExp(`"${at}"`), text)
    }
  })

  test('is told on the command line', async () => {
    const file = join(folder, 'policy.json')
    await writeFile(file, JSON.stringify({ ...toDb, metadata: { name: 'db' }, spec: { ...toDb.spec, ingress: [] } }))
    const env = { MEGREZ_URL: url, MEGREZ_TOKEN: rest.token }
    const { exit, out, err } = await outputOf(['plan', '-f', file, '--vpc', 'vpc-1a2b3c4d', '-n', 'blue'], env)
    assert.equal(exit, 0, err)
    assert.match(out, /^UnifiedNetworkPolicy blue\/db: \d rules before, \d after$/m)
    assert.match(out, /^- blue\/web-1 \(and 1 like it\) → blue\/db tcp\/5432: would be denied by UnifiedNetworkPolicy blue\/db/m)
  })
})

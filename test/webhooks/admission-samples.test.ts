// The five sample pods of Alkaid, as they stand in examples/, through both admissions.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { after, before, test } from 'node:test'
import { parseAllDocuments } from 'yaml'
import { isRefusal } from '../../core/admit/refusal.ts'
import { rewriteManifest } from '../../core/admit/pod/rewrite.ts'
import type { Json } from '../../core/json.ts'
import { nicsAnnotation } from '../../core/kinds/annotations.ts'
import type { Kind, OwnKind, Resource } from '../../core/kinds/index.ts'
import { parseIp } from '../../core/net/ip.ts'
import { offered } from '../../core/plan/builtin/pools.ts'
import { admitPod } from '../../webhooks/admission/pods.ts'
import type { AdmittedPod } from '../../webhooks/admission/deps.ts'
import { openAdmission, type AdmissionTestServer } from './admission-test-server.ts'

const examples = resolve(import.meta.dirname, '../../examples')
let cluster: AdmissionTestServer
before(async () => {
  cluster = await openAdmission({ config: { nicLimits: { default: 8, flavors: { 'm1.large': 2 } } } })
})
after(() => cluster.close())

/** Everything of a sample but its pod is made in the namespace; the pod is given back as an API server would take it. */
async function prepared(sample: string, namespace: string, vni: number): Promise<AdmittedPod> {
  const text = await readFile(join(examples, `${sample}.yaml`), 'utf8')
  let pod: AdmittedPod | undefined
  for (const document of parseAllDocuments(text)) {
    const given = document.toJS() as Json
    const rewritten = rewriteManifest(given)
    if (rewritten.kind === 'refused') assert.fail(JSON.stringify(rewritten.problems))
    const { kind, metadata, spec } = (rewritten.kind === 'changed' ? rewritten.manifest : given) as unknown as Resource
    if (kind === 'Pod') pod = { metadata: { ...metadata, namespace, uid: `uid-${sample}-${namespace}` }, spec } as AdmittedPod
    else
      await cluster.make(
        kind as Kind & OwnKind,
        `${namespace}/${metadata.name}`,
        spec as never,
        kind === 'Vpc' ? { sections: { segment: { vni } } } : kind === 'Subnet' ? { sections: { segment: { vni, validated: true } } } : {},
      )
  }
  return pod ?? assert.fail(`${sample} has no pod`)
}
const nicsOf = (pod: AdmittedPod): unknown => JSON.parse(pod.metadata.annotations?.[nicsAnnotation] ?? 'null')
const portID = 'a2815656-76f7-46d4-9d11-057063db1a14'

const wanted: Readonly<Record<string, unknown>> = {
  pod1: [{ name: 'eth0', subnet: 'subnet-1' }],
  pod2: [{ name: 'eth0', subnet: 'subnet-1' }],
  pod3: [{ name: 'eth0', subnet: 'subnet-1', ip: '192.168.0.12' }],
  pod4: [{ name: 'eth0', portID }],
  pod5: [
    { name: 'eth0', subnet: 'subnet-1', ip: '192.168.0.12', securityGroup: 'aa5db150-a63d-4bd1-8d70-2dff67c6a5d9' },
    { name: 'eth1', portID },
  ],
}
for (const [index, [sample, nics]] of Object.entries(wanted).entries()) {
  test(`${sample} is admitted with what it asks for`, async () => {
    const admitted = await admitPod(cluster.deps, await prepared(sample, sample, 5_000 + index), sample, { dryRun: false })
    if (isRefusal(admitted)) return assert.fail(`${admitted.at}: ${admitted.message}`)
    assert.deepEqual(nicsOf(admitted.pod), nics)
    assert.deepEqual(admitted.warnings, [])
    const kept = (await cluster.store.list('IPLock', { namespace: sample })).items.map(({ spec }) => spec.address)
    assert.deepEqual(kept, JSON.stringify(nics).includes('192.168.0.12') ? ['192.168.0.12'] : [])
    const claimed = (await cluster.store.list('Port', { namespace: sample })).items.map(({ spec }) => spec.claim?.pod)
    assert.deepEqual(claimed, JSON.stringify(nics).includes(portID) ? ['nginx'] : [])
  })
}
test('pod3 and pod5 together: the address is taken, and the Port stays free', async () => {
  const five = await prepared('pod5', 'both', 6_000)
  const three = podOf(await readFile(join(examples, 'pod3.yaml'), 'utf8'))
  const first = await admitPod(
    cluster.deps,
    { ...three, metadata: { ...three.metadata, name: 'three', namespace: 'both', uid: 'uid-three' } },
    'both',
    { dryRun: false },
  )
  assert.ok(!isRefusal(first))
  const second = await admitPod(cluster.deps, { ...five, metadata: { ...five.metadata, name: 'five' } }, 'both', { dryRun: false })
  assert.ok(isRefusal(second))
  assert.equal(second.at, '/metadata/annotations/megrez.io~1nics/0/ip')
  assert.match(second.message, /address 192\.168\.0\.12 of Subnet subnet-1 is taken by a reservation for Pod\/three/)
  assert.equal((await cluster.store.list('Port', { namespace: 'both' })).items[0]?.spec.claim, undefined)
})

test('what pod5 asks for by its address is in no pool: its Port, made before it, is never given that', async () => {
  const documents = parseAllDocuments(await readFile(join(examples, 'pod5.yaml'), 'utf8')).map((document) => document.toJS() as Resource)
  const { spec } = documents.find(({ kind }) => kind === 'Subnet') as Resource<'Subnet'>
  const { base, runs } = offered(spec.ipv4!)!
  const wanted = Number(parseIp('192.168.0.12')!.value - base)
  assert.ok(runs.length > 0 && runs.every(([first, last]) => wanted < first || wanted > last), JSON.stringify(runs))
})

function podOf(text: string): AdmittedPod {
  for (const document of parseAllDocuments(text)) {
    const rewritten = rewriteManifest(document.toJS() as Json)
    if (rewritten.kind === 'changed' && (rewritten.manifest as { kind?: unknown }).kind === 'Pod')
      return rewritten.manifest as unknown as AdmittedPod
  }
  return assert.fail('no pod')
}

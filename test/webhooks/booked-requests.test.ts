// What a pod whose policy books bandwidth asks the scheduler for, and when it is refused at once.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { isRefusal } from '../../core/admit/refusal.ts'
import { vpcAnnotation } from '../../core/kinds/annotations.ts'
import { uplinkResource } from '../../core/node/booking/booking.ts'
import { mutatePod, validatePod } from '../../webhooks/admission/pods.ts'
import type { AdmittedPod } from '../../webhooks/admission/deps.ts'
import { furnish, openAdmission, podWith, type AdmissionTestServer } from './admission-test-server.ts'

let cluster: AdmissionTestServer
before(async () => {
  cluster = await openAdmission()
  await furnish(cluster)
  const book = (name: string, min: string, more: object = {}): Promise<unknown> =>
    cluster.make('UnifiedNetworkPolicy', `a/${name}`, { podSelector: { matchLabels: { app: name } }, bandwidth: { min }, ...more })
  await book('some', '1500k')
  await book('much', '25G')
  await book('tried', '1G', { mode: 'audit' })
})
after(() => cluster.close())

const labelled = (app: string, nics?: readonly object[], containers: readonly object[] = [{ name: 'main' }]): AdmittedPod => {
  const pod = podWith(nics)
  return { ...pod, metadata: { ...pod.metadata, labels: { app } }, spec: { ...pod.spec, containers } as AdmittedPod['spec'] }
}
function mutated(pod: AdmittedPod): AdmittedPod {
  const found = mutatePod(cluster.deps, pod, 'a')
  if (isRefusal(found)) assert.fail(found.message)
  const again = mutatePod(cluster.deps, found.pod, 'a')
  assert.deepEqual(isRefusal(again) ? again : again.patch, [], 'asked again it changes nothing')
  return found.pod
}
const resources = (pod: AdmittedPod): readonly unknown[] => (pod.spec.containers ?? []).map((each) => each['resources'])
const of = (mbps: string): object => ({ requests: { [uplinkResource]: mbps }, limits: { [uplinkResource]: mbps } })

describe('a pod whose policy books bandwidth', () => {
  test('asks for the minimums of all its Nics, in whole megabits, in one of its containers', () => {
    assert.deepEqual(resources(mutated(labelled('some'))), [of('2')])
    assert.deepEqual(resources(mutated(labelled('some', [{}, {}, {}], [{ name: 'main' }, { name: 'side' }]))), [of('5'), undefined])
  })

  test('keeps what its containers ask for themselves', () => {
    const asking = { name: 'main', resources: { requests: { cpu: '1' }, claims: [{ name: 'x' }] } }
    assert.deepEqual(resources(mutated(labelled('some', undefined, [asking]))), [
      { claims: [{ name: 'x' }], requests: { cpu: '1', [uplinkResource]: '2' }, limits: { [uplinkResource]: '2' } },
    ])
    const own = { name: 'side', resources: of('7') }
    assert.deepEqual(resources(mutated(labelled('some', undefined, [{ name: 'main' }, own]))), [undefined, of('7')])
  })

  test('asks for nothing where none is in force, one is only tried out, or it has no Nic', () => {
    assert.deepEqual(resources(mutated(labelled('none'))), [undefined])
    assert.deepEqual(resources(mutated(labelled('tried'))), [undefined])
    const { [vpcAnnotation]: _, ...annotations } = labelled('some').metadata.annotations ?? {}
    const plain = labelled('some')
    assert.deepEqual(resources(mutated({ ...plain, metadata: { ...plain.metadata, annotations } })), [undefined])
  })

  test('is refused where no node could ever carry it, with the widest and its figures; what is full for now the scheduler sees to', async () => {
    const refusal = async (app: string): Promise<string | undefined> => {
      const answer = await validatePod(cluster.deps, mutated(labelled(app)), { dryRun: true })
      return isRefusal(answer) ? `${answer.at}: ${answer.message}` : undefined
    }
    assert.equal(await refusal('much'), undefined, 'no node says yet how much it has')
    for (const [name, mbps] of [
      ['n1', '950'],
      ['n2', '9500'],
    ] as const) {
      const { uid } = (await cluster.make('Node', name, {})).metadata
      const amount = { [uplinkResource]: mbps }
      await cluster.store.replaceForeignStatus({ kind: 'Node', name }, uid, { capacity: amount, allocatable: amount })
    }
    assert.equal(await refusal('some'), undefined)
    assert.equal(
      await refusal('much'),
      "/spec/containers/0/resources/requests/megrez.io~1uplink-mbps: its policy books 25000 Mbit/s of its node's uplink, and no node has more than the 9500 Mbit/s of n2",
    )
  })
})

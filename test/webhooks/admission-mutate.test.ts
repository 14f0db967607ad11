import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import fc from 'fast-check'
import {
  callbackAnnotation,
  clusterNicAnnotation,
  managedLabel,
  nicsAnnotation,
  noticeFinalizer,
  vpcAnnotation,
} from '../../core/kinds/annotations.ts'
import { isRefusal } from '../../core/admit/refusal.ts'
import { applyPatch, type Operation } from '../../core/wire/json-patch.ts'
import { mutatePod, type Mutated } from '../../webhooks/admission/pods.ts'
import type { AdmittedPod } from '../../webhooks/admission/deps.ts'
import { trials } from '../setup/trials.ts'
import { defaulted, furnish, openAdmission, podWith, type AdmissionTestServer } from './admission-test-server.ts'

let cluster: AdmissionTestServer
before(async () => {
  cluster = await openAdmission({ config: { nicLimits: { default: 8, flavors: {} } } })
  await furnish(cluster)
  await cluster.make('Namespace', 'defaulted', {}, { metadata: defaulted })
  await cluster.make('Vpc', 'defaulted/blue', {})
  await cluster.make(
    'Subnet',
    'defaulted/only',
    { vpc: 'blue', ipv4: { cidr: '10.0.0.0/24' } },
    { sections: { segment: { validated: true } } },
  )
  await cluster.make('Vpc', 'other/shared', { sharedWith: ['a'] })
  await cluster.make(
    'Subnet',
    'other/common',
    { vpc: 'shared', ipv4: { cidr: '10.4.0.0/24' } },
    { sections: { segment: { validated: true } } },
  )
  await cluster.make('Port', 'a/made', { subnet: 'front', portID: 'p-1' })
})
after(() => cluster.close())

function mutated(pod: AdmittedPod, namespace = pod.metadata.namespace ?? ''): Mutated {
  const found = mutatePod(cluster.deps, pod, namespace)
  if (isRefusal(found)) assert.fail(found.message)
  return found
}
const annotations = (pod: AdmittedPod): Readonly<Record<string, string>> => pod.metadata.annotations ?? {}

describe('what is filled in', () => {
  test('a pod without a list gets one with its name and Subnet', () => {
    const { pod, patch } = mutated(podWith(undefined))
    assert.equal(annotations(pod)[nicsAnnotation], '[{"name":"eth0","subnet":"front"}]')
    assert.deepEqual(pod.metadata.labels, { [managedLabel]: 'true' })
    assert.deepEqual(
      patch.map(({ op, path }) => `${op} ${path}`),
      ['add /metadata/annotations/megrez.io~1nics', 'add /metadata/labels'],
    )
  })
  test('a pod of a defaulted namespace gets the VPC written on it, so that it keeps it', () => {
    const { pod } = mutated({ metadata: { name: 'x' }, spec: {} }, 'defaulted')
    assert.deepEqual(annotations(pod), { [vpcAnnotation]: 'blue', [nicsAnnotation]: '[{"name":"eth0","subnet":"only"}]' })
  })
  test('names and Subnets that are missing are written beside what was asked', () => {
    const { pod } = mutated(podWith([{ ip: '10.0.0.9' }, { portID: 'p-1' }, { name: 'x', subnet: 'front' }]))
    assert.deepEqual(JSON.parse(annotations(pod)[nicsAnnotation]!), [
      { name: 'eth0', ip: '10.0.0.9', subnet: 'front' },
      { name: 'eth1', portID: 'p-1' },
      { name: 'x', subnet: 'front' },
    ])
  })
  test('a list that lacks nothing stays as it was written, to the last space', () => {
    const text = '[ {"subnet": "front", "name":"x"} ]'
    const { pod, patch } = mutated(podWith(text))
    assert.equal(annotations(pod)[nicsAnnotation], text)
    assert.deepEqual(
      patch.map(({ path }) => path),
      ['/metadata/labels'],
    )
  })
  test('a pod of a shared VPC keeps its namespace in the name', () => {
    const { pod } = mutated(podWith(undefined, { annotations: { [vpcAnnotation]: 'other/shared' } }))
    assert.equal(annotations(pod)[vpcAnnotation], 'other/shared')
    assert.equal(annotations(pod)[nicsAnnotation], '[{"name":"eth0","subnet":"common"}]')
  })
  test('a pod that asks to be told of its end is kept until that is written down', () => {
    const callback = { annotations: { [callbackAnnotation]: 'https://example.org/x' } }
    assert.deepEqual(mutated(podWith([], callback)).pod.metadata.finalizers, [noticeFinalizer])
    assert.deepEqual(
      mutated(
        podWith([], { ...callback, metadata: { finalizers: ['z/y'], annotations: { [vpcAnnotation]: 'blue', ...callback.annotations } } }),
      ).pod.metadata.finalizers,
      ['z/y', noticeFinalizer],
    )
  })
  test("a dpdk Nic brings the sockets' folder, by the pod's own UID, and a copy of network-status into every container", () => {
    const { pod, patch } = mutated(
      podWith([{ type: 'dpdk' }], {
        spec: { containers: [{ name: 'one' }, { name: 'two', env: [{ name: 'A' }], volumeMounts: [{ name: 'm' }] }] },
      }),
    )
    assert.deepEqual(
      pod.spec.volumes?.map(({ name }) => name),
      ['megrez-vhost', 'megrez-network-status'],
    )
    for (const container of pod.spec.containers ?? []) {
      assert.deepEqual(
        container.volumeMounts?.map(({ name }) => name).filter((name) => name !== 'm'),
        ['megrez-vhost', 'megrez-network-status'],
      )
      assert.ok(container.env?.some(({ name }) => name === 'MEGREZ_POD_UID'))
    }
    assert.deepEqual(
      patch.filter(({ op }) => op === 'test').map(({ path }) => path),
      ['/spec/containers/0/name', '/spec/containers/1/name'],
    )
  })
  test('a pod that is none of ours is not touched', () => {
    assert.deepEqual(mutated({ metadata: { name: 'x', namespace: 'a' }, spec: {} }).patch, [])
  })
})

/** What other people's webhooks do to pods. */
const strangers: readonly ((pod: AdmittedPod) => AdmittedPod)[] = [
  (pod) => ({
    ...pod,
    spec: {
      ...pod.spec,
      containers: [{ name: 'sidecar', volumeMounts: [{ name: 'tokens' }] }, ...(pod.spec.containers ?? [])].filter(
        (each, i, all) => all.findIndex(({ name }) => name === each.name) === i,
      ),
    },
  }),
  (pod) => ({
    ...pod,
    spec: { ...pod.spec, volumes: [...(pod.spec.volumes ?? []).filter(({ name }) => name !== 'tokens'), { name: 'tokens' }] },
  }),
  (pod) => ({
    ...pod,
    metadata: {
      ...pod.metadata,
      labels: { ...pod.metadata.labels, team: 'x' },
      annotations: { ...pod.metadata.annotations, 'example.org/seen': 'yes' },
    },
  }),
]
const nic = fc.record(
  {
    name: fc.constantFrom('eth0', 'eth1', 'eth3', 'mgmt', 'data'),
    subnet: fc.constantFrom('front', 'nowhere'),
    type: fc.constantFrom('kernel', 'dpdk'),
    ip: fc.constantFrom('10.0.0.9', '10.0.0.10', '10.9.9.9'),
    securityGroup: fc.constantFrom('g', 'h'),
    defaultRoute: fc.boolean(),
  },
  { requiredKeys: [] },
)
const container = fc.record({ name: fc.constantFrom('a', 'b', 'c') })
const pods = fc.record({
  nics: fc.option(fc.array(nic, { maxLength: 4 }), { nil: undefined }),
  more: fc.record(
    { [clusterNicAnnotation]: fc.constantFrom('none', 'delegate'), [callbackAnnotation]: fc.constant('https://example.org') },
    { requiredKeys: [] },
  ),
  containers: fc.uniqueArray(container, { selector: ({ name }) => name, minLength: 1 }),
  finalizers: fc.option(fc.constant(['example.org/f']), { nil: undefined }),
})
const ours = [
  /^\/metadata\/annotations(\/megrez\.io~1(vpc|nics))?$/,
  /^\/metadata\/labels(\/megrez\.io~1managed)?$/,
  /^\/metadata\/finalizers(\/-)?$/,
  /^\/spec\/volumes(\/-)?$/,
  /^\/spec\/containers\/\d+\/(name|env(\/-)?|volumeMounts(\/-)?)$/,
]

describe('for any pod and any other webhooks', () => {
  const property = (holds: (pod: AdmittedPod, order: readonly number[]) => void): void => {
    fc.assert(
      fc.property(pods, fc.shuffledSubarray([0, 1, 2], { minLength: 3 }), ({ nics, more, containers, finalizers }, order) => {
        const pod = podWith(nics, { annotations: more, spec: { containers } })
        holds(finalizers === undefined ? pod : { ...pod, metadata: { ...pod.metadata, finalizers } }, order)
      }),
      { numRuns: trials(20_000) },
    )
  }
  const mutate = (pod: AdmittedPod): { pod: AdmittedPod; patch: readonly Operation[] } => {
    const found = mutatePod(cluster.deps, pod, 'a')
    return isRefusal(found) ? { pod, patch: [] } : { pod: found.pod, patch: found.patch }
  }

  test('a second round changes nothing', () => property((pod) => assert.deepEqual(mutate(mutate(pod).pod).patch, [])))
  test('the patch, applied to what was sent, is the pod that is stored, and touches only our paths', () =>
    property((pod) => {
      const { pod: after, patch } = mutate(pod)
      assert.deepEqual(applyPatch(pod, patch), after)
      for (const { path } of patch)
        assert.ok(
          ours.some((pattern) => pattern.test(path)),
          path,
        )
    }))
  test('what is there already is never replaced or taken away', () =>
    property((pod) => {
      for (const operation of mutate(pod).patch) assert.ok(operation.op === 'add' || operation.op === 'test', operation.op)
    }))
  test('others may come before, between and after: our part ends the same', () =>
    property((pod, order) => {
      const inOrder = (start: AdmittedPod, steps: readonly ((pod: AdmittedPod) => AdmittedPod)[]): AdmittedPod =>
        steps.reduce((now, step) => mutate(step(now)).pod, mutate(start).pod)
      const one = inOrder(pod, strangers)
      const other = inOrder(
        pod,
        order.map((index) => strangers[index]!),
      )
      const part = ({ metadata, spec }: AdmittedPod): unknown => [
        metadata.annotations?.[nicsAnnotation],
        metadata.annotations?.[vpcAnnotation],
        metadata.labels?.[managedLabel],
        metadata.finalizers,
        new Set(spec.volumes?.map(({ name }) => name)),
        new Set(spec.containers?.map(({ name, volumeMounts = [] }) => [name, ...volumeMounts.map((mount) => mount.name).sort()].join())),
      ]
      assert.deepEqual(part(one), part(other))
    }))
})

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parse } from 'yaml'
import { literalPointer, rewriteManifest } from '../../core/admit/pod/rewrite.ts'
import type { Json } from '../../core/json.ts'

const container = 'containers: [{name: nginx, image: nginx, ports: [{containerPort: 443}]}]'
const vm = 'VMs: [{name: nginx, image: www.foo.com/vmimages/nginx, flavor: m1.large, ports: [{VMPort: 443}]}]'
const vmAsContainer = { name: 'nginx', image: 'www.foo.com/vmimages/nginx', ports: [{ containerPort: 443 }] }
/** Its flavor, and that its Nics are TAPs. */
const vmNotes = { 'megrez.io/vm-flavor': 'm1.large', 'megrez.io/nic-type': 'tap' }
const premade = 'a2815656-76f7-46d4-9d11-057063db1a14'

const pod = (...spec: string[]): Json =>
  parse(`apiVersion: v1\nkind: Pod\nmetadata: {name: nginx}\nspec:\n${spec.map((line) => `  ${line}\n`).join('')}`) as Json

interface Case {
  readonly given: Json
  readonly annotations: Readonly<Record<string, string>>
  readonly containers: readonly object[]
}
const plain = [{ name: 'nginx', image: 'nginx', ports: [{ containerPort: 443 }] }]
/** The five pods of the seed. */
const samples: Readonly<Record<string, Case>> = {
  'pod1: a Vpc and no Nic': {
    given: pod(container, 'vpc: vpc-1a2b3c4d'),
    annotations: { 'megrez.io/vpc': 'vpc-1a2b3c4d' },
    containers: plain,
  },
  'pod2: one Nic in a Subnet': {
    given: pod(container, 'vpc: vpc-1a2b3c4d', 'nics: [{subnet: subnet-1}]'),
    annotations: { 'megrez.io/vpc': 'vpc-1a2b3c4d', 'megrez.io/nics': '[{"subnet":"subnet-1"}]' },
    containers: plain,
  },
  'pod3: one Nic with a fixed address': {
    given: pod(container, 'vpc: vpc-1a2b3c4d', 'nics: [{subnet: subnet-1, ip: 192.168.0.12}]'),
    annotations: { 'megrez.io/vpc': 'vpc-1a2b3c4d', 'megrez.io/nics': '[{"subnet":"subnet-1","ip":"192.168.0.12"}]' },
    containers: plain,
  },
  'pod4: a VM on a pre-made Port': {
    given: pod(vm, 'vpc: vpc-1a2b3c4d', `nics: [{portID: ${premade}}]`),
    annotations: { 'megrez.io/vpc': 'vpc-1a2b3c4d', 'megrez.io/nics': `[{"portID":"${premade}"}]`, ...vmNotes },
    containers: [vmAsContainer],
  },
  'pod5: a VM with two Nics': {
    given: pod(vm, 'vpc: vpc-1a2b3c4d', `nics: [{subnet: subnet-1, ip: 192.168.0.12, securityGroup: aa5db150}, {portID: ${premade}}]`),
    annotations: {
      'megrez.io/vpc': 'vpc-1a2b3c4d',
      'megrez.io/nics': `[{"subnet":"subnet-1","ip":"192.168.0.12","securityGroup":"aa5db150"},{"portID":"${premade}"}]`,
      ...vmNotes,
    },
    containers: [vmAsContainer],
  },
}

describe('a literal Alkaid pod becomes one that Kubernetes takes', () => {
  for (const [name, { given, annotations, containers }] of Object.entries(samples)) {
    test(name, () => {
      const before = JSON.stringify(given)
      const done = rewriteManifest(given)
      assert.equal(done.kind, 'changed')
      assert.deepEqual(done.kind === 'changed' && done.manifest, {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: 'nginx', annotations },
        spec: { containers },
      })
      assert.equal(JSON.stringify(given), before, 'what was given is left as it was')
    })
  }

  test('one that is annotated already is left alone, and so is what makes no pods', () => {
    const annotated = { kind: 'Pod', metadata: { annotations: { 'megrez.io/vpc': 'blue' } }, spec: { containers: [] } }
    for (const each of [annotated, { kind: 'Service', spec: { vpc: 'x' } }, { kind: 'Pod' }, {}, { kind: 'constructor', spec: {} }])
      assert.equal(rewriteManifest(each).kind, 'same')
  })

  test('doing it again changes nothing', () => {
    for (const { given } of Object.values(samples)) {
      const once = rewriteManifest(given)
      assert.equal(once.kind === 'changed' && rewriteManifest(once.manifest).kind, 'same')
    }
  })

  test('templates of whatever makes pods are rewritten in place, and Lists item by item', () => {
    const template = { metadata: { labels: { app: 'web' } }, spec: { vpc: 'blue', containers: [] } }
    const rewritten = { metadata: { labels: { app: 'web' }, annotations: { 'megrez.io/vpc': 'blue' } }, spec: { containers: [] } }
    const deployment = { kind: 'Deployment', spec: { replicas: 2, template } }
    const cron = { kind: 'CronJob', spec: { jobTemplate: { spec: { template } } } }
    const service = { kind: 'Service' }
    assert.deepEqual(rewriteManifest({ kind: 'List', items: [deployment, service, cron] }), {
      kind: 'changed',
      manifest: {
        kind: 'List',
        items: [
          { kind: 'Deployment', spec: { replicas: 2, template: rewritten } },
          service,
          { kind: 'CronJob', spec: { jobTemplate: { spec: { template: rewritten } } } },
        ],
      },
    })
  })
})

const refusals: Readonly<Record<string, { given: Json; at: readonly string[] }>> = {
  'a Vpc that is no text': { given: pod(container, 'vpc: 7'), at: ['/spec/vpc'] },
  'Nics that are no list': { given: pod(container, 'vpc: blue', 'nics: {subnet: a}'), at: ['/spec/nics'] },
  'a Nic that is no object': { given: pod(container, 'vpc: blue', 'nics: [{subnet: a}, b]'), at: ['/spec/nics/1'] },
  'other spellings of the fields': {
    given: pod(container, 'VPC: blue', 'Nics: []', 'vms: []'),
    at: ['/spec/VPC', '/spec/Nics', '/spec/vms'],
  },
  'two VMs': { given: pod('VMs: [{name: a, image: b}, {name: c, image: d}]'), at: ['/spec/VMs/1'] },
  'no VM': { given: pod('VMs: []'), at: ['/spec/VMs'] },
  'VMs beside containers': { given: pod(container, vm), at: ['/spec/containers'] },
  'a VM without an image, with fields of another system': {
    given: pod('VMs: [{name: a, flavor: 3, keyPairName: k, ports: [{containerPort: 1}]}]'),
    at: [
      '/spec/VMs/0/image',
      '/spec/VMs/0/flavor',
      '/spec/VMs/0/keyPairName',
      '/spec/VMs/0/ports/0/VMPort',
      '/spec/VMs/0/ports/0/containerPort',
    ],
  },
  'ports that are none': {
    given: pod('VMs: [{name: a, image: b, ports: [443, {VMPort: 0}, {VMPort: 65536}, {VMPort: "443"}]}]'),
    at: ['/spec/VMs/0/ports/0', '/spec/VMs/0/ports/1/VMPort', '/spec/VMs/0/ports/2/VMPort', '/spec/VMs/0/ports/3/VMPort'],
  },
  'a field whose name needs escaping': { given: pod('VMs: [{name: a, image: b, "x/y~z": 1}]'), at: ['/spec/VMs/0/x~1y~0z'] },
  'the same said twice, differently': {
    given: { kind: 'Pod', metadata: { annotations: { 'megrez.io/vpc': 'red' } }, spec: { vpc: 'blue' } },
    at: ['/metadata/annotations/megrez.io~1vpc'],
  },
  'annotations that are none': {
    given: { kind: 'Pod', metadata: { annotations: ['a'] }, spec: { vpc: 'blue' } },
    at: ['/metadata/annotations'],
  },
  'metadata that is none': { given: { kind: 'Pod', metadata: 'x', spec: { vpc: 'blue' } }, at: ['/metadata'] },
  'a fault in a template': { given: { kind: 'Deployment', spec: { template: { spec: { vpc: '' } } } }, at: ['/spec/template/spec/vpc'] },
  'a fault in a List': {
    given: { kind: 'List', items: [{ kind: 'Service' }, { kind: 'Pod', spec: { nics: 1 } }] },
    at: ['/items/1/spec/nics'],
  },
}

describe('what cannot be understood is refused, and named by its pointer', () => {
  for (const [name, { given, at }] of Object.entries(refusals)) {
    test(name, () => {
      const done = rewriteManifest(given)
      assert.deepEqual(done.kind === 'refused' ? done.problems.map((err) => err.at) : done, at)
    })
  }

  test('what admission says of the annotations is told of the fields that were written', () => {
    const given = pod(vm, 'vpc: blue', 'nics: [{subnet: a}]')
    const told = {
      '/metadata/annotations/megrez.io~1nics/0/ip': '/spec/nics/0/ip',
      '/metadata/annotations/megrez.io~1nics': '/spec/nics',
      '/metadata/annotations/megrez.io~1vpc': '/spec/vpc',
      '/metadata/annotations/megrez.io~1vm-flavor': '/spec/VMs/0/flavor',
      '/spec/containers/0/ports/1/containerPort': '/spec/VMs/0/ports/1/VMPort',
      '/metadata/annotations/megrez.io~1nics-more': '/metadata/annotations/megrez.io~1nics-more',
      '/metadata/name': '/metadata/name',
    }
    for (const [pointer, literal] of Object.entries(told)) {
      assert.equal(literalPointer(pointer, given), literal)
      assert.equal(literalPointer(pointer, { kind: 'Pod', spec: {} }), pointer)
    }
  })
})

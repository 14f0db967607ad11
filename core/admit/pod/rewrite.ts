// Alkaid's literal pod (`spec.vpc`, `spec.nics`, `spec.VMs`) into one that a Kubernetes API server takes: the first two as
// annotations, a VM as a container and its flavor. What the Nics say is judged later, in one place for both forms.
import { flavorAnnotation, nicsAnnotation, nicTypeAnnotation, vpcAnnotation } from '../../kinds/annotations.ts'
import { isObject, type Json } from '../../json.ts'
import type { Problem } from '../problem.ts'
import { escapeStep } from '../refusal.ts'
import { rewriteVMs } from './rewrite-vms.ts'

export type Rewritten =
  | { readonly kind: 'same' }
  | { readonly kind: 'changed'; readonly manifest: Json }
  | { readonly kind: 'refused'; readonly problems: readonly Problem[] }

/** Where other kinds keep the pods that they make. */
const templates: Readonly<Record<string, readonly string[]>> = {
  Pod: [],
  PodTemplate: ['template'],
  ...Object.fromEntries(
    ['Deployment', 'StatefulSet', 'DaemonSet', 'ReplicaSet', 'ReplicationController', 'Job'].map((kind) => [kind, ['spec', 'template']]),
  ),
  CronJob: ['spec', 'jobTemplate', 'spec', 'template'],
}
const literal = ['vpc', 'nics', 'VMs'] as const
/** What people write for them, in lower case. */
const meant = new Map(
  Object.entries({
    vpc: 'vpc',
    vpcs: 'vpc',
    nic: 'nics',
    nics: 'nics',
    vm: 'VMs',
    vms: 'VMs',
    virtualmachine: 'VMs',
    virtualmachines: 'VMs',
  }),
)

/**
 * The manifest as Kubernetes takes it; a Deployment's pod template, and whatever else makes pods, as well.
 *
 * @returns `same` where nothing was literal; every fault there is where something cannot be understood
 * @throws nothing
 */
export function rewriteManifest(manifest: Json): Rewritten {
  const kind = typeof manifest['kind'] === 'string' ? manifest['kind'] : ''
  if (kind === 'List') return rewriteList(manifest)
  const path = Object.hasOwn(templates, kind) ? templates[kind] : undefined
  return path === undefined ? { kind: 'same' } : rewriteAt(manifest, path, '')
}

function rewriteList(manifest: Json): Rewritten {
  const items: readonly unknown[] = Array.isArray(manifest['items']) ? manifest['items'] : []
  const done = items.map((item) => (isObject(item) ? rewriteManifest(item) : { kind: 'same' as const }))
  const problems = done.flatMap((each, i) =>
    each.kind === 'refused' ? each.problems.map(({ at, message }) => ({ at: `/items/${i}${at}`, message })) : [],
  )
  if (problems.length > 0) return { kind: 'refused', problems }
  if (done.every((each) => each.kind === 'same')) return { kind: 'same' }
  return {
    kind: 'changed',
    manifest: {
      ...manifest,
      items: items.map((item, i) => {
        const each = done[i]
        return each?.kind === 'changed' ? each.manifest : item
      }),
    },
  }
}

function rewriteAt(within: Json, path: readonly string[], pointer: string): Rewritten {
  const [step, ...rest] = path
  if (step === undefined) return rewritePod(within, pointer)
  const inner = within[step]
  if (!isObject(inner)) return { kind: 'same' }
  const done = rewriteAt(inner, rest, `${pointer}/${escapeStep(step)}`)
  return done.kind === 'changed' ? { kind: 'changed', manifest: { ...within, [step]: done.manifest } } : done
}

/** A pod, or a pod template: both have metadata and spec. */
export function rewritePod(pod: Json, pointer = ''): Rewritten {
  const spec = pod['spec']
  if (!isObject(spec)) return { kind: 'same' }
  const misspelt = misspellings(spec, `${pointer}/spec`)
  if (misspelt.length > 0) return { kind: 'refused', problems: misspelt }
  if (literal.every((field) => spec[field] === undefined)) return { kind: 'same' }

  const { vpc, nics, VMs, ...others } = spec
  const metadata = isObject(pod['metadata']) ? pod['metadata'] : {}
  const given = isObject(metadata['annotations']) ? metadata['annotations'] : {}
  const vms = rewriteVMs(VMs, spec, `${pointer}/spec`)
  const annotations = {
    ...ifPresent(vpcAnnotation, vpc),
    ...ifPresent(nicsAnnotation, nics === undefined ? undefined : JSON.stringify(nics)),
    ...ifPresent(flavorAnnotation, vms.flavor),
  }
  const problems = [
    ...shapeProblems(pod, pointer),
    ...vpcProblems(vpc, `${pointer}/spec/vpc`),
    ...nicsProblems(nics, `${pointer}/spec/nics`),
    ...vms.problems,
    ...contradictions(given, annotations, pointer),
  ]
  if (problems.length > 0) return { kind: 'refused', problems }
  const containers = vms.containers === undefined ? {} : { containers: vms.containers }
  return {
    kind: 'changed',
    manifest: {
      ...pod,
      metadata: { ...metadata, annotations: { ...ifPresent(nicTypeAnnotation, vms.nicType), ...given, ...annotations } },
      spec: { ...others, ...containers },
    },
  }
}

const ifPresent = (key: string, value: unknown): Json => (value === undefined ? {} : { [key]: value })

function misspellings(spec: Json, pointer: string): Problem[] {
  const problems: Problem[] = []
  for (const field of Object.keys(spec)) {
    const right = meant.get(field.toLowerCase())
    if (right !== undefined && right !== field)
      problems.push({ at: `${pointer}/${escapeStep(field)}`, message: `no such field: ${right} is meant` })
  }
  return problems
}

function vpcProblems(vpc: unknown, pointer: string): Problem[] {
  return vpc === undefined || (typeof vpc === 'string' && vpc !== '')
    ? []
    : [{ at: pointer, message: 'must be the name of a Vpc, as name or namespace/name' }]
}

function nicsProblems(nics: unknown, pointer: string): Problem[] {
  if (nics === undefined) return []
  if (!Array.isArray(nics)) return [{ at: pointer, message: 'must be a list of Nics, each such as {subnet: subnet-1, ip: 192.0.2.12}' }]
  return nics.flatMap((nic, i) =>
    isObject(nic) ? [] : [{ at: `${pointer}/${i}`, message: 'must be an object such as {subnet: subnet-1}' }],
  )
}

/** What the annotations would be written into. */
function shapeProblems(pod: Json, pointer: string): Problem[] {
  const { metadata } = pod
  if (metadata !== undefined && !isObject(metadata)) return [{ at: `${pointer}/metadata`, message: 'must be an object' }]
  const annotations = metadata?.['annotations'] ?? {}
  return isObject(annotations) ? [] : [{ at: `${pointer}/metadata/annotations`, message: 'must be an object of texts' }]
}

/** The same thing said twice, differently. */
function contradictions(given: Json, annotations: Json, pointer: string): Problem[] {
  return Object.entries(annotations)
    .filter(([key, value]) => given[key] !== undefined && given[key] !== value)
    .map(([key]) => ({
      at: `${pointer}/metadata/annotations/${escapeStep(key)}`,
      message: 'the spec says it too, and says something else: one of them is enough',
    }))
}

const nicsPointer = `/metadata/annotations/${escapeStep(nicsAnnotation)}`
const vpcPointer = `/metadata/annotations/${escapeStep(vpcAnnotation)}`
const flavorPointer = `/metadata/annotations/${escapeStep(flavorAnnotation)}`

/** Where in the literal pod stands what a pointer into the rewritten one means, so that people are told of what they wrote. */
export function literalPointer(pointer: string, pod: Json): string {
  const spec = isObject(pod['spec']) ? pod['spec'] : {}
  if (spec['nics'] !== undefined && under(pointer, nicsPointer)) return `/spec/nics${pointer.slice(nicsPointer.length)}`
  if (spec['vpc'] !== undefined && pointer === vpcPointer) return '/spec/vpc'
  if (spec['VMs'] !== undefined && pointer === flavorPointer) return '/spec/VMs/0/flavor'
  if (spec['VMs'] !== undefined && under(pointer, '/spec/containers'))
    return `/spec/VMs${pointer.slice('/spec/containers'.length).replace(/\/containerPort$/, '/VMPort')}`
  return pointer
}

const under = (pointer: string, base: string): boolean => pointer === base || pointer.startsWith(`${base}/`)

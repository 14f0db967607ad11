// Alkaid's `VMs` as containers: one VM a pod, since the pod's Nics are its own. What a VM runtime makes of the image is its
// affair; a container that carries what we do not understand would lose it in silence, so that is refused.
import { escaped, isObject, type Fault, type Json } from './manifest.ts'

export interface RewrittenVMs {
  readonly containers?: readonly Json[]
  readonly flavor?: string
  readonly faults: readonly Fault[]
}

/** Fields that mean the same on a container. */
const same = ['name', 'image', 'ports', 'resources', 'env', 'volumeMounts', 'imagePullPolicy']
const portSame = ['name', 'protocol', 'hostPort', 'hostIP']

/** @param pointer of the spec that `VMs` stands in */
export function rewriteVMs(VMs: unknown, spec: Json, pointer: string): RewrittenVMs {
  if (VMs === undefined) return { faults: [] }
  const at = `${pointer}/VMs`
  const [vm] = Array.isArray(VMs) ? (VMs as readonly unknown[]) : []
  if (!isObject(vm)) return { faults: [{ pointer: at, detail: 'must be a list of one VM with name, image and flavor' }] }
  const faults = [
    ...((VMs as readonly unknown[]).length > 1 ? [{ pointer: `${at}/1`, detail: 'a pod has one VM: its Nics are that VM\'s' }] : []),
    ...(spec['containers'] === undefined ? [] : [{ pointer: `${pointer}/containers`, detail: 'a pod has VMs or containers, not both' }]),
    ...vmFaults(vm, `${at}/0`),
    ...portsFaults(vm['ports'], `${at}/0/ports`),
  ]
  if (faults.length > 0) return { faults }
  const { flavor } = vm
  const container = Object.fromEntries(same.filter((field) => vm[field] !== undefined).map((field) => [field, field === 'ports' ? (vm['ports'] as readonly Json[]).map(containerPort) : vm[field]]))
  return { containers: [container], faults, ...(typeof flavor === 'string' && { flavor }) }
}

function containerPort(given: Json): Json {
  const { VMPort, ...rest } = given
  return { ...rest, containerPort: VMPort }
}

function vmFaults(vm: Json, pointer: string): Fault[] {
  const words = ['name', 'image', 'flavor']
    .filter((field) => (field === 'flavor' && vm[field] === undefined ? false : typeof vm[field] !== 'string' || vm[field] === ''))
    .map((field) => ({ pointer: `${pointer}/${field}`, detail: vm[field] === undefined ? 'is missing' : 'must be a text that is not empty' }))
  return [...words, ...strangers(vm, [...same, 'flavor'], pointer)]
}

function portsFaults(ports: unknown, pointer: string): Fault[] {
  if (ports === undefined) return []
  if (!Array.isArray(ports)) return [{ pointer, detail: 'must be a list of ports, each such as {VMPort: 443}' }]
  return ports.flatMap((each: unknown, i) => (isObject(each) ? portFaults(each, `${pointer}/${i}`) : [{ pointer: `${pointer}/${i}`, detail: 'must be an object such as {VMPort: 443}' }]))
}

function portFaults(given: Json, pointer: string): Fault[] {
  const l4Port = given['VMPort']
  const right = typeof l4Port === 'number' && Number.isInteger(l4Port) && l4Port >= 1 && l4Port <= 65_535
  return [...(right ? [] : [{ pointer: `${pointer}/VMPort`, detail: 'must be a number from 1 to 65535' }]), ...strangers(given, ['VMPort', ...portSame], pointer)]
}

function strangers(given: Json, known: readonly string[], pointer: string): Fault[] {
  return Object.keys(given)
    .filter((field) => !known.includes(field))
    .map((field) => ({ pointer: `${pointer}/${escaped(field)}`, detail: `is not understood here: ${known.join(', ')} are` }))
}

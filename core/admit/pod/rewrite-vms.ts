// Alkaid's `VMs` as containers: one VM a pod, since the pod's Nics are its own. What a VM runtime makes of the image is its
// affair; a container that carries what we do not understand would lose it in silence, so that is refused.
import { isObject, type Json } from '../../json.ts'
import type { Problem } from '../problem.ts'
import { escapeStep } from '../refusal.ts'

export interface RewrittenVMs {
  readonly containers?: readonly Json[]
  readonly flavor?: string
  /** Of its Nics: what a hypervisor opens. */
  readonly nicType?: 'tap'
  readonly problems: readonly Problem[]
}

/** Fields that mean the same on a container. */
const same = ['name', 'image', 'ports', 'resources', 'env', 'volumeMounts', 'imagePullPolicy']
const portSame = ['name', 'protocol', 'hostPort', 'hostIP']

/** @param pointer of the spec that `VMs` stands in */
export function rewriteVMs(VMs: unknown, spec: Json, pointer: string): RewrittenVMs {
  if (VMs === undefined) return { problems: [] }
  const list = `${pointer}/VMs`
  const [vm] = Array.isArray(VMs) ? (VMs as readonly unknown[]) : []
  if (!isObject(vm)) return { problems: [{ at: list, message: 'must be a list of one VM with name, image and flavor' }] }
  const problems = [
    ...((VMs as readonly unknown[]).length > 1 ? [{ at: `${list}/1`, message: "a pod has one VM: its Nics are that VM's" }] : []),
    ...(spec['containers'] === undefined ? [] : [{ at: `${pointer}/containers`, message: 'a pod has VMs or containers, not both' }]),
    ...vmProblems(vm, `${list}/0`),
    ...portsProblems(vm['ports'], `${list}/0/ports`),
  ]
  if (problems.length > 0) return { problems }
  const { flavor } = vm
  const container = Object.fromEntries(
    same
      .filter((field) => vm[field] !== undefined)
      .map((field) => [field, field === 'ports' ? (vm['ports'] as readonly Json[]).map(containerPort) : vm[field]]),
  )
  return { containers: [container], nicType: 'tap', problems, ...(typeof flavor === 'string' && { flavor }) }
}

function containerPort(given: Json): Json {
  const { VMPort, ...rest } = given
  return { ...rest, containerPort: VMPort }
}

function vmProblems(vm: Json, pointer: string): Problem[] {
  const words = ['name', 'image', 'flavor']
    .filter((field) => (field === 'flavor' && vm[field] === undefined ? false : typeof vm[field] !== 'string' || vm[field] === ''))
    .map((field) => ({ at: `${pointer}/${field}`, message: vm[field] === undefined ? 'is missing' : 'must be a text that is not empty' }))
  return [...words, ...strangers(vm, [...same, 'flavor'], pointer)]
}

function portsProblems(ports: unknown, pointer: string): Problem[] {
  if (ports === undefined) return []
  if (!Array.isArray(ports)) return [{ at: pointer, message: 'must be a list of ports, each such as {VMPort: 443}' }]
  return ports.flatMap((each: unknown, i) =>
    isObject(each)
      ? portProblems(each, `${pointer}/${i}`)
      : [{ at: `${pointer}/${i}`, message: 'must be an object such as {VMPort: 443}' }],
  )
}

function portProblems(given: Json, pointer: string): Problem[] {
  const l4Port = given['VMPort']
  const right = typeof l4Port === 'number' && Number.isInteger(l4Port) && l4Port >= 1 && l4Port <= 65_535
  return [
    ...(right ? [] : [{ at: `${pointer}/VMPort`, message: 'must be a number from 1 to 65535' }]),
    ...strangers(given, ['VMPort', ...portSame], pointer),
  ]
}

function strangers(given: Json, known: readonly string[], pointer: string): Problem[] {
  return Object.keys(given)
    .filter((field) => !known.includes(field))
    .map((field) => ({ at: `${pointer}/${escapeStep(field)}`, message: `is not understood here: ${known.join(', ')} are` }))
}

// What Nics are called, and what their interfaces are called inside the pod.
//
// A Nic's name is its identity: Ports are named after it. Where the delegate makes the cluster NIC, eth0 of the pod is taken,
// and our interfaces come beside it: the Nic ethN is seen as net(N+1), any other name as itself. Where `cluster-nic` is
// `none`, the first Nic is the interface that the runtime asks for, eth0, and the others are seen by their names.
import { nicsAnnotation } from '../../kinds/annotations.ts'
import { nicAt } from './nic-fields.ts'
import { annotationAt, refuse, type Refusal } from '../refusal.ts'
import type { ClusterNic } from '../network-view.ts'

/** What CNI runtimes ask for (CNI_IFNAME of containerd and CRI-O). */
const runtimeInterface = 'eth0'
const multusAnnotation = 'k8s.v1.cni.cncf.io/networks'

/** A name for every Nic: as asked, else eth and its place in the list, or the next free number. */
export function nameNics(nics: readonly { readonly name: string | undefined }[]): readonly string[] | Refusal {
  const taken = new Set<string>()
  for (const [index, { name }] of nics.entries()) {
    if (name === undefined) continue
    if (taken.has(name)) return refuse(annotationAt(nicsAnnotation, index, 'name'), `two NICs are called ${name}`)
    taken.add(name)
  }
  return nics.map(({ name }, index) => {
    if (name !== undefined) return name
    let number = index
    while (taken.has(`eth${number}`)) number++
    taken.add(`eth${number}`)
    return `eth${number}`
  })
}

/** The name of a Nic's interface inside the pod. */
export function interfaceNameOf(name: string, index: number, clusterNic: ClusterNic): string {
  if (clusterNic === 'none') return index === 0 ? runtimeInterface : name
  const number = /^eth(0|[1-9]\d*)$/.exec(name)?.[1]
  return number === undefined ? name : `net${Number(number) + 1}`
}

/** A Nic by its name, and where it stands. */
export interface NamedNic {
  readonly name: string
  readonly index: number
  readonly hot?: true
}

/** Every interface once, and none that another network of the pod takes. @param nics the pod's own first, then those that come and go */
export function refusalOfInterfaces(
  nics: readonly NamedNic[],
  clusterNic: ClusterNic,
  annotations: Readonly<Record<string, string>>,
): Refusal | undefined {
  const taken = new Map<string, string>(
    multusInterfaces(annotations[multusAnnotation]).map((name) => [name, `the annotation ${multusAnnotation}`]),
  )
  for (const [place, nic] of nics.entries()) {
    const { name } = nic
    const seen = interfaceNameOf(name, place, clusterNic)
    const by = taken.get(seen)
    if (by !== undefined) return refuse(nicAt(nic, 'name'), `its interface would be ${seen}, which is taken by ${by}: give it another name`)
    taken.set(seen, `NIC ${name}`)
  }
  return undefined
}

/** Interfaces that Multus will make: as asked for, else net1, net2 … by place (NPWG multi-network specification 1.3, section 4.1). */
function multusInterfaces(text: string | undefined): string[] {
  if (text === undefined || text.trim() === '') return []
  return selections(text).map((name, index) => name ?? `net${index + 1}`)
}

function selections(text: string): (string | undefined)[] {
  if (!text.trimStart().startsWith('[')) return text.split(',').map((part) => part.split('@')[1]?.trim())
  try {
    const list = JSON.parse(text) as unknown
    return Array.isArray(list) ? list.map((entry: unknown) => interfaceIn(entry)) : []
  } catch {
    return []
  }
}

const interfaceIn = (entry: unknown): string | undefined =>
  typeof entry === 'object' && entry !== null && 'interface' in entry && typeof entry.interface === 'string' ? entry.interface : undefined

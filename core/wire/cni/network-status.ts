// The annotation that tells people and other programs what a pod's interfaces are (Network Plumbing Working Group, multi-network
// specification 1.3, section 4.2). Entries of other makers stay.

export interface NetworkStatus {
  readonly name: string
  readonly interface?: string
  readonly ips?: readonly string[]
  readonly mac?: string
  readonly mtu?: number
  readonly default?: boolean
  readonly dns?: object
  readonly gateway?: readonly string[]
  readonly [more: string]: unknown
}

const prefix = 'megrez/'
/** `megrez/<namespace of the Vpc>/<Subnet>`: no NetworkAttachmentDefinition stands behind it. */
export const networkName = (namespace: string, subnet: string): string => `${prefix}${namespace}/${subnet}`
export const clusterNetwork = 'megrez/cluster-nic'

/**
 * Multus names all that our answer has after our configuration: an interface of ours is told of once.
 *
 * @param text what stands in the annotation now
 */
export function mergedStatus(text: string | undefined, ours: readonly NetworkStatus[]): string {
  const isOurs = (entry: NetworkStatus): boolean =>
    entry.name.startsWith(prefix) || ours.some((each) => each.interface === entry.interface && each.interface !== undefined)
  const theirs = read(text).filter((entry) => !isOurs(entry) && !(entry.default === true && ours.some((each) => each.default === true)))
  return JSON.stringify([...ours, ...theirs])
}

function read(text: string | undefined): readonly NetworkStatus[] {
  try {
    const list = JSON.parse(text ?? '[]') as unknown
    return Array.isArray(list)
      ? list.filter(
          (entry: unknown): entry is NetworkStatus =>
            typeof entry === 'object' && entry !== null && typeof (entry as NetworkStatus).name === 'string',
        )
      : []
  } catch {
    return []
  }
}

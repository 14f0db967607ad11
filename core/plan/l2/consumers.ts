// Which attachments count: several trunks on one ConnectionPoint give pods the union of VLANs, so they are taken only where all
// of them have asked for it, and a refused attachment opens nothing.
import { keyOfItem, type Resource } from '../../kinds/index.ts'
import { choose, implementationsOf } from './implementation-choice.ts'

type Attachment = Resource<'L2ServiceAttachment'>
type Point = Resource<'ConnectionPoint'>

/** Oldest first; of one second, by name. */
function byAge(a: Attachment, b: Attachment): number {
  const [at, bt] = [Date.parse(a.metadata.creationTimestamp), Date.parse(b.metadata.creationTimestamp)]
  return at - bt || (keyOfItem(a) < keyOfItem(b) ? -1 : 1)
}

/** The trunks of one ConnectionPoint that stand: the oldest, and those beside it that share where all before them do. */
export function carriedTrunks(onPoint: readonly Attachment[]): readonly Attachment[] {
  const carried: Attachment[] = []
  for (const each of onPoint.filter(({ spec }) => spec.vlanType === 'trunk').sort(byAge)) {
    const shares = each.spec.sharedTrunk === true && carried.every(({ spec }) => spec.sharedTrunk === true)
    if (carried.length === 0 || shares) carried.push(each)
  }
  return carried
}

/** Why an attachment is refused as it stands, by what is around it; undefined where it is not. */
export function refusalOf(attachment: Attachment, point: Point | undefined, onPoint: readonly Attachment[]): string | undefined {
  if (point === undefined) return undefined
  const choice = choose(implementationsOf(point), attachment.spec)
  if (typeof choice === 'string') return `ConnectionPoint ${point.metadata.name}: ${choice}`
  if (attachment.spec.vlanType !== 'trunk') return undefined
  const carried = carriedTrunks(onPoint)
  if (carried.some(({ metadata }) => metadata.uid === attachment.metadata.uid)) return undefined
  const others = carried.map(keyOfItem).join(', ')
  return `ConnectionPoint ${point.metadata.name} has the trunk ${others} already: pods of both would have the VLANs of both. Set sharedTrunk on each of them to allow that`
}

/** Whether it makes its L2Services open on its ConnectionPoint. */
export const consumes = (attachment: Attachment, point: Point | undefined, onPoint: readonly Attachment[]): boolean =>
  point !== undefined && refusalOf(attachment, point, onPoint) === undefined

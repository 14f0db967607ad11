// Whose a thing at Neutron is. What we make has a name that follows from our object's UID; whose it is, and of which installation, stands
// in the description, as it does of what was adopted: tags would take a second request, which may not come.
import type { CloudScope } from '../../../../core/contracts/cloud.ts'

export interface Described {
  readonly name: string
  readonly description?: string | null
}
export interface Owner {
  /** Of the object of ours that has made or adopted it. */
  readonly uid: string
  /** UID of the Cloud there. */
  readonly installation: string
}

/** Of Neutron; longer ones are refused by it. */
const descriptionMost = 255
const mark = /\s*\[megrez:([^\s@\]]+)@([^\s@\]]+)\]\s*$/

export const nameOf = (uid: string): string => `megrez-${uid}`
export const isMadeFor = ({ name }: Described, uid: string): boolean => name === nameOf(uid)

export function ownerOf({ description }: Described): Owner | undefined {
  const [, uid, installation] = mark.exec(description ?? '') ?? []
  return uid === undefined || installation === undefined ? undefined : { uid, installation }
}

/** For people, and whose it is. */
export const madeFor = ({ kind, namespace, name, uid }: CloudScope['of'], installation: string): string =>
  marked(`${kind} ${namespace === undefined ? '' : `${namespace}/`}${name} of Megrez`, { uid, installation })

/** What everything that we make says of itself. */
export const ownText = (of: CloudScope['of'], installation: string): Pick<Described, 'name'> & { readonly description: string } => ({
  name: nameOf(of.uid),
  description: madeFor(of, installation),
})

const markOf = ({ uid, installation }: Owner): string => ` [megrez:${uid}@${installation}]`

/** How many characters of what it says now leave no room for whose it is: they would be lost. */
export const lostIn = (description: string, owner: Owner): number =>
  Math.max(0, unmarked(description).length + markOf(owner).length - descriptionMost)

/** The description, with whose it is behind it; a long one is cut. */
export function marked(description: string, owner: Owner): string {
  const behind = markOf(owner)
  return `${unmarked(description).slice(0, descriptionMost - behind.length)}${behind}`.trimStart()
}

export const unmarked = (description: string): string => description.replace(mark, '')

// Whose a thing of Alcor is: three tags of ours, beside those of others.
const [ofOwner, ofCloud, made] = ['megrez-owner=', 'megrez-cloud=', 'megrez-made'] as const
interface Tagged {
  readonly tags?: readonly string[] | null
}

export const tagsOf = (uid: string, installation: string, { isMade }: { readonly isMade: boolean }): readonly string[] => [
  `${ofOwner}${uid}`,
  `${ofCloud}${installation}`,
  ...(isMade ? [made] : []),
]

const valueOf = ({ tags }: Tagged, prefix: string): string | undefined => tags?.find((tag) => tag.startsWith(prefix))?.slice(prefix.length)

export const ownerIn = (entity: Tagged): string | undefined => valueOf(entity, ofOwner)
export const installationIn = (entity: Tagged): string | undefined => valueOf(entity, ofCloud)
/** For an owner, not adopted. */
export const isMadeForOne = ({ tags }: Tagged): boolean => tags?.includes(made) ?? false

export const foreignTags = ({ tags }: Tagged): readonly string[] =>
  (tags ?? []).filter((tag) => !tag.startsWith(ofOwner) && !tag.startsWith(ofCloud) && tag !== made)

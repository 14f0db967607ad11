// Which VNF and which network service an object is part of, as ETSI NFV names them: labels that whoever deploys it puts on, or
// annotations of the same name where a value can be no label ("Core 5G, blue").
import { Type, type Static } from 'typebox'
import { closed } from '../meta.ts'

/** Each member of a filter and the label, or annotation, that it asks. */
export const nfvLabels = {
  vnfInstanceIds: 'megrez.io/vnf-instance-id',
  vnfInstanceNames: 'megrez.io/vnf-instance-name',
  vnfdIds: 'megrez.io/vnfd-id',
  nsInstanceIds: 'megrez.io/ns-instance-id',
  nsInstanceNames: 'megrez.io/ns-instance-name',
  nsdIds: 'megrez.io/nsd-id',
} as const
export type NfvMember = keyof typeof nfvLabels

/** A product of a VNF's provider, from the general to the particular. */
export const productLabels = {
  provider: 'megrez.io/vnf-provider',
  product: 'megrez.io/vnf-product',
  softwareVersion: 'megrez.io/vnf-software-version',
  vnfdVersion: 'megrez.io/vnfd-version',
} as const

const all: readonly string[] = [...Object.values(nfvLabels), ...Object.values(productLabels)]

export const nfvListMax = 64
const word = Type.String({ minLength: 1, maxLength: 253 })
/** Identifiers or names, one of which must be the object's. */
export const NfvWords = Type.Array(word, { minItems: 1, maxItems: nfvListMax, 'x-kubernetes-list-type': 'set' })

export const NfvProduct = Type.Object(
  {
    provider: word,
    product: Type.Optional(word),
    softwareVersion: Type.Optional(word),
    vnfdVersion: Type.Optional(word),
  },
  { ...closed, description: 'what is not given may be any' },
)
export type NfvProduct = Static<typeof NfvProduct>

const asks = (label: string): object => ({ description: `one of them is in the label, or annotation, ${label}` })

export const NfvFilter = Type.Object(
  {
    vnfInstanceIds: Type.Optional({ ...NfvWords, ...asks(nfvLabels.vnfInstanceIds) }),
    vnfInstanceNames: Type.Optional({ ...NfvWords, ...asks(nfvLabels.vnfInstanceNames) }),
    vnfdIds: Type.Optional({ ...NfvWords, ...asks(nfvLabels.vnfdIds) }),
    vnfProducts: Type.Optional(
      Type.Array(NfvProduct, {
        minItems: 1,
        maxItems: nfvListMax,
        'x-kubernetes-list-type': 'atomic',
        description: `one of them is what the labels, or annotations, ${Object.values(productLabels).join(', ')} say`,
      }),
    ),
    nsInstanceIds: Type.Optional({ ...NfvWords, ...asks(nfvLabels.nsInstanceIds) }),
    nsInstanceNames: Type.Optional({ ...NfvWords, ...asks(nfvLabels.nsInstanceNames) }),
    nsdIds: Type.Optional({ ...NfvWords, ...asks(nfvLabels.nsdIds) }),
  },
  { ...closed, description: 'which VNF or network service an object is part of' },
)
export type NfvFilter = Static<typeof NfvFilter>

type Words = Readonly<Record<string, string>>
interface Labelled {
  readonly labels?: Words
  readonly annotations?: Words
}

/** Whether an object is part of what the filter names. All given members must hold; of each, one of its values. */
export function isPartOf(filter: NfvFilter, { labels = {}, annotations = {} }: Labelled): boolean {
  const textOf = (label: string): string | undefined => labels[label] ?? annotations[label]
  const { vnfProducts, ...members } = filter
  for (const [member, wanted] of Object.entries(members)) {
    const is = textOf(nfvLabels[member as NfvMember])
    if (is === undefined || !wanted.includes(is)) return false
  }
  return (
    vnfProducts === undefined ||
    vnfProducts.some((each) => Object.entries(each).every(([part, wanted]) => textOf(productLabels[part as keyof NfvProduct]) === wanted))
  )
}

/** What of an object's labels and annotations says whose part it is: what is made for it is part of the same. */
export function partOf({ labels, annotations }: Labelled): Labelled {
  return { ...picked('labels', labels), ...picked('annotations', annotations) }
}

function picked(name: 'labels' | 'annotations', from: Words | undefined): Labelled {
  const own = Object.entries(from ?? {}).filter(([key]) => all.includes(key))
  return own.length === 0 ? {} : { [name]: Object.fromEntries(own) }
}

// The providers of Vpcs, a row each: who chooses addresses, and who carries the packets. Admission, workers and agents go by it and know
// no provider by name; what each of them does is workers/providers.

/** `theirs`: chosen at the provider, told of by it, and a name or address is taken there alone. */
type Whose = 'ours' | 'theirs'

export interface ProviderTraits {
  /** ours: IPLocks are the right to addresses and MACs. */
  readonly addresses: Whose
  /** ours: a VNI, our flows and tunnels. theirs: a node plugs the interface in where the provider says (`vif`). */
  readonly fabric: Whose
  /** A Port may name a QoS policy that is there already. */
  readonly qosPolicies: boolean
  /** A VM moves from node to node with its Port. */
  readonly moves: boolean
}

const ours = { addresses: 'ours', fabric: 'ours', qosPolicies: false, moves: true } as const
const theirs = { addresses: 'theirs', fabric: 'theirs', qosPolicies: true, moves: true } as const

export const providers = {
  builtin: ours,
  memory: theirs,
  neutron: theirs,
  alcor: { ...theirs, qosPolicies: false, moves: false },
} as const satisfies Readonly<Record<string, ProviderTraits>>
export type ProviderName = keyof typeof providers
/** Those that a Cloud is of. */
export type CloudProvider = { [P in ProviderName]: (typeof providers)[P]['fabric'] extends 'theirs' ? P : never }[ProviderName]

export const providerNames = Object.keys(providers) as [ProviderName, ...ProviderName[]]
export const cloudProviders = providerNames.filter((name): name is CloudProvider => providers[name].fabric === 'theirs')

interface OfProvider {
  readonly spec: { readonly provider?: string }
}

/** Undefined: a provider that is not known here. A Vpc that names none is the builtin's. */
export const traitsOf = ({ spec: { provider = 'builtin' } }: OfProvider): ProviderTraits | undefined =>
  Object.hasOwn(providers, provider) ? providers[provider as ProviderName] : undefined

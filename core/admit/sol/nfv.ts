// The part of a SOL filter that says of which VNFs and network services ↔ ours, which asks labels.
import { nfvListMax, type NfvFilter, type NfvProduct } from '../../kinds/notify/nfv.ts'
import type { SolFilter, SolProvider } from '../../kinds/notify/sol.ts'
import { isObject } from '../../json.ts'
import type { Problem } from '../problem.ts'

type InstanceFilters = Pick<SolFilter, 'vnfInstanceSubscriptionFilter' | 'nsInstanceSubscriptionFilter'>

const ofVnf = '/filter/vnfInstanceSubscriptionFilter'
const ofNs = '/filter/nsInstanceSubscriptionFilter'

/** Members of SOL003's and SOL005's filters that no object of ours can answer, and what can be said in their place. */
const meaningless: readonly (readonly [within: readonly string[], at: string, message: string])[] = [
  [
    ['nsInstanceSubscriptionFilter', 'pnfdIds'],
    `${ofNs}/pnfdIds`,
    'lets nothing through: nothing here is part of a PNF; leave it out, or name nsdIds',
  ],
  [
    ['nsComponentTypes'],
    '/filter/nsComponentTypes',
    'is about components of a network service, and none is told of here: name kinds, as notificationTypes',
  ],
  [
    ['lcmOpNameImpactingNsComponent'],
    '/filter/lcmOpNameImpactingNsComponent',
    'is about components of a network service, and none is told of here: name operationTypes',
  ],
  [
    ['lcmOpOccStatusImpactingNsComponent'],
    '/filter/lcmOpOccStatusImpactingNsComponent',
    'is about components of a network service, and none is told of here: name operationStates',
  ],
]

/** Faults that the form alone would only call unknown fields. */
export function meaninglessIn(body: unknown): Problem[] {
  const filter = isObject(body) ? body['filter'] : undefined
  return meaningless.filter(([within]) => reaches(filter, within)).map(([, at, message]) => ({ at, message }))
}

function reaches(value: unknown, [step, ...rest]: readonly string[]): boolean {
  if (step === undefined) return true
  return isObject(value) && Object.hasOwn(value, step) && reaches(value[step], rest)
}

export function nfvProblemsOf(given: InstanceFilters): Problem[] {
  const products = rowsOf(given.vnfInstanceSubscriptionFilter?.vnfProductsFromProviders ?? []).length
  return [
    ...(products > nfvListMax
      ? [
          {
            at: `${ofVnf}/vnfProductsFromProviders`,
            message: `comes to ${products} products and versions, and ${nfvListMax} are the most: leave versions out, or subscribe twice`,
          },
        ]
      : []),
    ...(vnfdIdsOf(given)?.length === 0
      ? [{ at: `${ofNs}/vnfdIds`, message: 'lets nothing through: none of them is in vnfInstanceSubscriptionFilter/vnfdIds' }]
      : []),
  ]
}

/** Undefined where it names no VNF and no network service. In one order, so that the same filter is found again. */
export function nfvOf(given: InstanceFilters): NfvFilter | undefined {
  const { vnfInstanceSubscriptionFilter: vnf = {}, nsInstanceSubscriptionFilter: ns = {} } = given
  const { vnfProductsFromProviders: providers } = vnf
  const wanted: NfvFilter = {
    ...words('vnfInstanceIds', vnf.vnfInstanceIds),
    ...words('vnfInstanceNames', vnf.vnfInstanceNames),
    ...words('vnfdIds', vnfdIdsOf(given)),
    ...(providers !== undefined && { vnfProducts: rowsOf(providers) }),
    ...words('nsInstanceIds', ns.nsInstanceIds),
    ...words('nsInstanceNames', ns.nsInstanceNames),
    ...words('nsdIds', ns.nsdIds),
  }
  return Object.keys(wanted).length === 0 ? undefined : wanted
}

const words = (member: string, values: readonly string[] | undefined): NfvFilter =>
  values === undefined ? {} : { [member]: [...values].sort() }

/** Both filters must hold: those that both name. */
function vnfdIdsOf({
  vnfInstanceSubscriptionFilter: vnf,
  nsInstanceSubscriptionFilter: ns,
}: InstanceFilters): readonly string[] | undefined {
  if (vnf?.vnfdIds === undefined || ns?.vnfdIds === undefined) return vnf?.vnfdIds ?? ns?.vnfdIds
  return vnf.vnfdIds.filter((each) => ns.vnfdIds?.includes(each))
}

/** A tree of providers, products and versions, as its leaves. */
function rowsOf(providers: readonly SolProvider[]): NfvProduct[] {
  const rows = providers.flatMap(({ vnfProvider: provider, vnfProducts: products }): NfvProduct[] =>
    orAny(products).flatMap((product): NfvProduct[] =>
      orAny(product?.versions).flatMap((version): NfvProduct[] =>
        orAny(version?.vnfdVersions).map((vnfdVersion): NfvProduct => ({
          provider,
          ...(product !== undefined && { product: product.vnfProductName }),
          ...(version !== undefined && { softwareVersion: version.vnfSoftwareVersion }),
          ...(vnfdVersion !== undefined && { vnfdVersion }),
        })),
      ),
    ),
  )
  return [...new Map(rows.map((row) => [JSON.stringify(row), row])).entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row)
}

const orAny = <T>(of: readonly T[] | undefined): readonly (T | undefined)[] => of ?? [undefined]

/** As a client reads it. */
export function solNfvOf(nfv: NfvFilter = {}): InstanceFilters {
  const { vnfProducts, nsInstanceIds, nsInstanceNames, nsdIds, ...ofVnfs } = nfv
  const vnf = { ...ofVnfs, ...(vnfProducts !== undefined && { vnfProductsFromProviders: vnfProducts.map(providerOf) }) }
  const ns = { ...(nsInstanceIds && { nsInstanceIds }), ...(nsInstanceNames && { nsInstanceNames }), ...(nsdIds && { nsdIds }) }
  return {
    ...(Object.keys(vnf).length > 0 && { vnfInstanceSubscriptionFilter: vnf }),
    ...(Object.keys(ns).length > 0 && { nsInstanceSubscriptionFilter: ns }),
  }
}

/** One leaf is a tree of its own: the same said longer. */
function providerOf({ provider, product, softwareVersion, vnfdVersion }: NfvProduct): SolProvider {
  const version =
    softwareVersion === undefined
      ? undefined
      : { vnfSoftwareVersion: softwareVersion, ...(vnfdVersion !== undefined && { vnfdVersions: [vnfdVersion] }) }
  return {
    vnfProvider: provider,
    ...(product !== undefined && { vnfProducts: [{ vnfProductName: product, ...(version && { versions: [version] }) }] }),
  }
}

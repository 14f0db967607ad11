// Which MAC one end of a connection sees as the other's: rules may ask about it.
import { keyOf, resolveReference, type Resource } from '../../kinds/index.ts'
import { gatewayMac } from '../../net/gateway-mac.ts'
import type { CompiledRule } from '../../kinds/policy/policy-rule-set.ts'

type Port = Resource<'Port'>
interface End {
  readonly address: string
  /** Absent: outside, or not the caller's to see. */
  readonly port?: Port
}

/**
 * In its Subnet its own; beyond it the gateway's. Undefined: nobody knows, of what is outside, or has the address beside its own.
 *
 * @param by who sees it
 */
export function macSeen({ port, address }: End, { port: by }: Pick<End, 'port'>): string | undefined {
  if (port?.status?.addresses?.includes(address) !== true || by === undefined) return undefined
  return subnetOf(port) === subnetOf(by) ? port.status.mac : gatewayMac
}

/** Of a frame that is no IP, which nobody routes: its own wherever it is. */
export const frameMac = ({ port, mac }: { readonly port?: Port; readonly mac?: string }): string | undefined => mac ?? port?.status?.mac

const subnetOf = ({ spec, metadata }: Port): string => keyOf(resolveReference(spec.subnet, metadata.namespace ?? ''))

/** That rules name. */
export const macsIn = (rules: readonly Pick<CompiledRule, 'frame'>[]): ReadonlySet<string> =>
  new Set(rules.flatMap(({ frame }) => frame?.peerMac ?? []))

/** What of a Port rules may tell apart by MACs, though its identity is another's too: nothing where they name none. */
export const apartBy =
  (macs: ReadonlySet<string>) =>
  (port: Port): string => {
    if (macs.size === 0) return ''
    const { mac = '' } = port.status ?? {}
    return `${macs.has(mac) ? mac : ''} ${subnetOf(port)}`
  }

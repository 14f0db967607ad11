// Where this node is for the others, and how much fits between them.
import { networkInterfaces } from 'node:os'
import type { Store } from '../../core/contracts/store.ts'
import { ConfigInvalid } from '../../core/errors.ts'
import { tunnelAddressOf } from '../../core/plan/node/address.ts'
import { mtuMost } from '../../core/plan/node/mtu.ts'
import { pause, type Clock } from '../../platform/clock.ts'
import { settings, type Config } from '../../platform/config.ts'
import type { Log } from '../../platform/log.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { openKernel } from '../netlink/open.ts'

const firstTries = 3
const againMs = 1_000
const usualMtu = 1_500

/**
 * The setting, else as workers take it from the Node; where the store is away, as it was the last time.
 *
 * @throws ConfigInvalid for a Node without an address
 */
export async function tunnelAddressHere(
  node: string,
  {
    store,
    config,
    ledger,
    clock,
    log,
  }: { readonly store: Store; readonly config: Config; readonly ledger: Ledger; readonly clock: Clock; readonly log: Log },
): Promise<string> {
  if (config.tunnelAddress !== undefined) return config.tunnelAddress
  for (let tried = 1; ; tried++) {
    try {
      const item = await store.get({ kind: 'Node', name: node })
      const address = item && tunnelAddressOf(item, config.tunnelBlocks)
      if (address === undefined)
        throw new ConfigInvalid({
          name: settings.tunnelAddress.env,
          reason: `is not set, and Node ${node} has no address to be tunnelled to`,
        })
      await ledger.note('tunnel address', address)
      return address
    } catch (err) {
      const known = ledger.noted('tunnel address')
      if (err instanceof ConfigInvalid) throw err
      if (tried >= firstTries && typeof known === 'string') return known
      log.warn({ err }, 'the store does not tell of this Node yet')
      await pause(againMs, clock)
    }
  }
}

/** The setting, else as the interface with the tunnel address has it. */
export async function overlayMtu(here: string, { underlayMtu }: Pick<Config, 'underlayMtu'>, log: Log): Promise<number> {
  if (underlayMtu > 0) return mtuMost(underlayMtu, here)
  const ifname = Object.entries(networkInterfaces()).find(([, all]) => all?.some(({ address }) => address === here))?.[0]
  if (ifname === undefined) {
    log.warn({ here, mtu: usualMtu }, 'no interface here has the tunnel address: the usual MTU is taken for the underlay')
    return mtuMost(usualMtu, here)
  }
  const netlink = await openKernel({ log })
  try {
    const link = (await netlink.list('links')).find((each) => each.ifname === ifname)
    return mtuMost(link?.mtu ?? usualMtu, here)
  } finally {
    await netlink.close()
  }
}

/** On which this node takes packets of tunnels: those of Vpcs, and of connections of Network Service Mesh. */
export const tunnelL4Ports = ({
  tunnelL4Port,
  nsmgrListen,
  nsmgrForwarder,
  nsmgrTunnelL4Port,
}: Pick<Config, 'tunnelL4Port' | 'nsmgrListen' | 'nsmgrForwarder' | 'nsmgrTunnelL4Port'>): readonly number[] =>
  nsmgrListen !== undefined && nsmgrForwarder === 'kernel' ? [...new Set([tunnelL4Port, nsmgrTunnelL4Port])] : [tunnelL4Port]

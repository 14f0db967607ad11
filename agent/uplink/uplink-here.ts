// Where what Ports send to other nodes leaves this one, and how much it carries there.
import { access, readFile } from 'node:fs/promises'
import { networkInterfaces } from 'node:os'
import type { NoUplink, Uplink } from '../../core/node/booking/booking.ts'
import { settings, type Config } from '../../platform/config.ts'

/** Data planes whose Ports are told apart on the interface. */
const holding: readonly Config['dataplane'][] = ['ovs', 'memory']

/** @param here the tunnel address */
export async function uplinkHere(
  here: string,
  { dataplane, underlayInterface, underlayMbps }: Pick<Config, 'dataplane' | 'underlayInterface' | 'underlayMbps'>,
): Promise<Uplink | NoUplink> {
  if (!holding.includes(dataplane)) return { why: `${dataplane} holds no minimum` }
  const ifname = underlayInterface ?? interfaceOf(here)
  if (ifname === undefined) return { why: `no interface has the tunnel address ${here}, and ${settings.underlayInterface.env} names none` }
  const mbps = underlayMbps > 0 ? underlayMbps : await speedOf(ifname)
  return mbps === undefined
    ? { why: `nobody says how much interface ${ifname} carries, and ${settings.underlayMbps.env} is not set` }
    : { ifname, rate: mbps * 1_000_000 }
}

const interfaceOf = (address: string): string | undefined =>
  Object.entries(networkInterfaces()).find(([, all]) => all?.some((each) => each.address === address))?.[0]

/** Megabits a second (sysfs-class-net), of a card: what the kernel makes by itself says any number. */
async function speedOf(ifname: string): Promise<number | undefined> {
  try {
    await access(`/sys/class/net/${ifname}/device`)
    const speed = Number(await readFile(`/sys/class/net/${ifname}/speed`, 'utf8'))
    return speed > 0 ? speed : undefined
  } catch {
    return undefined
  }
}

// Where what Ports send to other nodes leaves this one, how much it carries there, and whether minimums can be held on it.
import { networkInterfaces } from 'node:os'
import { messageOf } from '../../core/errors.ts'
import type { NoUplink, Uplink } from '../../core/node/booking/booking.ts'
import type { Tunnel } from '../../core/wire/netlink/htb.ts'
import { settings, type Config } from '../../platform/config.ts'
import { openKernelOf, type Kernel } from '../dataplanes/linux.ts'
import { linkGroup, named } from '../links/pod-namespace.ts'
import { linkSpeed } from '../machine/link-speed.ts'
import { UplinkClasses } from './uplink-classes.ts'

type Settings = Pick<Config, 'dataplane' | 'underlayInterface' | 'underlayMbps' | 'tunnelL4Port'>

/** @param here the tunnel address */
export async function uplinkHere(here: string, config: Settings): Promise<Uplink | NoUplink> {
  if (config.dataplane !== 'ovs' && config.dataplane !== 'memory') return { why: `${config.dataplane} holds no minimum` }
  const uplink = await saidOf(here, config)
  if (config.dataplane === 'memory' || !('rate' in uplink)) return uplink
  const why = await whyNotHeld(uplink, tunnelOf(here, config))
  return why === undefined ? uplink : { why }
}

export const tunnelOf = (here: string, { tunnelL4Port }: Pick<Config, 'tunnelL4Port'>): Tunnel => ({
  family: here.includes(':') ? 6 : 4,
  l4Port: tunnelL4Port,
})

async function saidOf(here: string, { underlayInterface, underlayMbps }: Settings): Promise<Uplink | NoUplink> {
  const ifname = underlayInterface ?? interfaceOf(here)
  if (ifname === undefined) return { why: `no interface has the tunnel address ${here}, and ${settings.underlayInterface.env} names none` }
  const mbps = underlayMbps > 0 ? underlayMbps : await linkSpeed(ifname)
  return mbps === undefined
    ? { why: `nobody says how much interface ${ifname} carries, and ${settings.underlayMbps.env} is not set` }
    : { ifname, rate: mbps * 1_000_000 }
}

const interfaceOf = (address: string): string | undefined =>
  Object.entries(networkInterfaces()).find(([, all]) => all?.some((each) => each.address === address))?.[0]

async function whyNotHeld(uplink: Uplink, tunnel: Tunnel): Promise<string | undefined> {
  try {
    const kernel = await openKernelOf()
    try {
      return (await new UplinkClasses(kernel, uplink, tunnel).taken()) ?? (await whyNoClasses(kernel, tunnel))
    } finally {
      await kernel.netlink.close()
    }
  } catch (err) {
    return messageOf(err)
  }
}

/** Tried on a device of one's own, which is taken away again. */
export async function whyNoClasses(kernel: Kernel, tunnel: Tunnel): Promise<string | undefined> {
  const ifname = `mgh${process.pid.toString(36)}`
  const { netlink } = kernel
  await netlink.request([{ do: 'addLink', link: { ifname, group: linkGroup.removed, shape: { kind: 'bridge' } } }])
  try {
    const rate = 1_000_000
    await new UplinkClasses(kernel, { ifname, rate }, tunnel).change([], [{ number: 1, bits: rate / 2, vni: 1, mac: '02:00:00:00:00:01' }])
    return undefined
  } catch (err) {
    return messageOf(err)
  } finally {
    await netlink.request([{ do: 'dropLink', of: named(ifname) }])
  }
}

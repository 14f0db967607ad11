// Which of BESS' drivers a port has. DPDK, as bessd is built, has 32 devices (RTE_MAX_ETHPORTS). Interfaces of the kernel are AF_PACKET
// devices of it as long as some are left for the others; after that they are by libpcap, which has no limit, and hands over what comes in
// some milliseconds later.
import { portKey } from '../../../core/graph/elements.ts'
import { deviceOf } from '../../../core/graph/base.ts'
import { kernelDevice } from '../../../core/graph/ports.ts'
import type { CreatePortRequest, ListedPort } from '../../../core/wire/bess/control.ts'
import { PCAPPortArg, PMDPortArg } from '../../../core/wire/bess/modules.ts'
import { pack, unpack, type ReadOf } from '../../../core/wire/protobuf/protobuf.ts'
import { ourName } from './names.ts'

const dpdk = 'PMDPort'
/** Of DPDK's devices: interfaces of the kernel take none beyond. */
const kernelShare = 24

const kernelOnly = /^kernel,iface=(.+)$/
const asDpdk = /^net_af_packet[1-9]\d*,iface=(.+)$/

export const isDpdk = ({ driver }: Pick<ListedPort, 'driver'>): boolean => driver === dpdk

/**
 * @param vdev as it is wanted: `kernel,iface=NAME`, or a device string of DPDK
 * @param number of the port: no other device of an interface has it
 * @param devices how many DPDK has by now
 */
export function deviceFor(vdev: string, number: string, devices: number): Pick<ReadOf<typeof CreatePortRequest>, 'driver' | 'arg'> {
  const ifcName = kernelOnly.exec(vdev)?.[1]
  if (ifcName === undefined) return { driver: dpdk, arg: pack(PMDPortArg, { vdev }) }
  if (devices < kernelShare) return { driver: dpdk, arg: pack(PMDPortArg, { vdev: deviceOf(ifcName, number) }) }
  return { driver: 'PCAPPort', arg: pack(PCAPPortArg, { dev: ifcName }) }
}

/** What a port that is there was wanted as; the driver where it is none that we make. */
export function wantedAs({ driver, driverArg }: Pick<ListedPort, 'driver' | 'driverArg'>): string {
  const vdev = unpack(PMDPortArg, driverArg)?.vdev
  const ifcName = unpack(PCAPPortArg, driverArg)?.dev ?? asDpdk.exec(vdev ?? '')?.[1]
  return ifcName === undefined ? (vdev ?? driver) : kernelDevice(ifcName)
}

/** By which driver interfaces of the kernel are reached that are there, by their ports' keys. */
export function driversOf(ports: readonly ListedPort[]): ReadonlyMap<string, string> {
  return new Map(
    ports.flatMap((port) => {
      const named = ourName(port.name)
      if (named === undefined || !kernelOnly.test(wantedAs(port))) return []
      return [[portKey(named.role), isDpdk(port) ? "DPDK's net_af_packet" : 'libpcap'] as const]
    }),
  )
}

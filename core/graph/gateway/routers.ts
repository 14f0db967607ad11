// The way between a VNI and the kernel that routes for it: one port of the graph, on the door of the VNI's router.
import { doorName } from '../../net/router-name.ts'
import { hexOf } from '../bytes.ts'
import { portKey, moduleKey, type MadeElement as Element } from '../elements.ts'
import { inPort, module, tunId } from '../modules.ts'
import { kernelDevice } from '../ports.ts'

const device = (vni: number): string => kernelDevice(doorName(vni))

/**
 * What the gateway does not answer leaves as it came: the kernel takes the hop off, and tells who has none left. What comes back is for a
 * MAC of the VNI, and passes no guard: the kernel has looked at where it is from.
 *
 * @param number of a LocalPort, of none of its ports
 */
export function routerElements(vni: number, number: number): readonly Element[] {
  const role = (name: string): string => `${name}.${number}`
  const of = { port: role('p'), device: device(vni) }
  const attrs = [
    { name: tunId, value: hexOf(vni, 4) },
    { name: inPort, value: hexOf(number, 2) },
  ]
  return [
    { kind: 'port', role: of.port, vdev: of.device },
    module(role('in'), { mclass: 'PortInc', ...of }, [role('meta')]),
    module(role('meta'), { mclass: 'SetMetadata', attrs }, ['fwd']),
    module(role('out'), { mclass: 'PortOut', ...of }),
    { kind: 'rule', table: 'routed', values: [hexOf(vni, 4)], to: role('out') },
  ]
}

/** Keys of what has the door of a VNI open, in what was seen: it is of one device, and of none that has its name later. */
export function doorKeys(vni: number, seen: ReadonlyMap<string, string>): readonly string[] {
  const port = [...seen].find(([key, vdev]) => key.startsWith(portKey('p.')) && vdev === device(vni))?.[0]
  if (port === undefined) return []
  const number = port.slice(portKey('p.').length)
  return [port, ...['in', 'out'].map((name) => moduleKey(`${name}.${number}`)).filter((key) => seen.has(key))]
}

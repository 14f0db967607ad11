// NORMAL on the bridge of a physical network: a learning switch that keeps VLANs apart by the tags and trunks of its ports
// (ovs-vswitchd.conf.db(5), VLAN configuration).
import { ethDst, ethSrc, tagPresent, vlanVid } from '../../../../core/pipeline/openflow/fields.ts'
import type { SwitchPort } from '../../../../core/pipeline/ovsdb/switch.ts'
import { readField, type Frame } from '../../../../core/pipeline/model/frame.ts'
import type { Out } from '../../../../core/pipeline/model/tables.ts'

type Ports = ReadonlyMap<number, SwitchPort>
type Vlan = SwitchPort['vlan']

const isGroup = (mac: number): boolean => (Math.floor(mac / 2 ** 40) & 1) === 1

export class LearningSwitch {
  /** VLAN and MAC → the number of the port where it was heard last. */
  readonly #heard = new Map<string, number>()

  gives(frame: Frame, number: number, ports: Ports): readonly Out[] {
    const carried = carriedBy(ports)
    const vlan = vlanOf(ports.get(number)?.vlan, Number(readField(frame, vlanVid)), carried)
    if (vlan === undefined) return []
    this.#heard.set(`${vlan} ${readField(frame, ethSrc)}`, number)
    const mac = Number(readField(frame, ethDst))
    const known = isGroup(mac) ? undefined : this.#heard.get(`${vlan} ${mac}`)
    const isThere = known !== undefined && carries(ports.get(known)?.vlan, vlan, carried)
    return [...ports]
      .filter(([to, row]) => to !== number && (isThere ? to === known : carries(row.vlan, vlan, carried)))
      .map(([to, row]) => ({ number: to, frame: new Map(frame).set(vlanVid, isTagged(row.vlan) ? tagPresent + vlan : 0) }))
  }
}

/** An uplink carries what the other ports do. */
const carriedBy = (ports: Ports): ReadonlySet<number> =>
  new Set([...ports.values()].flatMap(({ vlan }) => (typeof vlan !== 'object' ? [] : 'tag' in vlan ? [vlan.tag] : vlan.trunks)))

const isTagged = (vlan: Vlan): boolean => vlan === 'of its bridge' || (typeof vlan === 'object' && 'trunks' in vlan)

function carries(of: Vlan, vlan: number, carried: ReadonlySet<number>): boolean {
  if (of === undefined) return false
  if (of === 'of its bridge') return carried.has(vlan)
  return 'tag' in of ? of.tag === vlan : of.trunks.includes(vlan)
}

/** In which VLAN a frame comes in; undefined: it goes nowhere. */
function vlanOf(of: Vlan, tag: number, carried: ReadonlySet<number>): number | undefined {
  if (typeof of === 'object' && 'tag' in of) return tag === 0 ? of.tag : undefined
  const vlan = tag - tagPresent
  return tag !== 0 && carries(of, vlan, carried) ? vlan : undefined
}

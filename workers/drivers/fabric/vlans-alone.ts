// Of drivers that make no VRFs: what they are told to do is VLANs of ports, and anything else is refused by name.
import { isRoute, type SwitchChange, type VlanChange } from '../../../core/contracts/fabric-driver.ts'
import { SwitchRefused } from '../../../core/errors.ts'

/** @throws SwitchRefused where a VLAN is to join or to leave a VRF */
export function vlansAlone(changes: readonly SwitchChange[], { driver, target }: { driver: string; target: string }): VlanChange[] {
  return changes.map((change) => {
    if (isRoute(change)) throw new SwitchRefused({ target, reason: `driver ${driver} makes no VRFs` })
    return change
  })
}

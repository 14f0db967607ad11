// A service address: whoever asks for it is told the gateway's MAC, and so what is for it goes to the router.
import { gatewayMac } from '../../net/gateway-mac.ts'
import type { NodeServiceAddress } from '../../node/wanted.ts'
import type { SwitchItem } from '../items.ts'
import { macValue } from '../openflow/values.ts'
import { neighbour } from './neighbour.ts'

const mac = macValue(gatewayMac)

export const serviceFlows = (bridge: string, { vni, addresses, namespace, name }: NodeServiceAddress): readonly SwitchItem[] =>
  addresses.map((address) =>
    neighbour(
      bridge,
      { vni, address, mac },
      {
        feature: 'neighbour',
        owner: mac,
        because: { rule: 'a service address of a VNI with a port here', of: { kind: 'ServiceAddress', namespace, name } },
      },
    ),
  )

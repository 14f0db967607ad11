// By what a port is reached: an interface of the system, or a vhost-user socket whose server is the pod (Open vSwitch,
// topics/dpdk/vhost-user): as a client the switch comes back by itself, whichever of the two was started anew.
import type { LocalPort } from '../../node/wanted.ts'
import type { SwitchPort } from '../ovsdb/switch.ts'

export const meansOf = ({ socket, mtu }: LocalPort): Pick<SwitchPort, 'type' | 'options' | 'mtu'> =>
  socket === undefined ? { type: '', options: {} } : { type: 'dpdkvhostuserclient', options: { 'vhost-server-path': socket }, mtu }

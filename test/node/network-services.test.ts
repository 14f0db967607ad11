import { startTwoNodes, startTwoNodesOn } from '../../cli/demo/two-nodes.ts'
import { linuxCarrier } from '../../lab/nodes/carriers.ts'
import { ovsSkip } from '../setup/ovs.ts'
import { networkServiceTests } from './network-services.ts'

networkServiceTests({ name: 'Open vSwitch', skip: ovsSkip, start: (lab, stops) => startTwoNodes(lab, false, stops) })
networkServiceTests({ name: 'Linux', skip: ovsSkip, start: (lab, stops) => startTwoNodesOn(linuxCarrier, lab, stops) })

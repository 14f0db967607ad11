// Clients and endpoints on two nodes with bessd.
import { startTwoNodesOn } from '../../cli/demo/two-nodes.ts'
import { bessCarrier } from '../../lab/nodes/carriers.ts'
import { networkServiceTests } from '../node/network-services.ts'
import { bessd, bessSkip } from './test-nodes.ts'

networkServiceTests({ name: 'bessd', skip: bessSkip, start: (lab, stops) => startTwoNodesOn(bessCarrier(bessd!), lab, stops) })

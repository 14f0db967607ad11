// All that may happen in a case. A new one is a file here and a line in this table.
import type { HappeningKind } from '../happening.ts'
import { createAttachment, deleteAttachment } from './attachment.ts'
import { faultsOfRoutes, ofBgp } from './bgp.ts'
import { backInTime } from './back-in-time.ts'
import { ofBroadcast } from './broadcast.ts'
import { callFault } from './call-fault.ts'
import { killAtCloud, ofAlcor, ofClouds, ofNeutron, ofVmsAtClouds } from './cloud.ts'
import { ofChains } from './chain.ts'
import { closeCloudPorts } from './closing.ts'
import { ofConnections, ofMuteEndpoints } from './connection.ts'
import { ofEgress } from './egress.ts'
import { ofFabrics } from './fabric.ts'
import { forgePort } from './forged.ts'
import { ask, askAsStranger, forgeAnswer, takeBack } from './inquiry.ts'
import { kill } from './kill.ts'
import { delegateFails, disk, upgradeAgent } from './machine.ts'
import { createNamespace, deleteNamespace } from './namespace.ts'
import { cutOff, loseNode, silentNode } from './node.ts'
import { rename, resolversDown } from './outside-name.ts'
import { ofPages } from './page.ts'
import { changeHotNics } from './hot-nics.ts'
import { ofPeerings } from './peering.ts'
import { createPod, deletePod, endPod } from './pod.ts'
import { ofRoutedBlocks } from './routed-blocks.ts'
import { createPolicy, deletePolicy, editPolicy, relabelPod, relabelPort } from './policy.ts'
import { createPort, deletePort, editPort, joinGroups } from './port.ts'
import { flush, twice } from './queue-faults.ts'
import { receiver } from './receiver.ts'
import { ofScalers } from './scaler.ts'
import { cancelAdd, cniCall, lostDel, newSandbox, repeatedAdd } from './sandbox.ts'
import { createGroup, deleteGroup, editGroup } from './security-group.ts'
import { ofNetworkServices } from './network-service.ts'
import { ofServices } from './service.ts'
import { slowLinks } from './slow-links.ts'
import { stale, unobserved } from './stale.ts'
import { restartSwitch } from './switch.ts'
import { createSubnet, deleteSubnet, editSubnet } from './subnet.ts'
import { pauseSubscription, subscribe, unsubscribe } from './subscription.ts'
import { talk } from './talk.ts'
import { forgeEdit, forgeVni, trespass } from './trespass.ts'
import { ofVlans } from './vlan.ts'
import { ofVms } from './vm.ts'
import { createVpc, deleteVpc, shareVpc } from './vpc.ts'

const all: readonly HappeningKind[] = [
  createVpc,
  shareVpc,
  deleteVpc,
  createSubnet,
  editSubnet,
  deleteSubnet,
  createGroup,
  editGroup,
  deleteGroup,
  createPort,
  editPort,
  joinGroups,
  createPolicy,
  editPolicy,
  deletePolicy,
  rename,
  resolversDown,
  relabelPod,
  relabelPort,
  deletePort,
  createPod,
  endPod,
  changeHotNics,
  deletePod,
  createAttachment,
  deleteAttachment,
  forgePort,
  forgeEdit,
  forgeVni,
  trespass,
  subscribe,
  pauseSubscription,
  unsubscribe,
  talk,
  ask,
  takeBack,
  askAsStranger,
  forgeAnswer,
  createNamespace,
  deleteNamespace,
  kill,
  stale,
  unobserved,
  backInTime,
  callFault,
  flush,
  twice,
  receiver,
  loseNode,
  silentNode,
  cutOff,
  repeatedAdd,
  lostDel,
  slowLinks,
  restartSwitch,
  cancelAdd,
  newSandbox,
  cniCall,
  disk,
  delegateFails,
  upgradeAgent,
]

/** Drawn for every case. */
export const usualKinds: readonly HappeningKind[] = all
/** By name, also those that are drawn for other cases alone. */
export const happeningKinds: ReadonlyMap<string, HappeningKind> = new Map(
  [
    ...all,
    ...ofPages,
    ...ofFabrics,
    ...ofClouds,
    closeCloudPorts,
    killAtCloud,
    ...ofNeutron,
    ...ofAlcor,
    ...ofVmsAtClouds,
    ...ofVlans,
    ...ofVms,
    ...ofBgp,
    ...faultsOfRoutes,
    ...ofServices,
    ...ofNetworkServices,
    ...ofConnections,
    ...ofMuteEndpoints,
    ...ofScalers,
    ...ofChains,
    ...ofPeerings,
    ...ofBroadcast,
    ...ofEgress,
    ...ofRoutedBlocks,
  ].map((kind) => [kind.name, kind]),
)

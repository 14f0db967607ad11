// Which finalizers an object is born with, so that none can go before what it holds is given back and its end is told.
// Workers add missing ones before their first outside effect.
import {
  attachmentFinalizer, callbackAnnotation, connectionPointFinalizer, fabricFinalizer, l2ServiceFinalizer, nodePoolFinalizer, noticeFinalizer, portFinalizer,
  securityGroupFinalizer, subnetFinalizer, subscriptionFinalizer, switchesFinalizer, vpcFinalizer,
} from '../../kinds/annotations.ts'
import type { Kind } from '../../kinds/index.ts'

interface Born {
  readonly metadata: { readonly annotations?: Readonly<Record<string, string>> }
  readonly spec: object
}

const holders: Partial<Readonly<Record<Kind, string>>> = {
  Vpc: vpcFinalizer,
  Subnet: subnetFinalizer,
  Port: portFinalizer,
  SecurityGroup: securityGroupFinalizer,
  Subscription: subscriptionFinalizer,
  L2Service: l2ServiceFinalizer,
  L2ServiceAttachment: attachmentFinalizer,
  L2BridgeDomain: fabricFinalizer,
  ConnectionPoint: connectionPointFinalizer,
  NodePool: nodePoolFinalizer,
  Fabric: switchesFinalizer,
}

/** Those of ours; the object's own come beside them. A pod has one only where somebody asked to be told of its end. */
export function finalizersFor(kind: Kind, object: Born): readonly string[] {
  const callback: unknown = kind === 'Pod' ? object.metadata.annotations?.[callbackAnnotation] : 'callbackURL' in object.spec ? object.spec.callbackURL : undefined
  const holder = holders[kind]
  return [...(holder === undefined ? [] : [holder]), ...(typeof callback === 'string' && callback !== '' && kind !== 'Notice' ? [noticeFinalizer] : [])]
}

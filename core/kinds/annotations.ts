// The names we use on Kubernetes' own objects.

/** Which Vpc a pod's Nics are in: `name` or `namespace/name`. On a Namespace: the default of its pods. */
export const vpcAnnotation = 'megrez.io/vpc'
/** `policy`: a pod's one Nic is in the network that its UnifiedNetworkPolicy names, and follows it. On a Namespace: so for its pods. */
export const networkAnnotation = 'megrez.io/network'
/** The Nics, a JSON list with Alkaid's field names. */
export const nicsAnnotation = 'megrez.io/nics'
/** Nics that a running pod may be given and lose, a list like that of the others: it alone may change once the pod is made. */
export const hotNicsAnnotation = 'megrez.io/hot-nics'
/** On a pod: of what type its Nics are that say none themselves, as a VM's are (`kernel`, `dpdk`, `tap`). */
export const nicTypeAnnotation = 'megrez.io/nic-type'
/** `none` makes the first Nic eth0 and podIP. */
export const clusterNicAnnotation = 'megrez.io/cluster-nic'
/** The VM flavor that a pod stands for: sets its limit of Nics. */
export const flavorAnnotation = 'megrez.io/vm-flavor'
/** Told of the pod's network on each change of phase. */
export const callbackAnnotation = 'megrez.io/callback-url'
/** On a pod, or a Port without one: the UnifiedNetworkPolicy of its namespace that is in force on it, whichever others select it. */
export const unifiedPolicyAnnotation = 'megrez.io/unp'
/** On a PolicyIdentity that nobody had, and somebody took again: its version then. */
export const takenAnnotation = 'megrez.io/taken'
/** Our report: phase, and each Nic's Port, addresses and whether we made it. JSON. */
export const nicStatusAnnotation = 'megrez.io/nic-status'
/** On a pod what `status.asked` is on our own kinds: which Subscription was the last to begin to be told of it. */
export const askedAnnotation = 'megrez.io/asked'
/** On a Node: where others tunnel to, in place of its InternalIP. */
export const tunnelAddressAnnotation = 'megrez.io/tunnel-address'
/** What a pod's interfaces are, as the Network Plumbing Working Group has it (multi-network specification 1.3, section 4.2). */
export const networkStatusAnnotation = 'k8s.v1.cni.cncf.io/network-status'
/** The user for whom our own account has written this; the API server sees only our account. */
export const requestedByAnnotation = 'megrez.io/requested-by'
/** The W3C Trace Context of the request that has last changed what is wanted: those who are told of it are told that too. */
export const traceparentAnnotation = 'megrez.io/traceparent'
/** What the systems on the way of that trace have added to it (W3C tracestate). */
export const tracestateAnnotation = 'megrez.io/tracestate'
/** When that request came, in milliseconds (RFC 3339): Kubernetes' creationTimestamp counts seconds. */
export const requestedAtAnnotation = 'megrez.io/requested-at'
/** On an IPLock: when its Port was asked for and when it was locked, for nodes that measure how long their flows take. JSON. */
export const hopAnnotation = 'megrez.io/hop'
/** Which request made this, where it came with an Idempotency-Key: hashes of who and key, and of the request. */
export const idempotencyAnnotation = 'megrez.io/idempotency-key'
/** On the agents' DaemonSet, `true`: agents that end while it goes give their nodes back. */
export const leavingAnnotation = 'megrez.io/leaving'
/**
 * On webhook configurations: workers write at which paths admission is called there. `given`: the chart repeats what it finds, since one
 * before it has written paths.
 */
export const registeredAnnotation = 'megrez.io/paths'
/** On webhook configurations: the paths before, and until when each is answered at. */
export const formerPathsAnnotation = 'megrez.io/former-paths'
/** On pods of webhooks: they answer at the paths that are registered, whatever they are. */
export const followsLabel = 'megrez.io/follows-paths'
/** Set on pods that have Nics of ours. */
export const managedLabel = 'megrez.io/managed'
/** On a Namespace: `enabled` gives every pod its defaults. */
export const defaultLabel = 'megrez.io/default'
/**
 * On a Node: which Ports without a pod their makers may put there: `bare`, with MAC and name alone, or `addressed`, also with addresses, in
 * a network namespace of their own. Absent: none.
 */
export const portsWithoutPodLabel = 'megrez.io/ports-without-pod'
/** The pod condition that says whether all Nics are ready. */
export const networkReadyCondition = 'megrez.io/NetworkReady'

/** On a pod: the network services that it is a client of, as Network Service Mesh has them: URLs with commas between them. */
export const networkServiceAnnotation = 'networkservicemesh.io'

/** Freed addresses and locks before the object goes. */
export const portFinalizer = 'megrez.io/port'
/** A bound Port: its node has still to unwire it. */
export const wiredFinalizer = 'megrez.io/wired'
export const vpcFinalizer = 'megrez.io/vpc'
export const subnetFinalizer = 'megrez.io/subnet'
/** Somebody is to be told of the end. */
export const noticeFinalizer = 'megrez.io/notice'
/** On a Secret of our own: the UID of the Subscription whose credentials it holds. */
export const subscriptionLabel = 'megrez.io/subscription'
/** On a Secret, `true`: Subscriptions of its namespace may have it sent to their sinks. */
export const callbackCredentialsLabel = 'megrez.io/callback-credentials'
/** A Subscription: what it was told by is kept until the last notice is out. */
export const subscriptionFinalizer = 'megrez.io/subscription'
/** In front of a Subscription's UID, on each Notice that it may pull or have replayed. */
export const eventsLabelPrefix = 'events.megrez.io/'
/** Speakers say what it tells them. */
export const bgpFinalizer = 'megrez.io/bgpsessiongroup'
/**
 * On a Service of our class: the pool of its address, a Subnet, `name` or `namespace/name`. On a NetworkService: the Subnet that NICs of
 * its clients and endpoints are in.
 */
export const poolAnnotation = 'megrez.io/subnet'
/** On a Service of our class: the address that it is to have, or one of each family with a comma between them. */
export const addressAnnotation = 'megrez.io/address'
/** The `loadBalancerClass` of Services that are ours to serve. */
export const serviceClass = 'megrez.io/services'
/** A Service: its ServiceAddress may still be there. */
export const serviceFinalizer = 'megrez.io/service'
/** The condition of a Service that says whether it has its address. */
export const serviceReadyCondition = 'megrez.io/Ready'
/** Addresses are locked, and nodes may announce them. */
export const serviceAddressFinalizer = 'megrez.io/serviceaddress'
/** Addresses of a pool are locked, and nodes may send from them. */
export const egressAddressFinalizer = 'megrez.io/egressaddress'
/** Nodes let out what Vpcs send by it. */
export const egressFinalizer = 'megrez.io/egressclass'
/** Nodes have routes by it. */
export const peeringFinalizer = 'megrez.io/vpcpeering'
export const l2ServiceFinalizer = 'megrez.io/l2service'
export const attachmentFinalizer = 'megrez.io/l2serviceattachment'
/** Vpcs name it. */
export const cloudFinalizer = 'megrez.io/cloud'
/** VLANs are open on switches. */
export const fabricFinalizer = 'megrez.io/fabric'
/** Attachments are on it. */
export const connectionPointFinalizer = 'megrez.io/connectionpoint'
/** Its interfaces carry VLANs. */
export const nodePoolFinalizer = 'megrez.io/nodepool'
/** Ports, or rules of other SecurityGroups, name it. */
export const securityGroupFinalizer = 'megrez.io/securitygroup'
/** It may stand at its Cloud. */
export const cloudSecurityGroupFinalizer = 'megrez.io/cloudsecuritygroup'
/** L2BridgeDomains may be open on its switches. */
export const switchesFinalizer = 'megrez.io/switches'
/** On a NetworkAttachmentDefinition, for device plugins (Network Plumbing Working Group, de facto standard 1.3, section 3.2.1). */
export const resourceNameAnnotation = 'k8s.v1.cni.cncf.io/resourceName'
/** On a pod: the NetworkAttachmentDefinitions it wants (de facto standard 1.3, section 4.1). */
export const networksAnnotation = 'k8s.v1.cni.cncf.io/networks'

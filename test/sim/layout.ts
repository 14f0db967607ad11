// The names that actors draw from: few, so that they meet.
export const namespaces = ['a', 'b', 'h'] as const
/** Whose owner writes whatever he may, and tries the rest. */
export const hostile = 'h'
export const nodeNames = ['n1', 'n2', 'n3'] as const
/** Which Ports without a pod each takes, as its label says; the last takes none. */
export const takenBy: { readonly [name: string]: string } = { n1: 'addressed', n2: 'bare' }
/** The link that nodes share. */
export const nodeBlock = '192.0.2.0/24'
export const nodeAddress = (name: string): string => `192.0.2.${name.slice(1)}`
export const vpcNames = ['v1', 'v2'] as const
export const subnetNames = ['s1', 's2'] as const
export const podNames = ['p1', 'p2', 'p3', 'p4'] as const
export const portNames = ['q1', 'q2', 'q3'] as const
export const groupNames = ['g1', 'g2', 'default'] as const
export const policyNames = ['u1', 'u2'] as const
/** What pods are labelled with, as `app`. */
export const apps = ['x', 'y'] as const
export const inquiryNames = ['i1', 'i2', 'i3'] as const
export const subscriptionNames = ['w1', 'w2'] as const
/** Small, so that addresses are used again soon; they overlap, as those of different Vpcs may. */
export const blocks = ['10.0.0.0/29', '10.0.0.8/29', '10.0.0.0/28'] as const
/** Nobody else has it: of a Vpc that is peered. */
export const peeredBlock = '10.0.0.16/29'
export const blocks6 = ['2001:db8::/125', '2001:db8::8/125'] as const
export const addresses = ['10.0.0.2', '10.0.0.3', '10.0.0.11', '10.0.0.4'] as const
/** None follows from an address: each needs a lock of its own. */
export const macs = ['02:00:00:00:00:01', '02:00:00:00:00:02'] as const
export const vnis = [5_001, 5_002, 5_003] as const
/** Vpcs that are VLANs, of a physical network where L2Services have them too. */
export const vpcVlans = [101, 102] as const
export const sinks = ['http://r1.example/hook', 'http://r2.example/hook'] as const
/** Subscriptions' own: each way to a receiver has an order of its own. */
export const eventSinks = ['http://r1.example/events', 'http://r2.example/events'] as const
export const hosts = ['r1.example', 'r2.example'] as const
/** Names outside, that policies are about; the last address is in a Subnet too. */
export const outsideNames = ['api.example', 'cdn.example'] as const
export const outsideAddresses = ['198.51.100.1', '198.51.100.2', '2001:db8:ff::1', '10.0.0.2'] as const
/** A network of its own, in which packets go by service chains, and the pods that carry their functions out. */
export const chained = { namespace: 'b', vpc: 'wires', subnet: 'wires', cidr: '10.9.0.0/27' } as const
export const functionPods = ['f1', 'f2', 'f3', 'f4', 'f5'] as const
export const workerCount = 2
export const webhookCount = 2

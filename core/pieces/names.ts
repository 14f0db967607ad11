/**
 * An address or a MAC of a VNI. Ports, Segments (by their gateways) and Endpoints are told of by different watches: for a while
 * one address may be here, a gateway's and on another node.
 */
export const nameIn = (vni: number, addressOrMac: string): string => `${vni} ${addressOrMac}`

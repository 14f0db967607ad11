/**
 * The MAC of every gateway on every node. Locally administered; KOS's function never gives it, as its second byte is that of no address
 * of RFC 1918 beside a first byte of 02, and a hash gives it once in 2^46.
 */
export const gatewayMac = '02:4d:65:67:72:65'

// A certificate authority of our own: for one machine, and for tests. X.509 by RFC 5280, keys on P-256.
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  randomBytes,
  sign,
  X509Certificate,
  type KeyObject,
} from 'node:crypto'
import { isIP } from 'node:net'
import { parseIp } from '../../core/net/ip.ts'
import { bitString, boolean, explicit, implicit, integer, objectIdentifier, octetString, sequence, set, time, utf8String } from './der.ts'

/** PEM, and when it begins and ends, in milliseconds since 1970. */
export interface Issued {
  readonly cert: string
  readonly key: string
  readonly from: number
  readonly until: number
}
export interface Life {
  readonly now: number
  readonly ms: number
}

/** Clocks differ: a certificate of this very second would be refused by those that are behind. */
const earlierMs = 5 * 60_000
const ecdsaWithSha256 = sequence(objectIdentifier('1.2.840.10045.4.3.2'))
const ids = {
  commonName: '2.5.4.3',
  subjectKey: '2.5.29.14',
  keyUsage: '2.5.29.15',
  names: '2.5.29.17',
  constraints: '2.5.29.19',
  authorityKey: '2.5.29.35',
  extendedUsage: '2.5.29.37',
  serverAuth: '1.3.6.1.5.5.7.3.1',
  clientAuth: '1.3.6.1.5.5.7.3.2',
}

/** A self-signed authority that may sign leaves and nothing else. */
export function makeAuthority(name: string, life: Life): Issued {
  const own = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
  // Each has a name of its own, so that nobody takes one for its successor.
  const subject = `${name} ${randomBytes(4).toString('hex')}`
  const extensions = [
    extension(ids.constraints, sequence(boolean(true), integer(0)), true),
    // keyCertSign and cRLSign are bits 5 and 6.
    extension(ids.keyUsage, bitString(Buffer.from([0b0000_0110]), 1), true),
    extension(ids.subjectKey, octetString(keyIdOf(own))),
  ]
  return certificate({ subject, own, issuer: subject, signing: own, extensions }, life)
}

/** A server's certificate for DNS names, addresses and SPIFFE ids, a client's, or one for both. */
export function issueLeaf(
  authority: Issued,
  names: readonly string[],
  life: Life,
  ...usages: readonly ('serverAuth' | 'clientAuth')[]
): Issued {
  const own = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
  const signing = createPrivateKey(authority.key)
  const issuer = new X509Certificate(authority.cert).subject.replace(/^CN=/, '')
  const extensions = [
    extension(ids.constraints, sequence(), true),
    // digitalSignature is bit 0.
    extension(ids.keyUsage, bitString(Buffer.from([0b1000_0000]), 7), true),
    extension(
      ids.extendedUsage,
      sequence(...(usages.length === 0 ? ['serverAuth' as const] : usages).map((usage) => objectIdentifier(ids[usage]))),
    ),
    extension(ids.names, sequence(...names.map(generalName))),
    extension(ids.subjectKey, octetString(keyIdOf(own))),
    extension(ids.authorityKey, sequence(implicit(0, keyIdOf(signing)))),
  ]
  // None outlives its authority.
  return certificate(
    { subject: 'megrez', own, issuer, signing, extensions },
    { now: life.now, ms: Math.min(life.ms, authority.until - life.now) },
  )
}

interface Contents {
  readonly subject: string
  readonly own: KeyObject
  readonly issuer: string
  readonly signing: KeyObject
  readonly extensions: readonly Buffer[]
}

function certificate({ subject, own, issuer, signing, extensions }: Contents, { now, ms }: Life): Issued {
  const from = second(now - earlierMs)
  const until = second(now + ms)
  // Positive, at most 20 octets (section 4.1.2.2).
  const serial = integer(0x40 | (randomBytes(1)[0]! & 0x3f), ...randomBytes(15))
  const publicKey = createPublicKey(own).export({ type: 'spki', format: 'der' })
  const version3 = explicit(0, integer(2))
  const signed = sequence(
    version3,
    serial,
    ecdsaWithSha256,
    nameOf(issuer),
    sequence(time(from), time(until)),
    nameOf(subject),
    publicKey,
    explicit(3, sequence(...extensions)),
  )
  const whole = sequence(signed, ecdsaWithSha256, bitString(sign('sha256', signed, signing)))
  return { cert: pem('CERTIFICATE', whole), key: own.export({ type: 'pkcs8', format: 'pem' }).toString(), from, until }
}

/** X.509 counts in seconds. */
const second = (ms: number): number => Math.floor(ms / 1000) * 1000
const nameOf = (commonName: string): Buffer => sequence(set(sequence(objectIdentifier(ids.commonName), utf8String(commonName))))
const extension = (id: string, value: Buffer, critical = false): Buffer =>
  sequence(objectIdentifier(id), ...(critical ? [boolean(true)] : []), octetString(value))
/** RFC 7093 section 2, method 4: 160 bits of the SHA-256 of the key as it stands in the certificate. */
const keyIdOf = (key: KeyObject): Buffer =>
  createHash('sha256')
    .update(createPublicKey(key).export({ type: 'spki', format: 'der' }))
    .digest()
    .subarray(0, 20)
const pem = (label: string, der: Buffer): string =>
  `-----BEGIN ${label}-----\n${der.toString('base64').replace(/.{1,64}/g, '$&\n')}-----END ${label}-----\n`

/** dNSName is 2, uniformResourceIdentifier 6, iPAddress 7, in network order (section 4.2.1.6). */
function generalName(name: string): Buffer {
  if (name.startsWith('spiffe://')) return implicit(6, Buffer.from(name, 'ascii'))
  const ip = isIP(name) === 0 ? undefined : parseIp(name)
  return ip === undefined
    ? implicit(2, Buffer.from(name, 'ascii'))
    : implicit(7, Buffer.from(ip.value.toString(16).padStart(ip.family === 4 ? 8 : 32, '0'), 'hex'))
}

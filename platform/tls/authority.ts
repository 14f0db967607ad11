// A certificate authority of our own: for one machine, and for tests. X.509 by RFC 5280.
import { webcrypto } from 'node:crypto'
import { isIP } from 'node:net'
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  PemConverter,
  SubjectAlternativeNameExtension,
  SubjectKeyIdentifierExtension,
  X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509'

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

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const
/** Clocks differ: a certificate of this very second would be refused by those that are behind. */
const earlierMs = 5 * 60_000

const newKeys = (): Promise<webcrypto.CryptoKeyPair> => webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
const pemOf = async (key: webcrypto.CryptoKey): Promise<string> => PemConverter.encode(await webcrypto.subtle.exportKey('pkcs8', key), 'PRIVATE KEY')
/** X.509 counts in seconds. */
const second = (ms: number): number => Math.floor(ms / 1000) * 1000
/** 20 octets at most, positive (RFC 5280 section 4.1.2.2). */
const serialNumber = (): string => `4${Buffer.from(webcrypto.getRandomValues(new Uint8Array(15))).toString('hex')}0`

function span({ now, ms }: Life): { readonly from: number; readonly until: number; readonly dates: { notBefore: Date; notAfter: Date } } {
  const from = second(now - earlierMs)
  const until = second(now + ms)
  return { from, until, dates: { notBefore: new Date(from), notAfter: new Date(until) } }
}

/** A self-signed authority that may sign leaves and nothing else. */
export async function makeAuthority(name: string, life: Life): Promise<Issued> {
  const keys = await newKeys()
  const { from, until, dates } = span(life)
  const cert = await X509CertificateGenerator.createSelfSigned({
    ...dates,
    signingAlgorithm: algorithm,
    serialNumber: serialNumber(),
    name: `CN=${name}`,
    keys,
    extensions: [
      new BasicConstraintsExtension(true, 0, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
      await SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  })
  return { cert: cert.toString('pem'), key: await pemOf(keys.privateKey), from, until }
}

/** A server's certificate for DNS names and addresses. */
export async function issueLeaf(authority: Issued, names: readonly string[], life: Life): Promise<Issued> {
  const issuer = new X509Certificate(authority.cert)
  const signingKey = await webcrypto.subtle.importKey('pkcs8', PemConverter.decodeFirst(authority.key), algorithm, false, ['sign'])
  const keys = await newKeys()
  // None outlives its authority.
  const { from, until, dates } = span({ now: life.now, ms: Math.min(life.ms, authority.until - life.now) })
  const cert = await X509CertificateGenerator.create({
    ...dates,
    signingAlgorithm: algorithm,
    serialNumber: serialNumber(),
    subject: 'CN=megrez',
    issuer: issuer.subject,
    publicKey: keys.publicKey,
    signingKey,
    extensions: [
      new BasicConstraintsExtension(false, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
      new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
      new SubjectAlternativeNameExtension(names.map((value) => ({ type: isIP(value) === 0 ? 'dns' : 'ip', value }))),
      await SubjectKeyIdentifierExtension.create(keys.publicKey),
      await AuthorityKeyIdentifierExtension.create(issuer.publicKey),
    ],
  })
  return { cert: cert.toString('pem'), key: await pemOf(keys.privateKey), from, until }
}

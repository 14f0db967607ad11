// What of npm's packages is in the image, for scanners: CycloneDX 1.6 (ECMA-424), from the lock file. npm's own `npm sbom --omit=dev`
// is not used: up to 11.19 at least it leaves out what development packages need as well, 49 of our 170.
//   node platform/programs/sbom.ts OUT        reads package-lock.json of the folder it is run in
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'

interface Locked {
  readonly version?: string
  readonly integrity?: string
  readonly license?: string
  readonly dev?: boolean
  readonly optional?: boolean
  readonly devOptional?: boolean
}
/** A package-lock.json of version 3: packages by their path; that of the root is empty. */
export interface Lock {
  readonly name: string
  readonly version: string
  readonly packages: Readonly<Record<string, Locked>>
}
export interface Component {
  readonly type: 'library'
  readonly 'bom-ref': string
  readonly name: string
  readonly version: string
  readonly purl: string
  readonly licenses?: readonly object[]
  readonly hashes?: readonly { readonly alg: 'SHA-512'; readonly content: string }[]
}

/** The same lock file gives the same bytes: there is no time in it, and its serial number is of its content. */
export function sbomOf({
  name,
  version,
  packages,
}: Lock): { readonly components: readonly Component[] } & Readonly<Record<string, unknown>> {
  const installed = Object.entries(packages).filter(
    ([path, { dev, optional, devOptional }]) => path !== '' && dev !== true && optional !== true && devOptional !== true,
  )
  const byRef = new Map(installed.map(([path, locked]) => componentOf(path, locked)).map((each) => [each['bom-ref'], each]))
  const components = [...byRef.values()].sort((a, b) => (a['bom-ref'] < b['bom-ref'] ? -1 : 1))
  const metadata = { component: { type: 'application', 'bom-ref': `${name}@${version}`, name, version, purl: purlOf(name, version) } }
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${uuidOf(JSON.stringify(components))}`,
    version: 1,
    metadata,
    components,
  }
}

function componentOf(path: string, { version = '', integrity, license }: Locked): Component {
  const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
  const sha512 = /^sha512-(\S+)/.exec(integrity ?? '')?.[1]
  return {
    type: 'library',
    'bom-ref': `${name}@${version}`,
    name,
    version,
    purl: purlOf(name, version),
    ...(license !== undefined && { licenses: [{ expression: license }] }),
    ...(sha512 !== undefined && { hashes: [{ alg: 'SHA-512', content: Buffer.from(sha512, 'base64').toString('hex') }] }),
  }
}

/** Of type npm (package-url/purl-spec): the @ of a scope is percent-encoded. */
const purlOf = (name: string, version: string): string => `pkg:npm/${name.replace('@', '%40')}@${version}`

/** RFC 9562, section 5.8: a UUID of our own making, here of a hash. */
function uuidOf(text: string): string {
  const hash = createHash('sha256').update(text).digest('hex')
  return [hash.slice(0, 8), hash.slice(8, 12), `8${hash.slice(13, 16)}`, `a${hash.slice(17, 20)}`, hash.slice(20, 32)].join('-')
}

if (import.meta.main) {
  const out = process.argv[2]
  if (out === undefined) throw new Error('usage: node platform/programs/sbom.ts OUT')
  writeFileSync(out, `${JSON.stringify(sbomOf(JSON.parse(readFileSync('package-lock.json', 'utf8')) as Lock), undefined, 2)}\n`)
}

// What a person who helps from afar needs: versions, health, objects, figures; nothing that is secret.
import { arch, platform, release } from 'node:os'
import type { Kind } from '../../core/kinds/index.ts'
import { CliError } from '../context.ts'
import { knownKinds, pluralOf } from '../kinds/names.ts'
import { ourVersion } from '../our-version.ts'
import type { Api } from '../rest/api.ts'
import { redact, redactText } from './redact.ts'
import type { ArchivedFile } from './tar.ts'

/** Notices hold objects of every namespace as they were sent, and answers of nodes hold packets. */
const leftOut: readonly Kind[] = ['Notice', 'Inquiry']
/** Of a kind: more helps nobody. */
const objectsMax = 20_000

export interface BundleParts {
  readonly files: readonly ArchivedFile[]
  /** What is not in it, and why. */
  readonly missing: readonly string[]
}

/** @param namespace undefined: all */
export async function gatherBundle(
  api: Api,
  { namespace, tell }: { readonly namespace: string | undefined; readonly tell: (what: string) => void },
): Promise<BundleParts> {
  const files: ArchivedFile[] = [{ path: 'version.json', text: json({ megrez: ourVersion(), api: await api.version(), ...machine() }) }]
  const missing: string[] = leftOut.map((kind) => `${pluralOf(kind)}: they are never in a bundle`)
  files.push({ path: 'me.json', text: json(redact(await api.me())) })
  for (const path of ['readyz', 'metrics']) {
    const text = await api.text(`/${path}`)
    if (text === undefined) missing.push(`${path}: the server has none at its REST address`)
    else files.push({ path: `${path}.txt`, text: redactText(text) })
  }
  for (const kind of knownKinds.filter((each) => !leftOut.includes(each))) {
    tell(pluralOf(kind))
    const objects = await objectsOf(api, kind, namespace)
    if (typeof objects === 'string') missing.push(`${pluralOf(kind)}: ${objects}`)
    else if (objects.length > 0) files.push({ path: `objects/${pluralOf(kind)}.json`, text: json(objects.map(redact)) })
    if (objects.length === objectsMax) missing.push(`${pluralOf(kind)}: those beyond ${objectsMax}`)
  }
  return { files, missing }
}

const json = (value: unknown): string => `${JSON.stringify(value, null, 1)}\n`
const machine = (): object => ({ node: process.versions.node, platform: platform(), release: release(), arch: arch() })

/** @returns why not, where they may not be seen */
async function objectsOf(api: Api, kind: Kind, namespace: string | undefined): Promise<readonly unknown[] | string> {
  try {
    return await api.all(kind, namespace, {}, objectsMax)
  } catch (err) {
    if (err instanceof CliError && err.exit === 1) return err.message
    throw err
  }
}

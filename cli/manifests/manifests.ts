// Manifests from files, folders or standard input, literal Alkaid pods rewritten. All are read and rewritten before any is sent.
import { rewriteManifest } from '../../core/admit/pod/rewrite.ts'
import { isObject, type Json } from '../../core/json.ts'
import { CliError, type Context } from '../context.ts'
import { documentsIn, readTexts } from './files.ts'

export interface Manifest {
  /** `pods.yaml`, or `pods.yaml (document 2)`. */
  readonly from: string
  readonly body: Json
  /** The pod as it was written, where the body is a rewritten one. */
  readonly literal?: Json
}

/** @throws CliError 1 that names every fault of every document */
export async function readManifests(files: readonly string[], context: Context): Promise<readonly Manifest[]> {
  if (files.length === 0) throw new CliError(2, 'which manifests? name them with -f FILE, or - for standard input')
  const documents = (await readTexts(files, context)).flatMap(documentsIn).map(objectIn)
  // Silence would look like success.
  if (documents.length === 0)
    throw new CliError(1, `${files.map((file) => (file === '-' ? 'standard input' : file)).join(', ')}: no object is in there`)
  const problems: string[] = []
  const manifests = documents.flatMap(({ from, body }) => {
    const rewritten = rewriteManifest(body)
    if (rewritten.kind === 'refused') problems.push(...rewritten.problems.map(({ at, message }) => `${from}: ${at}: ${message}`))
    if (rewritten.kind !== 'changed') return itemsOf(body).map((each) => ({ from, body: each }))
    const written = itemsOf(body)
    return itemsOf(rewritten.manifest).map((each, i) => ({ from, body: each, literal: written[i] ?? {} }))
  })
  if (problems.length > 0) throw new CliError(1, `nothing was sent\n  ${problems.join('\n  ')}`)
  return manifests
}

function objectIn({ from, body }: { readonly from: string; readonly body: unknown }): Manifest {
  if (isObject(body)) return { from, body }
  throw new CliError(1, `${from} is no object of a kind`)
}

const itemsOf = (body: Json): readonly Json[] =>
  body['kind'] === 'List' && Array.isArray(body['items']) ? (body['items'] as readonly Json[]) : [body]

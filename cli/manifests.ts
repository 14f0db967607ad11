// Manifests from files, folders or standard input, literal Alkaid pods rewritten. All are read and rewritten before any is sent.
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { parseAllDocuments } from 'yaml'
import { rewriteManifest } from '../core/admit/rewrite.ts'
import type { Json } from '../core/json.ts'
import { CliError, type Context } from './context.ts'

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
  const texts: { readonly from: string; readonly text: string }[] = []
  for (const file of files) texts.push(...(await readTexts(file, context)))
  const documents = texts.flatMap(({ from, text }) => documentsIn(from, text))
  const faults: string[] = []
  const manifests = documents.flatMap(({ from, body }) => {
    const rewritten = rewriteManifest(body)
    if (rewritten.say === 'refused') faults.push(...rewritten.problems.map(({ at, message }) => `${from}: ${at}: ${message}`))
    if (rewritten.say !== 'changed') return itemsOf(body).map((each) => ({ from, body: each }))
    const written = itemsOf(body)
    return itemsOf(rewritten.manifest).map((each, i) => ({ from, body: each, literal: written[i] ?? {} }))
  })
  if (faults.length > 0) throw new CliError(1, `nothing was sent\n  ${faults.join('\n  ')}`)
  return manifests
}

async function readTexts(file: string, { stdin }: Context): Promise<{ readonly from: string; readonly text: string }[]> {
  if (file === '-') {
    const pieces: Buffer[] = []
    for await (const piece of stdin) pieces.push(Buffer.from(piece))
    return [{ from: 'standard input', text: Buffer.concat(pieces).toString() }]
  }
  const found = await stat(file).catch(() => undefined)
  if (found === undefined) throw new CliError(1, `there is no file ${file}`)
  if (!found.isDirectory()) return [{ from: file, text: await readFile(file, 'utf8') }]
  const names = (await readdir(file)).filter((name) => /\.(ya?ml|json)$/.test(name)).sort()
  if (names.length === 0) throw new CliError(1, `the folder ${file} holds no .yaml, .yml or .json file`)
  return Promise.all(names.map(async (name) => ({ from: join(file, name), text: await readFile(join(file, name), 'utf8') })))
}

/** JSON is YAML. Empty documents, as a trailing `---` makes them, are nothing. */
function documentsIn(from: string, text: string): Manifest[] {
  const documents = parseAllDocuments(text, { uniqueKeys: true })
  if (!Array.isArray(documents)) return []
  return documents.flatMap((document, i) => {
    const name = documents.length === 1 ? from : `${from} (document ${i + 1})`
    const [problem] = document.errors
    if (problem !== undefined) throw new CliError(1, `${name} is not YAML: ${problem.message.split('\n')[0]}`)
    const body = document.toJS({ maxAliasCount: 100 }) as unknown
    if (body === null || body === undefined) return []
    if (typeof body !== 'object' || Array.isArray(body)) throw new CliError(1, `${name} is no object of a kind`)
    return [{ from: name, body: body as Json }]
  })
}

const itemsOf = (body: Json): readonly Json[] => (body['kind'] === 'List' && Array.isArray(body['items']) ? (body['items'] as readonly Json[]) : [body])

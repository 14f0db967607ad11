// What stands in files that somebody names: texts, and the YAML documents in them. JSON is YAML.
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { YamlProblem, yamlIn } from '../../core/yaml.ts'
import { CliError, type Context } from '../context.ts'
import { whyUnreadable } from './unreadable.ts'

export interface NamedText {
  /** The file's name, or `standard input`. */
  readonly from: string
  readonly text: string
}
export interface FileDocument {
  /** `pods.yaml`, or `pods.yaml (document 2)`. */
  readonly from: string
  readonly body: unknown
}

/** Files, folders of them, or `-` for standard input. @throws CliError 1 for what cannot be read, with the reason */
export async function readTexts(files: readonly string[], context: Pick<Context, 'stdin'>): Promise<readonly NamedText[]> {
  const texts: NamedText[] = []
  for (const file of files) texts.push(...(file === '-' ? [await readInput(context)] : await readFileOrFolder(file)))
  return texts
}

async function readInput({ stdin }: Pick<Context, 'stdin'>): Promise<NamedText> {
  const pieces: Buffer[] = []
  for await (const piece of stdin) pieces.push(Buffer.from(piece))
  return { from: 'standard input', text: Buffer.concat(pieces).toString() }
}

async function readFileOrFolder(file: string): Promise<readonly NamedText[]> {
  const found = await stat(file).catch((err: unknown) => unreadable(file, err))
  if (!found.isDirectory()) return [await readOne(file)]
  const names = (await readdir(file).catch((err: unknown) => unreadable(file, err))).filter((name) => /\.(ya?ml|json)$/.test(name)).sort()
  if (names.length === 0) throw new CliError(1, `the folder ${file} holds no .yaml, .yml or .json file`)
  return Promise.all(names.map((name) => readOne(join(file, name))))
}

const readOne = async (file: string): Promise<NamedText> => ({
  from: file,
  text: await readFile(file, 'utf8').catch((err: unknown) => unreadable(file, err)),
})

function unreadable(file: string, err: unknown): never {
  throw new CliError(
    1,
    (err as NodeJS.ErrnoException).code === 'ENOENT' ? `there is no file ${file}` : `${file} cannot be read: ${whyUnreadable(err)}`,
  )
}

/** A file is its owner's own: as much as the owner likes, and no more than ends. */
const bounds = { depth: 64, tokens: 5_000_000, documents: 100_000 }

/** Empty documents, as a trailing `---` makes them, are nothing. @throws CliError 1 */
export function documentsIn({ from, text }: NamedText): readonly FileDocument[] {
  try {
    const values = yamlIn(text, bounds)
    return values
      .map((body, i) => ({ from: values.length === 1 ? from : `${from} (document ${i + 1})`, body }))
      .filter(({ body }) => body !== null && body !== undefined)
  } catch (err) {
    if (!(err instanceof YamlProblem)) throw err
    throw new CliError(1, err.tooLarge ? `${from} is more than is read: ${err.message}` : `${from}: ${err.message}`)
  }
}

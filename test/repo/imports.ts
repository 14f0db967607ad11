import { posix } from 'node:path'
import ts from 'typescript'
import { lineOf, read } from './sources.ts'

export interface Import {
  readonly file: string
  readonly line: number
  /** A path from the root, `node:…`, or the name of a package. */
  readonly target: string
}

/** All imports of a file, types and dynamic ones too. */
export function importsOf(file: string, text = read(file)): Import[] {
  return ts
    .preProcessFile(text, true, true)
    .importedFiles.map(({ fileName, pos }) => ({ file, line: lineOf(text, pos), target: targetOf(file, fileName) }))
}

function targetOf(file: string, name: string): string {
  if (name.startsWith('.')) return posix.join(posix.dirname(file), name)
  if (name.startsWith('node:')) return name
  return name
    .split('/')
    .slice(0, name.startsWith('@') ? 2 : 1)
    .join('/')
}

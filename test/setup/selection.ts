import { globSync } from 'node:fs'
import { matchesGlob, relative, resolve } from 'node:path'
import { groups } from './groups.ts'
import type { Group } from './groups.ts'

/** What the command line of test/run.ts asks for. */
export interface Selection {
  /** Each with the files to run, in the order to run them. */
  readonly groups: readonly SelectedGroup[]
  /** For `node --test`, as they are. */
  readonly flags: readonly string[]
  readonly install: boolean
  readonly twice: boolean
  /** Nothing was named, and not `--all` either: what takes long is left out, and what would have to be built for it. */
  readonly everyday: boolean
}
export interface SelectedGroup {
  readonly group: Group
  readonly files: readonly string[]
  /** Of its files those that are left to `--all`. */
  readonly left: readonly string[]
}

const own = ['--no-install', '--twice', '--all']

/** Words are groups or test files; the files narrow the groups. A group that was not named and has nothing to run is left out. */
export function select(args: readonly string[], root: string): Selection | { readonly unknown: readonly string[] } {
  const all = Object.values(groups).map((group) => ({ group, files: globSync([...group.files], { cwd: root }).sort() }))
  const flags = args.filter((arg) => arg.startsWith('-'))
  const words = args.filter((arg) => !arg.startsWith('-'))
  const named = words.filter((word) => Object.hasOwn(groups, word))
  const only = words.filter((word) => !named.includes(word)).map((word) => relative(root, resolve(word)))
  const unknown = only.filter((file) => !all.some(({ files }) => files.includes(file)))
  if (unknown.length > 0) return { unknown }
  const everyday = words.length === 0 && !flags.includes('--all')
  return {
    groups: all
      .map(({ group, files }) => ({ group, files: files.filter((file) => only.length === 0 || only.includes(file)) }))
      .filter(({ group, files }) => (named.length > 0 ? named.includes(group.name) : files.length > 0))
      .map(({ group, files }) => ({ group, ...(everyday ? everydayOf(group, files) : { files, left: [] }) })),
    flags: flags.filter((flag) => !own.includes(flag)),
    install: !flags.includes('--no-install'),
    twice: flags.includes('--twice'),
    everyday,
  }
}

function everydayOf({ long = [] }: Group, files: readonly string[]): Omit<SelectedGroup, 'group'> {
  const isLong = (file: string): boolean => long.some((glob) => matchesGlob(file, glob))
  return { files: files.filter((file) => !isLong(file)), left: files.filter(isLong) }
}

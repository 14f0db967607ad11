// A program that we are tested against, of the folder that MEGREZ_PEERS names: its build.sh makes one binary.
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { run } from '../../platform/programs/run.ts'

export interface BuildOptions {
  readonly install: boolean
  readonly print: (line: string) => void
}
export type PeerProgram = { readonly path: string } | { readonly missing: string }

/**
 * The program, built where it is not (a minute or two, once), or why it is not there.
 *
 * @param binary its file, where that is called otherwise
 */
export async function peerProgram(name: string, { install, print }: BuildOptions, binary = name): Promise<PeerProgram> {
  const peers = process.env.MEGREZ_PEERS
  if (peers === undefined) return { missing: `${name}: MEGREZ_PEERS names no folder with ${name}/build.sh` }
  const script = join(peers, name, 'build.sh')
  if (!existsSync(script)) return { missing: `${name}: there is no ${script}` }
  const path = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'megrez-peers', binary)
  if (existsSync(path)) return { path }
  if (!install) return { missing: `${name}: not built, and building was declined (bash ${script})` }
  print(`${name}: ${script}`)
  const done = await run('bash', [script, path])
  return done.code === 0 ? { path } : { missing: `${name}: ${done.stderr.trim().split('\n').at(-1) ?? 'build.sh failed'}` }
}

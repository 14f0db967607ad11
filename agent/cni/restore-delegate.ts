// Gives a node back to the cluster's own CNI: its configuration goes where it was, and ours away, with our plugin. Run as a program
// by a pod that ends, where the chart is told that nobody comes after it.
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readConfig, type Config } from '../../platform/config.ts'
import { isOurs, leavingMark, movedSuffix, ourFile, shimName } from './conf.ts'

/** What is there under its old name is newer, and stays. Twice is once. */
export async function restoreDelegate({ cniConf, cniDelegate, cniBin }: Pick<Config, 'cniConf' | 'cniDelegate' | 'cniBin'>): Promise<void> {
  // An agent that still runs takes nothing over meanwhile, nor once ours is gone.
  await mkdir(cniDelegate, { recursive: true })
  await writeFile(join(cniDelegate, leavingMark), '')
  const files = await readdir(cniConf)
  for (const moved of files.filter((file) => file.endsWith(movedSuffix))) {
    const file = moved.slice(0, -movedSuffix.length)
    if (files.includes(file) && !(await isOurs(join(cniConf, file)))) await rm(join(cniConf, moved))
    else await rename(join(cniConf, moved), join(cniConf, file))
    await rm(join(cniDelegate, file), { force: true })
  }
  // Last: until then ours is the first, and the runtime never finds none.
  await rm(join(cniConf, ourFile), { force: true })
  await rm(join(cniBin, shimName), { force: true })
  await rm(join(cniDelegate, leavingMark), { force: true })
}

if (import.meta.main) await restoreDelegate(readConfig(process.env))

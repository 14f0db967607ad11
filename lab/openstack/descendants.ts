import { readFile } from 'node:fs/promises'
import { hasCode } from '../../platform/programs/errno.ts'

/** A process and all that it and its children have started, as far as they are still there. */
export async function withDescendants(pid: number): Promise<number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '')
  const children = text
    .split(' ')
    .map(Number)
    .filter((each) => each > 0)
  return [pid, ...(await Promise.all(children.map(withDescendants))).flat()]
}

/** kill -9 of all of them, as when the machine's power goes. */
export async function killAll(pid: number): Promise<void> {
  for (const each of await withDescendants(pid))
    try {
      process.kill(each, 'SIGKILL')
    } catch (err) {
      if (!hasCode(err, 'ESRCH')) throw err
    }
}

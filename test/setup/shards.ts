import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const helper = pathToFileURL(join(import.meta.dirname, 'shard.ts')).href

/**
 * Test files that share processes: most of what a small file costs is a Node.js that starts and the code that it loads, some 0.3 s each.
 * Writes `count` programs into `folder`, each of which runs its share one file after the other; every file is a suite of its name, in
 * which its own hooks stay. Gives their paths, for `node --test`.
 */
export async function writeShards(files: readonly string[], { root, folder, count }: ShardOptions): Promise<string[]> {
  const shares = Array.from({ length: Math.min(count, files.length) }, (_, n) => files.filter((_, place) => place % count === n))
  return Promise.all(
    shares.map(async (share, n) => {
      const path = join(folder, `shard-${n + 1}.test.mjs`)
      const suites = share.map((file) => ({ name: file, url: pathToFileURL(join(root, file)).href }))
      await writeFile(path, `import { runSuites } from '${helper}'\nrunSuites(${JSON.stringify(suites)})\n`)
      return path
    }),
  )
}

interface ShardOptions {
  readonly root: string
  readonly folder: string
  readonly count: number
}

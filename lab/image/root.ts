// What the Dockerfile's base brings of a Debian, taken from the machine that we are on: Node.js, and the programs that are asked of
// apt-get there, each with the libraries that its loader looks for. Nothing else is in it.
import { chmod, copyFile, mkdir, realpath, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { must } from '../commands.ts'

/** Of a Debian since 12: what was at the top is a link. */
const links = ['bin', 'lib', 'lib64', 'sbin']
const folders = ['etc', 'tmp', 'var/lib', 'var/tmp', 'run', 'root', 'opt', 'usr/local/bin']
const files: Readonly<Record<string, string>> = {
  'etc/passwd': ['root:x:0:0:root:/root', 'haproxy:x:101:101::/nonexistent', 'nobody:x:65534:65534:nobody:/nonexistent']
    .map((line) => `${line}:/sbin/nologin\n`)
    .join(''),
  'etc/group': 'root:x:0:\nhaproxy:x:101:\nnogroup:x:65534:\n',
  'etc/nsswitch.conf': 'passwd: files\ngroup: files\nhosts: files dns\n',
}

/** Programs by the path that they have in the image. */
export interface Programs {
  readonly [path: string]: string
}

/** Puts them into a folder that is there. */
export async function makeRoot(root: string, programs: Programs): Promise<void> {
  for (const name of links) {
    await mkdir(join(root, 'usr', name), { recursive: true })
    await symlink(`usr/${name}`, join(root, name))
  }
  for (const name of folders) await mkdir(join(root, name), { recursive: true })
  await symlink('/run', join(root, 'var/run'))
  for (const name of ['tmp', 'var/tmp']) await chmod(join(root, name), 0o1777)
  for (const [name, text] of Object.entries(files)) await writeFile(join(root, name), text)
  for (const [path, from] of Object.entries(programs)) await put(root, path, from)
  for (const library of await librariesOf(Object.values(programs))) await put(root, library, library)
}

async function put(root: string, path: string, from: string): Promise<void> {
  const to = join(root, path)
  await mkdir(dirname(to), { recursive: true })
  await copyFile(await realpath(from), to)
  await chmod(to, 0o755)
}

/** Paths of all that the loader would load with them, itself included; @throws Error where one is not found */
export async function librariesOf(programs: readonly string[]): Promise<readonly string[]> {
  const listings = await Promise.all(programs.map((program) => must('ldd', [program])))
  const lacking = listings.flatMap((text) => [...text.matchAll(/^\s*(\S+) => not found/gm)].map(([, name]) => name!))
  if (lacking.length > 0) throw new Error(`the loader does not find ${lacking.join(', ')}`)
  return [...new Set(listings.flatMap((text) => [...text.matchAll(/^\s*(?:\S+ => )?(\/\S+) \(0x/gm)].map(([, path]) => path!)))].sort()
}

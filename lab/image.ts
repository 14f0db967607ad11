// Megrez as an image, without a Docker: the Dockerfile's files over the files of its base, in two layers. The lower one, 246 MiB with
// Node.js and the packages, is made once and kept in the cache; the upper one is what changes with each commit.
import { createHash, type Hash } from 'node:crypto'
import { mkdir, readdir, readFile, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { cached } from '../platform/programs/cache.ts'
import { onPath } from '../platform/programs/debian.ts'
import { must } from './commands.ts'
import { assemble, type Image } from './image/dockerfile.ts'
import { librariesOf, makeRoot, type Programs } from './image/root.ts'
import { layOut, type Begin } from './images.ts'

/** The host part keeps containerd from completing the name and pulling. */
export const megrezImage = { repository: 'localhost/megrez', tag: 'lab' }

const root = resolve(import.meta.dirname, '..')
const layerFile = 'ground.tar'
/** Debian's packages, and what is wanted of them. */
const programsOf: Readonly<Record<string, readonly string[]>> = {
  iproute2: ['ip'],
  nftables: ['nft'],
  bird2: ['bird', 'birdc'],
  // With what the base has, and it is started by.
  haproxy: ['haproxy', 'setpriv', 'nsenter', 'sh'],
}
/** Besides the programs: what the lower layer is made of. */
const baseFrom = ['Dockerfile', 'package-lock.json', 'agent/native', 'platform/programs', 'core/errors.ts', 'lab/image', 'lab/image.ts']

/**
 * Lays the image out in a folder that is not there yet: a tar of it is what `ctr images import` takes.
 *
 * @throws Error where a program or a library of the image is not on this machine
 */
export async function makeMegrezImage(folder: string, name: string): Promise<void> {
  await mkdir(folder)
  const sources = join(folder, 'sources')
  await mkdir(sources)
  const image = assemble(sources, 'sources')
  const base = await baseLayer(image.packages)
  const upper = join(folder, 'sources.tar')
  await pack(image.folder, upper)
  await layOut(join(folder, 'layout'), name, [{ tar: await readFile(base) }, { tar: await readFile(upper) }], beginOf(image))
}

const beginOf = ({ env, workdir, user }: Image): Begin => ({
  Env: [
    'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    ...Object.entries(env).map(([name, value]) => `${name}=${value}`),
  ],
  WorkingDir: workdir,
  User: user,
  Cmd: ['node', 'bin/megrez.mjs', '--help'],
})

async function baseLayer(packages: readonly string[]): Promise<string> {
  const programs = programsOfIt(packages)
  const folder = await cached(`image-ground-${await baseKey(programs)}`, async (half) => {
    const image = assemble(await made(join(half, 'stages')), 'ground')
    await makeRoot(image.folder, programs)
    await pack(image.folder, join(half, layerFile))
    // What it was made from is not needed again; the rest of the folder goes with its being renamed.
    await must('rm', ['-r', join(half, 'stages')])
  })
  return join(folder, layerFile)
}

async function made(folder: string): Promise<string> {
  await mkdir(folder)
  return folder
}

function programsOfIt(packages: readonly string[]): Programs {
  const programs = packages.flatMap((name) => {
    const wanted = programsOf[name]
    if (wanted === undefined) throw new Error(`the Dockerfile asks for ${name}: what of it is wanted is not known here`)
    return wanted.map((program) => {
      const path = onPath(program)
      if (path === undefined) throw new Error(`the Dockerfile asks for ${name}: ${program} is not on PATH`)
      return [`usr/sbin/${program}`, path] as const
    })
  })
  return { 'usr/local/bin/node': process.execPath, ...Object.fromEntries(programs) }
}

/** Same tree, same bytes. */
const pack = (folder: string, to: string): Promise<string> =>
  must('tar', ['-C', folder, '--sort=name', '--mtime=@0', '--owner=0', '--group=0', '--numeric-owner', '--mode=a+rX,go-w', '-cf', to, '.'])

/** Of what the lower layer is made of: our files by their content, the machine's programs by their size and time. */
async function baseKey(programs: Programs): Promise<string> {
  const hash = createHash('sha256').update(process.version)
  for (const path of baseFrom) await takeIn(hash, path)
  const files = Object.values(programs)
  for (const path of [...files, ...(await librariesOf(files))]) {
    const { size, mtimeMs } = await stat(path)
    hash.update(`${path} ${size} ${mtimeMs}\0`)
  }
  return hash.digest('hex').slice(0, 16)
}

async function takeIn(hash: Hash, path: string): Promise<void> {
  const full = join(root, path)
  if (!(await stat(full)).isDirectory()) return void hash.update(`${path}\0`).update(await readFile(full))
  for (const name of (await readdir(full)).sort()) await takeIn(hash, join(path, name))
}

// The image as its users make it: the Dockerfile built by buildah, without a daemon and without a registry of images. Its base is made
// from the distribution, with the Node.js that runs us and an npm beside it, as `node:24-bookworm-slim` has them.
import { createHash } from 'node:crypto'
import { chmod, copyFile, mkdir, rm, symlink, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { cached } from '../../platform/programs/cache.ts'
import { installPackages, onPath } from '../../platform/programs/debian.ts'
import { run } from '../../platform/programs/run.ts'
import { must } from '../commands.ts'

const root = resolve(import.meta.dirname, '../..')
const packages = ['buildah', 'mmdebstrap']
/** As the Dockerfile's ARG names it, and where it is the base of its first stage. */
const base = 'localhost/node:24-bookworm-slim'
const npmMajor = 11
/** What of npm's settings the build needs to reach its registry, wherever this machine has them from. */
const npmSettings = ['registry', 'cafile', 'proxy', 'https-proxy', 'strict-ssl'] as const

/** Why no image can be built here, if so. */
export async function buildahMissing({
  install,
  print,
}: {
  readonly install: boolean
  readonly print: (line: string) => void
}): Promise<string | undefined> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'buildah: builds images by root on Linux alone here'
  const lacking = (): string[] => packages.filter((name) => onPath(name) === undefined)
  if (lacking().length === 0) return undefined
  const why = install ? await installPackages(lacking(), print) : 'it is not there, and installing it was declined'
  return lacking().length === 0 ? undefined : `${lacking().join(', ')}: ${why ?? 'installed, yet not found'}`
}

/**
 * Builds the image, and lays it out as `layout` in a folder that is not there yet: a tar of it is what `ctr images import` takes. Some
 * two minutes, and once more half a minute for the base.
 *
 * @param name with its tag
 * @throws Error with what buildah said
 */
export async function buildImage(folder: string, name: string): Promise<void> {
  await mkdir(folder)
  const made = await baseFolder()
  const home = join(folder, 'buildah')
  const buildah = (...args: readonly string[]): Promise<string> =>
    must('buildah', ['--root', join(home, 'store'), '--runroot', join(home, 'run'), '--storage-driver', 'overlay', ...args])
  try {
    const container = (await buildah('from', 'scratch')).trim()
    await buildah('add', '-q', container, join(made, 'debian.tar'), '/')
    await buildah('add', '-q', container, join(made, 'node'), '/')
    await buildah('config', '--cmd', 'node', container)
    await buildah('commit', '-q', '--rm', container, base)
    await buildah(
      'build',
      '--isolation',
      'chroot',
      '--pull-never',
      '--build-arg',
      `NODE=${base}`,
      ...(await npmVolumes(folder)),
      '-t',
      name,
      '-f',
      join(root, 'Dockerfile'),
      root,
    )
    await buildah('push', '-q', name, `oci:${join(folder, 'layout')}:${name}`)
  } finally {
    await buildah('rmi', '--all', '--force').catch(() => undefined)
    await rm(home, { recursive: true, force: true })
  }
}

/** Debian without more than it needs, and what goes over it; nothing in it is of this machine but the program `node`. */
async function baseFolder(): Promise<string> {
  const key = createHash('sha256').update(`bookworm ${process.version} ${npmMajor}`).digest('hex').slice(0, 16)
  return cached(`image-base-${key}`, async (half) => {
    await must('mmdebstrap', ['--quiet', '--variant=minbase', '--mode=root', 'bookworm', join(half, 'debian.tar')])
    const local = join(half, 'node/usr/local')
    const npm = join(local, 'lib/node_modules/npm')
    for (const each of ['bin', 'etc', 'lib/node_modules/npm']) await mkdir(join(local, each), { recursive: true })
    await copyFile(process.execPath, join(local, 'bin/node'))
    await chmod(join(local, 'bin/node'), 0o755)
    const packed = await must('npm', ['pack', '--silent', '--pack-destination', half, `npm@${npmMajor}`])
    await must('tar', ['-C', npm, '--strip-components=1', '--no-same-owner', '-xf', join(half, packed.trim())])
    await symlink('../lib/node_modules/npm/bin/npm-cli.js', join(local, 'bin/npm'))
  })
}

/** Mounted while the image is built, so that it has none of them. */
async function npmVolumes(folder: string): Promise<readonly string[]> {
  const values = await Promise.all(
    npmSettings.map(async (name) => [name, (await run('npm', ['config', 'get', name])).stdout.trim()] as const),
  )
  const set = values.filter(([, value]) => value !== '' && value !== 'null' && value !== 'undefined')
  const file = join(folder, 'npmrc')
  await writeFile(file, set.map(([name, value]) => `${name}=${value}\n`).join(''))
  const authorities = set.find(([name]) => name === 'cafile')?.[1]
  return [`${file}:/usr/local/etc/npmrc:ro`, ...(authorities === undefined ? [] : [`${authorities}:${authorities}:ro`])].flatMap((each) => [
    '--volume',
    each,
  ])
}

// Images made from the machine's own busybox, so that no registry is asked (OCI image layout 1.0).
import { createHash } from 'node:crypto'
import { copyFile, mkdir, symlink, writeFile, chmod, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { must } from './commands.ts'

/** What containers of a lab run. The host part keeps containerd from completing the name and pulling. */
export const busyboxImage = 'localhost/busybox:1'
export const pauseImage = 'localhost/pause:1'

const applets = [
  'sh',
  'sleep',
  'ip',
  'ping',
  'arping',
  'nc',
  'wget',
  'nslookup',
  'httpd',
  'cat',
  'ls',
  'ifconfig',
  'echo',
  'true',
  'kill',
  'seq',
  'xargs',
  'timeout',
]

/** @returns tar files to import */
export async function makeImages(folder: string, busybox: string): Promise<readonly string[]> {
  const root = join(folder, 'root')
  for (const name of ['bin', 'etc', 'tmp']) await mkdir(join(root, name), { recursive: true })
  await copyFile(busybox, join(root, 'bin/busybox'))
  await chmod(join(root, 'bin/busybox'), 0o755)
  for (const applet of applets) await symlink('busybox', join(root, 'bin', applet))
  await writeFile(join(root, 'etc/passwd'), 'root:x:0:0:root:/:/bin/sh\n')
  const layer = join(folder, 'layer.tar')
  await must('tar', ['-C', root, '-cf', layer, '.'])
  const tar = await readFile(layer)
  const layers = { tar, gzip: gzipSync(tar, { level: 1 }) }
  return [
    await makeImage(join(folder, 'busybox'), busyboxImage, layers, { Cmd: ['sh'] }),
    await makeImage(join(folder, 'pause'), pauseImage, layers, { Entrypoint: ['/bin/sleep', '2147483647'] }),
  ]
}

/** One layer of an image: its tar, and the same packed, where packing is worth its while. */
export interface Layer {
  readonly tar: Buffer
  readonly gzip?: Buffer
}

/** What a container begins with (OCI image configuration 1.0). */
export interface Begin {
  readonly Env?: readonly string[]
  readonly Cmd?: readonly string[]
  readonly Entrypoint?: readonly string[]
  readonly User?: string
  readonly WorkingDir?: string
}

async function makeImage(folder: string, tag: string, layer: Layer, config: Begin): Promise<string> {
  await layOut(folder, tag, [layer], { Env: ['PATH=/bin'], ...config })
  await must('tar', ['-C', folder, '-cf', `${folder}.tar`, '.'])
  return `${folder}.tar`
}

/** Writes the files of an image; the lowest layer first. */
export async function layOut(folder: string, tag: string, from: readonly Layer[], config: Begin): Promise<void> {
  await mkdir(join(folder, 'blobs/sha256'), { recursive: true })
  const put = async (mediaType: string, bytes: Buffer): Promise<object> => {
    const digest = sha256(bytes)
    await writeFile(join(folder, 'blobs/sha256', digest), bytes)
    return { mediaType: `application/vnd.oci.image.${mediaType}`, digest: `sha256:${digest}`, size: bytes.length }
  }
  const json = (value: object): Buffer => Buffer.from(JSON.stringify(value))
  const architecture = process.arch === 'x64' ? 'amd64' : process.arch
  const image = { architecture, os: 'linux', config, rootfs: { type: 'layers', diff_ids: from.map(({ tar }) => `sha256:${sha256(tar)}`) } }
  const layers = await Promise.all(
    from.map(({ tar, gzip }) => (gzip === undefined ? put('layer.v1.tar', tar) : put('layer.v1.tar+gzip', gzip))),
  )
  const manifest = await put(
    'manifest.v1+json',
    json({
      schemaVersion: 2,
      mediaType: 'application/vnd.oci.image.manifest.v1+json',
      config: await put('config.v1+json', json(image)),
      layers,
    }),
  )
  const annotations = { 'io.containerd.image.name': tag, 'org.opencontainers.image.ref.name': tag.split(':').at(-1) }
  await writeFile(join(folder, 'index.json'), json({ schemaVersion: 2, manifests: [{ ...manifest, annotations }] }))
  await writeFile(join(folder, 'oci-layout'), json({ imageLayoutVersion: '1.0.0' }))
}

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

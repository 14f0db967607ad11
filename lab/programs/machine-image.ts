// What a small virtual machine starts from: the distribution's kernel for clouds, which is taken out of its package and not installed, and
// an initial file system of BusyBox. Its init lays the drivers of a virtio NIC, and then does what it reads from its serial console.
import { chmod, copyFile, mkdir, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { cached } from '../../platform/programs/cache.ts'
import { installPackages, onPath } from '../../platform/programs/debian.ts'
import { run } from '../../platform/programs/run.ts'
import { must } from '../namespaces.ts'

export interface MachineImage {
  readonly kernel: string
  readonly initrd: string
}

const needed: Readonly<Record<string, string>> = {
  'qemu-system-x86_64': 'qemu-system-x86',
  busybox: 'busybox-static',
  cpio: 'cpio',
}
const missing = (): string[] => Object.keys(needed).filter((program) => onPath(program) === undefined)

/** In the order in which each finds what it needs. */
const drivers = [
  'virtio/virtio_ring',
  'virtio/virtio',
  'virtio/virtio_pci_legacy_dev',
  'virtio/virtio_pci_modern_dev',
  'virtio/virtio_pci',
  'net/core/failover',
  'net/net_failover',
  'net/virtio_net',
]
/** What is not a device driver lies elsewhere in the kernel's tree. */
const driverFile = (driver: string): string => (driver.startsWith('net/core/') ? driver : `drivers/${driver}`)

const applets = ['sh', 'mount', 'insmod', 'ip', 'udhcpc', 'ping', 'stty', 'cat', 'sleep', 'arping', 'nc']

/** A DHCP client's script (udhcpc of BusyBox): it does as it is told. */
const lease = `#!/bin/sh
[ "$1" = bound ] || [ "$1" = renew ] || exit 0
ip link set $interface mtu $\{mtu:-1500}
ip addr flush dev $interface scope global
ip addr add $ip/$mask dev $interface
set -- $staticroutes
while [ $# -gt 1 ]; do
  [ $2 = 0.0.0.0 ] && ip route replace $1 dev $interface || ip route replace $1 via $2
  shift 2
done
[ -n "$staticroutes" ] || for each in $router; do ip route replace default via $each; done
`

/** The end of each answer is a line of its own, with what the command ended with. */
const init = `#!/bin/sh
mount -t proc none /proc
mount -t sysfs none /sys
mount -t devtmpfs none /dev
for each in ${drivers.map((driver) => driver.split('/').at(-1)).join(' ')}; do insmod /$each.ko; done
stty -echo -onlcr </dev/ttyS0
exec </dev/ttyS0 >/dev/ttyS0 2>&1
echo up: 0
while read -r line; do
  eval "$line"
  echo "up: $?"
done
`

/** Built once (seconds, and the 27 MB of a package). @returns a sentence where it cannot be had here */
export async function machineImage({
  install,
  print,
}: {
  readonly install: boolean
  readonly print: (line: string) => void
}): Promise<MachineImage | { readonly missing: string }> {
  if (process.arch !== 'x64') return { missing: 'qemu: the machines of the lab are x86-64' }
  const why = missing().length > 0 && install ? await installPackages([...new Set(Object.values(needed))], print) : undefined
  if (missing().length > 0) return { missing: `qemu: ${missing().join(', ')}: ${why ?? 'not on PATH, and installing was declined'}` }
  try {
    const folder = await cached('machine-image-2', (half) => build(half, install))
    return { kernel: join(folder, 'vmlinuz'), initrd: join(folder, 'initrd') }
  } catch (err) {
    return { missing: `qemu: no kernel for its machines: ${(err as Error).message}` }
  }
}

async function build(half: string, mayFetch: boolean): Promise<void> {
  if (!mayFetch) throw new Error('it is not there, and fetching it was declined')
  const [root, tree] = [join(half, 'root'), join(half, 'tree')]
  await must('sh', '-c', `cd '${half}' && apt-get download "$(${kernelPackage})" && dpkg-deb -x linux-image-*.deb tree`)
  const [kernel = ''] = (await readdir(join(tree, 'boot'))).filter((file) => file.startsWith('vmlinuz-'))
  const modules = join(tree, 'lib/modules', kernel.slice('vmlinuz-'.length), 'kernel')
  for (const folder of ['bin', 'proc', 'sys', 'dev']) await mkdir(join(root, folder), { recursive: true })
  await copyFile(onPath('busybox')!, join(root, 'bin/busybox'))
  for (const applet of applets) await symlink('busybox', join(root, 'bin', applet))
  for (const driver of drivers) await copyFile(join(modules, `${driverFile(driver)}.ko`), join(root, `${driver.split('/').at(-1)}.ko`))
  for (const [file, text] of [
    ['init', init],
    ['lease', lease],
  ] as const) {
    await writeFile(join(root, file), text)
    await chmod(join(root, file), 0o755)
  }
  await must('sh', '-c', `cd '${root}' && find . | cpio --quiet -o -H newc | gzip -1 >'${join(half, 'initrd')}'`)
  await copyFile(join(tree, 'boot', kernel), join(half, 'vmlinuz'))
  for (const done of [root, tree]) await rm(done, { recursive: true })
  await run('sh', ['-c', `rm -f '${half}'/linux-image-*.deb`])
}

/** The one that the distribution's package of no version stands for. */
const kernelPackage = "apt-cache depends linux-image-cloud-amd64 | sed -n 's/.*Depends: //p' | head -n 1"

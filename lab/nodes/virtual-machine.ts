// A virtual machine on a node of the lab: qemu opens TAPs that are there already, and its guest does what it is told over its serial line.
import { chown, copyFile, mkdtemp, rm } from 'node:fs/promises'
import { createConnection, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { until } from '../../platform/programs/until.ts'
import type { Lab } from '../lab.ts'
import type { Namespace } from '../namespaces.ts'
import { openMonitor } from './qmp.ts'
import type { MachineImage } from '../programs/machine-image.ts'

export interface MachineNic {
  /** On the node. */
  readonly tap: string
  /** The guest's. */
  readonly mac: string
  /** That qemu opens of the TAP; one, if absent. */
  readonly queues?: number
}
export interface MachineOptions {
  readonly image: MachineImage
  /** The node's. */
  readonly namespace: Namespace
  /** It ends no later than that. */
  readonly lab: Lab
  readonly name: string
  /** eth0, eth1 and so on, in the guest. */
  readonly nics: readonly MachineNic[]
  /** Who qemu runs as, without any capability; root, if absent. */
  readonly user?: number
}

export interface VirtualMachine {
  /** One line of shell in the guest. */
  exec(line: string, withinMs?: number): Promise<{ readonly code: number; readonly output: string }>
  /** One more NIC, while it runs: two at most. */
  plug(nic: MachineNic): Promise<void>
  /** Takes it away again: the guest has let go of it by then. */
  unplug(nic: MachineNic): Promise<void>
  /** Power off, without asking the guest. */
  stop(): Promise<void>
}

/** TCG: this has to come up on machines that are virtual themselves. */
const bootMs = 60_000

/** Resolves once the guest listens. */
export async function bootMachine({ image, namespace, lab, name, nics, user }: MachineOptions): Promise<VirtualMachine> {
  const sockets = user === undefined ? lab.folder : await folderOf(user, name, image)
  const { kernel, initrd } = user === undefined ? image : imageIn(sockets)
  const [socket, monitorSocket] = [join(sockets, `${name}.serial`), join(sockets, `${name}.qmp`)]
  const as = user === undefined ? [] : ['setpriv', `--reuid=${user}`, `--regid=${user}`, '--clear-groups', '--inh-caps=-all']
  // A guest takes no more queues than it has processors.
  const processors = Math.max(1, ...nics.map(({ queues = 1 }) => queues))
  const machine = `-nodefaults -no-user-config -accel tcg -cpu max -machine q35 -m 128 -smp ${processors} -display none`.split(' ')
  const kept = await lab.start(
    'ip',
    [
      ...['netns', 'exec', namespace.name, ...as, 'qemu-system-x86_64', ...machine],
      ...['-serial', `unix:${socket},server=on,wait=on`],
      ...['-kernel', kernel, '-initrd', initrd, '-append', 'console=ttyS0 quiet panic=-1'],
      ...['-qmp', `unix:${monitorSocket},server=on,wait=off`],
      ...hotSlots.flatMap((slot, i) => ['-device', `pcie-root-port,id=${slot},chassis=${i + 1},slot=${i + 1}`]),
      ...nics.flatMap(nicArgs),
    ],
    { log: name },
  )
  let ended: number | undefined
  void kept.ended.then((code) => (ended = code))
  const serial = await connected(socket, () => ended)
  void kept.ended.then(() => serial.destroy())
  let console = ''
  serial.on('data', (chunk: Buffer) => (console += chunk.toString()))
  serial.on('error', () => undefined)
  const answered = async (what: string, withinMs: number): Promise<{ readonly code: number; readonly output: string }> => {
    const end = /(?:^|\n)up: (\d+)\r?\n/
    await until(
      () => ended !== undefined || end.test(console),
      `the guest ${name} ${what}; its console: ${console.slice(-2_000)}`,
      withinMs,
    )
    const found = end.exec(console)
    if (found === null) throw new Error(`qemu of ${name} ended with ${ended}`)
    const output = console.slice(0, found.index).replaceAll('\r', '')
    console = console.slice(found.index + found[0].length)
    return { code: Number(found[1]), output }
  }
  await answered('is up', bootMs)
  const monitorEnd = await connected(monitorSocket, () => ended)
  void kept.ended.then(() => monitorEnd.destroy())
  const monitor = await openMonitor(monitorEnd)
  const slots = new Map<string, string>()
  return {
    exec(line, withinMs = 30_000) {
      serial.write(`${line}\n`)
      return answered(`has done ${line}`, withinMs)
    },
    async plug({ tap, mac }) {
      const bus = hotSlots.find((slot) => ![...slots.values()].includes(slot))
      await monitor.execute('netdev_add', { type: 'tap', id: tap, ifname: tap, script: 'no', downscript: 'no' })
      await monitor.execute('device_add', {
        driver: 'virtio-net-pci',
        id: `nic-${tap}`,
        netdev: tap,
        mac,
        bus,
        ...offloadsOff,
        romfile: '',
      })
      if (bus !== undefined) slots.set(tap, bus)
    },
    async unplug({ tap }) {
      await monitor.execute('device_del', { id: `nic-${tap}` })
      await monitor.told('DEVICE_DELETED', ({ device }) => device === `nic-${tap}`)
      await monitor.execute('netdev_del', { id: tap })
      slots.delete(tap)
    },
    async stop() {
      await kept.stop()
      if (user !== undefined) await rm(sockets, { recursive: true, force: true })
    },
  }
}

/** Where a NIC may be plugged in while it runs. */
const hotSlots: readonly string[] = ['hot0', 'hot1']
const offloadsOff = { csum: false, guest_csum: false, gso: false }

/**
 * A guest that leaves checksums to its device relies on what is behind the TAP: Open vSwitch in user space does not fill them in.
 */
function nicArgs({ tap, mac, queues = 1 }: MachineNic, i: number): readonly string[] {
  const several = queues > 1
  return [
    ...['-netdev', `tap,id=n${i},ifname=${tap},script=no,downscript=no${several ? `,queues=${queues},vhost=off` : ''}`],
    // A vector for each way of each queue, and two more (`vectors` of virtio-net-pci).
    ...[
      '-device',
      `virtio-net-pci,netdev=n${i},mac=${mac},csum=off,guest_csum=off,gso=off,romfile=${several ? `,mq=on,vectors=${2 * queues + 2}` : ''}`,
    ],
  ]
}

const imageIn = (folder: string): MachineImage => ({ kernel: join(folder, 'vmlinuz'), initrd: join(folder, 'initrd') })

/** A folder of its own, with the image: in the lab's it may make no sockets, and the cache is root's. */
async function folderOf(user: number, name: string, image: MachineImage): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), `${name}-`))
  const { kernel, initrd } = imageIn(folder)
  await Promise.all([copyFile(image.kernel, kernel), copyFile(image.initrd, initrd)])
  for (const path of [kernel, initrd, folder]) await chown(path, user, user)
  return folder
}

/** @throws Error where qemu has ended */
async function connected(path: string, ended: () => number | undefined): Promise<Socket> {
  let socket: Socket | undefined
  await until(async () => {
    if (ended() !== undefined) return true
    socket = await new Promise<Socket>((resolve, reject) => {
      const attempt = createConnection(path)
      attempt.once('connect', () => resolve(attempt))
      attempt.once('error', reject)
    })
    return true
  }, `qemu listens at ${path}`)
  if (socket === undefined) throw new Error(`qemu ended with ${ended()}`)
  return socket
}

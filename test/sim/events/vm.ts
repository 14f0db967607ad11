// VMs that have TAPs on nodes, and hypervisors that move them: they read what the Port says, let the VM go on at the TAP that waits there,
// or give it up.
import type { Resource } from '../../../core/kinds/index.ts'
import { macBytes } from '../../../core/wire/netlink/bytes.ts'
import type { Dice } from '../dice.ts'
import { happeningKind, type HappeningKind, type World } from '../happening.ts'
import { addresses, namespaces, nodeNames, subnetNames } from '../layout.ts'
import { kill } from './kill.ts'
import { cutOff, silentNode } from './node.ts'

interface Named {
  readonly namespace: string
  readonly name: string
}
interface VmRequest extends Named {
  readonly subnet: string
  readonly node: string
  readonly ips?: string[]
}
interface Move extends Named {
  readonly to: string
  /** After so many milliseconds its hypervisor goes on, as soon as a TAP waits for it, or gives it up; absent: it never does either. */
  readonly afterMs?: number
  /** taken back: by its owner, who does not ask whether the VM runs there already. */
  readonly ends: 'there' | 'given up' | 'taken back'
}

/** Those that take Ports without a pod. */
export const vmNodes = nodeNames.slice(0, 2)
export const vmNames = ['vm1', 'vm2'] as const
/** How long a hypervisor waits for a TAP, and how often it looks. */
const patienceMs = 25_000
const pollMs = 400
/** By then its node has it as any other. */
const settledMs = 5_000
/** A guest is never quiet for longer. */
const speakMs = 1_500

const named = (dice: Dice): Named => ({ namespace: dice.mostly(namespaces), name: dice.pick(vmNames) })
const ownerOf = ({ namespace }: Named): string => `operator:${namespace}`

export const createVm = happeningKind<VmRequest>({
  name: 'create-vm',
  fault: false,
  weight: 10,
  draw: (dice) => ({
    ...named(dice),
    subnet: dice.mostly(subnetNames),
    node: dice.pick(vmNodes),
    ...(dice.chance(0.3) && { ips: [dice.pick(addresses)] }),
  }),
  run({ namespace, name, ...spec }, { outside }) {
    const draft = { kind: 'Port', metadata: { namespace, name }, spec: { ...spec, type: 'tap' } } as const
    outside.spawn('create-vm', () => outside.create(draft, ownerOf({ namespace, name })))
  },
})

export const deleteVm = happeningKind<Named>({
  name: 'delete-vm',
  fault: false,
  weight: 2,
  draw: named,
  run: (vm, { outside }) => outside.spawn('delete-vm', () => outside.remove({ kind: 'Port', ...vm }, ownerOf(vm))),
})

export const moveVm = happeningKind<Move>({
  name: 'move-vm',
  fault: false,
  weight: 16,
  draw: (dice) => ({
    ...named(dice),
    to: dice.chance(0.05) ? nodeNames[2] : dice.pick(vmNodes),
    ...(dice.chance(0.9) && { afterMs: dice.between(0, 4_000) }),
    ends: dice.pick(['there', 'there', 'there', 'given up', 'taken back'] as const),
  }),
  run({ to, afterMs, ends, ...vm }, world) {
    const { outside, site } = world
    outside.spawn('move-vm', () => setMove(vm, to, world))
    if (afterMs === undefined) return
    site.scheduler.after(afterMs, `the hypervisor of ${vm.namespace}/${vm.name}`, () => {
      if (ends === 'there') return goOn(vm, { to, until: site.scheduler.now + patienceMs }, world)
      if (ends === 'given up') return giveUp(vm, to, world)
      outside.spawn('take-back-move', () => setMove(vm, undefined, world))
    })
  },
})

/** @param to undefined: nowhere */
function setMove(vm: Named, to: string | undefined, { outside }: World): Promise<unknown> {
  return outside.edit({ kind: 'Port', ...vm }, ownerOf(vm), (port) => {
    const { migratingTo: _, ...spec } = port.spec
    return { ...port, spec: { ...spec, ...(to !== undefined && { migratingTo: to }) } }
  })
}

/** Not once the VM runs there. */
function giveUp(vm: Named, to: string, world: World): void {
  const port = portOf(vm, world)
  if (port?.spec.migratingTo === to && world.machines.vms.aheadOf(port.metadata.uid) === undefined)
    world.outside.spawn('give-up-move', () => setMove(vm, undefined, world))
}

const portOf = ({ namespace, name }: Named, { site: { truth } }: World): Resource<'Port'> | undefined =>
  truth.at('Port', `${namespace}/${name}`)

interface Going {
  readonly to: string
  readonly until: number
}

/** As soon as the Port says that a TAP waits there, and it does, and the VM runs where it was. */
function goOn(vm: Named, going: Going, world: World): void {
  const { site, machines } = world
  const port = portOf(vm, world)
  if (port?.spec.migratingTo !== going.to) return
  const { migration } = port.status ?? {}
  const waits = migration?.node === going.to && migration.tap !== undefined && machines.of(going.to).links.there.has(migration.tap)
  if (waits && machines.vms.aheadOf(port.metadata.uid) === undefined) {
    machines.vms.goTo(port.metadata.uid, going.to)
    return speak(port, { ...going, boot: machines.of(going.to).boot }, world)
  }
  if (site.scheduler.now < going.until) return void site.scheduler.after(pollMs, 'a hypervisor looks again', () => goOn(vm, going, world))
  giveUp(vm, going.to, world)
}

/** Until its Port has followed it, or does not any more: then its hypervisor takes it back. */
function speak(began: Resource<'Port'>, going: Going & { readonly boot: number }, world: World): void {
  const { vms } = world.machines
  const { uid, namespace = '', name } = began.metadata
  const machine = world.machines.of(going.to)
  const port = portOf({ namespace, name }, world)
  if (vms.aheadOf(uid) !== going.to || machine.boot !== going.boot) return
  if (port?.metadata.uid !== uid) return vms.settle(uid)
  if (port.spec.node === going.to) return void world.site.scheduler.after(settledMs, 'a VM has moved', () => vms.settle(uid))
  if (port.spec.migratingTo !== going.to) return vms.settle(uid)
  const end = [...machine.links.there.values()].find((each) => each.port.uid === uid)
  if (end !== undefined) {
    vms.speaks(uid, going.to, world.site.scheduler.now)
    world.machines.passes(machine, end.port.ifcName, 'sent', rarp(end.port.mac))
  }
  world.site.scheduler.after(speakMs, `VM ${namespace}/${name} speaks`, () => speak(began, going, world))
}

/** As qemu announces a guest that goes on (RFC 903, request reverse). */
function rarp(mac: string): Uint8Array {
  const own = macBytes(mac)
  const head = [...Array<number>(6).fill(0xff), ...own, 0x80, 0x35, 0, 1, 8, 0, 6, 4, 0, 3, ...own, 0, 0, 0, 0, ...own, 0, 0, 0, 0]
  return Uint8Array.of(...head, ...Array<number>(60 - head.length).fill(0))
}

/** Beside VMs: what goes wrong on their nodes. */
export const ofVms: readonly HappeningKind[] = [createVm, deleteVm, moveVm]
const agentOf = (dice: Dice): string => `agent-${dice.pick(vmNodes)}`
export const faultsOfVms: readonly Pick<HappeningKind, 'name' | 'draw' | 'weight'>[] = [
  { name: kill.name, weight: 6, draw: (dice) => ({ process: agentOf(dice) }) },
  { name: cutOff.name, weight: 4, draw: (dice) => ({ process: agentOf(dice), ms: dice.between(50, 8_000) }) },
  { name: silentNode.name, weight: 1, draw: (dice) => ({ ...silentNode.draw(dice), name: dice.pick(vmNodes) }) },
]

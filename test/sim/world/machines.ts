// The machines behind the Nodes: what is on each outlives its agent, and goes with its power.
import { captureFrom } from '../../../agent/links/capture.ts'
import { memoryLinks, type MemoryLinks } from '../../../agent/links/memory.ts'
import type { Links } from '../../../agent/links/links.ts'
import type { CniReply } from '../../../agent/machine/machine.ts'
import type { Disk } from '../../../agent/ledger/disk.ts'
import { InUse, LinkRefused } from '../../../core/errors.ts'
import type { LocalPort } from '../../../core/node/wanted.ts'
import { neighbourFilter, pulseFilter, voiceFilter } from '../../../core/wire/guest/filter.ts'
import { nodeAddress, nodeNames } from '../layout.ts'
import type { Process } from '../process.ts'
import type { Site } from '../site.ts'
import { Delegate } from './delegate.ts'
import { MemoryDisk } from './disk.ts'
import type { Runtime } from './runtime.ts'
import { planeOf, type Plane, type PlaneOn } from './planes/index.ts'
import type { PlaneName } from './planes/plane.ts'
import { Functions, isPulseAnswer } from './functions.ts'
import { isNeighbourAnswer, isNeighbourQuestion, Neighbours } from './neighbours.ts'
import { KernelNet } from './routing/kernel.ts'
import { SwitchModel } from './switch/model.ts'
import { Vms } from './vms.ts'
import { Wires, type Passing } from './wires.ts'

/** An interface that is there, and where its other end is. */
export interface Wired {
  readonly node: string
  readonly port: LocalPort
  readonly netns: string | undefined
}

export class Machine {
  readonly name: string
  up = false
  /** Its kubelet hears nothing from the API server, and is not heard, until then. */
  cutUntil = 0
  /** Counts its lives: after a boot nothing of the one before is there. */
  boot = 0
  links: MemoryLinks = memoryLinks()
  wires = new Wires()
  readonly plane: Plane
  readonly kernel = new KernelNet()
  disk = new MemoryDisk()
  /** Where the runtime calls, while an agent listens. */
  answer: CniReply | undefined
  /** So many of the next DELs never arrive; the same for ADDs that are made twice. */
  lostDels = 0
  repeatedAdds = 0
  /** After so many milliseconds the runtime waits no longer for the next ADDs. */
  readonly cancelledAdds: number[] = []
  /** Longest that the disk takes beside the way there. */
  diskMs = 0
  /** In so many of the next writes to the ledger its agent is killed, with part of it written. */
  cutLines = 0
  #severed = false
  /** Called as that begins or ends. */
  onSevered: () => void = () => undefined
  #answering: Process | undefined
  /** The process that has the ledger. */
  #ledgerOf: Process | undefined
  delegate = new Delegate()
  /** Sandboxes whose DEL was answered with success. */
  readonly ended = new Set<string>()
  /** Calls of the runtime that it waits for, and when it last did. */
  calls = 0
  calledAt = 0
  /** UID of a pod → the sandbox that it runs in. */
  readonly sandboxes = new Map<string, string>()
  /** Longest that a change of an interface takes beside the way there. */
  linksMs = 0

  constructor(name: string, plane: PlaneName, uplinks?: PlaneOn['uplinks']) {
    this.name = name
    this.plane = planeOf(plane, {
      address: nodeAddress(name),
      hasLink: (ifcName) => this.links.there.has(ifcName) || this.kernel.hasDoor(ifcName),
      kernel: this.kernel,
      uplinks,
    })
  }

  /** Somebody has said that it is gone, and it is not: nobody sends to it, and from it nothing comes. */
  get severed(): boolean {
    return this.#severed
  }

  set severed(is: boolean) {
    this.#severed = is
    this.onSevered()
  }

  /** Its disk as one life of its agent has it: what the dead would write is not written. */
  diskFor(process: Process, onCut: () => void): Disk {
    const { disk } = this
    const passing = async <T>(doing: () => Promise<T>, what: string): Promise<T> => {
      await process.pass(process.way() / 4 + this.diskMs * process.dice.next(), what)
      return doing()
    }
    const cut = async (append: (text: string) => Promise<void>, text: string): Promise<void> => {
      if (this.cutLines === 0) return append(text)
      this.cutLines--
      await append(text.slice(0, process.dice.int(text.length)))
      onCut()
      return new Promise(() => undefined)
    }
    const growing = ({ append, close }: Awaited<ReturnType<Disk['replace']>>): Awaited<ReturnType<Disk['replace']>> => ({
      append: (text) => passing(() => cut(append, text), 'ledger grows'),
      close,
    })
    return {
      read: (path) => passing(() => disk.read(path), 'ledger is read'),
      replace: async (path, text) => growing(await passing(() => disk.replace(path, text), 'ledger is written')),
      resume: async (path, text) => growing(await passing(() => disk.resume(path, text), 'ledger is gone on with')),
      rename: (from, to) => passing(() => disk.rename(from, to), 'ledger is renamed'),
      remove: (path) => passing(() => disk.remove(path), 'ledger is removed'),
      claim: (folder) => passing(() => this.#claimed(folder, process), 'ledger is claimed'),
    }
  }

  /** The last who listens is called. */
  listen(answer: CniReply, process: Process): void {
    this.answer = answer
    this.#answering = process
  }

  hangUp(process: Process): void {
    if (this.#answering === process) this.answer = undefined
  }

  /** By whom lives; the kernel gives back what the dead had. */
  async #claimed(folder: string, process: Process): Promise<() => Promise<void>> {
    if (this.#ledgerOf?.alive === true) throw new InUse({ what: `the ledger in ${folder}`, owner: 'another agent' })
    this.#ledgerOf = process
    return async () => {
      if (this.#ledgerOf === process) this.#ledgerOf = undefined
    }
  }

  powerOn(now: number): void {
    this.up = true
    this.boot++
    if (!this.plane.up) this.plane.begin(now)
  }

  powerOff(now: number): void {
    this.up = false
    this.severed = false
    this.cutUntil = 0
    this.answer = undefined
    this.sandboxes.clear()
    this.ended.clear()
    this.delegate = new Delegate()
    this.plane.powerOff(now)
    this.kernel.clear()
    this.links = memoryLinks()
    this.wires = new Wires()
  }
}

/** Node → its data plane; one that is not named has Open vSwitch. */
export type PlanesOfNodes = Readonly<Record<string, PlaneName>>

interface Furnishing {
  readonly uplinks?: PlaneOn['uplinks']
  /** Pods that carry out functions of chains are asked whether they forward. */
  readonly chains?: boolean
  /** Pods that serve NetworkServices are asked whether they are there. */
  readonly neighbours?: boolean
}

export class Machines {
  readonly all: ReadonlyMap<string, Machine>
  /** Set once kubelets run. */
  runtime: Runtime | undefined
  readonly #site: Site
  readonly vms: Vms
  readonly functions: Functions
  readonly neighbours: Neighbours
  readonly #listeners: ((wired: Wired, there: boolean) => void)[] = []
  readonly #passing: Passing[] = []

  constructor(site: Site, planes: PlanesOfNodes = {}, { uplinks, chains = false, neighbours = false }: Furnishing = {}) {
    this.#site = site
    this.functions = new Functions(chains)
    this.neighbours = new Neighbours(neighbours)
    this.vms = new Vms(site.truth)
    this.all = new Map(nodeNames.map((name) => [name, new Machine(name, planes[name] ?? 'ovs', uplinks)]))
  }

  of(name: string): Machine {
    return this.all.get(name)!
  }

  /** Hears of every interface that comes and goes. */
  on(listener: (wired: Wired, there: boolean) => void): void {
    this.#listeners.push(listener)
  }

  /** Hears of every frame at an interface. */
  onPassing(listener: Passing): void {
    this.#passing.push(listener)
  }

  passes({ wires }: Machine, ...passing: Parameters<Passing>): void {
    wires.pass(...passing)
    for (const listener of this.#passing) listener(...passing)
  }

  /** What frames would do on all of them: no packet is sent. */
  asked<T>(asking: () => T): T {
    const switches = [...this.all.values()].flatMap(({ plane }) => (plane instanceof SwitchModel ? [plane] : []))
    return switches.reduce<() => T>((ask, each) => () => each.asked(ask), asking)()
  }

  powerOff(name: string): void {
    const machine = this.of(name)
    this.vms.die(name)
    for (const { port, inside } of machine.links.there.values()) this.#tell({ node: name, port, netns: inside.netns }, false)
    machine.powerOff(this.#site.scheduler.now)
  }

  /** Its links, as one life of its agent reaches them: each call takes a while, and none is made by the dead. */
  linksFor(machine: Machine, process: Process): Links {
    const { links, wires } = machine
    const { functions, neighbours } = this
    const told = (port: LocalPort, netns: string | undefined, there: boolean): void =>
      this.#tell({ node: machine.name, port, netns }, there)
    return {
      ...links,
      async ensure(port, inside, joinable) {
        await process.pass(process.way() + machine.linksMs * process.dice.next(), `link ${port.ifcName}`)
        const before = links.there.get(port.ifcName)
        const plumbed = await links.ensure(port, inside, joinable)
        // What is in another sandbox is made anew, under the same name.
        if (before !== undefined && before.inside.netns !== inside.netns) {
          wires.gone(port.ifcName)
          machine.plane.unplugged(port.ifcName)
        }
        told(port, inside.netns, true)
        joinable?.()
        await process.pass(process.way(), `link ${port.ifcName} is there`)
        return plumbed
      },
      async remove(ifcName, macvlan) {
        await process.pass(process.way() + machine.linksMs * process.dice.next(), `unlink ${ifcName}`)
        const there = links.there.get(ifcName)
        await links.remove(ifcName, macvlan)
        wires.gone(ifcName)
        if (there === undefined) return
        machine.plane.unplugged(ifcName)
        told(there.port, there.inside.netns, false)
      },
      async list() {
        await process.pass(process.way(), 'list links')
        const list = await links.list()
        await process.pass(process.way(), 'links are listed')
        return list
      },
      async hear(ifcName, filter, onFrame) {
        await process.pass(process.way(), `${ifcName} is listened at`)
        const { port } = links.there.get(ifcName) ?? {}
        if (port === undefined) throw new LinkRefused({ what: `listening at ${ifcName}`, reason: 'No such device' })
        const heard = (frame: Uint8Array | undefined): void =>
          void process.pass(process.way(), `${ifcName} is heard`).then(() => onFrame(frame))
        if (Buffer.from(filter).equals(pulseFilter(port.mac))) {
          functions.asked(port)
          return wires.hear(ifcName, (frame) => (frame === undefined || isPulseAnswer(frame) ? heard(frame) : undefined))
        }
        if (Buffer.from(filter).equals(neighbourFilter(port.mac))) {
          neighbours.asked(port)
          return wires.hear(ifcName, (frame) => (frame === undefined || isNeighbourAnswer(frame) ? heard(frame) : undefined))
        }
        // Guests here ask nobody for an address: nothing that they send is for who answers that.
        if (!Buffer.from(filter).equals(voiceFilter(port.mac))) return { stop: () => undefined }
        return wires.hear(ifcName, (frame) => (frame !== undefined && isAnswer(frame) ? undefined : heard(frame)))
      },
      ...((functions.isThere || neighbours.isThere) && {
        // Every second, or three times in one, to each of them: a step for each would be half of a case.
        async tell(ifcName: string, frame: Uint8Array): Promise<void> {
          const guest = links.there.get(ifcName)
          const asked = isNeighbourQuestion(frame) ? neighbours : functions
          const answer = guest && asked.answerOf(guest, frame, process)
          if (answer !== undefined) wires.say(ifcName, answer)
        },
      }),
      async counters(ifcName) {
        await process.pass(process.way(), `${ifcName} is counted`)
        return links.there.has(ifcName) ? wires.countersOf(ifcName) : undefined
      },
      async capture(ifcName, limits, signal) {
        await process.pass(process.way(), `${ifcName} is captured`)
        if (!links.there.has(ifcName)) throw new LinkRefused({ what: `a capture of ${ifcName}`, reason: 'No such device' })
        return captureFrom(wires.read(ifcName), limits, process.clock, signal)
      },
    }
  }

  #tell(wired: Wired, there: boolean): void {
    this.#site.scheduler.say(wired.node, `${there ? 'wired' : 'unwired'} ${wired.port.ifcName} ${wired.port.addresses.join(',')}`)
    for (const listener of this.#listeners) listener(wired, there)
  }
}

const isAnswer = (frame: Uint8Array): boolean => isPulseAnswer(frame) || isNeighbourAnswer(frame)

// Traffic classes of bessd over the tasks of modules of ours. No call ends a class: one without a task does nothing, and is given to the
// next module that is limited, so that there are no more than were in use at once. A task goes with its module.
// Never: a task moved below a class that is not there, or that has another one already. bessd then frees the task and not its module
// (AttachTc in core/bessctl.cc), and ends when it would run next.
import { burstOf } from '../../../core/graph/policies/limits.ts'
import { limitText } from '../../../core/graph/elements.ts'
import type { Daemon } from './daemon.ts'
import { ourName, ours } from './names.ts'

const resource = 'bit'

interface SeenClass {
  readonly name: string
  readonly bitsPerSecond: number
  readonly burstBits: number
  /** The module whose task is below it. */
  readonly module: string | undefined
}

/** What a role is limited to. */
export interface SeenLimit {
  readonly role: string
  readonly bitsPerSecond: number
  readonly text: string
}

/** Of modules of ours, each with one task. */
export const taskOf = (module: string): string => `!leaf_${module}:0`

/** Ours. */
export class Classes {
  readonly #daemon: Daemon
  readonly #byName: Map<string, SeenClass>

  private constructor(daemon: Daemon, byName: Map<string, SeenClass>) {
    this.#daemon = daemon
    this.#byName = byName
  }

  static async read(daemon: Daemon): Promise<Classes> {
    const all = await daemon.classes()
    const below = new Map(all.flatMap(({ parent, class: its }) => (its?.leafModuleName ? [[parent, its.leafModuleName] as const] : [])))
    const seen = all.flatMap(({ class: its }) => {
      if (its?.name.startsWith(ours) !== true) return []
      const { name, limit, maxBurst } = its
      return [
        [name, { name, bitsPerSecond: limit.get(resource) ?? 0, burstBits: maxBurst.get(resource) ?? 0, module: below.get(name) }] as const,
      ]
    })
    return new Classes(daemon, new Map(seen))
  }

  limits(): readonly SeenLimit[] {
    return [...this.#byName.values()].flatMap(({ module, bitsPerSecond, burstBits }) => {
      const role = roleOf(module)
      if (role === undefined) return []
      // No text that anybody wants: it is put right.
      const wrong = burstBits === burstOf(bitsPerSecond) ? '' : `, ${burstBits} at once`
      return [{ role, bitsPerSecond, text: `${limitText(bitsPerSecond)}${wrong}` }]
    })
  }

  /** @param module one of ours that is there and has a task */
  async limit(module: string, bitsPerSecond: number): Promise<void> {
    const all = [...this.#byName.values()]
    const found = all.find((each) => each.module === module) ?? all.find((each) => each.module === undefined)
    const name = found?.name ?? this.#freeName()
    const burstBits = burstOf(bitsPerSecond)
    const wanted = {
      name,
      policy: 'rate_limit',
      resource,
      limit: new Map([[resource, bitsPerSecond]]),
      maxBurst: new Map([[resource, burstBits]]),
      wid: -1,
    }
    await (found === undefined ? this.#daemon.addClass(wanted) : this.#daemon.setClass(wanted))
    if (found?.module === undefined) await this.#daemon.moveTask(module, name)
    this.#byName.set(name, { name, bitsPerSecond, burstBits, module })
  }

  /** Of modules with this role; their tasks are among those again that nothing limits. */
  async unlimit(role: string): Promise<void> {
    for (const each of this.#byName.values()) {
      if (each.module === undefined || roleOf(each.module) !== role) continue
      await this.#daemon.moveTask(each.module, '')
      this.#byName.set(each.name, { ...each, module: undefined })
    }
  }

  #freeName(): string {
    let number = 0
    while (this.#byName.has(`${ours}limit.${number}`)) number++
    return `${ours}limit.${number}`
  }
}

const roleOf = (module: string | undefined): string | undefined => ourName(module ?? '')?.role

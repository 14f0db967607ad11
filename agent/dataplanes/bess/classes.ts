// Traffic classes of bessd over the tasks of modules of ours. No call ends a class, so one is named after its role, and is there from the
// first limit on: without a task it does nothing, and whoever has the role next is given it. A task goes with its module.
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

/** Ours, by their roles. */
export class Classes {
  readonly #daemon: Daemon
  readonly #byRole: Map<string, SeenClass>

  private constructor(daemon: Daemon, byRole: Map<string, SeenClass>) {
    this.#daemon = daemon
    this.#byRole = byRole
  }

  static async read(daemon: Daemon): Promise<Classes> {
    const all = await daemon.classes()
    const below = new Map(all.flatMap(({ parent, class: its }) => (its?.leafModuleName ? [[parent, its.leafModuleName] as const] : [])))
    const seen = all.flatMap(({ class: its }) => {
      const name = its?.name ?? ''
      if (its === undefined || !name.startsWith(ours)) return []
      const [bitsPerSecond = 0, burstBits = 0] = [its.limit.get(resource), its.maxBurst.get(resource)]
      return [[name.slice(ours.length), { name, bitsPerSecond, burstBits, module: below.get(name) }] as const]
    })
    return new Classes(daemon, new Map(seen))
  }

  /** Of the modules with these names. */
  limits(modules: ReadonlySet<string>): readonly SeenLimit[] {
    return [...this.#byRole].flatMap(([role, { module, bitsPerSecond, burstBits }]) => {
      if (module === undefined || !modules.has(module)) return []
      // No text that anybody wants: it is made anew.
      const wrong = ourName(module)?.role === role && burstBits === burstOf(bitsPerSecond) ? '' : `, ${burstBits} at once, of ${module}`
      return [{ role, bitsPerSecond, text: `${limitText(bitsPerSecond)}${wrong}` }]
    })
  }

  /** @param module the one with the role, which is there */
  async limit(role: string, module: string, bitsPerSecond: number): Promise<void> {
    const there = this.#byRole.get(role)
    const name = there?.name ?? `${ours}${role}`
    const [limit, maxBurst] = [bitsPerSecond, burstOf(bitsPerSecond)].map((value) => new Map([[resource, value]]))
    const wanted = { name, policy: 'rate_limit', resource, limit: limit!, maxBurst: maxBurst!, wid: -1 }
    if (there === undefined) await this.#daemon.addClass(wanted)
    else await this.#daemon.setClass(wanted)
    if (there?.module !== undefined && there.module !== module) await this.#free(there.module)
    if (there?.module !== module) await this.#daemon.moveTask(module, name)
    this.#byRole.set(role, { name, bitsPerSecond, burstBits: burstOf(bitsPerSecond), module })
  }

  async unlimit(role: string): Promise<void> {
    const there = this.#byRole.get(role)
    if (there?.module === undefined) return
    await this.#free(there.module)
    this.#byRole.set(role, { ...there, module: undefined })
  }

  /** Among the tasks that nothing limits. */
  async #free(module: string): Promise<void> {
    await this.#daemon.moveTask(module, '')
  }
}

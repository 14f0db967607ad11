// Traffic classes of the double, with their oddities: none ever ends, one of `rate_limit` has one child, and a task that cannot be put
// where it is asked for is freed, so that its module ends the daemon when it would run (AttachTc in core/bessctl.cc).
import type * as wire from '../../core/wire/bess/control.ts'
import type { ReadOf, WrittenOf } from '../../core/wire/protobuf/protobuf.ts'
import type { Refusal } from './bessd-tables.ts'

type ClassAsked = ReadOf<typeof wire.TrafficClass>
type Status = NonNullable<WrittenOf<typeof wire.ListTcsResponse>['classesStatus']>[number]

const [ENOENT, EINVAL] = [2, 22]
const no = (code: number, errmsg: string): { readonly error: Refusal } => ({ error: { code, errmsg } })
const fine = {}

interface RateLimit {
  limit: ClassAsked['limit']
  maxBurst: ClassAsked['maxBurst']
  /** The module whose task is below it; it may have gone. */
  child: object | undefined
}

/** Modules with a task each: a PortInc, a Queue. */
export const hasTask = ({ mclass }: { readonly mclass: string }): boolean => mclass === 'PortInc' || mclass === 'Queue'

export class TrafficClasses {
  readonly #modules: ReadonlyMap<string, { readonly mclass: string }>
  readonly #all = new Map<string, RateLimit>()
  readonly #end: (why: string) => void

  /** @param end the daemon */
  constructor(modules: ReadonlyMap<string, { readonly mclass: string }>, end: (why: string) => void) {
    this.#modules = modules
    this.#end = end
  }

  names(): readonly string[] {
    return [...this.#all.keys()]
  }

  clear(): void {
    this.#all.clear()
  }

  add({ name, policy, resource, limit, maxBurst, wid }: ClassAsked): object {
    if (name === '' || name.startsWith('!') || this.#all.has(name)) return no(EINVAL, `Name '${name}' already exists`)
    if (policy !== 'rate_limit') return no(EINVAL, 'Invalid traffic policy')
    if (resource !== 'bit') return no(EINVAL, 'Invalid resource')
    if (wid > 0) return no(EINVAL, `worker:${wid} does not exist`)
    this.#all.set(name, { limit, maxBurst, child: undefined })
    return fine
  }

  update({ name, resource, limit, maxBurst }: ClassAsked): object {
    const found = this.#all.get(name)
    if (found === undefined) return no(ENOENT, `Tc '${name}' doesn't exist`)
    if (resource !== 'bit') return no(EINVAL, 'Invalid resource')
    Object.assign(found, { ...(limit.size > 0 && { limit }), ...(maxBurst.size > 0 && { maxBurst }) })
    return fine
  }

  move({ leafModuleName, parent, wid }: ClassAsked): object {
    const module = this.#modules.get(leafModuleName)
    if (module === undefined || !hasTask(module)) return no(ENOENT, `Task ${leafModuleName}:0 does not exist`)
    const place = this.#all.get(parent)
    for (const each of this.#all.values()) if (each.child === module) each.child = undefined
    if (parent === '') return fine
    if (wid !== -1 || place === undefined || this.#childOf(place) !== undefined) {
      this.#end(`the task of ${leafModuleName} was freed`)
      return no(place === undefined ? ENOENT : EINVAL, 'AddChild() failed')
    }
    place.child = module
    return fine
  }

  list(): object {
    const leaves = [...this.#modules].filter(([, module]) => hasTask(module))
    const parentOf = (name: string): string => [...this.#all].find(([, each]) => this.#childOf(each) === name)?.[0] ?? '!default_rr_0'
    const classesStatus: readonly Status[] = [
      ...[...this.#all].map(([name, { limit, maxBurst }]) => ({ class: { name, policy: 'rate_limit', limit, maxBurst } })),
      ...leaves.map(([name]) => ({ class: { name: `!leaf_${name}:0`, policy: 'leaf', leafModuleName: name }, parent: parentOf(name) })),
    ]
    return { classesStatus }
  }

  /** Somebody takes a task out of one of these classes. @returns which; undefined: none has one */
  spoil(): string | undefined {
    const found = [...this.#all].find(([, each]) => this.#childOf(each) !== undefined)
    if (found !== undefined) found[1].child = undefined
    return found?.[0]
  }

  /** A module that has gone took its task along, also where another has its name now. */
  #childOf({ child }: RateLimit): string | undefined {
    return [...this.#modules].find(([, module]) => module === child)?.[0]
  }
}

// bessd's graph as a model: ports on interfaces, modules, rules of tables, and whether workers run. What leads to a module that has gone
// leads nowhere from then on, also where another of its role comes. test/doubles/bessd.ts is the same by bessd's calls, without packets.
import {
  classText,
  limitKey,
  limitText,
  moduleKey,
  moduleText,
  portKey,
  ruleKey,
  ruleOfKey,
  ruleText,
  runningKey,
  runningText,
  type Element,
  type ModuleElement,
  type RuleElement,
} from '../elements.ts'

export interface Rule extends Omit<RuleElement, 'to'> {
  to: string
}
export interface Module {
  readonly args: ModuleElement['args']
  next: readonly string[]
  readonly rules: Map<string, Rule>
  /** Changes with its rules: what was made of them before is not so any more. */
  version: number
}
export interface GraphPort {
  readonly vdev: string
  /** Which of the interfaces that had this name one after the other; frames of another do not come in by it. */
  readonly link: number
}

const nowhere = 'nowhere'

export class Graph {
  readonly modules = new Map<string, Module>()
  readonly ports = new Map<string, GraphPort>()
  /** Bits a second of modules, by role: a simulated worker is never too fast, so nothing is dropped by them. */
  readonly limits = new Map<string, number>()
  running = true

  clear(): void {
    this.modules.clear()
    this.ports.clear()
    this.limits.clear()
    this.running = true
  }

  *seen(): Generator<readonly [key: string, text: string]> {
    yield [runningKey, this.running ? runningText : 'paused']
    for (const [role, { vdev }] of this.ports) yield [portKey(role), vdev]
    for (const [role, bitsPerSecond] of this.limits) yield [limitKey(role), limitText(bitsPerSecond)]
    for (const [role, { args, next, rules }] of this.modules) {
      yield [moduleKey(role), moduleText(classText(args), next)]
      for (const [key, rule] of rules) yield [key, ruleText(rule)]
    }
  }

  dropRule(key: string): void {
    const table = this.modules.get(ruleOfKey(key)?.table ?? '')
    if (table?.rules.delete(key) === true) table.version++
  }

  /** All of them, each after what it speaks of. */
  putAll(elements: readonly Element[]): void {
    for (const each of elements) if (each.kind === 'module') this.putModule(each)
    for (const each of elements) if (each.kind === 'rule') this.putRule(each)
  }

  /** What led to it leads nowhere. */
  dropModule(role: string): void {
    if (!this.modules.delete(role)) return
    this.limits.delete(role)
    for (const module of this.modules.values()) {
      if (module.next.includes(role)) module.next = module.next.map((each) => (each === role ? nowhere : each))
      for (const rule of module.rules.values())
        if (rule.to === role) {
          rule.to = nowhere
          module.version++
        }
    }
  }

  /** One that is there and the same stays. Where it is made anew what led to the old one leads to it, and a table keeps its rules. */
  putModule({ role, args, next }: ModuleElement): void {
    const there = this.modules.get(role)
    if (there !== undefined && classText(there.args) === classText(args)) there.next = next
    else this.modules.set(role, { args, next, rules: there?.rules ?? new Map<string, Rule>(), version: (there?.version ?? 0) + 1 })
  }

  /** Left out where its table or what it leads to is not there. */
  putRule(rule: RuleElement): void {
    const table = this.modules.get(rule.table)
    if (table === undefined || (rule.to !== 'drop' && !this.modules.has(rule.to))) return
    table.rules.set(ruleKey(rule), { ...rule })
    table.version++
  }
}

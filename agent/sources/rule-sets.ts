// The rules of policies that judge Ports here. All sets of the node's VNIs are followed; those that a Port here names are its pieces, and
// nobody else's are: a tenant's ten thousand policies are no flows where three of them judge.
import type { Store } from '../../core/contracts/store.ts'
import type { Resource } from '../../core/kinds/index.ts'
import { instancesOf } from '../../core/kinds/policy/chain.ts'
import { ruleSetName } from '../../core/kinds/policy/policy-rule-set.ts'
import type { RuleSet } from '../../core/node/wanted.ts'
import { portPiece } from '../../core/pieces/port.ts'
import { ruleSetPiece } from '../../core/pieces/policy/rule-set.ts'
import { withSameRules } from '../../core/policy/rules/same-rules.ts'
import type { Pieces } from '../pieces/pieces.ts'
import { VniWatches } from './vni-watches.ts'

const ruleSetOf = ({ metadata: { namespace = '' }, spec }: Resource<'PolicyRuleSet'>): RuleSet => ({ ...spec, namespace })

/** UIDs of the Ports, wherever they are. */
const functionsIn = ({ chains }: RuleSet): readonly string[] => instancesOf(chains).map(({ port }) => port)

export interface RuleSetsDeps {
  readonly store: Store
  readonly pieces: Pieces
  /** The rules of these Ports, by their UIDs, are others than before. */
  readonly onChange: (uids: readonly string[]) => void
  /** One that judges a Port here is another one, and no list says so. */
  readonly onNews?: () => void
  /** A VNI has told all it knows. */
  readonly onSynced: (vni: number) => void
}

export class RuleSets {
  readonly #deps: RuleSetsDeps
  readonly #watches: VniWatches<'PolicyRuleSet'>
  /** As they were heard of, by name. */
  readonly #known = new Map<string, RuleSet>()
  /** VNI → names that the list under way has told. */
  readonly #listed = new Map<number, Set<string>>()
  /** Name → UIDs of the Ports that it judges. */
  readonly #judged = new Map<string, Set<string>>()
  /** UID of a Port → names of the sets that judge it. */
  readonly #names = new Map<string, readonly string[]>()

  constructor(deps: RuleSetsDeps) {
    this.#deps = deps
    this.#watches = new VniWatches(deps.store, {
      kind: 'PolicyRuleSet',
      begin: (vni) => void this.#listed.set(vni, new Set()),
      listed: (vni, item) => {
        this.#listed.get(vni)?.add(ruleSetName(item.spec))
        this.#put(ruleSetOf(item))
      },
      ended: (vni) => this.#ended(vni),
      put: (_, item) => {
        if (this.#put(ruleSetOf(item))) deps.onNews?.()
      },
      gone: (_, { spec }) => this.#gone(ruleSetName(spec)),
      left: (vni) => this.#left(vni),
      synced: (vni) => deps.onSynced(vni),
    })
  }

  get synced(): boolean {
    return this.#watches.synced
  }
  follow(hosted: ReadonlyMap<number, string>): void {
    this.#watches.follow(hosted)
  }
  isKnown(vni: number): boolean {
    return this.#watches.isKnown(vni)
  }
  known(vni: number, signal: AbortSignal): Promise<void> {
    return this.#watches.known(vni, signal)
  }
  stop(): void {
    this.#watches.stop()
  }

  /** No rule judges a Port here. */
  get isEmpty(): boolean {
    return this.#deps.pieces.of(ruleSetPiece).size === 0
  }
  /** As it is enforced here. */
  get(name: string): RuleSet | undefined {
    return this.#deps.pieces.of(ruleSetPiece).get(name)
  }

  /** From now on these judge a Port, and no others. What judges nobody here is not carried, whatever it is. */
  judge(uid: string, names: readonly string[]): void {
    const before = this.#names.get(uid) ?? []
    if (names.length > 0) this.#names.set(uid, names)
    else this.#names.delete(uid)
    for (const name of names) this.#begin(name, uid)
    for (const name of before) if (!names.includes(name)) this.#end(name, uid)
  }

  /** Names of the sets in whose chains a Port carries out a function: they are carried for it as if they judged it. */
  withFunction(uid: string): readonly string[] {
    const names: string[] = []
    // Few of a tenant's thousands have chains.
    for (const [name, set] of this.#known) if (set.chains !== undefined && functionsIn(set).includes(uid)) names.push(name)
    return names
  }

  /** What is remembered of an agent before and judges nobody: said once all Ports of this node are known. */
  tidy(): void {
    const { pieces } = this.#deps
    for (const name of [...pieces.of(ruleSetPiece).keys()]) if (!this.#judged.has(name)) pieces.set(ruleSetPiece, name, undefined)
  }

  #begin(name: string, uid: string): void {
    const judged = this.#judged.get(name)
    if (judged !== undefined) return void judged.add(uid)
    this.#judged.set(name, new Set([uid]))
    const set = this.#known.get(name)
    if (set !== undefined) this.#deps.pieces.set(ruleSetPiece, name, set)
  }

  #end(name: string, uid: string): void {
    const judged = this.#judged.get(name)
    judged?.delete(uid)
    if (judged?.size !== 0) return
    this.#judged.delete(name)
    this.#deps.pieces.set(ruleSetPiece, name, undefined)
  }

  /** @returns whether it judges anybody here */
  #put(item: RuleSet): boolean {
    const name = ruleSetName(item)
    const set = withSameRules(this.#known.get(name), item)
    this.#known.set(name, set)
    const judged = this.#judged.get(name)
    if (judged !== undefined) this.#deps.pieces.set(ruleSetPiece, name, set)
    const concerned = new Set([...(judged ?? []), ...this.#functionsHere(set)])
    if (concerned.size > 0) this.#deps.onChange([...concerned])
    return concerned.size > 0
  }

  #functionsHere(set: RuleSet): readonly string[] {
    const ports = this.#deps.pieces.of(portPiece)
    return functionsIn(set).filter((uid) => ports.get(uid) !== undefined)
  }

  /**
   * What still judges a Port here is enforced as it was: workers take it off the Port first, and one watch may be ahead of the other. Ports
   * that carried out its functions name it nowhere, and hear of it here.
   */
  #gone(name: string): void {
    const set = this.#known.get(name)
    this.#known.delete(name)
    const functions = set === undefined ? [] : this.#functionsHere(set)
    if (functions.length > 0) this.#deps.onChange(functions)
  }

  #ended(vni: number): void {
    const listed = this.#listed.get(vni)
    this.#listed.delete(vni)
    for (const [name, set] of this.#known) if (set.vni === vni && listed?.has(name) !== true) this.#gone(name)
  }

  #left(vni: number): void {
    this.#listed.delete(vni)
    for (const [name, set] of this.#known) if (set.vni === vni) this.#known.delete(name)
  }
}

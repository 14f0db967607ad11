// What rule tables say of a packet between two Ports: as they are stored, and as they were since whoever enforces them was last in step.
import { keyOf, resolveReference, type Resource } from '../../../core/kinds/index.ts'
import type { RuleSetSpec } from '../../../core/kinds/policy/policy-rule-set.ts'
import { unknown } from '../../../core/kinds/policy/tiers.ts'
import { gatewayMac } from '../../../core/net/gateway-mac.ts'
import { verdictOn } from '../../../core/policy/verdict.ts'
import { perKind } from '../invariant.ts'
import type { Landed } from '../truth.ts'

type Port = Resource<'Port'>

/** Who judged a Port at some time; undefined: nobody. */
type Judges = { readonly identity: number; readonly sets: readonly (RuleSetSpec | undefined)[] } | undefined

/** A packet between two of them, as far as rules look at it. */
export interface Between {
  readonly from: Port
  readonly to: Port
  readonly source: string
  readonly address: string
}

/** What the simulated packets are. */
const transport = { protocol: 17, l4Port: 9 }

export class Verdicts {
  readonly #ports = new Map<string, Port>()
  readonly #sets = new Map<string, RuleSetSpec>()
  /** UID of a Port → who judged it, the latest last. */
  readonly #judges = new Map<string, Judges[]>()
  /** VNI and address → identities that it had, the latest last. */
  readonly #identities = new Map<string, (number | undefined)[]>()
  /** @param onChange told of the UID of a Port, or VNI and address, of which rules say something else from now on */
  constructor(onChange: (key: string) => void) {
    this.#onChange = onChange
  }
  readonly #onChange: (key: string) => void

  readonly landed: (landed: Landed) => void = perKind({
    Port: (before, after) => this.#takePort(before, after),
    PolicyRuleSet: (before, after) => this.#takeSet((after ?? before)!.metadata.name, after?.spec),
    IPLock: (before, after) => {
      const { vni, address } = (after ?? before)!.spec
      if (address !== undefined && before?.spec.identity !== after?.spec.identity)
        this.#append(this.#identities, `${vni} ${address}`, after?.spec.identity)
    },
  })

  /** The rule sets that judge it; undefined: one that is not there. */
  judging(port: Port): readonly (RuleSetSpec | undefined)[] {
    return this.#judging(port)?.sets ?? []
  }

  /** It is one of those whose packets go by functions. */
  goesByChains(port: Port): boolean {
    return this.judging(port).some((set) => set?.chains !== undefined)
  }

  /** Those that its status names, and those of its identity: a node enforces these as soon as it hears of them. */
  #judging({ metadata: { uid }, status }: Port): Judges {
    const named = this.#judges.get(uid)?.at(-1)
    if (named === undefined) return undefined
    const others = [...this.#sets.values()].filter(
      (set) => set.vni === status?.vni && set.subjects.includes(named.identity) && !named.sets.includes(set),
    )
    return { ...named, sets: [...named.sets, ...others] }
  }

  /** By what is stored at this moment. */
  allows({ from, to, source, address }: Between): boolean {
    const [near, far] = endsOf({ from, to, source, address })
    const out = judge(this.#judging(from), 'egress', [this.#identityOf(to, address).at(-1)], far)
    return out && judge(this.#judging(to), 'ingress', [this.#identityOf(from, source).at(-1)], near)
  }

  /** By some rule table that was stored since both ends were last in step. */
  mayHaveAllowed({ from, to, source, address }: Between): boolean {
    const some = (port: Port, direction: 'ingress' | 'egress', peers: readonly (number | undefined)[], of: End): boolean =>
      (this.#judges.get(port.metadata.uid) ?? [undefined]).some((judges) => judge(judges, direction, peers, of))
    const [near, far] = endsOf({ from, to, source, address })
    return (
      some(from, 'egress', [...this.#identityOf(to, address), undefined], far) &&
      some(to, 'ingress', [...this.#identityOf(from, source), undefined], near)
    )
  }

  /** From now on only what is stored counts. @param key a Port's UID, or VNI and address */
  inStep(key: string): void {
    for (const all of [this.#judges, this.#identities] as Map<string, unknown[]>[]) all.get(key)?.splice(0, all.get(key)!.length - 1)
  }

  #identityOf({ status }: Port, address: string): readonly (number | undefined)[] {
    return this.#identities.get(`${status?.vni} ${address}`) ?? [undefined]
  }

  #takePort(before: Port | undefined, after: Port | undefined): void {
    const { uid } = (after ?? before)!.metadata
    if (after === undefined) this.#ports.delete(uid)
    else this.#ports.set(uid, after)
    const [was, is] = [before, after].map((port) => JSON.stringify(port?.status?.policy))
    if (after !== undefined && (before === undefined || was !== is)) this.#append(this.#judges, uid, this.#judgesOf(after))
  }

  #takeSet(name: string, spec: RuleSetSpec | undefined): void {
    const subjects = new Set([this.#sets.get(name), spec].flatMap((set) => set?.subjects ?? []))
    if (spec === undefined) this.#sets.delete(name)
    else this.#sets.set(name, spec)
    for (const [uid, port] of this.#ports) {
      if (port.status?.policy?.ruleSets.includes(name) === true) this.#append(this.#judges, uid, this.#judgesOf(port))
      else if (subjects.has(port.status?.policy?.identity ?? NaN)) this.#onChange(uid)
    }
  }

  #judgesOf({ status: { policy } = {} }: Port): Judges {
    return policy && { identity: policy.identity, sets: policy.ruleSets.map((name) => this.#sets.get(name)) }
  }

  #append<T>(all: Map<string, T[]>, key: string, value: T): void {
    const before = all.get(key) ?? []
    all.set(key, [...before, value])
    this.#onChange(key)
  }
}

interface End {
  readonly address: string
  readonly mac: string | undefined
}

/** Who sends and who receives, as each is for the other: beyond its Subnet by way of the gateway. */
function endsOf({ from, to, source, address }: Between): readonly [near: End, far: End] {
  const macOf = ({ status }: Port): string | undefined => (subnetOf(from) === subnetOf(to) ? status?.mac : gatewayMac)
  return [
    { address: source, mac: macOf(from) },
    { address, mac: macOf(to) },
  ]
}

const subnetOf = ({ spec, metadata }: Port): string => keyOf(resolveReference(spec.subnet, metadata.namespace ?? ''))

/** Of one end, for whoever the other may be. Where not all rules are there, it is closed. */
function judge(judges: Judges, direction: 'ingress' | 'egress', peers: readonly (number | undefined)[], of: End): boolean {
  if (judges === undefined) return true
  const { identity, sets } = judges
  const all = sets.flatMap((set) => (set?.subjects.includes(identity) === true ? [set] : []))
  if (all.length < sets.length) return false
  return peers.some(
    (peer) => verdictOn(all, { subject: identity, direction, peer: { identity: peer ?? unknown, ...of }, transport }).isAllowed,
  )
}

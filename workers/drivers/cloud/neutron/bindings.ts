// A port that moves has two bindings, as Nova has it (extension binding-extended): the second is inactive, and the profile of the first
// names its host (`migrating_to`), so that Neutron's mechanism makes that host ready. None of these requests takes a revision: the port is
// read before each change, and what lands late is seen, and put right, at the next look.
// https://docs.openstack.org/api-ref/network/v2/#port-bindings
import type { CloudAction, SecondBinding } from '../../../../core/contracts/cloud.ts'
import type { Caller, NeutronApi } from './api.ts'
import type { Port } from './port-bodies.ts'
import { bindingOf } from './vif.ts'

interface PortBinding {
  readonly host: string
  readonly status: 'ACTIVE' | 'INACTIVE'
  readonly vif_type: string
  readonly vif_details?: Readonly<Record<string, unknown>>
}
interface Activation {
  readonly host: string
  readonly from: string
  readonly all: readonly PortBinding[]
}
type Expect = Extract<CloudAction<'port'>, { readonly do: 'expect' }>
type Bind = Extract<CloudAction<'port'>, { readonly do: 'bind' }>

/** What Neutron refuses a binding with, by 500, where no mechanism binds the port to the host. */
const refusals = ['PortBindingError']
const pathOf = ({ id }: Pick<Port, 'id'>): string => `/v2.0/ports/${id}/bindings`

/**
 * Nobody is named by an empty text. That is what is left of a move that was given up: once the key is gone ML2/OVN (21) says DOWN of a
 * port that it carries, as it waits for an interface which has been there all along.
 */
const movesTo = ({ 'binding:profile': profile }: Port): string | undefined => (profile?.['migrating_to'] as string | undefined) || undefined

/** What is said of a port that is bound anew: nothing of its move. */
export function withoutMove({ 'binding:profile': profile }: Partial<Port>): Pick<Port, 'binding:profile'> {
  if (profile?.['migrating_to'] === undefined) return {}
  const { migrating_to: _, ...rest } = profile
  return { 'binding:profile': rest }
}

const isInactive = ({ status }: PortBinding): boolean => status === 'INACTIVE'

function secondIn(port: Port, all: readonly PortBinding[]): SecondBinding | undefined {
  const to = movesTo(port)
  const [other, ...more] = all.filter(isInactive)
  const host = other?.host ?? to
  if (host === undefined) return undefined
  const isWhole = other !== undefined && more.length === 0 && to === host
  return { host, vif: isWhole ? vifOf(port, other) : undefined }
}

const isExpected = (second: SecondBinding | undefined, host: string | undefined): boolean =>
  second?.host === host && (second === undefined || second.vif !== undefined)

const vifOf = ({ id, network_id }: Port, { host, vif_type, vif_details = {} }: PortBinding): SecondBinding['vif'] =>
  bindingOf({ id, network_id, 'binding:host_id': host, 'binding:vif_type': vif_type, 'binding:vif_details': vif_details }).vif

export class Bindings {
  readonly #api: NeutronApi

  /** @param api of who binds ports */
  constructor(api: NeutronApi) {
    this.#api = api
  }

  async secondOf(port: Port, caller: Caller): Promise<SecondBinding | undefined> {
    return secondIn(port, await this.#all(port, caller))
  }

  /** @returns the port's revision by now. @throws CloudOvertaken; CloudRefused, where the port has no second binding then */
  async expect({ there, host }: Expect, caller: Caller): Promise<string> {
    const { port, all } = await this.#read(there.id, caller)
    if (isExpected(secondIn(port, all), host)) return there.revision
    this.#mustBe(port, there)
    const others = all.filter((each) => isInactive(each) && each.host !== host)
    await this.#removeAll(port, others, caller)
    if (host !== undefined && !all.some((each) => each.host === host)) await this.#make(port, host, caller)
    if (movesTo(port) !== host) await this.#announce(port, host ?? '', caller)
    return this.#revisionOf(port, caller)
  }

  /** By activation where its second binding is to that host. @param change of the port, where it is not */
  async bind({ there, host = '' }: Bind, change: object, caller: Caller): Promise<void> {
    const { port, all } = await this.#read(there.id, caller)
    const first = all.find((each) => !isInactive(each))
    const others = all.filter(isInactive)
    if (first?.host !== host && others.length > 0) this.#mustBe(port, there)
    const isSecond = others.some((each) => each.host === host)
    if (first !== undefined && isSecond) return this.#activate(port, { host, from: first.host, all }, caller)
    // Of a binding to the host that it is bound to next Neutron makes no second one, and takes minutes to say so.
    await this.#removeAll(port, others, caller)
    if (host !== '' && isLost(port, all)) return this.#make(port, host, caller)
    const revision = others.length === 0 ? there.revision : await this.#revisionOf(port, caller)
    await this.#api.update('ports', { id: there.id, revision, change: { ...change, ...withoutMove(port) } }, caller)
  }

  /** @throws CloudOvertaken where the port is gone */
  async #read(id: string, caller: Caller): Promise<{ readonly port: Port; readonly all: readonly PortBinding[] }> {
    const port = await this.#port(id, caller)
    if (port === undefined) throw this.#api.overtaken('ports', id)
    return { port, all: await this.#all(port, caller) }
  }

  async #revisionOf({ id, revision_number: before }: Port, caller: Caller): Promise<string> {
    return String((await this.#port(id, caller))?.revision_number ?? before)
  }

  async #port(id: string, caller: Caller): Promise<Port | undefined> {
    return (await this.#api.list<Port>('ports', [['id', id]], caller))[0]
  }

  /** None of a port that is gone, or on no node by now (400). */
  async #all(port: Port, caller: Caller): Promise<readonly PortBinding[]> {
    if (!isOfCompute(port)) return []
    const answer = await this.#api.ask({ method: 'GET', path: pathOf(port) }, caller)
    if (answer.status === 400 || answer.status === 404) return []
    this.#api.check(answer, `a list of bindings of port ${port.id}`)
    return (answer.body as { readonly bindings: readonly PortBinding[] }).bindings
  }

  #mustBe({ id, revision_number: now }: Port, { revision }: Bind['there']): void {
    if (String(now) !== revision) throw this.#api.overtaken('ports', id)
  }

  async #make(port: Port, host: string, caller: Caller): Promise<void> {
    const answer = await this.#api.ask({ method: 'POST', path: pathOf(port), body: { binding: { host } }, refusals }, caller)
    const what = `a binding of port ${port.id} to ${host}`
    if (answer.status === 409) return
    if (answer.status === 404) {
      if ((await this.#port(port.id, caller)) === undefined) throw this.#api.overtaken('ports', port.id)
      throw this.#api.refused(what, '404: it binds a port to one host alone (no extension binding-extended)')
    }
    this.#api.check(answer, what)
    const { binding } = answer.body as { readonly binding: PortBinding }
    if (vifOf(port, binding) !== undefined) return
    await this.#remove(port, host, caller)
    throw this.#api.refused(what, `it is bound as ${binding.vif_type}, which Megrez does not plug in`)
  }

  async #announce(port: Port, host: string, caller: Caller): Promise<void> {
    const now = await this.#port(port.id, caller)
    if (now === undefined || now['binding:host_id'] !== port['binding:host_id']) throw this.#api.overtaken('ports', port.id)
    const change = { 'binding:profile': { ...now['binding:profile'], migrating_to: host } }
    await this.#api.update('ports', { id: port.id, revision: String(now.revision_number), change }, caller)
  }

  /** What it was bound to before goes with it. */
  async #activate(port: Port, { host, from, all }: Activation, caller: Caller): Promise<void> {
    const answer = await this.#api.ask({ method: 'PUT', path: `${pathOf(port)}/${host}/activate`, refusals }, caller)
    // Somebody has taken it away, or the port off its node.
    if (answer.status === 404 || answer.status === 400) throw this.#api.overtaken('ports', port.id)
    if (answer.status !== 409) this.#api.check(answer, `the activation of the binding of port ${port.id} to ${host}`)
    const others = all.filter((each) => each.host !== host && each.host !== from)
    await this.#removeAll(port, [{ host: from }, ...others], caller)
  }

  async #removeAll(port: Port, all: readonly Pick<PortBinding, 'host'>[], caller: Caller): Promise<void> {
    for (const { host } of all) await this.#remove(port, host, caller)
  }

  async #remove(port: Port, host: string, caller: Caller): Promise<void> {
    const answer = await this.#api.ask({ method: 'DELETE', path: `${pathOf(port)}/${host}` }, caller)
    // By now it is on no node.
    if (answer.status === 400) throw this.#api.overtaken('ports', port.id)
    if (answer.status !== 404) this.#api.check(answer, `the end of the binding of port ${port.id} to ${host}`)
  }
}

/** Its one binding was taken away: a change of it would be a 404. */
const isLost = (port: Port, all: readonly PortBinding[]): boolean => isOfCompute(port) && all.every(isInactive)

/** Neutron tells of bindings of such ports alone. */
const isOfCompute = ({ device_owner: owner = '' }: Port): boolean => owner.startsWith('compute:')

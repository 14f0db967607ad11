// VLANs of running pods, and who judges them: each L2ServiceAttachment with an interface here is followed, and what its status says is what
// its interfaces carry, and go by, from then on. One watch of one object each, begun with its first interface and ended with its last.
import type { Store } from '../../core/contracts/store.ts'
import { keyOfItem, type Resource } from '../../core/kinds/index.ts'
import { vlansOpen } from '../../core/node/external-conf.ts'
import type { LocalPort } from '../../core/node/wanted.ts'
import { portPiece } from '../../core/pieces/port.ts'
import { sameJson } from '../../core/same-json.ts'
import { isOlder } from '../../platform/cache/ahead.ts'
import type { Log } from '../../platform/log.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { External, Wired } from '../ledger/record.ts'
import type { NodeLoop } from '../loop.ts'
import type { ExternalPlace } from './place.ts'
import type { Outbox } from '../outbox.ts'

export interface ExternalsDeps {
  readonly store: Store
  readonly ledger: Ledger
  readonly loop: NodeLoop
  readonly outbox: Outbox
  readonly log: Log
  /** With who judges it by an attachment's status. */
  readonly judged: (port: LocalPort, place: ExternalPlace) => LocalPort
}

interface Watch {
  readonly stop: AbortController
  latest: Resource<'L2ServiceAttachment'> | undefined
}

export class Externals {
  readonly #deps: ExternalsDeps
  /** With the object as it was last heard of. */
  readonly #watches = new Map<string, Watch>()
  #stopped = false

  constructor(deps: ExternalsDeps) {
    this.#deps = deps
  }

  /** Those that are followed now: `namespace/name`. */
  get followed(): readonly string[] {
    return [...this.#watches.keys()]
  }

  /**
   * Interfaces have come or gone.
   *
   * @param read an attachment as the store itself has just said it, which a watch may not have told of yet
   */
  follow(read?: Resource<'L2ServiceAttachment'>): void {
    if (this.#stopped) return
    const wanted = new Set(
      this.#deps.ledger
        .external()
        .map(({ external }) => external.attachment)
        .filter((each) => each !== ''),
    )
    for (const [key, { stop }] of this.#watches) if (!wanted.has(key)) this.#leave(key, stop)
    for (const key of wanted) this.#followOne(key, read !== undefined && keyOfItem(read) === key ? read : undefined)
  }

  #followOne(key: string, read: Watch['latest']): void {
    const watch = this.#watches.get(key)
    if (watch === undefined) return void this.#join(key, read)
    if (read !== undefined && isNews(read, watch)) watch.latest = read
    // The definition that an interface was made from may be older than what is known here.
    if (watch.latest !== undefined) this.#take(key, watch.latest)
  }

  stop(): void {
    this.#stopped = true
    for (const { stop } of this.#watches.values()) stop.abort()
  }

  #leave(key: string, stop: AbortController): void {
    this.#watches.delete(key)
    stop.abort()
  }

  async #join(key: string, read: Watch['latest']): Promise<void> {
    const stop = new AbortController()
    const watch: Watch = { stop, latest: read }
    this.#watches.set(key, watch)
    const [namespace = '', name = ''] = key.split('/')
    try {
      for await (const change of this.#deps.store.watch(
        'L2ServiceAttachment',
        { namespace, fields: { '.metadata.name': name } },
        stop.signal,
      )) {
        const all = change.type === 'all' ? change.items : change.type === 'put' ? [change.item] : []
        // What an ADD has read since is not taken back by a watch that is late.
        const items = all.filter((item) => isNews(item, watch))
        watch.latest = items[0] ?? watch.latest
        for (const item of items) this.#take(key, item)
      }
    } catch (err) {
      if (!stop.signal.aborted)
        this.#deps.log.error({ err, attachment: key }, 'an L2ServiceAttachment is not followed: its pods keep the VLANs that they have')
    }
  }

  #take(key: string, attachment: Resource<'L2ServiceAttachment'>): void {
    const { ledger, loop, judged } = this.#deps
    for (const wired of ledger.external()) {
      const before = loop.pieces.of(portPiece).get(wired.port.uid) ?? wired.port
      const { attachment: had } = before
      // Another mode is another interface: that takes a new pod.
      if (wired.external.attachment !== key || had.kind !== 'vlan' || had.mode !== attachment.spec.vlanType) continue
      const vlans = vlansOf(attachment) ?? had.vlans
      const moved = { ...before, attachment: { ...had, vlans } }
      this.#change(wired, before, judged(moved, { attachment, podUID: wired.pod?.uid, before }))
    }
  }

  #change({ external, pod, ifname }: Wired & { readonly external: External }, before: LocalPort, port: LocalPort): void {
    if (sameJson(before, port)) return
    const { ledger, loop, outbox, log } = this.#deps
    const of = { attachment: external.attachment, pod: pod?.name, ifname }
    if (!sameJson(before.attachment, port.attachment)) log.info({ ...of, now: port.attachment }, 'the VLANs of an interface have changed')
    if (!sameJson(before.policy, port.policy)) log.info({ ...of, now: port.policy ?? 'nobody' }, 'who judges an interface has changed')
    loop.pieces.set(portPiece, port.uid, port)
    outbox.put(`ledger ${port.uid}`, () => {
      const now = ledger.wiredOf(port.uid)
      return now === undefined ? Promise.resolve() : ledger.put({ ...now, port })
    })
  }
}

const isNews = (item: Resource<'L2ServiceAttachment'>, { latest }: Watch): boolean => latest === undefined || !isOlder(item, latest)

/** In order. What is going, or is not open, changes nothing: its pods keep what they have until they end. */
function vlansOf({ metadata, status }: Resource<'L2ServiceAttachment'>): readonly number[] | undefined {
  const vlans = vlansOpen(status?.vlans)
  return metadata.deletionTimestamp !== undefined || status?.phase !== 'ready' || vlans.length === 0 ? undefined : vlans
}

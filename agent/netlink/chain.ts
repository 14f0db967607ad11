// Requests of which the later ones speak of links that the earlier ones tell of: where the addon is, one turn of a thread takes them all.
import { LinkRefused } from '../../core/errors.ts'
import { Answers, encodeRequests, encodeWithBlanks, type NetlinkAnswer } from '../../core/wire/netlink/netlink.ts'
import { blankOf } from '../../core/wire/netlink/blank.ts'
import { offsetsAt, type FdOf } from '../../core/wire/netlink/link.ts'
import type { Addon, NativeSocket } from '../native/addon.ts'
import type { Chain, Chained, Netlink, NetlinkReport } from './netlink.ts'
import { refusal } from './refusal.ts'

/** By the addon in one turn, else one part after the other. */
export async function chained(netlink: Netlink, chain: Omit<Chain, 'before'>): Promise<Chained> {
  if (netlink.chain !== undefined) return netlink.chain(chain)
  const first = await netlink.request(chain.first)
  if (isRefused(first)) return { first, then: undefined }
  const links = first.flatMap(({ link }) => (link === undefined ? [] : [link]))
  return { first, then: await netlink.request(chain.then(links)) }
}

const isRefused = (answers: readonly NetlinkAnswer[]): boolean => answers.some(({ refusal }) => refusal !== undefined)

interface Writing {
  /** Of the first request; as many are used as there are asks. */
  readonly sequence: number
  readonly fdOf: FdOf
}

/**
 * @param route the node's own, which nobody else uses meanwhile
 * @throws LinkRefused
 */
export async function chainOver(
  addon: Addon,
  route: NativeSocket,
  { before, first, then }: Chain,
  { sequence, fdOf }: Writing,
): Promise<Chained> {
  const gets = first.flatMap((request, i) => (request.do === 'getLink' ? [{ sequence: sequence + i, ifname: request.of.ifname }] : []))
  const after = then(gets.map(({ ifname }, nth): NetlinkReport => ({ ifname, index: blankOf(nth, 'index'), peer: blankOf(nth, 'peer') })))
  const afterFrom = sequence + first.length
  const written = encodeWithBlanks(after, afterFrom, fdOf)
  const steps = [
    ...(before === undefined ? [] : [before]),
    { socket: route, bytes: encodeRequests(first, sequence, fdOf) },
    { socket: route, bytes: written.bytes },
  ]
  const fills = Uint32Array.from(
    written.blanks.flatMap(({ at, nth, of }) => [steps.length - 1, at, gets[nth]!.sequence, offsetsAt[of].body, offsetsAt[of].attribute]),
  )
  const answers = await addon
    .chain(
      steps.map(({ socket }) => socket),
      steps.map(({ bytes }) => bytes),
      new Uint8Array(fills.buffer),
    )
    .catch(refusal(undefined))
  const [links, done] = before === undefined ? answers : answers.slice(1)
  return {
    // Read where it is asked for: a link is a dozen texts.
    get first() {
      return links && answersOf(links, first.length, sequence)
    },
    then: done && answersOf(done, after.length, afterFrom),
  }
}

function answersOf(bytes: Uint8Array, count: number, start: number): readonly NetlinkAnswer[] {
  const answers = new Answers()
  answers.take(bytes)
  if (!answers.ended(start + count - 1)) throw new LinkRefused({ what: 'an answer', reason: 'the kernel did not end it' })
  return Array.from({ length: count }, (_, i) => answers.answer(start + i))
}

// What every program of NSM's needs, whichever hop it is: who it is, where it listens, how it gets to others.
import type { Random, Uids } from '../../chance.ts'
import type { Clock } from '../../clock.ts'
import { listenGrpc, type GrpcListening } from '../../grpc/listen-grpc.ts'
import type { FileSockets } from '../../grpc/carried-files.ts'
import type { ServedHandler } from '../../grpc/handlers.ts'
import type { Log } from '../../log.ts'
import type { CertificateSource } from '../../tls.ts'
import type { HopOptions } from '../connection/chains.ts'
import type { Tokens } from '../tokens/token.ts'
import { Owners } from '../connection/server/authorize.ts'
import { dialler, type Dial } from '../dial.ts'

export interface Program {
  /** Of its path segment, and of its registration where it has one. */
  readonly name: string
  readonly tokens: Tokens
  /** Shown to both sides; absent: in the clear. */
  readonly certificate?: CertificateSource | undefined
  readonly clock: Clock
  readonly random: Random
  readonly newId: Uids
  readonly log: Log
  /** Of this machine, where its unix sockets are to bring open files. */
  readonly sockets?: FileSockets | undefined
  /** Connections of one client; absent: 1,000. */
  readonly most?: number
}

const usualMost = 1_000

/** Without certificates nobody has a name to be judged by. */
export const hopFrom = ({ name, tokens, clock, random, newId, certificate, most = usualMost }: Program): HopOptions => ({
  name,
  tokens,
  clock,
  random,
  newId,
  most,
  owners: certificate === undefined ? undefined : new Owners(),
})
export const dialFrom = ({ certificate }: Program): Dial => dialler(certificate)

/**
 * Of one peer: programs of NSM follow each connection by a stream of its own, and calls come beside them. A forwarder is the one peer
 * of its nsmgr.
 */
const streams = 20_000

export const listen = (
  { certificate, clock, log, sockets }: Program,
  address: string,
  handlers: readonly ServedHandler[],
): Promise<GrpcListening> => listenGrpc({ address, handlers, certificate, clock, log, sockets, limits: { streams } })

export interface Running {
  /** Where it listens, with the real port. */
  readonly address: string
  /** Unregisters, listens no more. */
  stop(): Promise<void>
}

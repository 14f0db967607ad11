// A TCP relay between a client and a server that is late with what it carries, and cuts connections: each direction of each
// connection has a lateness of its own, so that a watch is behind for as long as it lives, and answers get lost on their way.
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import type { Dice } from '../sim/dice.ts'

export interface Relay {
  readonly l4Port: number
  /** Connections that it has cut so far. */
  readonly cuts: number
  /** From now on it is late, and cuts, as is drawn. */
  storm(dice: Dice): void
  /** What it holds is passed on, and from now on it is only in between. */
  calm(): void
  close(): Promise<void>
}

/** Most that a direction is late, in milliseconds; one is drawn for each. */
const latenesses = [0, 5, 30, 150, 600, 1_500] as const
/** Half of the connections live no longer than about so long. */
const lifeMs = 1_200

/** Carries to a TCP port of loopback. */
export async function openRelay(targetL4Port: number): Promise<Relay> {
  const pairs = new Set<Pair>()
  let chance: Dice | undefined
  let cuts = 0
  const server = createServer((near) => {
    const pair = new Pair(near, connect({ host: '127.0.0.1', port: targetL4Port, noDelay: true }), () => pairs.delete(pair))
    pairs.add(pair)
    if (chance !== undefined) disturb(pair, chance)
  })
  const disturb = (pair: Pair, dice: Dice): void => {
    pair.late(dice)
    if (dice.chance(0.5)) pair.cutIn(lifeMs * (0.1 - Math.log(1 - dice.next())), () => cuts++)
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    l4Port: (server.address() as AddressInfo).port,
    get cuts() {
      return cuts
    },
    storm(dice) {
      chance = dice
      for (const pair of pairs) disturb(pair, dice)
    },
    calm() {
      chance = undefined
      for (const pair of pairs) pair.calm()
    },
    async close() {
      for (const pair of pairs) pair.end()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Both halves of one relayed connection: one does not outlive the other. */
class Pair {
  readonly #sockets: readonly [Socket, Socket]
  readonly #ways: readonly [Way, Way]
  #cut: NodeJS.Timeout | undefined

  constructor(near: Socket, far: Socket, gone: () => void) {
    this.#sockets = [near, far]
    this.#ways = [new Way(near, far), new Way(far, near)]
    for (const socket of this.#sockets) {
      socket.on('error', () => undefined)
      socket.once('close', () => {
        this.end()
        gone()
      })
    }
  }

  late(dice: Dice): void {
    for (const way of this.#ways) {
      const most = dice.pick(latenesses)
      way.lateness = () => dice.next() * most
    }
  }

  cutIn(ms: number, told: () => void): void {
    this.#cut ??= setTimeout(() => {
      told()
      for (const socket of this.#sockets) if (!socket.connecting) socket.resetAndDestroy()
      this.end()
    }, ms)
  }

  calm(): void {
    clearTimeout(this.#cut)
    this.#cut = undefined
    for (const way of this.#ways) way.flush()
  }

  end(): void {
    clearTimeout(this.#cut)
    for (const way of this.#ways) way.drop()
    for (const socket of this.#sockets) socket.destroy()
  }
}

/** What goes one way, in order; a piece that is late holds up what is behind it. */
class Way {
  lateness: () => number = () => 0
  readonly #to: Socket
  readonly #held: { readonly piece: Buffer | undefined; readonly due: number }[] = []
  #timer: NodeJS.Timeout | undefined

  constructor(from: Socket, to: Socket) {
    this.#to = to
    from.on('data', (piece: Buffer) => this.#take(piece))
    from.once('end', () => this.#take(undefined))
  }

  flush(): void {
    this.lateness = () => 0
    clearTimeout(this.#timer)
    for (const { piece } of this.#held.splice(0)) this.#pass(piece)
  }

  drop(): void {
    clearTimeout(this.#timer)
    this.#held.length = 0
  }

  /** @param piece undefined: nothing more comes */
  #take(piece: Buffer | undefined): void {
    const lateMs = this.lateness()
    if (lateMs === 0 && this.#held.length === 0) return this.#pass(piece)
    this.#held.push({ piece, due: performance.now() + lateMs })
    if (this.#held.length === 1) this.#wait()
  }

  #wait(): void {
    const [first] = this.#held
    if (first === undefined) return
    this.#timer = setTimeout(
      () => {
        const next = this.#held.shift()
        if (next !== undefined) this.#pass(next.piece)
        this.#wait()
      },
      Math.max(0, first.due - performance.now()),
    )
  }

  #pass(piece: Buffer | undefined): void {
    if (this.#to.destroyed) return
    if (piece === undefined) this.#to.end()
    else this.#to.write(piece)
  }
}

// BIRD 2, by its configuration file and its control socket.
import { join } from 'node:path'
import { bird } from '../../core/bgp/bird/bird.ts'
import { isRefusal, type Reply } from '../../core/bgp/bird/replies.ts'
import { BGPRefused, messageOf } from '../../core/errors.ts'
import { pause, timeLimit, type Clock } from '../../platform/clock.ts'
import { askBird } from './bird-socket.ts'
import type { Daemon } from './daemon.ts'
import type { BGPHost } from './host.ts'

/** A full table is read in a second. */
const answerMs = 10_000
const startMs = 10_000
const startPollMs = 50

export class BirdDaemon implements Daemon {
  readonly program = 'bird'
  readonly renderer = bird
  readonly pollMs = 1_000
  readonly needsHostRoutes = false
  readonly #bird: string
  readonly #folder: string
  readonly #host: BGPHost
  readonly #clock: Clock

  constructor({
    program,
    folder,
    host,
    clock,
  }: {
    readonly program: string
    readonly folder: string
    readonly host: BGPHost
    readonly clock: Clock
  }) {
    this.#bird = program
    this.#folder = folder
    this.#host = host
    this.#clock = clock
  }

  get #file(): string {
    return join(this.#folder, 'bird.conf')
  }

  version(): Promise<string | undefined> {
    return this.#ask('show status').then(
      ({ version }) => version,
      () => undefined,
    )
  }

  listens(text: string): boolean {
    return /^protocol bgp /m.test(text)
  }

  inForce(): Promise<string | undefined> {
    return this.#host.read(this.#file)
  }

  async apply(text: string): Promise<void> {
    await this.#host.makeFolder(this.#folder)
    const next = `${this.#file}.next`
    await this.#host.write(next, text)
    const { code, stdout, stderr } = await this.#host.run(this.#bird, '-p', '-c', next)
    await this.#host.remove(next)
    if (code !== 0) throw refused(`${stderr}${stdout}`, next)
    const before = await this.inForce()
    await this.#host.replace(this.#file, text)
    if ((await this.version()) === undefined) return
    const reply = await this.#ask('configure')
    if (!isRefusal(reply)) return
    // What another version of it refuses than the one that has looked it through.
    if (before !== undefined) await this.#host.replace(this.#file, before)
    throw refused(reply.text, this.#file)
  }

  /** With -R it waits for its neighbours before it takes anything from the kernel, for as long as its configuration says. */
  async start(): Promise<void> {
    const [socket, pid] = [join(this.#folder, 'bird.ctl'), join(this.#folder, 'bird.pid')]
    this.#host.startApart(join(this.#folder, 'bird.log'), this.#bird, '-f', '-R', '-c', this.#file, '-s', socket, '-P', pid)
    for (const end = this.#clock.elapsed() + startMs; (await this.version()) === undefined; await pause(startPollMs, this.#clock))
      if (this.#clock.elapsed() > end)
        throw refused(((await this.#host.read(join(this.#folder, 'bird.log'))) ?? '').slice(-200) || 'it does not answer')
  }

  async show(): Promise<string> {
    return (await this.#ask('show protocols all "m_*"')).text
  }

  async showBfd(): Promise<string> {
    return (await this.#ask('show bfd sessions')).text
  }

  #ask(command: string): Promise<Reply & { readonly version: string }> {
    return askBird(join(this.#folder, 'bird.ctl'), command, timeLimit(answerMs, this.#clock))
  }
}

/** The file's name is no matter to whoever reads it, and may be in its words. */
const refused = (output: unknown, file = ''): Error =>
  new BGPRefused({ program: 'BIRD', reason: messageOf(output).replaceAll(file, 'the configuration').trim().slice(0, 400) })

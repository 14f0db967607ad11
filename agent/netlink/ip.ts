// Netlink over iproute2: a program started for each request, for where the addon is missing. Slower by a factor of ten, and it sends
// no frames of its own.
import { spawn } from 'node:child_process'
import { LinkRefused, NetnsGone } from '../../core/errors.ts'
import { commandsOf, type Command } from '../../core/wire/netlink/ip-command.ts'
import { errnoOf, readListed } from '../../core/wire/netlink/ip-json.ts'
import type { NetlinkAnswer, NetlinkRequest, Listed } from '../../core/wire/netlink/netlink.ts'
import { run } from '../../platform/programs/run.ts'
import type { Netlink, NetlinkWake, NetlinkNamespace, TapChange } from './netlink.ts'

const show: { readonly [K in keyof Listed]: readonly Command[] } = {
  links: [],
  addresses: [['ip', '-json', '-N', 'address', 'show']],
  // Both families at once: iproute2 does not say of a default route of which it is, so each is asked alone.
  routes: [
    ['ip', '-4', '-json', '-N', 'route', 'show', 'table', 'main'],
    ['ip', '-6', '-json', '-N', 'route', 'show', 'table', 'main'],
  ],
  tableRoutes: [
    ['ip', '-4', '-json', '-N', 'route', 'show', 'table', 'all'],
    ['ip', '-6', '-json', '-N', 'route', 'show', 'table', 'all'],
  ],
  rules: [
    ['ip', '-4', '-json', '-N', 'rule', 'show'],
    ['ip', '-6', '-json', '-N', 'rule', 'show'],
  ],
  neighbours: [['ip', '-json', 'neighbour', 'show', 'nud', 'all']],
  fdb: [['bridge', '-json', 'fdb', 'show']],
}
const showLinks: Command = ['ip', '-json', '-details', '-N', 'link', 'show']
const monitors: { readonly [K in keyof Listed]: Command } = {
  links: ['ip', 'monitor', 'link'],
  addresses: ['ip', 'monitor', 'address'],
  routes: ['ip', 'monitor', 'route'],
  tableRoutes: ['ip', 'monitor', 'route'],
  rules: ['ip', 'monitor', 'rule'],
  neighbours: ['ip', 'monitor', 'neigh'],
  fdb: ['bridge', 'monitor', 'fdb'],
}

/** @param netns the node's namespace, where it is not that of this process */
export function ipNetlink(netns?: string): Netlink {
  return new IpNetlink(netns)
}

class IpNetlink implements Netlink {
  readonly carrier = 'ip'
  readonly #home: NetlinkNamespace

  constructor(home: NetlinkNamespace) {
    this.#home = home
  }

  async request(requests: readonly NetlinkRequest[], where?: NetlinkNamespace): Promise<readonly NetlinkAnswer[]> {
    const answers: NetlinkAnswer[] = []
    for (const request of requests)
      answers.push(request.do === 'getLink' ? await this.#getLink(request, where) : await this.#ask(request, where))
    return answers
  }

  async requestWithoutOffload(
    requests: readonly NetlinkRequest[],
    where: NetlinkNamespace,
    ifname: string,
  ): Promise<readonly NetlinkAnswer[]> {
    const { code, stderr } = await this.#run(['ethtool', '-K', ifname, 'tx', 'off'], where)
    if (code !== 0) throw new LinkRefused({ what: `${ifname} without checksum offload`, reason: stderr.trim() })
    return this.request(requests, where)
  }

  async list<K extends keyof Listed>(what: K, where?: NetlinkNamespace): Promise<readonly Listed[K][]> {
    const links = await this.#json(showLinks, where)
    const rest = await Promise.all(show[what].map((command) => this.#json(command, where)))
    return readListed(
      what,
      links,
      rest.flatMap((each, i) => (i === 1 ? sixes(each) : each)),
    )
  }

  listen(what: readonly (keyof Listed)[], wake: NetlinkWake): Promise<{ stop(): void }> {
    const children = what.map((each) => {
      const [program, ...args] = inside(monitors[each], this.#home)
      const child = spawn(program!, args, { stdio: ['ignore', 'pipe', 'ignore'] })
      child.stdout.on('data', () => wake())
      child.on('error', () => wake())
      child.unref()
      return child
    })
    // What listens is there once the program has opened its socket; until then nothing is missed, as whoever listens looks first.
    const started = Promise.all(
      children.map((child) => new Promise<void>((resolve) => child.once('spawn', resolve).once('error', () => resolve()))),
    )
    return started.then(() => ({ stop: () => children.forEach((child) => child.kill()) }))
  }

  frame(ifname: string): Promise<void> {
    return Promise.reject(new LinkRefused({ what: `a frame out of ${ifname}`, reason: 'iproute2 sends none: the addon is needed' }))
  }

  async tap(ifname: string, mode: 'tap' | 'tun', where?: NetlinkNamespace, more?: TapChange): Promise<void> {
    const { owner, ownerGroup, multiQueue } = more ?? {}
    const use = [
      ...(owner === undefined ? [] : ['user', String(owner)]),
      ...(ownerGroup === undefined ? [] : ['group', String(ownerGroup)]),
      ...(multiQueue === true ? ['multi_queue'] : []),
    ]
    const { code, stderr } = await this.#run(['ip', 'tuntap', 'add', 'dev', ifname, 'mode', mode, ...use], where)
    if (code === 0) return void (more && (await this.#ask({ do: 'setLink', of: { index: 0, ifname }, change: more }, where)))
    // iproute2 asks for one that is not there yet.
    const there = (await this.list('links', where)).find((link) => link.ifname === ifname)
    if (there?.kind !== 'tun') throw new LinkRefused({ what: `${mode} ${ifname}`, reason: stderr.trim() })
  }

  close(): Promise<void> {
    return Promise.resolve()
  }

  async #ask(request: NetlinkRequest, where: NetlinkNamespace): Promise<NetlinkAnswer> {
    for (const command of commandsOf(request)) {
      const { code, stderr } = await this.#run(command, where)
      if (code !== 0) return { refusal: { errno: errnoOf(stderr), words: stderr.trim() } }
    }
    return {}
  }

  async #getLink({ of }: NetlinkRequest & { readonly do: 'getLink' }, where: NetlinkNamespace): Promise<NetlinkAnswer> {
    const link = (await this.list('links', where)).find(({ index, ifname }) => (of.index > 0 ? index === of.index : ifname === of.ifname))
    return link === undefined ? { refusal: { errno: errnoOf('No such device') } } : { link }
  }

  async #json(command: Command, where: NetlinkNamespace): Promise<readonly unknown[]> {
    const { code, stdout, stderr } = await this.#run(command, where)
    if (code !== 0) throw new LinkRefused({ what: command.join(' '), reason: stderr.trim() })
    return stdout.trim() === '' ? [] : (JSON.parse(stdout) as readonly unknown[])
  }

  async #run(command: readonly string[], where: NetlinkNamespace) {
    const netns = where ?? this.#home
    const [program, ...args] = inside(command, netns)
    const outcome = await run(program!, args)
    if (netns !== undefined && /^nsenter: /m.test(outcome.stderr)) throw new NetnsGone({ netns, cause: outcome.stderr.trim() })
    if (outcome.code === undefined) throw new LinkRefused({ what: command.join(' '), reason: outcome.stderr.trim() })
    return outcome
  }
}

const inside = (command: readonly string[], netns: NetlinkNamespace): readonly string[] =>
  netns === undefined ? command : ['nsenter', `--net=${netns}`, '--', ...command]

/** A default route of IPv6 is on the link where it names no gateway, and a rule to anywhere of no family: both have to be said. */
const sixes = (all: readonly unknown[]): readonly unknown[] =>
  all.map((each) => {
    const { dst } = each as { readonly dst?: unknown }
    return { ...(each as object), inSix: true, ...(dst === 'default' ? { dst: '::/0' } : {}) }
  })

// Inspectors on a machine: namespaces as files, links over netlink, HAProxy as a process of a user of its own that outlives this process.
import { readFile, stat } from 'node:fs/promises'
import { LinkRefused } from '../../core/errors.ts'
import { configurationFile, subjectsFile } from '../../core/node/inspectors/haproxy.ts'
import { changedAddressLists, type InspectorThing } from '../../core/node/inspectors/item.ts'
import { inspectorMac, inspectorName, inspectorNamespace } from '../../core/node/inspectors/names.ts'
import type { Clock } from '../../platform/clock.ts'
import { run } from '../../platform/programs/run.ts'
import { linkGroup, named, findLink, throwUnless } from '../links/pod-namespace.ts'
import type { Netlink } from '../netlink/netlink.ts'
import { dropNamespace, hasNamespace, makeNamespace, namespacePath } from '../links/named-namespace.ts'
import { replaceList } from './admin-socket.ts'
import type { FoundInspector, InspectorHost, InspectorName } from './inspectors.ts'
import { innerName, inspectorScript, inspectorTable } from './namespace.ts'
import { ProxyFolders, type ProxyUser } from './proxy-folders.ts'
import { end, processesOf, startApart } from './processes.ts'

export interface NodeHostOptions {
  readonly netlink: Netlink
  readonly clock: Clock
  /** Where proxies are configured: nobody but root writes there. */
  readonly folder: string
  /** Before the names of namespaces; absent: as core/node/inspectors/names.ts has them. Tests have several nodes on a machine. */
  readonly prefix?: string
}

/** Whose processes proxies are: Debian's package makes it. */
const userName = 'haproxy'
/** Those that go on with connections of before: the oldest of more is ended. */
const leavingMost = 8

export class NodeInspectors implements InspectorHost {
  readonly #netlink: Netlink
  readonly #clock: Clock
  readonly #folders: ProxyFolders
  readonly #prefix: string
  #user: ProxyUser | undefined

  constructor({ netlink, clock, folder, prefix = '' }: NodeHostOptions) {
    this.#netlink = netlink
    this.#clock = clock
    this.#folders = new ProxyFolders(folder)
    this.#prefix = prefix
  }

  async missing(): Promise<string | undefined> {
    const haproxy = await run('haproxy', ['-v'])
    const [, major, minor] = /version (\d+)\.(\d+)/.exec(haproxy.stdout) ?? []
    if (major === undefined) return 'there is no haproxy here'
    if (Number(major) * 1_000 + Number(minor) < 2_006) return `haproxy is ${major}.${minor} here, and 2.6 is needed`
    this.#user = await userOf(userName)
    if (this.#user === undefined) return `there is no user ${userName} here`
    for (const program of ['setpriv', 'nsenter']) if ((await run(program, ['--version'])).code !== 0) return `there is no ${program} here`
    const { code, stderr } = await run('nft', ['-c', '-f', '-'], { input: inspectorTable })
    return code === 0 ? undefined : `nftables has no tproxy here: ${stderr.trim().split('\n')[0] ?? ''}`
  }

  async list(): Promise<readonly FoundInspector[]> {
    const all = await this.#folders.list()
    if (all.length === 0) return []
    return Promise.all(
      all.map(async (name) => ({ ...name, text: (await this.#isWhole(name)) ? await this.#folders.text(name) : undefined })),
    )
  }

  async #isWhole(name: InspectorName): Promise<boolean> {
    return (await this.runs(name)) && (await this.#hasNetwork(name))
  }

  async #hasNetwork(name: InspectorName): Promise<boolean> {
    if (!(await hasNamespace(this.#namespaceOf(name)))) return false
    const host = await findLink(this.#netlink, inspectorName(name.vni, name.direction))
    if (host === undefined) return false
    const inner = await findLink(this.#netlink, innerName, this.#netnsOf(name))
    return inner?.index === host.peer && inner.mac === inspectorMac
  }

  async runs(name: InspectorName): Promise<boolean> {
    const newest = await this.#folders.newest(name)
    return newest !== undefined && (await processesOf(this.#configurationOf(name, newest))).length > 0
  }

  async makeNetwork(thing: InspectorThing): Promise<void> {
    const name = inspectorName(thing.vni, thing.direction)
    if (!(await this.#hasNetwork(thing))) await this.#makeLink(thing, name)
    throwUnless(await this.#netlink.request([{ do: 'setLink', of: named(name), change: { up: true, mtu: thing.mtu, apart: true } }]), [])
    const inner = { do: 'setLink', of: named(innerName), change: { mtu: thing.mtu } } as const
    // Who reads frames in user space is not told that checksums are still to be made.
    throwUnless(await this.#netlink.requestWithoutOffload([inner], this.#netnsOf(thing), innerName), [])
    const { code, stderr } = await run('nsenter', [`--net=${this.#netnsOf(thing)}`, '--', 'sh', '-c', inspectorScript(thing.direction)], {
      input: inspectorTable,
    })
    if (code !== 0) throw new LinkRefused({ what: `the network of ${name}`, reason: stderr.trim().slice(0, 300) })
  }

  async #makeLink(thing: InspectorThing, name: string): Promise<void> {
    await this.#dropLink(name)
    await makeNamespace(this.#namespaceOf(thing))
    const netns = this.#netnsOf(thing)
    // Of a link whose other end was put into a namespace that is gone, or that nobody knows.
    await this.#dropLink(innerName, netns)
    const peer = { ifname: innerName, mac: inspectorMac, mtu: thing.mtu, netns }
    throwUnless(
      await this.#netlink.request([
        { do: 'addLink', link: { ifname: name, mtu: thing.mtu, group: linkGroup.door, shape: { kind: 'veth', peer } } },
      ]),
      [],
    )
  }

  async #dropLink(ifname: string, netns?: string): Promise<void> {
    const requests = [{ do: 'dropLink', of: named(ifname) }] as const
    throwUnless(await this.#netlink.request(requests, netns), [], requests)
  }

  async start(thing: InspectorThing): Promise<'started' | 'told'> {
    const user = this.#user ?? (await userOf(userName))
    if (user === undefined) throw new LinkRefused({ what: 'an inspector', reason: `there is no user ${userName}` })
    if (await this.#tell(thing, user)) return 'told'
    const before = await this.#folders.all(thing)
    const [running, newest] = [await this.#running(thing, before), before.at(-1)]
    const number = (newest ?? 0) + 1
    await this.#folders.write(thing, number, { text: thing.text, files: thing.files, user })
    const leaving = running.flatMap(({ pids }) => pids.map(String))
    const folder = this.#folders.of(thing, number)
    const command = [
      ...['nsenter', `--net=${this.#netnsOf(thing)}`, '--'],
      ...['setpriv', `--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups', '--no-new-privs'],
      ...['--inh-caps=-all,+net_raw', '--ambient-caps=-all,+net_raw', '--bounding-set=-all,+net_raw', '--'],
      ...['haproxy', '-db', '-C', folder, '-f', this.#configurationOf(thing, number)],
      ...(leaving.length === 0 ? [] : ['-sf', ...leaving]),
    ]
    const socket = this.#folders.socket(thing, number)
    await startApart({ command, log: `${folder}/log`, socket }, this.#clock).catch(async (err: unknown) => {
      await this.#folders.drop(thing, number)
      throw err
    })
    await this.#tidy(thing, [...running, { number, pids: [] }])
    return 'started'
  }

  /** @returns false where it does not run, has more to be told than addresses, or does not take them */
  async #tell(thing: InspectorThing, user: ProxyUser): Promise<boolean> {
    const newest = await this.#folders.newest(thing)
    if (newest === undefined || !(await this.#runsInPlace(thing, newest))) return false
    const changed = changedAddressLists(await this.#folders.files(thing, newest, thing.files.keys()), thing.files)
    // It may be asked for again as something else of it is not as it should be.
    if (changed === undefined || changed.length === 0) return false
    const socket = this.#folders.socket(thing, newest)
    try {
      for (const name of changed) {
        const lines = (thing.files.get(name) ?? '').split('\n').filter((line) => line !== '')
        await replaceList(socket, { name, kind: name === subjectsFile ? 'map' : 'acl', lines })
      }
    } catch (err) {
      if (err instanceof LinkRefused) return false
      throw err
    }
    await this.#folders.write(thing, newest, { text: thing.text, files: thing.files, user })
    return true
  }

  /** In the namespace that has its name now. */
  async #runsInPlace(name: InspectorName, number: number): Promise<boolean> {
    const [pids, { ino }] = await Promise.all([processesOf(this.#configurationOf(name, number)), stat(this.#netnsOf(name))])
    const theirs = await Promise.all(pids.map((pid) => stat(`/proc/${pid}/ns/net`).catch(() => undefined)))
    return theirs.length > 0 && theirs.every((each) => each?.ino === ino)
  }

  /** Those that still have a process, from the oldest on. */
  async #running(
    name: InspectorName,
    numbers: readonly number[],
  ): Promise<readonly { readonly number: number; readonly pids: readonly number[] }[]> {
    const all = await Promise.all(numbers.map(async (number) => ({ number, pids: await processesOf(this.#configurationOf(name, number)) })))
    return all.filter(({ pids }) => pids.length > 0)
  }

  async #tidy(name: InspectorName, kept: readonly { readonly number: number; readonly pids: readonly number[] }[]): Promise<void> {
    const [old, left] = [kept.slice(0, -1 - leavingMost), kept.slice(-1 - leavingMost)]
    await end(
      old.flatMap(({ pids }) => pids),
      this.#clock,
    )
    const stay = left.map(({ number }) => number)
    for (const number of await this.#folders.all(name)) if (!stay.includes(number)) await this.#folders.drop(name, number)
  }

  async remove(name: InspectorName): Promise<void> {
    await end(await processesOf(`${this.#folders.of(name)}/`), this.#clock)
    await this.#dropLink(inspectorName(name.vni, name.direction))
    await dropNamespace(this.#namespaceOf(name))
    await this.#folders.drop(name)
  }

  close(): Promise<void> {
    return this.#netlink.close()
  }

  #configurationOf(name: InspectorName, number: number): string {
    return `${this.#folders.of(name, number)}/${configurationFile}`
  }

  #namespaceOf({ vni, direction }: InspectorName): string {
    return `${this.#prefix}${inspectorNamespace(vni, direction)}`
  }

  #netnsOf(name: InspectorName): string {
    return namespacePath(this.#namespaceOf(name))
  }
}

async function userOf(name: string): Promise<ProxyUser | undefined> {
  const lines = (await readFile('/etc/passwd', 'utf8').catch(() => '')).split('\n').map((line) => line.split(':'))
  const [, , uid, gid] = lines.find(([each]) => each === name) ?? []
  return uid === undefined || gid === undefined ? undefined : { uid: Number(uid), gid: Number(gid) }
}

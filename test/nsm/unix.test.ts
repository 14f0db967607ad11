// Clients on a unix socket of our nsmgr, which send their network namespace as a descriptor: NSM's own client, in a namespace that no file
// and no process of the machine has, gets its interface; whoever has no descriptor gets nothing.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, readdirSync, readlinkSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test, type TestContext } from 'node:test'
import { openNetlink } from '../../agent/netlink/addon.ts'
import { heldNamespaces } from '../../agent/nsm/namespaces.ts'
import { kernelWires } from '../../agent/nsm/wires.ts'
import { parseCidr } from '../../core/net/cidr.ts'
import { endpointMechanism } from '../../core/nsm/connection/wire.ts'
import { noNamespaces } from '../../lab/namespaces.ts'
import { startEndpoint } from '../../platform/nsm/roles/endpoint.ts'
import { startForwarder } from '../../platform/nsm/roles/forwarder.ts'
import { startNsmgr } from '../../platform/nsm/roles/nsmgr.ts'
import { freePorts } from '../../platform/programs/free-ports.ts'
import { builtAddon, withSpaces, type Space } from '../node/kernel.ts'
import { until } from '../setup/until.ts'
import { fileSockets } from './file-sockets.ts'
import { programOf, startPeer, startPeerInside, startPeerWith, testTokens } from './peers.ts'
import { serveRegistry } from './registry-served.ts'

const skip = (await noNamespaces()) ?? false

/** Of this process. */
const openFiles = (): readonly string[] =>
  readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      return [readlinkSync(`/proc/self/fd/${fd}`)]
    } catch {
      return []
    }
  })
/** Those that clients have sent: namespaces have no other name in here, once `ip netns` has none of it. */
const heldFiles = (): number => openFiles().filter((name) => name.startsWith('net:[') || name.includes('netns/') || name === '/').length

/** Registry, nsmgr on a unix socket, forwarder and endpoint of ours; the endpoint is in the namespace of `far`. */
async function mesh(t: TestContext, far: Space) {
  const sockets = await fileSockets()
  const { address: registry } = await serveRegistry(t)
  const folder = mkdtempSync(join(tmpdir(), 'megrez-nsm-'))
  const socket = `unix://${folder}/nsm.sock`
  const [port] = await freePorts(1)
  const listen = `tcp://127.0.0.1:${port}`
  const signal = AbortSignal.timeout(60_000)
  const netlink = await openNetlink(await builtAddon())
  const stops: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true }), () => netlink.close()]
  t.after(async () => {
    for (const stop of stops.reverse()) await stop()
  })
  const held = heldNamespaces(sockets.namespaceType)
  // What a client leaves in the middle of its Request stays behind the nsmgr until that one's token ends.
  const program = { ...programOf('nsmgr-1', testTokens(10_000)), sockets }
  const start = async (): Promise<{ stop(): Promise<void> }> => {
    const nsmgr = await startNsmgr(program, {
      listen,
      socket,
      registry,
      forwarderService: 'forwarder',
      excludedPrefixes: [],
      namespaces: held,
    })
    stops.push(() => nsmgr.stop())
    return nsmgr
  }
  const nsmgr = await start()
  const forwarder = await startForwarder(programOf('forwarder-1'), {
    listen: 'tcp://127.0.0.1:0',
    nsmgr: listen,
    service: 'forwarder',
    mechanisms: ['KERNEL', 'NOOP'],
    preferences: (connection) => [endpointMechanism(connection)],
    wires: kernelWires(netlink, (url) => held.pathOf(url)),
    signal,
  })
  stops.push(() => forwarder.stop())
  const endpoint = await startEndpoint(programOf('nse-1'), {
    listen: 'tcp://127.0.0.1:0',
    registry: listen,
    services: { 'svc-a': {} },
    mechanisms: ['KERNEL'],
    addresses: { blocks: [parseCidr('10.60.1.0/24')!], strict: true },
    namespace: `file://${far.path}`,
    signal,
  })
  stops.push(() => endpoint.stop())
  await startPeer('register-ns', '--registry', registry, '--name', 'svc-a').ended
  return { sockets, socket, path: `${folder}/nsm.sock`, listen, nsmgr, start, signal, stops }
}

/** Of a namespace that has lost its name: an open file is all that is left of it. */
async function withoutName({ path, namespace }: Space): Promise<number> {
  const fd = openSync(path, 'r')
  await namespace.remove()
  return fd
}

const run = (fd: number, ...program: readonly string[]): Promise<{ readonly code: number | null; readonly out: string }> =>
  new Promise((resolve) => {
    const child = spawn('nsenter', ['--net=/proc/self/fd/3', ...program], { stdio: ['ignore', 'pipe', 'ignore', fd] })
    let out = ''
    child.stdout!.on('data', (bytes: Buffer) => (out += String(bytes)))
    child.on('close', (code) => resolve({ code, out }))
  })
const interfaces = async (fd: number): Promise<readonly string[]> =>
  [...(await run(fd, 'ip', '-o', 'link')).out.matchAll(/^\d+: ([^:@]+)/gm)].map(([, name]) => name!).filter((name) => name !== 'lo')
const pings = async (fd: number): Promise<boolean> =>
  (await run(fd, 'ping', '-n', '-c', '2', '-i', '0.2', '-W', '1', '10.60.1.0')).code === 0

const clientArgs = (socket: string, more: readonly string[] = []): readonly string[] => [
  ...['client', '--connect', socket, '--service', 'svc-a', '--id', 'conn-1', '--mechanism', 'kernel', '--timeout', '5s'],
  ...more,
]
const named = (file: string, ifname = 'nsm-1'): readonly string[] => [
  ...['--mechanism-param', `inodeURL=${file}`],
  ...['--mechanism-param', `name=${ifname}`],
]

describe('a client on the unix socket', { skip }, () => {
  test('whose namespace is nowhere but in its descriptor pings its endpoint, and nothing is left after its Close', async (t) =>
    withSpaces(async (spaces) => {
      const [near, far] = [await spaces.make(), await spaces.make()]
      const { socket } = await mesh(t, far)
      const fd = await withoutName(near)
      t.after(() => closeSync(fd))
      const before = heldFiles()
      const client = startPeerWith(fd, ...clientArgs(socket, named('file:///proc/self/fd/3')))
      await client.event('connected')
      assert.ok(await pings(fd), 'packets pass')
      assert.deepEqual(await interfaces(fd), ['nsm-1'])
      assert.ok(heldFiles() > before, 'it is held')
      await client.kill()
      assert.deepEqual(await interfaces(fd), [])
      assert.deepEqual((await far.namespace.ip('-o', 'link')).stdout.match(/^\d+/gm)?.length, 1)
      await until(() => heldFiles() === before, 'its namespace is held no more')
    }))

  test('sends it again to an nsmgr that has come back, and has its interface again, and no second one', async (t) =>
    withSpaces(async (spaces) => {
      const [near, far] = [await spaces.make(), await spaces.make()]
      const { socket, nsmgr, start } = await mesh(t, far)
      const fd = await withoutName(near)
      t.after(() => closeSync(fd))
      const before = heldFiles()
      const client = startPeerInside(fd, ...clientArgs(socket, ['--heal', '--wait-for-ready']))
      t.after(() => client.kill())
      await client.event('connected')
      const had = await interfaces(fd)
      await nsmgr.stop()
      assert.ok(await pings(fd), 'packets pass while it is away')
      const answered = client.events.filter(({ event }) => event === 'response').length
      await start()
      await until(() => client.events.filter(({ event }) => event === 'response').length > answered, 'it has asked again')
      assert.ok(await pings(fd))
      assert.deepEqual(await interfaces(fd), had, 'one, of the same name')
      await client.kill()
      // The first nsmgr was stopped and no process of its own: what it held stays.
      await until(() => heldFiles() === before + 1, 'its namespace is held no more')
    }))

  test('is refused what it sends no descriptor of, and what is no network namespace of its own', async (t) =>
    withSpaces(async (spaces) => {
      const [near, far] = [await spaces.make(), await spaces.make()]
      const { socket, path, listen } = await mesh(t, far)
      const before = heldFiles()
      const { dev, ino } = statSync(near.path)
      for (const [url, namespace] of [
        [socket, `inode://${dev}/${ino}`],
        [socket, `file://${near.path}`],
        [listen, `inode://${dev}/${ino}`],
        [listen, `file://${near.path}`],
      ] as const) {
        const client = startPeer(...clientArgs(url, [...named(namespace), '--sendfd', 'off']))
        const refused = await client.event('request-failed')
        const why =
          url === socket && namespace.startsWith('inode') ? /no descriptor of inode/ : /is sent as a descriptor, on the unix socket/
        assert.match(String(refused['message']), why, `${url} ${namespace}`)
        await client.kill('SIGKILL')
      }
      for (const [file, why] of [
        ['/proc/self/ns/net', /the node's own network namespace/],
        ['/proc/self/ns/pid', /is no network namespace/],
        ['/etc/passwd', /is no network namespace/],
        [path, /is no network namespace/],
        ['/dev/null', /is no network namespace/],
      ] as const) {
        const client = startPeer(...clientArgs(socket, named(`file://${file}`)))
        const refused = await client.event('request-failed')
        assert.match(String(refused['message']), why, file)
        await client.kill('SIGKILL')
      }
      assert.deepEqual(await interfacesOf(near), [])
      await until(() => heldFiles() === before, 'nothing is held')
    }))

  test('that sends 10,000 descriptors, or goes in the middle, leaves none open, and others are served meanwhile', async (t) =>
    withSpaces(async (spaces) => {
      const [near, far] = [await spaces.make(), await spaces.make()]
      const { sockets, socket, path } = await mesh(t, far)
      const fd = await withoutName(near)
      t.after(() => closeSync(fd))
      const before = heldFiles()
      const folder = mkdtempSync(join(tmpdir(), 'megrez-many-'))
      t.after(() => rmSync(folder, { recursive: true, force: true }))
      const flood = sockets.connect(path)
      flood.on('error', () => undefined)
      let sent = 0
      for (; sent < 10_000 && !flood.destroyed && !flood.readableEnded; sent++) {
        flood.sendFile(openSync(join(folder, `f${sent}`), 'w'))
        flood.write('x')
        flood.resume()
        if (sent % 16 === 0) await new Promise(setImmediate)
      }
      flood.destroy()
      assert.ok(sent < 10_000, 'it is cut off')
      for (let n = 0; n < 8; n++) {
        const client = startPeerWith(
          fd,
          ...clientArgs(socket, [...named('file:///proc/self/fd/3'), '--token-lifetime', '3s', '--timeout', '1s']),
        )
        await new Promise((resolve) => setTimeout(resolve, 20 * n))
        await client.kill('SIGKILL')
      }
      const last = startPeerWith(fd, ...clientArgs(socket, named('file:///proc/self/fd/3', 'nsm-2')))
      await last.event('connected')
      assert.ok(await pings(fd))
      await last.kill()
      await until(async () => (await interfaces(fd)).length === 0, 'what was left is over when its token ends')
      await until(() => heldFiles() === before, 'and is held no more')
      assert.deepEqual(
        openFiles().filter((name) => name.startsWith(folder)),
        [],
      )
    }))
})

const interfacesOf = async ({ path }: Space): Promise<readonly string[]> => {
  const fd = openSync(path, 'r')
  try {
    return await interfaces(fd)
  } finally {
    closeSync(fd)
  }
}

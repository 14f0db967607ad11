// The scenarios of peers/nsm/reference/run.sh that clients take part in, with an nsmgr, forwarders and endpoints of ours.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { freePorts } from '../../platform/programs/free-ports.ts'
import { play, type Played } from './played.ts'
import { comparable, type PeerEvent } from './transcripts.ts'

export interface Stage extends Played {
  /** URLs. */
  readonly registry: string
  readonly nsmgr: string
  /** Of the first and the second endpoint. */
  readonly nse: readonly [string, string]
  /** For unix sockets. */
  readonly folder: string
  /** Registry, nsmgr, forwarder, network service svc-a. */
  system(): Promise<void>
  startNsmgr(name: string, url: string, as: string): Promise<void>
  startForwarder(name: string, nsmgr: string, as: string): Promise<void>
  startNse(n: 1 | 2, how?: { readonly nsmgr?: string; readonly flags?: readonly string[] }): Promise<void>
  /** Arguments of a client of svc-a. */
  client(id: string, ...more: readonly string[]): readonly string[]
  registerService(...more: readonly string[]): Promise<void>
  /** A line in several transcripts. */
  noteAll(names: readonly string[], text: string): void
  kill(name: string): Promise<void>
}

export async function openStage(): Promise<Stage> {
  const [registryPort, nsmgrPort, port1, port2] = await freePorts(4)
  const url = (port: number | undefined): string => `tcp://127.0.0.1:${port}`
  const [registry, nsmgr, nse] = [url(registryPort), url(nsmgrPort), [url(port1), url(port2)] as const]
  const played = play()
  const folder = mkdtempSync(join(tmpdir(), 'megrez-nsm-'))
  const any = 'tcp://127.0.0.1:0'
  const stage: Stage = {
    ...played,
    registry,
    nsmgr,
    nse,
    folder,
    async finish() {
      await played.finish()
      rmSync(folder, { recursive: true, force: true })
    },
    startNsmgr: (name, listen, as) => played.startOurs(name, 'nsmgr', '--listen', listen, '--registry', registry, '--name', as),
    startForwarder: (name, at, as) => played.startOurs(name, 'forwarder', '--listen', any, '--registry', at, '--name', as),
    startNse: (n, { nsmgr: at = nsmgr, flags = [] } = {}) => {
      const block = ['--service', 'svc-a', '--cidr', `10.60.${n}.0/24`]
      return played.startOurs(`nse-${n}`, 'endpoint', '--listen', nse[n - 1]!, '--registry', at, '--name', `nse-${n}`, ...block, ...flags)
    },
    async system() {
      played.start('registry', 'registry-memory', '--listen', registry)
      await wait(200)
      await stage.startNsmgr('nsmgr', nsmgr, 'nsmgr-1')
      await stage.startForwarder('forwarder', nsmgr, 'forwarder-1')
      await stage.registerService()
    },
    client: (id, ...more) => ['client', '--service', 'svc-a', '--mechanism', 'kernel', '--connect', nsmgr, '--id', id, ...more],
    registerService: (...more) => played.run('setup', 'register-ns', '--registry', nsmgr, '--name', 'svc-a', ...more),
    noteAll: (names, text) => names.forEach((name) => played.note(name, text)),
    kill: (name) => played.end(name, 'SIGKILL'),
  }
  return stage
}

/** What of a transcript has to be equal: lines that can be compared. */
type View = (events: readonly PeerEvent[]) => readonly string[]

/** Each line in its order; what is repeated is there once. */
const lines: View = comparable
/** In order, each line once: how often it was tried before something changed is the run's. */
const distinct: View = (events) => [...new Set(comparable(events.map(({ seq: _, ...event }) => event)))]
/**
 * The same, of transcripts that are cut in the middle. What a nsmgr that has come back is missing is the run's: forwarder and endpoint
 * register again when each of them notices.
 */
const ofSurvivor: View = (events) =>
  distinct(
    events
      .filter(({ text, message }) => !/lines left out|starts again/.test(String(text)) && !/ candidates (not )?found/.test(String(message)))
      // The first call may meet the connection while it is being lost.
      .map((event) => (event.event === 'close-failed' && event['codeNumber'] === 14 ? { ...event, message: '' } : event)),
  )
/** Of a client whose calls wait for a connection: where the nsmgr is back before its forwarder, it tries and closes once more. */
const ofWaiter: View = (events) => ofSurvivor(events.filter(({ message }) => message !== 'no grpc.ClientConnInterface provided'))
/** NSM's nsmgr waits in Close for a descriptor that was never sent; ours does not. */
const beforeHang: View = (events) => lines(events.filter(({ event }) => !['closed', 'close-failed', 'error'].includes(event)))
/** Of a registry, which says what it has in any order. */
const unordered: View = (events) => comparable(events.toSorted((a, b) => (nameIn(a) < nameIn(b) ? -1 : 1)))
const nameIn = ({ nse }: PeerEvent): string => String((nse as { readonly name?: unknown } | undefined)?.name ?? '')
/** Of a monitor: what happens to several at once is told in any order, and in its order of each. */
const ofEachClient: View = (events) =>
  ['conn-1', 'conn-2'].flatMap((id) => comparable(events.filter((event) => JSON.stringify(event).includes(`"${id}"`))))

export interface Scenario {
  /** Processes of NSM's, and what of their transcripts has to be equal. */
  readonly compared: Readonly<Record<string, View>>
  /** Of these the run says which of the transcripts is whose, as they begin at once. */
  readonly alike?: readonly string[]
  play(stage: Stage): Promise<void>
}

export const scenarios: Readonly<Record<string, Scenario>> = {
  basic: {
    compared: { client: lines, client2: lines, 'monitor-nsmgr': lines, 'monitor-nse': lines, 'monitor-late': lines, setup: lines },
    async play(stage) {
      const { start, run, nsmgr, nse } = stage
      await stage.system()
      await stage.startNse(1)
      start('monitor-nsmgr', 'monitor', '--connect', nsmgr)
      start('monitor-nse', 'monitor', '--connect', nse[0])
      await wait(300)
      await run('client', ...stage.client('conn-1', '--label', 'app=web', '--hold', '1s'))
      await wait(200)
      start('monitor-late', 'monitor', '--connect', nsmgr)
      const args = ['client', '--service', 'svc-a', '--mechanism', 'kernel', '--connect', nsmgr, '--id', 'conn-2']
      await run('client2', ...args, '--mechanism', 'memif', '--hold', '500ms')
    },
  },
  refresh: {
    compared: { client: lines, monitor: lines, setup: lines },
    async play(stage) {
      await stage.system()
      await stage.startNse(1)
      stage.start('monitor', 'monitor', '--connect', stage.nsmgr)
      await wait(200)
      await stage.run('client', ...stage.client('conn-1', '--token-lifetime', '10s', '--timeout', '1s', '--hold', '7s'))
      await wait(300)
    },
  },
  expire: {
    compared: { client: lines, monitor: lines, 'monitor-nse': lines, setup: lines },
    async play(stage) {
      await stage.system()
      await stage.startNse(1)
      stage.start('monitor', 'monitor', '--connect', stage.nsmgr)
      stage.start('monitor-nse', 'monitor', '--connect', stage.nse[0])
      await wait(200)
      const lives = ['--token-lifetime', '4s', '--timeout', '1s', '--refresh=false', '--hold', '100ms', '--no-close']
      await stage.run('client', ...stage.client('conn-1', ...lives))
      await wait(6_000)
    },
  },
  ends: {
    compared: { client: lines, 'monitor-term': lines, 'monitor-kill': lines, setup: lines },
    async play(stage) {
      await stage.system()
      await stage.startNse(1)
      stage.start('monitor-term', 'monitor', '--connect', stage.nse[0])
      stage.start('monitor-kill', 'monitor', '--connect', stage.nsmgr)
      await wait(300)
      await stage.run('client', ...stage.client('conn-1', '--token-lifetime', '-10s', '--refresh=false', '--hold', '1s'))
      stage.note('monitor-term', 'SIGTERM to nse-1')
      await stage.end('nse-1')
      stage.note('monitor-kill', 'SIGKILL to nsmgr-1')
      await stage.kill('nsmgr')
      await wait(300)
      await stage.kill('forwarder')
    },
  },
  'ns-change': {
    compared: { client: lines, monitor: lines, setup: lines },
    async play(stage) {
      await stage.system()
      await stage.startNse(1, { flags: ['--label', 'role=a'] })
      await stage.startNse(2, { flags: ['--label', 'role=b'] })
      await stage.registerService('--match', '=>role=a')
      stage.start('monitor', 'monitor', '--connect', stage.nsmgr)
      await wait(200)
      stage.start('client', ...stage.client('conn-1', '--heal'))
      await stage.heard('client', 'connected')
      await wait(200)
      stage.noteAll(['client', 'monitor'], 'now role=b')
      await stage.registerService('--match', '=>role=b')
      await wait(1_000)
      stage.noteAll(['client', 'monitor'], 'svc-a is unregistered')
      await stage.run('setup', 'unregister-ns', '--registry', stage.nsmgr, '--name', 'svc-a')
      await wait(500)
      await stage.end('client')
    },
  },
  'two-nodes': {
    compared: { client: lines, 'monitor-nsmgr1': lines, 'monitor-nsmgr2': lines, setup: lines },
    async play(stage) {
      await stage.system()
      const [port] = await freePorts(1)
      const other = `tcp://127.0.0.1:${port}`
      await stage.startNsmgr('nsmgr2', other, 'nsmgr-2')
      await stage.startForwarder('forwarder2', other, 'forwarder-2')
      await stage.startNse(1, { nsmgr: other })
      stage.start('monitor-nsmgr1', 'monitor', '--connect', stage.nsmgr)
      stage.start('monitor-nsmgr2', 'monitor', '--connect', other)
      await wait(200)
      stage.start('client', ...stage.client('conn-1', '--heal'))
      await stage.heard('client', 'connected')
      await wait(200)
      await stage.startNse(2, { nsmgr: other })
      stage.note('client', 'SIGKILL to nse-1')
      await stage.kill('nse-1')
      await wait(1_000)
      await stage.end('client')
      await wait(200)
    },
  },
  heal: {
    compared: { client: lines, monitor: lines, setup: lines },
    async play(stage) {
      const both = ['client', 'monitor']
      await stage.system()
      await stage.startNse(1)
      stage.start('monitor', 'monitor', '--connect', stage.nsmgr)
      stage.start('client', ...stage.client('conn-1', '--heal'))
      await wait(1_000)
      await stage.startNse(2)
      stage.noteAll(both, 'SIGKILL to nse-1')
      await stage.kill('nse-1')
      await wait(2_000)
      await stage.startNse(1)
      stage.noteAll(both, 'SIGTERM to nse-2')
      await stage.end('nse-2')
      await wait(2_000)
      stage.note('client', 'SIGTERM to the client')
      await stage.end('client')
      await wait(300)
    },
  },
  'heal-strict': {
    compared: { client: lines, setup: lines },
    async play(stage) {
      await stage.system()
      await stage.startNse(1, { flags: ['--strict'] })
      stage.start('client', ...stage.client('conn-1', '--heal'))
      await stage.heard('client', 'connected')
      await wait(200)
      await stage.startNse(2, { flags: ['--strict'] })
      stage.note('client', 'SIGKILL to nse-1')
      await stage.kill('nse-1')
      await wait(1_000)
      await stage.end('client')
    },
  },
  'heal-none': {
    compared: { client: distinct, noheal: lines, monitor: ofEachClient, setup: lines },
    async play(stage) {
      await stage.system()
      await stage.startNse(1)
      stage.start('monitor', 'monitor', '--connect', stage.nsmgr)
      stage.start('client', ...stage.client('conn-1', '--heal'))
      await stage.heard('client', 'connected')
      stage.start('noheal', ...stage.client('conn-2'))
      await stage.heard('noheal', 'connected')
      await wait(200)
      stage.noteAll(['client', 'noheal'], 'SIGKILL to nse-1')
      await stage.kill('nse-1')
      await wait(300)
      await stage.startNse(2)
      await wait(400)
      stage.note('client', 'nse-2 is up')
      await wait(2_000)
      await stage.end('client')
      await stage.end('noheal')
    },
  },
  'heal-nsmgr': { compared: { client: ofSurvivor, setup: lines }, play: (stage) => nsmgrDies(stage, []) },
  'heal-nsmgr-wait': { compared: { client: ofWaiter, setup: lines }, play: (stage) => nsmgrDies(stage, ['--wait-for-ready']) },
  localbypass: {
    compared: { 'find-nsmgr': unordered, 'find-registry': unordered, setup: lines },
    async play(stage) {
      await stage.system()
      await stage.startNse(1)
      stage.note('find-nsmgr', 'at the nsmgr')
      await stage.run('find-nsmgr', 'find-nse', '--registry', stage.nsmgr)
      stage.note('find-registry', 'at the registry')
      await stage.run('find-registry', 'find-nse', '--registry', stage.registry)
    },
  },
  unix: {
    compared: { client: beforeHang, setup: lines },
    async play(stage) {
      const { run, note, startOurs, folder } = stage
      const [nsmgr, forwarder, nse] = ['nsmgr', 'fwd', 'nse'].map((name) => `unix://${folder}/${name}.sock`) as [string, string, string]
      // Without a registry behind it.
      await startOurs('nsmgr', 'nsmgr', '--listen', nsmgr, '--name', 'nsmgr-1')
      await startOurs('forwarder', 'forwarder', '--listen', forwarder, '--registry', nsmgr, '--name', 'forwarder-1')
      await run('setup', 'register-ns', '--registry', nsmgr, '--name', 'svc-a')
      const block = ['--service', 'svc-a', '--cidr', '10.60.1.0/24']
      await startOurs('nse-1', 'endpoint', '--listen', nse, '--registry', nsmgr, '--name', 'nse-1', ...block)
      const client = (id: string) => ['client', '--service', 'svc-a', '--mechanism', 'kernel', '--connect', nsmgr, '--id', id]
      await run('client', ...client('conn-1'), '--hold', '300ms')
      note('client', 'without file descriptors: Close hangs')
      await run('client', ...client('conn-2'), '--sendfd', 'off', '--timeout', '3s', '--hold', '300ms')
    },
  },
  direct: {
    compared: { client: lines },
    alike: ['held1', 'held2', 'held3', 'held4'],
    async play(stage) {
      const { run, start, nse } = stage
      const blocks = ['--cidr', '10.60.1.0/30', '--cidr', 'fd00:60::/126']
      await stage.startOurs('nse', 'endpoint', '--listen', nse[0], '--name', 'nse-1', ...blocks)
      const client = (id: string) => ['client', '--service', 'svc-a', '--mechanism', 'kernel', '--connect', nse[0], '--id', id]
      await run('client', ...client('conn-1'), '--hold', '1ms')
      stage.note('client', '10.60.1.0/31 excluded')
      await run('client', ...client('conn-2'), '--excluded-prefix', '10.60.1.0/31', '--hold', '1ms')
      stage.note('client', 'pool used up')
      for (const n of [1, 2, 3, 4]) start(`held${n}`, ...client(`conn-${n + 2}`))
      await wait(500)
      await run('client', ...client('conn-7'), '--hold', '1ms')
    },
  },
}

async function nsmgrDies(stage: Stage, more: readonly string[]): Promise<void> {
  await stage.system()
  await stage.startNse(1)
  stage.start('client', ...stage.client('conn-1', '--heal', ...more))
  await stage.heard('client', 'connected')
  await wait(200)
  stage.note('client', 'SIGKILL to nsmgr-1')
  await stage.kill('nsmgr')
  await wait(500)
  stage.note('client', 'nsmgr-1 starts again')
  await stage.startNsmgr('nsmgr', stage.nsmgr, 'nsmgr-1')
  await wait(4_000)
  await stage.end('client')
}

// npm run demo -- --watch: the demo of one machine, for somebody who looks at the page meanwhile; it stays until Ctrl-C.
import { fallen } from '../context.ts'
import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { demoNamespaces } from '../../examples/demo-steps.ts'
import { startReceiver, type Receiver } from './receiver.ts'
import { Rest } from './rest.ts'
import { startServer, type Server } from './server.ts'
import { allTold, leftIn, playStep, stepsOf, takeBack, type PodShown, type Refused } from './story.ts'

/** Between two steps, for eyes. */
const paceMs = 700
const answersMs = 2_000
const print = (line: string): void => void process.stdout.write(`${line}\n`)

type Watched = Pick<Server, 'url' | 'token' | 'signInUrl'>

/** @returns what was not as it should be */
export async function demoWatched({ install, folder }: { readonly install: boolean; readonly folder: string }): Promise<readonly string[]> {
  const running = await runningFrom(folder)
  if (running !== undefined) return onRunning(running)
  const own = await startServer(install ? [] : ['--no-install'])
  try {
    return await show(own, own.signInUrl, () => Promise.resolve([]))
  } finally {
    await own.stop()
  }
}

async function onRunning(server: Watched): Promise<readonly string[]> {
  const rest = new Rest(server)
  const taken = (await leftIn(rest, demoNamespaces)).filter(isNamespaced)
  if (taken.length > 0) return [`the demo wants its namespaces for itself, and there is ${taken.slice(0, 5).join(', ')}`]
  return show(server, `${server.url}/?view=network`, (to, pods) => backAgain(rest, to, pods))
}

type TakenBack = (to: Receiver, pods: readonly PodShown[]) => Promise<readonly string[]>

async function show(server: Watched, pageUrl: string, takenBack: TakenBack): Promise<readonly string[]> {
  const receiver = await startReceiver()
  const signal = untilEnded()
  const pods: PodShown[] = []
  try {
    invite(server, pageUrl)
    const failure = await watchedPlay(new Rest(server), receiver, { pods, signal })
      .then(() => fallen(signal))
      .catch((err: unknown) => (signal.aborted ? undefined : String(err)))
    const wrong = await takenBack(receiver, pods)
    return failure === undefined ? wrong : [failure, ...wrong]
  } finally {
    await receiver.stop()
  }
}

const isNamespaced = (text: string): boolean => !text.includes(' /')

/** The server that runs from this folder, if one does. */
async function runningFrom(folder: string): Promise<Watched | undefined> {
  try {
    const ready = JSON.parse(await readFile(join(folder, 'ready.json'), 'utf8')) as Watched
    const headers = { authorization: `Bearer ${ready.token}` }
    const answer = await fetch(`${ready.url}/v1/me`, { headers, signal: AbortSignal.timeout(answersMs) })
    return answer.ok ? ready : undefined
  } catch {
    return undefined
  }
}

/** Falls at Ctrl-C; a second one ends the process as ever. */
function untilEnded(): AbortSignal {
  const ended = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => ended.abort())
  return ended.signal
}

interface Watching {
  /** Those that have been made so far. */
  readonly pods: PodShown[]
  readonly signal: AbortSignal
}

/** Where there is a screen, the page is opened on it too. */
function invite({ signInUrl }: Watched, pageUrl: string): void {
  print(`page  ${pageUrl}`)
  if (pageUrl !== signInUrl) print(`      not signed in there? once, within a quarter of an hour of the server's start: ${signInUrl}`)
  const screens = ['DISPLAY', 'WAYLAND_DISPLAY'].map((name) => process.env[name] ?? '')
  if (screens.every((each) => each === '')) return
  const child = spawn('xdg-open', [pageUrl], { stdio: 'ignore', detached: true })
  child.once('error', () => undefined)
  child.unref()
}

async function watchedPlay(rest: Rest, to: Receiver, { pods, signal }: Watching): Promise<void> {
  await untilSeen(signal)
  for (const step of await stepsOf()) {
    const shown = await playStep(rest, to, step)
    print(`${step.is}: ${wordsOf(shown)}`)
    if (shown !== undefined && 'nics' in shown) pods.push(shown)
    if (step.isRefused && shown === undefined) throw new Error('the taken address was not refused')
    await pause(paceMs, undefined, { signal })
  }
  for (const { kind, namespace, name, sequence, phase } of to.notices) print(`notice  ${kind} ${namespace}/${name} ${sequence} ${phase}`)
  print(`The demo is over: ${to.notices.length} notices were received. Ctrl-C takes it back.`)
}

/** Who sits before a terminal says when the page is open. */
async function untilSeen(signal: AbortSignal): Promise<void> {
  if (!process.stdin.isTTY) return
  const reader = createInterface({ input: process.stdin, output: process.stdout })
  reader.once('SIGINT', () => process.kill(process.pid, 'SIGINT'))
  await reader.question('Open it, then press Enter: the demo plays. ', { signal }).finally(() => reader.close())
}

function wordsOf(shown: PodShown | Refused | undefined): string {
  if (shown === undefined) return 'done'
  if ('message' in shown) return `${shown.path} ${shown.message}`
  return shown.nics.map(({ name, address }) => `${name} ${address}`).join(', ')
}

/** On somebody's server nothing stays, and nobody is told in vain. */
async function backAgain(rest: Rest, to: Receiver, pods: readonly PodShown[]): Promise<readonly string[]> {
  const left = (await takeBack(rest, demoNamespaces)).filter(isNamespaced)
  await allTold(to, pods)
  return left.map((each) => `left behind: ${each}`)
}

// Programs that a Port's maker wants run beside it (KOS: postCreateExec, postDeleteExec): only those on this node's list, without
// a shell, once, and with a report.
import { spawn } from 'node:child_process'
import type { Resource } from '../core/kinds/index.ts'
import type { AgentEnv } from './env.ts'
import type { NodeStatus } from './ledger/record.ts'

type ExecReport = NonNullable<NodeStatus['postCreateExecReport']>

/** What of a program's output is kept. */
const outputMax = 4096
const runMs = 60_000
/** KOS's: it never really ran. */
const neverRan = -2

/** @returns undefined where there is nothing to run */
export async function runPrograms(when: 'postCreate' | 'postDelete', port: Resource<'Port'>, ifname: string, env: AgentEnv): Promise<ExecReport | undefined> {
  const given = when === 'postCreate' ? port.spec.postCreateExec : port.spec.postDeleteExec
  if (given === undefined || given.length === 0) return undefined
  const command = given.map((word) => expanded(word, port, ifname))
  const startTime = new Date(env.clock.now()).toISOString()
  const allowed = env.config.execAllow.includes(command[0]!)
  const ran = allowed ? await run(command) : { exitStatus: neverRan, stdOut: '', stdErr: `${command[0]!} is not on this node's list of programs` }
  const report = { command, startTime, stopTime: new Date(env.clock.now()).toISOString(), ...ran }
  env.log.info({ when, port: port.metadata.name, program: command[0], exitStatus: report.exitStatus }, 'a program of a Port was run')
  return report
}

function expanded(word: string, { status = {} }: Resource<'Port'>, ifname: string): string {
  const values: Readonly<Record<string, string>> = { ifname, mac: status.mac ?? '', ipv4: status.addresses?.find((each) => !each.includes(':')) ?? '', ipv6: status.addresses?.find((each) => each.includes(':')) ?? '' }
  return word.replace(/\$\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole)
}

type Ran = Pick<ExecReport, 'exitStatus' | 'stdOut' | 'stdErr'>

function run([program = '', ...words]: readonly string[]): Promise<Ran> {
  return new Promise((resolve) => {
    const child = spawn(program, words, { stdio: ['ignore', 'pipe', 'pipe'], timeout: runMs, killSignal: 'SIGKILL', env: { PATH: process.env['PATH'] } })
    const texts = { stdOut: '', stdErr: '' }
    child.stdout.on('data', (bytes: Buffer) => (texts.stdOut = `${texts.stdOut}${bytes.toString()}`.slice(0, outputMax)))
    child.stderr.on('data', (bytes: Buffer) => (texts.stdErr = `${texts.stdErr}${bytes.toString()}`.slice(0, outputMax)))
    child.on('error', (problem) => resolve({ ...texts, exitStatus: neverRan, stdErr: problem.message }))
    child.on('close', (code) => resolve({ ...texts, exitStatus: code ?? -1 }))
  })
}

// A program that a Port's maker wants run: without a shell, and not for ever.
import { spawn } from 'node:child_process'
import { neverRan, type ProgramRan } from '../machine/machine.ts'

/** What of a program's output is kept. */
const outputMax = 4096
const runMs = 60_000

/** nsenter becomes the program, so that what ends the one ends the other. What it says itself is that there is nothing to run. */
const within = (netns: string, command: readonly string[]): readonly string[] => ['nsenter', `--net=${netns}`, '--', ...command]
const notEntered = /^nsenter: /

export function runProgramOfPort(command: readonly string[], netns?: string): Promise<ProgramRan> {
  const [program = '', ...words] = netns === undefined ? command : within(netns, command)
  return new Promise((resolve) => {
    const child = spawn(program, words, {
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: runMs,
      killSignal: 'SIGKILL',
      env: { PATH: process.env['PATH'] },
    })
    const texts = { stdOut: '', stdErr: '' }
    child.stdout.on('data', (bytes: Buffer) => (texts.stdOut = `${texts.stdOut}${bytes.toString()}`.slice(0, outputMax)))
    child.stderr.on('data', (bytes: Buffer) => (texts.stdErr = `${texts.stdErr}${bytes.toString()}`.slice(0, outputMax)))
    child.on('error', (err) => resolve({ ...texts, exitStatus: neverRan, stdErr: err.message }))
    child.on('close', (code) =>
      resolve({ ...texts, exitStatus: netns !== undefined && notEntered.test(texts.stdErr) ? neverRan : (code ?? -1) }),
    )
  })
}

// Programs that a Port's maker wants run beside it (KOS: postCreateExec, postDeleteExec): only those on this node's list, without
// a shell, once, and with a report.
import type { Resource } from '../../core/kinds/index.ts'
import type { AgentEnv } from '../agent-env.ts'
import type { NodeStatus } from '../ledger/record.ts'
import { neverRan } from '../machine/machine.ts'

type ExecReport = NonNullable<NodeStatus['postCreateExecReport']>

/** Where a program finds the interface, or would have. */
export interface ProgramsRun {
  readonly ifname: string
  /** A network namespace, by its path; absent: the node's own. */
  readonly netns?: string
}

/** @returns undefined where there is nothing to run */
export async function runPrograms(
  when: 'postCreate' | 'postDelete',
  port: Resource<'Port'>,
  { ifname, netns }: ProgramsRun,
  env: AgentEnv,
): Promise<ExecReport | undefined> {
  const given = when === 'postCreate' ? port.spec.postCreateExec : port.spec.postDeleteExec
  if (given === undefined || given.length === 0) return undefined
  const command = given.map((word) => expanded(word, port, ifname))
  const startTime = new Date(env.clock.now()).toISOString()
  const allowed = env.config.execAllow.includes(command[0]!)
  const ran = allowed
    ? await env.machine.run(command, netns)
    : { exitStatus: neverRan, stdOut: '', stdErr: `${command[0]!} is not on this node's list of programs` }
  const report = { command, startTime, stopTime: new Date(env.clock.now()).toISOString(), ...ran }
  env.log.info({ when, port: port.metadata.name, program: command[0], exitStatus: report.exitStatus }, 'a program of a Port was run')
  return report
}

function expanded(word: string, { status = {} }: Resource<'Port'>, ifname: string): string {
  const values: Readonly<Record<string, string>> = {
    ifname,
    mac: status.mac ?? '',
    ipv4: status.addresses?.find((each) => !each.includes(':')) ?? '',
    ipv6: status.addresses?.find((each) => each.includes(':')) ?? '',
  }
  return word.replace(/\$\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole)
}

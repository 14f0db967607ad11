// The cluster's own CNI, called as a runtime would: plugin after plugin, each told of the results before it; backwards for DEL.
import { access, constants } from 'node:fs/promises'
import { join } from 'node:path'
import { DelegateFailed } from '../../core/errors.ts'
import type { CniCommand, CniRequest, CniResult } from '../../core/wire/cni.ts'
import { runProgram, type Ran, type RunOptions } from '../native/runner.ts'
import type { DelegateConf, Plugin } from './conf.ts'

export interface DelegateCall {
  readonly conf: DelegateConf
  readonly request: CniRequest
  /** Where plugins are looked for beside the runtime's own path. */
  readonly bin: string
  readonly signal: AbortSignal
}

/** @throws DelegateFailed; what was made by then is for `delegateDel` */
export async function delegateAdd(call: DelegateCall): Promise<CniResult> {
  let result: CniResult | undefined
  for (const plugin of call.conf.plugins) result = JSON.parse(await run('ADD', plugin, call, result)) as CniResult
  return result ?? {}
}

/** All of them are asked, whatever one of them says. */
export async function delegateDel(call: DelegateCall, result: object | undefined): Promise<void> {
  let failed: unknown
  for (const plugin of [...call.conf.plugins].reverse()) await run('DEL', plugin, call, result).catch((problem: unknown) => (failed = problem))
  if (failed !== undefined) throw failed
}

export async function delegateCheck(call: DelegateCall, result: object | undefined): Promise<void> {
  for (const plugin of call.conf.plugins) await run('CHECK', plugin, call, result)
}

/** Verbs that came with 1.1.0: who speaks less is not asked. */
export async function delegateTell(command: 'GC' | 'STATUS', call: DelegateCall): Promise<void> {
  if (call.conf.cniVersion !== '1.1.0') return
  for (const plugin of call.conf.plugins) await run(command, plugin, call, undefined)
}

const run = (command: CniCommand, plugin: Plugin, call: DelegateCall, prevResult: object | undefined): Promise<string> => runPlugin(command, plugin.type, stdinOf(plugin, call, prevResult), call)

/** @throws DelegateFailed */
export async function runPlugin(command: CniCommand, type: string, stdin: object, { request, bin, signal }: Omit<DelegateCall, 'conf'>): Promise<string> {
  const path = [...request.path, bin]
  const program = await programOf(type, path)
  const env = {
    PATH: process.env['PATH'] ?? '',
    CNI_COMMAND: command,
    CNI_CONTAINERID: request.containerID,
    CNI_NETNS: request.netns,
    CNI_IFNAME: request.ifname,
    CNI_PATH: path.join(':'),
    CNI_ARGS: Object.entries(request.args).map(([name, value]) => `${name}=${value}`).join(';'),
  }
  const { code, stdout, stderr } = await started(program, { env, stdin: JSON.stringify(stdin), signal })
  // Its complaints are for whoever reads our log.
  process.stderr.write(stderr)
  if (code !== 0) throw new DelegateFailed({ plugin: type, reason: saidIn(stdout.toString()) ?? `it ended with ${code}` })
  return stdout.toString()
}

async function started(program: string, options: RunOptions): Promise<Ran> {
  try {
    return await runProgram(program, options)
  } catch (cause) {
    throw new DelegateFailed({ plugin: program, reason: cause instanceof Error ? cause.message : String(cause), cause })
  }
}

/** As libcni hands it over: the list's name and version, what the runtime knows of the plugin's capabilities, and the result so far. */
function stdinOf(plugin: Plugin, { conf, request }: DelegateCall, prevResult: object | undefined): object {
  const { capabilities = {}, ...own } = plugin
  const runtime = Object.fromEntries(Object.entries(request.conf["runtimeConfig"] ?? {}).filter(([name]) => capabilities[name] === true))
  const valid = request.conf['cni.dev/valid-attachments']
  return { ...own, name: conf.name, cniVersion: conf.cniVersion, ...(Object.keys(runtime).length > 0 && { runtimeConfig: runtime }), ...(prevResult && { prevResult }), ...(valid && { 'cni.dev/valid-attachments': valid }) }
}

/** A plugin is a name, never a path. */
async function programOf(type: string, path: readonly string[]): Promise<string> {
  if (type.includes('/')) throw new DelegateFailed({ plugin: type, reason: 'a plugin is named without a path' })
  for (const folder of path) {
    const program = join(folder, type)
    if (await access(program, constants.X_OK).then(() => true, () => false)) return program
  }
  throw new DelegateFailed({ plugin: type, reason: `it is not in ${path.join(', ')}` })
}

function saidIn(stdout: string): string | undefined {
  try {
    const { msg, details } = JSON.parse(stdout) as { readonly msg?: string; readonly details?: string }
    return details === undefined || details === '' ? msg : `${msg ?? ''}: ${details}`
  } catch {
    return stdout.trim() === '' ? undefined : stdout.trim().slice(0, 500)
  }
}

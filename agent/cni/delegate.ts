// The cluster's own CNI, called as a runtime would: plugin after plugin, each told of the results before it; backwards for DEL.
import type { CniCommand, CniResult } from '../../core/wire/cni/cni.ts'
import type { Machine, PluginCall } from '../machine/machine.ts'
import type { DelegateConf, Plugin } from './conf.ts'

export interface DelegateCall extends PluginCall {
  readonly conf: DelegateConf
  readonly machine: Pick<Machine, 'plugin'>
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
  for (const plugin of [...call.conf.plugins].reverse()) await run('DEL', plugin, call, result).catch((err: unknown) => (failed = err))
  if (failed !== undefined) throw failed
}

export async function delegateCheck(call: DelegateCall, result: object | undefined): Promise<void> {
  for (const plugin of call.conf.plugins) await run('CHECK', plugin, call, result)
}

/** Verbs that came with 1.1.0: who speaks less is not asked. */
export async function delegateNotice(command: 'GC' | 'STATUS', call: DelegateCall): Promise<void> {
  if (call.conf.cniVersion !== '1.1.0') return
  for (const plugin of call.conf.plugins) await run(command, plugin, call, undefined)
}

const run = (command: CniCommand, plugin: Plugin, call: DelegateCall, prevResult: object | undefined): Promise<string> =>
  call.machine.plugin(command, plugin.type, stdinOf(plugin, call, prevResult), call)

/** As libcni hands it over: the list's name and version, what the runtime knows of the plugin's capabilities, and the result so far. */
function stdinOf(plugin: Plugin, { conf, request }: DelegateCall, prevResult: object | undefined): object {
  const { capabilities = {}, ...own } = plugin
  const runtime = Object.fromEntries(Object.entries(request.conf['runtimeConfig'] ?? {}).filter(([name]) => capabilities[name] === true))
  const valid = request.conf['cni.dev/valid-attachments']
  return {
    ...own,
    name: conf.name,
    cniVersion: conf.cniVersion,
    ...(Object.keys(runtime).length > 0 && { runtimeConfig: runtime }),
    ...(prevResult && { prevResult }),
    ...(valid && { 'cni.dev/valid-attachments': valid }),
  }
}

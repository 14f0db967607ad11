// A CNI plugin, started as a runtime would.
import { access, constants } from 'node:fs/promises'
import { join } from 'node:path'
import { DelegateFailed, messageOf } from '../../core/errors.ts'
import type { CniCommand } from '../../core/wire/cni/cni.ts'
import type { PluginCall } from '../machine/machine.ts'
import { runProgram, type Ran, type RunOptions } from '../native/runner.ts'

/** @throws DelegateFailed */
export async function runPlugin(command: CniCommand, type: string, stdin: object, { request, bin, signal }: PluginCall): Promise<string> {
  const path = [...request.path, bin]
  const program = await programOf(type, path)
  const env = {
    PATH: process.env['PATH'] ?? '',
    CNI_COMMAND: command,
    CNI_CONTAINERID: request.containerID,
    CNI_NETNS: request.netns,
    CNI_IFNAME: request.ifname,
    CNI_PATH: path.join(':'),
    CNI_ARGS: Object.entries(request.args)
      .map(([name, value]) => `${name}=${value}`)
      .join(';'),
  }
  const { code, stdout, stderr } = await started(program, { env, stdin: JSON.stringify(stdin), signal })
  // Its complaints are for whoever reads our log.
  process.stderr.write(stderr)
  if (code !== 0) throw new DelegateFailed({ plugin: type, reason: errorIn(stdout.toString()) ?? `it ended with ${code}` })
  return stdout.toString()
}

async function started(program: string, options: RunOptions): Promise<Ran> {
  try {
    return await runProgram(program, options)
  } catch (cause) {
    throw new DelegateFailed({ plugin: program, reason: messageOf(cause), cause })
  }
}

/** A plugin is a name, never a path. */
async function programOf(type: string, path: readonly string[]): Promise<string> {
  if (type.includes('/')) throw new DelegateFailed({ plugin: type, reason: 'a plugin is named without a path' })
  for (const folder of path) {
    const program = join(folder, type)
    if (
      await access(program, constants.X_OK).then(
        () => true,
        () => false,
      )
    )
      return program
  }
  throw new DelegateFailed({ plugin: type, reason: `it is not in ${path.join(', ')}` })
}

function errorIn(stdout: string): string | undefined {
  try {
    const { msg, details } = JSON.parse(stdout) as { readonly msg?: string; readonly details?: string }
    return details === undefined || details === '' ? msg : `${msg ?? ''}: ${details}`
  } catch {
    return stdout.trim() === '' ? undefined : stdout.trim().slice(0, 500)
  }
}

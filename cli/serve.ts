// npm start: everything of one machine in one process, on loopback.
import { join, resolve } from 'node:path'
import type { Config } from '../platform/config.ts'
import { makeLog } from '../platform/log.ts'
import { runProcess, type Stops } from '../platform/run.ts'
import { standaloneConfig } from './serve/config.ts'
import { callbackSecret, openFolder, writeWhole } from './serve/kept.ts'
import { readOptions, type ServeOptions } from './serve/options.ts'
import { pageBuilt } from './serve/page.ts'
import { startParts, type Parts } from './serve/parts.ts'
import { welcome } from './serve/welcome.ts'

const options = readOptions(process.argv.slice(2), process.env)
if ('show' in options) {
  process[options.wrong ? 'stderr' : 'stdout'].write(`${options.wrong ? 'megrez: ' : ''}${options.show}\n`)
  process.exit(options.wrong ? 1 : 0)
}
await runProcess(async (stops) => {
  announce(await start({ ...options, folder: resolve(options.folder) }, stops))
})

async function start(given: ServeOptions, stops: Stops): Promise<Parts & { readonly folder: string }> {
  await openFolder(given.folder)
  const config = await configOf(given)
  const [parts] = await Promise.all([startParts(given, config, { log: makeLog(config.logLevel), stops }), pageBuilt()])
  return { ...parts, folder: given.folder }
}

async function configOf({ folder, l4Port }: ServeOptions): Promise<Config> {
  const config = standaloneConfig(process.env, l4Port)
  return { ...config, callbackSecret: config.callbackSecret ?? (await callbackSecret(folder)) }
}

function announce({ folder, queues, ...ready }: Parts & { readonly folder: string }): void {
  const line = { ...ready, pid: process.pid }
  void writeWhole(join(folder, 'ready.json'), `${JSON.stringify(line)}\n`)
  process.stdout.write(!('show' in options) && options.json ? `${JSON.stringify(line)}\n` : welcome({ ...line, folder, queues }))
}

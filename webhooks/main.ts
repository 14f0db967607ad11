// The webhooks process of a cluster: admission, REST, health, each on a listener of its own.
import { readConfig } from '../platform/config.ts'
import { makeLog } from '../platform/log.ts'
import { runProcess } from '../platform/run.ts'
import { startWebhooks } from './start.ts'

await runProcess(async (stops) => {
  const config = readConfig(process.env)
  await startWebhooks(config, { log: makeLog(config.logLevel), stops })
})

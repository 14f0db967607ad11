// The workers process of a cluster: what is to become true, and who is to be told. Any number of them may run.
import { readConfig } from '../platform/config.ts'
import { makeLog } from '../platform/log.ts'
import { runProcess } from '../platform/run.ts'
import { startOfCluster } from './start-in-cluster.ts'

await runProcess(async (stops) => {
  const config = readConfig(process.env)
  await startOfCluster(config, { log: makeLog(config.logLevel), stops })
})

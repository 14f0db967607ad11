// A server's limits in a process of its own. Arguments: socket, prefix, requests a second, milliseconds. It begins when it is told to,
// asks as fast as it can, and prints how many requests of one caller it let through.
import { once } from 'node:events'
import { realClock } from '../../platform/clock.ts'
import { silentLog } from '../../platform/log.ts'
import { redisBuckets } from '../../platform/redis-buckets.ts'
import { burstSeconds } from '../../platform/http/limits.ts'
import { SharedLimits } from '../../webhooks/plugins/shared-limits.ts'

const [redis = '', prefix = '', rate, ms] = process.argv.slice(2)
const perSecond = Number(rate)
const buckets = redisBuckets({ redis, prefix, perSecond, burst: perSecond * burstSeconds })
while ((await buckets.take('nobody', 1)) === undefined) await new Promise((resolve) => setTimeout(resolve, 20))
const limits = new SharedLimits(perSecond, buckets, { clock: realClock, log: silentLog() })
console.log('ready')
await once(process.stdin, 'readable')
const end = performance.now() + Number(ms)
let passed = 0
while (performance.now() < end) {
  if (await limits.take('somebody')) passed += 1
  // As requests come: each in a turn of its own.
  await new Promise((resolve) => setImmediate(resolve))
}
console.log(`passed ${passed}`)
process.exit(0)

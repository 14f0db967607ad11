import { randomUUID } from 'node:crypto'
import { realClock } from '../../platform/clock.ts'
import { silentLog } from '../../platform/log.ts'
import { openQueues } from '../../platform/queue/index.ts'
import { queueLaws } from '../laws/queue.ts'
import { redisSkip, redisSocket } from '../setup/redis.ts'

queueLaws('the queue over Redis', {
  open: () => Promise.resolve(openQueues({ redis: redisSocket, prefix: randomUUID(), log: silentLog(), clock: realClock })),
  skip: redisSkip,
})

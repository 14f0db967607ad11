import { randomUUID } from 'node:crypto'
import type { Queues } from '../../core/contracts/queue.ts'
import { realClock } from '../../platform/clock.ts'
import { silentLog } from '../../platform/log.ts'
import { openQueues } from '../../platform/queue/index.ts'
import { shardedQueues } from '../../platform/queue/sharded/sharded-queue.ts'
import { queueLaws } from '../laws/queue.ts'
import { redisSkip, redisSocket } from '../setup/redis.ts'

const log = silentLog()
const open = (): Queues => openQueues({ redis: redisSocket, prefix: randomUUID(), log, clock: realClock })

queueLaws('the queue over Redis', { open: () => Promise.resolve(open()), skip: redisSkip })

queueLaws('a sharded queue whose shards are carried over Redis', {
  open: () => {
    const carriers = open()
    const queues = shardedQueues(carriers, { clock: realClock, log })
    const close = async (): Promise<void> => void (await Promise.all([queues.close(), carriers.close()]))
    return Promise.resolve({ ...queues, close })
  },
  skip: redisSkip,
})

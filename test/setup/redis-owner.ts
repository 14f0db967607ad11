// Starts a redis-server in the folder named, says where it is, and waits to be killed.
import { startRedisServer } from '../../platform/redis-server.ts'

console.log(JSON.stringify(await startRedisServer({ folder: process.argv[2] ?? '', install: false })))
setInterval(() => undefined, 60_000)

// BullMQ's deduplication lets the newest of several delayed adds win: a key that is due in a second would be put off by an add
// for tomorrow. Its own script for delayed jobs therefore gets a guard in front, in the same atomic step.
import { createRequire } from 'node:module'
import type { Client } from './redis.ts'

// BullMQ 6.7.0 does not export its scripts, but loads each under its name and version unless that name is defined already.
// The laws of every queue notice when another version no longer does so.
const load = createRequire(import.meta.url)
const { addDelayedJob } = load('bullmq/dist/cjs/scripts/addDelayedJob-6.js') as {
  addDelayedJob: { name: string; content: string; keys: number }
}
const { version } = load('bullmq/dist/cjs/version.js') as { version: string }

/*
 * KEYS and ARGV are those of BullMQ's script. args: 1 the queue's prefix, 4 the time of the add, 9 the deduplication key, which
 * names the job that stands for this key. opts: delay and de.id. A job's score is its time times 4096. What was added while that
 * job is active is kept in dn:<id> until it ends.
 */
const guard = `
do
  local args = cmsgpack.unpack(ARGV[1])
  local opts = cmsgpack.unpack(ARGV[3])
  local standing = redis.call('GET', args[9])
  if standing and redis.call('EXISTS', args[1] .. standing) == 1 then
    local score = redis.call('ZSCORE', KEYS[4], standing)
    if score and tonumber(score) / 0x1000 <= args[4] + opts['delay'] then return standing end
    local following = redis.call('HGET', args[1] .. 'dn:' .. opts['de']['id'], 'opts')
    if following and (cjson.decode(following)['delay'] or 0) <= opts['delay'] then return standing end
  end
end
`

/** Before BullMQ first uses the client. */
export function letEarlierWin(client: Client): void {
  client.defineCommand(`${addDelayedJob.name}:${version}`, { numberOfKeys: addDelayedJob.keys, lua: guard + addDelayedJob.content })
}

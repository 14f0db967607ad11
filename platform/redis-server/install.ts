import { installPackages, onPath } from '../programs/debian.ts'

/** Where `redis-server` is on PATH, if anywhere. */
export const findRedisServer = (): string | undefined => onPath('redis-server')

/** @returns undefined when it is there afterwards, else why not */
export const installRedisServer = (print: (line: string) => void): Promise<string | undefined> => installPackages(['redis-server'], print)

import { randomBytes } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** For a suite's `skip`: false where there is an Open vSwitch and namespaces can be made. */
export const ovsSkip: string | false =
  process.env.MEGREZ_TEST_OVS === undefined ? 'MEGREZ_TEST_OVS is not set: run it by node bootstrap.mjs test/run.ts node' : false

/** A folder name of one's own for startOvsNode, short enough for unix sockets in it. */
export const ovsFolder = (): string => join(tmpdir(), `mz-${randomBytes(4).toString('hex')}`)

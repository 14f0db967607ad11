import { setTimeout as pause } from 'node:timers/promises'

/**
 * Leaves what hangs (kill -STOP) as it is for a while, once it has been named: for no time at all, or MEGREZ_TEST_HANG_MS, 180000 for the
 * three minutes that are promised.
 */
export const held = (): Promise<void> => pause(Number(process.env.MEGREZ_TEST_HANG_MS ?? 0))

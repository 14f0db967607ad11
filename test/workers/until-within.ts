import assert from 'node:assert/strict'
import type { TestCluster } from './test-cluster.ts'

/** Of a cluster's clock seconds pass, until something is so. @param seconds the most, where a call names no other number */
export const untilWithin =
  (seconds: number) =>
  async (cluster: TestCluster, isSo: () => Promise<boolean> | boolean, most = seconds, stepMs = 1_000): Promise<void> => {
    for (let passed = 0; passed < most; passed += stepMs / 1_000) {
      if (await isSo()) return
      await cluster.advance(stepMs)
    }
    assert.fail(`not so within ${most} seconds`)
  }

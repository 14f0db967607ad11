// A small dose of cases of clouds.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cloudCaseOf } from './cloud-case.ts'
import { reportOf } from './report.ts'
import { runCase } from './run.ts'

/** The same each time: who sees one fail has changed something. */
const seeds = [1, 2, 3, 4, 5, 6]

test(`${seeds.length} cases of clouds come right`, async () => {
  for (const seed of seeds) {
    const result = await runCase(cloudCaseOf(seed), { traces: false })
    if (result.failure !== undefined) assert.fail(reportOf(cloudCaseOf(seed), await runCase(cloudCaseOf(seed))))
  }
})

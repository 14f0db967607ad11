// A small dose of cases of Fabrics; test/sim/full/storm.test.ts has the large one.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fabricCaseOf } from './fabric-case.ts'
import { reportOf } from './report.ts'
import { runCase } from './run.ts'

/** The same each time: who sees one fail has changed something. */
const seeds = [2, 3, 4, 5, 51, 53]

test(`${seeds.length} cases of Fabrics come right`, async () => {
  for (const seed of seeds) {
    const result = await runCase(fabricCaseOf(seed), { traces: false })
    if (result.failure !== undefined) assert.fail(reportOf(fabricCaseOf(seed), await runCase(fabricCaseOf(seed))))
  }
})

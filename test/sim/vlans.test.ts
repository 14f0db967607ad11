// A small dose of cases of VLANs.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { reportOf } from './report.ts'
import { runCase } from './run.ts'
import { vlanCaseOf } from './vlan-case.ts'

/** The same each time: who sees one fail has changed something. */
const seeds = [1, 2, 3]

test(`${seeds.length} cases of VLANs come right`, async () => {
  for (const seed of seeds) {
    const result = await runCase(vlanCaseOf(seed), { traces: false })
    if (result.failure !== undefined) assert.fail(reportOf(vlanCaseOf(seed), await runCase(vlanCaseOf(seed))))
  }
})

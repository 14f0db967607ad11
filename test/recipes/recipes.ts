// The recipes of CONTRIBUTING.md that are carried out. Each is a patch beside this file, which adds something made up: a reader may
// begin with it.

export interface Recipe {
  /** The rows of the page that it goes by, by their first column. */
  readonly rows: readonly string[]
  /** What shows that it works, in the patched tree after `npm run gen`. */
  readonly tests: readonly string[]
}

const generated = 'test/repo/generated.test.ts'

export const recipes: Readonly<Record<string, Recipe>> = {
  kind: { rows: ['a kind'], tests: ['test/openapi/types.test.ts', 'test/webhooks/roles.test.ts', 'test/repo/words.test.ts', generated] },
  'kind-with-controller': {
    rows: ['a kind', '… that somebody looks up, by an index', '… that must say something', '… that is reconciled'],
    tests: [
      'test/core/plan-route-table.test.ts',
      'test/openapi/types.test.ts',
      'test/repo/wakes.test.ts',
      'test/workers/subscribed.test.ts',
      generated,
    ],
  },
  error: { rows: ['an error'], tests: ['test/repo/errors.test.ts', generated] },
  'chart-setting': { rows: ['a setting of the chart'], tests: ['test/repo/settings-page.test.ts', 'test/repo/chart.test.ts'] },
  metric: { rows: ['a metric'], tests: ['test/repo/metrics-page.test.ts', 'test/repo/monitoring.test.ts'] },
  'pod-rule': { rows: ["a rule about a pod's NICs"], tests: ['test/core/admit-nics.test.ts'] },
  'rest-route': {
    rows: ['a REST route outside the kinds'],
    tests: ['test/webhooks/rest-kinds.test.ts', 'test/webhooks/rest-offered.test.ts', 'test/openapi/document.test.ts'],
  },
  'cli-command': { rows: ['a command of the CLI'], tests: ['test/cli/kinds.test.ts', 'test/cli/commands.test.ts'] },
  'notification-profile': { rows: ['a profile of notices'], tests: ['test/core/line-notice.test.ts', generated] },
  'vpc-provider': { rows: ['a VPC provider'], tests: ['test/drivers/cloud-sandbox.test.ts', 'test/workers/clouds.test.ts', generated] },
  'fabric-driver': { rows: ['a fabric driver'], tests: ['test/drivers/fabric-recorded.test.ts', generated] },
  'data-plane': {
    rows: [
      'a data plane',
      '… with its column in every piece',
      '… and in those of rules',
      '… and of what is asked in connections',
      '… tried',
    ],
    tests: ['test/agent/usermode.test.ts', 'test/repo/settings-page.test.ts'],
  },
  'pipeline-feature': { rows: ['a pipeline feature'], tests: ['test/core/pipeline-trap.test.ts', 'test/repo/pipeline-page.test.ts'] },
  piece: { rows: ['a piece: one more thing that nodes carry'], tests: ['test/agent/roster.test.ts', 'test/agent/memory.test.ts'] },
}

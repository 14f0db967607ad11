// npm run demo: five pods on one machine; with --watch they stay, for the page to show. npm run demo -- --nodes 2: two nodes with Open
// vSwitch and real packets; with --policy, who may talk to whom. npm run demo -- --cluster: a real cluster of two nodes. Exit code 1 when
// not all was as it should be.
import { parseArgs } from 'node:util'
import { demoCluster } from './demo/cluster.ts'
import { demoNodes } from './demo/nodes.ts'
import { demoPolicy } from './demo/policy.ts'
import { demoStandalone } from './demo/standalone.ts'
import { demoWatched } from './demo/watch.ts'

const { values } = parseArgs({
  options: {
    json: { type: 'boolean' },
    'no-install': { type: 'boolean' },
    cluster: { type: 'boolean' },
    nodes: { type: 'string' },
    watch: { type: 'boolean' },
    policy: { type: 'boolean' },
    data: { type: 'string' },
  },
})
const options = { json: values.json === true, install: values['no-install'] !== true }
const demo =
  values.cluster === true
    ? () => demoCluster(options)
    : values.policy === true
      ? () => demoPolicy(options)
      : values.nodes !== undefined
        ? () => demoNodes({ ...options, nodes: Number(values.nodes) })
        : values.watch === true
          ? () => demoWatched({ install: options.install, folder: values.data ?? '.data' })
          : () => demoStandalone(options)
const wrong = await demo()
for (const each of wrong) process.stderr.write(`demo: ${each}\n`)
process.exitCode = wrong.length === 0 ? 0 : 1

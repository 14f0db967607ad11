// What `npm run load -- …` was asked. The options are those of KOS' attachment-tput-driver, with units in their values.
import { parseArgs } from 'node:util'
import { CliError } from '../context.ts'
import type { Schedule } from './schedule.ts'
import { sizesOf } from './sizes.ts'

const flags = {
  url: { type: 'string' },
  token: { type: 'string' },
  runid: { type: 'string' },
  'num-nets': { type: 'string', default: '10' },
  'top-net-size': { type: 'string', default: '100' },
  exponent: { type: 'string', default: '1' },
  bias: { type: 'string', default: '0' },
  'single-network': { type: 'boolean', default: false },
  'base-address': { type: 'string', default: '172.24.0.0' },
  'subnet-size-factor': { type: 'string', default: '1' },
  'num-attachments': { type: 'string', default: '450' },
  threads: { type: 'string', default: '1' },
  rate: { type: 'string', default: '10' },
  'ops-distribution': { type: 'string', default: 'steady' },
  'pending-wait': { type: 'string', default: '60' },
  'wait-after-create': { type: 'string', default: '0' },
  'wait-after-delete': { type: 'string', default: '15' },
  nodes: { type: 'string', default: '' },
  'only-node': { type: 'string' },
  'round-robin': { type: 'boolean', default: false },
  'test-fraction': { type: 'string', default: '0.1' },
  'ping-count': { type: 'string', default: '10' },
  'test-program': { type: 'string', default: '/usr/local/libexec/megrez/test-by-ping' },
  'stop-on-ping-fail': { type: 'boolean', default: true },
  'stop-on-break': { type: 'boolean', default: true },
  seed: { type: 'string' },
  estimate: { type: 'boolean', default: false },
  'dump-ops-times': { type: 'string' },
  metrics: { type: 'string' },
  json: { type: 'boolean', default: false },
  'no-install': { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const

export const usage = `npm run load -- […]      creates Ports by REST at a rate, follows each until it is ready and tested, and deletes them
  --url URL --token T      the server (one of its own is started)
  --num-nets 10 --top-net-size 100 --exponent 1 --bias 0
                           network i of them has room for ceil((1 + bias) · top / (i + bias)^exponent)
  --single-network         one network with all that room
  --base-address 172.24.0.0 --subnet-size-factor 1
                           where each network's block begins, and how many addresses it has for each of its room
  --num-attachments 450    how many Ports, one after the other
  --rate 10                creates and deletes per second
  --ops-distribution steady|poisson
  --threads 1              requests at a time
  --pending-wait 60        seconds until a Port that is not ready is given up
  --wait-after-create 0    above 0: a shock: create all, wait so many seconds, delete all
  --wait-after-delete 15   seconds, at the end, that what is deleted may take to go
  --nodes a,b --only-node a --round-robin
                           where the Ports are bound, at random or in turn; none: nowhere, and then nothing is tested
  --test-fraction 0.1 --ping-count 10 --test-program PATH
                           how many test their network by the program, which the nodes have to allow
  --no-stop-on-ping-fail --no-stop-on-break
                           go on where a ping was lost, or where a Port ends in error
  --estimate               says what would be done, and does nothing
  --dump-ops-times FILE    a line for each operation: when it was due, when it began, how long it took
  --metrics L4PORT         serves them there while it runs, as Prometheus' text; 0: a free one
  --runid NAME --seed N    names the run and its namespace load-NAME; the same seed makes the same schedule
  --json                   the summary as one line of JSON`

export interface LoadOptions {
  readonly url: string | undefined
  readonly token: string | undefined
  readonly runid: string
  readonly seed: number
  readonly baseAddress: string
  readonly sizeFactor: number
  readonly threads: number
  readonly schedule: Schedule
  readonly pendingWaitMs: number
  readonly waitAfterDeleteMs: number
  readonly pingCount: number
  readonly testProgram: string
  readonly stopOnPingFail: boolean
  readonly stopOnBreak: boolean
  readonly estimate: boolean
  readonly dumpTo: string | undefined
  readonly metricsL4Port: number | undefined
  readonly json: boolean
  readonly install: boolean
}

/** @param now makes a run's name and seed where none is given. @throws CliError; `help` in place of options where it was asked for */
export function readLoadOptions(args: readonly string[], now: number): LoadOptions | 'help' {
  const values = parse(args)
  if (values.help) return 'help'
  const seed = values.seed === undefined ? now % 2 ** 31 : number('seed', values.seed, { whole: true })
  const distribution = values['ops-distribution']
  if (distribution !== 'steady' && distribution !== 'poisson')
    throw new CliError(2, `--ops-distribution is steady or poisson, not ${distribution}`)
  const nodes = values['only-node'] === undefined ? values.nodes.split(',').filter((name) => name !== '') : [values['only-node']]
  const sizes = sizesOf({
    networks: number('num-nets', values['num-nets'], { whole: true, least: 1 }),
    top: number('top-net-size', values['top-net-size'], { whole: true, least: 1 }),
    exponent: number('exponent', values.exponent),
    bias: number('bias', values.bias),
  })
  return {
    url: values.url,
    token: values.token,
    seed,
    runid: values.runid ?? now.toString(36),
    baseAddress: values['base-address'],
    sizeFactor: number('subnet-size-factor', values['subnet-size-factor'], { least: 1 }),
    threads: number('threads', values.threads, { whole: true, least: 1 }),
    schedule: {
      sizes: values['single-network'] ? [sizes.reduce((sum, size) => sum + size, 0)] : sizes,
      attachments: number('num-attachments', values['num-attachments'], { whole: true, least: 1 }),
      rate: number('rate', values.rate, { least: 0.001 }),
      distribution,
      waitAfterCreateMs: number('wait-after-create', values['wait-after-create']) * 1000,
      testFraction: nodes.length === 0 ? 0 : number('test-fraction', values['test-fraction']),
      nodes,
      roundRobin: values['round-robin'],
    },
    pendingWaitMs: number('pending-wait', values['pending-wait']) * 1000,
    waitAfterDeleteMs: number('wait-after-delete', values['wait-after-delete']) * 1000,
    pingCount: number('ping-count', values['ping-count'], { whole: true, least: 1 }),
    testProgram: values['test-program'],
    stopOnPingFail: values['stop-on-ping-fail'],
    stopOnBreak: values['stop-on-break'],
    estimate: values.estimate,
    dumpTo: values['dump-ops-times'],
    metricsL4Port: values.metrics === undefined ? undefined : number('metrics', values.metrics, { whole: true }),
    json: values.json,
    install: !values['no-install'],
  }
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: flags, allowPositionals: false, allowNegative: true }).values
  } catch (err) {
    throw new CliError(2, `${(err as Error).message}\n${usage}`)
  }
}

function number(name: string, given: string, { whole = false, least = 0 } = {}): number {
  const value = Number(given)
  if (given.trim() !== '' && Number.isFinite(value) && value >= least && (!whole || Number.isInteger(value))) return value
  throw new CliError(2, `--${name} must be a ${whole ? 'whole ' : ''}number of at least ${least}, not ${given}`)
}

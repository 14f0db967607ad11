// A real Prometheus on loopback, for demonstrations and tests.
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { installPackages, onPath } from '../../platform/programs/debian.ts'
import { until } from '../../platform/programs/until.ts'
import { keep } from '../../platform/redis-server/keep.ts'

export interface PrometheusPrograms {
  readonly prometheus: string
  readonly promtool: string
}

/** Debian's package has both; it is installed where that is allowed. */
export async function prometheusPrograms({
  install,
  print,
}: {
  readonly install: boolean
  readonly print: (line: string) => void
}): Promise<PrometheusPrograms | { readonly missing: string }> {
  const find = (): PrometheusPrograms | undefined => {
    const [prometheus, promtool] = [onPath('prometheus'), onPath('promtool')]
    return prometheus === undefined || promtool === undefined ? undefined : { prometheus, promtool }
  }
  const there = find()
  if (there !== undefined) return there
  const why = install ? await installPackages(['prometheus'], print) : 'not on PATH, and installing was declined'
  return find() ?? { missing: `prometheus: ${why ?? 'its package has no prometheus and promtool'}` }
}

export interface Prometheus {
  /** What an expression is now: labels and value of each series. @throws Error with what is wrong with the expression */
  query(expr: string): Promise<readonly { readonly metric: Readonly<Record<string, string>>; readonly value: number }[]>
  /** The targets, by their scrape URL: up or down, and why. */
  targets(): Promise<Readonly<Record<string, { readonly health: string; readonly lastError: string }>>>
  stop(): Promise<void>
}

interface Options {
  readonly program: string
  /** Made; the configuration and what is measured are there. */
  readonly folder: string
  readonly l4Port: number
  /** YAML. */
  readonly config: string
}

/** Starts one and waits until it is ready. @throws Error where it does not become that, as with a wrong configuration */
export async function startPrometheus({ program, folder, l4Port, config }: Options): Promise<Prometheus> {
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'prometheus.yaml'), config)
  const url = `http://127.0.0.1:${l4Port}`
  const args = [
    `--config.file=${join(folder, 'prometheus.yaml')}`,
    `--storage.tsdb.path=${join(folder, 'data')}`,
    `--web.listen-address=127.0.0.1:${l4Port}`,
  ]
  const kept = await keep(program, args, { log: join(folder, 'prometheus.log') })
  const ask = async (path: string): Promise<{ readonly status: string; readonly error?: string; readonly data: unknown }> =>
    (await fetch(`${url}/api/v1/${path}`)).json() as never
  try {
    await until(
      () =>
        fetch(`${url}/-/ready`).then(
          ({ ok }) => ok,
          () => false,
        ),
      'Prometheus is ready',
    )
  } catch (err) {
    await kept.stop()
    throw new Error(`Prometheus is not ready: ${await readFile(join(folder, 'prometheus.log'), 'utf8').catch(() => '')}`, { cause: err })
  }
  return {
    async query(expr) {
      const { status, error, data } = await ask(`query?${new URLSearchParams({ query: expr }).toString()}`)
      if (status !== 'success') throw new Error(`${expr}: ${error ?? status}`)
      const { result } = data as {
        readonly result: readonly { readonly metric: Readonly<Record<string, string>>; readonly value: readonly [number, string] }[]
      }
      return result.map(({ metric, value }) => ({ metric, value: Number(value[1]) }))
    },
    async targets() {
      const { data } = await ask('targets')
      const { activeTargets } = data as {
        readonly activeTargets: readonly { readonly scrapeUrl: string; readonly health: string; readonly lastError: string }[]
      }
      return Object.fromEntries(activeTargets.map(({ scrapeUrl, health, lastError }) => [scrapeUrl, { health, lastError }]))
    },
    stop: () => kept.stop(),
  }
}

// The Dockerfile without a Docker: its stages as folders, each COPY done, each RUN that is known done in its own way, what it asks
// of Debian left out. So a path that an image would lack is missing here too.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../..')

export interface Image {
  /** Its root folder. */
  readonly folder: string
  /** Where its programs begin, as it sees it. */
  readonly workdir: string
  readonly env: Readonly<Record<string, string>>
  readonly user: string
  /** What it asks of Debian. */
  readonly packages: readonly string[]
}
interface Stage {
  readonly folder: string
  workdir: string
  user: string
  env: Record<string, string>
  packages: string[]
}

/** `sources`: what the last stage copies from this tree; `ground`: all else. Of two layers the one changes with each commit. */
export type Part = 'sources' | 'ground'

/**
 * @param part   absent: all of it
 * @throws Error where a line is of no kind that is known here, or names what is not there
 */
export function assemble(into: string, part?: Part): Image {
  const stages = new Map<string, Stage>()
  let stage: Stage | undefined
  for (const line of chosen(linesOf(readFileSync(join(root, 'Dockerfile'), 'utf8')), part)) {
    const [verb = '', ...words] = line.split(/\s+/)
    if (verb === 'ARG') continue
    if (verb === 'FROM') {
      const name = words[1]?.toUpperCase() === 'AS' ? words[2]! : `stage-${stages.size}`
      stage = { folder: join(into, name), workdir: '/', user: 'root', env: {}, packages: [] }
      stages.set(name, stage)
      mkdirSync(stage.folder)
    } else {
      const step = steps[verb]
      if (stage === undefined || step === undefined) throw new Error(`the Dockerfile's line is not known here: ${line}`)
      step(stage, words, stages)
    }
  }
  if (stage === undefined) throw new Error('the Dockerfile has no stage')
  return stage
}

const linesOf = (text: string): readonly string[] =>
  text
    .replaceAll('\\\n', ' ')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
function chosen(lines: readonly string[], part: Part | undefined): readonly string[] {
  const last = lines.findLastIndex((line) => line.startsWith('FROM '))
  const isSource = (line: string): boolean => line.startsWith('COPY ') && !line.startsWith('COPY --from=')
  if (part === 'ground') return lines.filter((line, nth) => nth < last || !isSource(line))
  return part === undefined ? lines : lines.slice(last).filter((line) => !/^(COPY --from=|RUN (?!apt-get ))/.test(line))
}

const within = ({ folder, workdir }: Stage, path: string): string => join(folder, path.startsWith('/') ? path : join(workdir, path))

const steps: Readonly<Record<string, (stage: Stage, words: readonly string[], stages: ReadonlyMap<string, Stage>) => void>> = {
  WORKDIR(stage, [path]) {
    stage.workdir = path!
    mkdirSync(within(stage, '.'), { recursive: true })
  },
  ENV(stage, words) {
    for (const word of words) stage.env[word.slice(0, word.indexOf('='))] = word.slice(word.indexOf('=') + 1)
  },
  USER(stage, [user]) {
    stage.user = user!
  },
  CMD: () => undefined,
  COPY(stage, words, stages) {
    const from = words[0]?.startsWith('--from=') === true ? words[0].slice('--from='.length) : undefined
    const paths = from === undefined ? words : words.slice(1)
    const target = paths.at(-1)!
    for (const path of paths.slice(0, -1)) {
      if (from === undefined && !isSent(path)) throw new Error(`.dockerignore keeps ${path} from being copied`)
      const to = within(stage, target)
      copy(from === undefined ? join(root, path) : within(stages.get(from)!, path), target.endsWith('/') ? join(to, path) : to)
    }
  },
  RUN(stage, words) {
    const line = words.join(' ')
    const [, asked] = /apt-get install ([^&]*)/.exec(line) ?? []
    if (asked !== undefined)
      return void stage.packages.push(
        ...asked
          .trim()
          .split(/\s+/)
          .filter((word) => !word.startsWith('-')),
      )
    if (line.startsWith('npm ci ')) install(stage, words)
    else if (words.includes('node')) runNode(stage, words)
    else throw new Error(`the Dockerfile runs what is not known here: ${line}`)
  },
}

/** What the last line says that speaks of a path: all is left out, and some let through again. */
function isSent(path: string): boolean {
  const lines = linesOf(readFileSync(join(root, '.dockerignore'), 'utf8'))
  return lines.includes('*') && lines.some((line) => line.startsWith('!') && `${path}/`.startsWith(`${line.slice(1)}/`))
}

function copy(from: string, to: string): void {
  if (!existsSync(from)) throw new Error(`the Dockerfile copies ${from}, which is not there`)
  mkdirSync(dirname(to), { recursive: true })
  done('cp', ['-a', '--no-target-directory', from, to], {})
}

/** The packages that npm would leave, taken from those that are installed. */
function install(stage: Stage, words: readonly string[]): void {
  const target = within(stage, 'node_modules')
  rmSync(target, { recursive: true, force: true })
  if (!words.includes('--omit=dev')) return symlinkSync(join(root, 'node_modules'), target)
  const { packages } = JSON.parse(readFileSync(within(stage, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { dev?: boolean; optional?: boolean; devOptional?: boolean }>
  }
  // Those inside another one come with it.
  const kept = Object.entries(packages).filter(
    ([path, { dev, optional, devOptional }]) =>
      /^node_modules\/(@[^/]+\/)?[^/]+$/.test(path) && ![dev, optional, devOptional].includes(true),
  )
  for (const [path] of kept) copy(join(root, path), within(stage, path))
}

/** `NAME=/path node …`: with the path inside the stage, and the Node.js that runs us. */
function runNode(stage: Stage, words: readonly string[]): void {
  const at = words.indexOf('node')
  const env = Object.fromEntries(
    words.slice(0, at).map((word) => [word.slice(0, word.indexOf('=')), within(stage, word.slice(word.indexOf('=') + 1))]),
  )
  done(process.execPath, words.slice(at + 1), { cwd: within(stage, '.'), env: { PATH: process.env.PATH, HOME: stage.folder, ...env } })
}

function done(program: string, args: readonly string[], options: { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv }): void {
  const { status, stderr, error } = spawnSync(program, args, { ...options, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${error?.message ?? stderr}`)
}

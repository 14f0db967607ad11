// A configuration of BIRD, as our renderer writes it (core/bgp/bird/render.ts), read as BIRD reads it.
import { filterOf, type Filter } from './bird-filter.ts'

interface Block {
  readonly head: string
  readonly lines: readonly string[]
  readonly blocks: readonly Block[]
}
export interface BirdChannel {
  readonly family: string
  readonly table: string
  readonly importFilter: Filter
  readonly exportFilter: Filter
}
export interface BirdSession {
  readonly name: string
  readonly local: string
  readonly localAs: number
  readonly neighbour: string
  readonly as: number
  readonly holdMs: number
  readonly retryMs: number
  /** Until silence is noticed; absent: by the hold time alone. */
  readonly bfd?: { readonly intervalMs: number; readonly multiplier: number }
  readonly bfdGracefully: boolean
  /** What it asks of its neighbour, in milliseconds; absent: it asks for nothing. */
  readonly restartMs?: number
  readonly isClient: boolean
  /** The neighbour is on the link, as far as this session is concerned. */
  readonly isDirect: boolean
  readonly channels: readonly BirdChannel[]
}
export interface BirdKernel {
  readonly kernelTable: number
  readonly channel: BirdChannel
}
export interface BirdConfig {
  readonly routerID: string
  /** How long it waits for its neighbours as it starts. */
  readonly restartWaitMs: number
  readonly kernels: readonly BirdKernel[]
  /** Prefixes that it tells of by itself, by table. */
  readonly statics: readonly { readonly table: string; readonly prefixes: readonly string[] }[]
  readonly sessions: readonly BirdSession[]
}

/** @throws SyntaxError */
export function readConfig(text: string): BirdConfig {
  const root = parsed(text)
  return {
    routerID: wordAfter(root, 'router id') ?? '0.0.0.1',
    restartWaitMs: Number(wordAfter(root, 'graceful restart wait') ?? 0) * 1_000,
    kernels: ofKind(root, 'kernel').map((block) => ({
      kernelTable: Number(wordAfter(block, 'kernel table')),
      channel: channelOf(block.blocks[0]!),
    })),
    statics: ofKind(root, 'static')
      .filter(({ head }) => head.includes('_blocks_'))
      .map(({ blocks: [channel], lines }) => ({
        table: wordAfter(channel!, 'table')!,
        prefixes: lines.flatMap((line) => /^route (\S+) blackhole;$/.exec(line)?.[1] ?? []),
      })),
    sessions: ofKind(root, 'bgp').map(sessionOf),
  }
}

/** A line opens a block, closes one, does both, or is a statement; what filters say in braces is one. */
function parsed(text: string): Block {
  const root = { head: '', lines: [] as string[], blocks: [] as Block[] }
  const open: (typeof root)[] = [root]
  for (const line of text.split('\n').map((each) => each.trim())) {
    const inner = open.at(-1)!
    const whole = /^([^{]*) \{ (.*)\};?$/.exec(line)
    if (line === '}' || line === '};') open.pop()
    else if (line.endsWith(' {')) {
      const block = { head: line.slice(0, -2), lines: [], blocks: [] }
      inner.blocks.push(block)
      open.push(block)
    } else if (whole !== null && !line.startsWith('if ')) inner.blocks.push({ head: whole[1]!, lines: [whole[2]!.trim()], blocks: [] })
    else if (line !== '') inner.lines.push(line)
  }
  if (open.length !== 1) throw new SyntaxError('a block of the configuration does not end')
  return root
}

const ofKind = ({ blocks }: Block, kind: string): readonly Block[] => blocks.filter(({ head }) => head.startsWith(`protocol ${kind} `))

function wordAfter({ lines }: Block, words: string): string | undefined {
  const line = lines.find((each) => each.startsWith(`${words} `))
  return line?.slice(words.length + 1).split(/[ ;]/)[0]
}

const channelOf = (block: Block): BirdChannel => ({
  family: block.head,
  table: wordAfter(block, 'table')!,
  importFilter: filterOf(linesOf(block, 'import filter')),
  exportFilter: filterOf(linesOf(block, 'export filter')),
})

const linesOf = ({ blocks }: Block, head: string): readonly string[] => blocks.find((each) => each.head === head)?.lines ?? ['reject;']

/** Address and AS. */
function endIn({ lines }: Block, form: RegExp): readonly [address: string, as: number] {
  const [, address = '', as] = lines.map((line) => form.exec(line)).find((found) => found !== null) ?? []
  return [address, Number(as)]
}

function bfdOf({ blocks }: Block): Pick<BirdSession, 'bfd' | 'bfdGracefully'> {
  const bfd = blocks.find(({ head }) => head === 'bfd')?.lines.join(' ') ?? ''
  const [, interval, multiplier] = /min rx interval (\d+) ms;.* multiplier (\d+);/.exec(bfd) ?? []
  const bfdGracefully = bfd.startsWith('graceful; ')
  return interval === undefined
    ? { bfdGracefully }
    : { bfd: { intervalMs: Number(interval), multiplier: Number(multiplier) }, bfdGracefully }
}

function sessionOf(block: Block): BirdSession {
  const [local, localAs] = endIn(block, /^local (\S+) as (\d+);$/)
  const [neighbour, as] = endIn(block, /^neighbor (\S+) (?:port \d+ )?as (\d+);$/)
  const restart = wordAfter(block, 'graceful restart time')
  return {
    name: block.head.split(' ')[2]!,
    local,
    localAs,
    neighbour,
    as,
    holdMs: Number(wordAfter(block, 'hold time')) * 1_000,
    retryMs: Number(wordAfter(block, 'connect retry time')) * 1_000,
    ...bfdOf(block),
    ...(restart !== undefined && { restartMs: Number(restart) * 1_000 }),
    isDirect: block.lines.includes('direct;'),
    isClient: block.lines.includes('rr client;'),
    channels: block.blocks.filter(({ head }) => head === 'ipv4' || head === 'ipv6').map(channelOf),
  }
}

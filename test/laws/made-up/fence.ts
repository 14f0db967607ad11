// A made-up kind of pieces: who of ten groups of addresses may be sent to, and who of those may not. It may not be half there, is kept in
// the ledger, it is rendered with its Segment, and several fences may shut one address.
import type { PieceKind } from '../../../core/pieces/kind.ts'
import { memoryItem } from '../../../core/pieces/memory-item.ts'
import { segmentKey, segmentPiece } from '../../../core/pieces/segment.ts'
import { need } from '../../../core/pieces/kind.ts'
import { ipv4Dst } from '../../../core/pipeline/openflow/fields.ts'
import { is, isMasked } from '../../../core/pipeline/openflow/flow.ts'
import { flowsOf } from '../../../core/pipeline/items.ts'
import { inVni, ipv4, to } from '../../../core/pipeline/match.ts'
import { places, tables } from '../../../core/pipeline/tables.ts'
import { ipv4Value, prefixMask } from '../../../core/pipeline/openflow/values.ts'

export interface Fence {
  readonly vni: number
  /** 0 to 9. */
  readonly group: number
  readonly way: 'open' | 'shut'
  /** `GROUP.MEMBER` of whom it shuts: of any group. */
  readonly but: readonly string[]
}

interface FenceNeeds {
  readonly segment?: { readonly flood: boolean } | undefined
}

const because = ({ vni, group }: Fence) => ({ rule: 'a fence', of: { kind: 'SegmentLock', name: `vni-${vni}-${group}` } }) as const
const blockOf = (group: number): number => ipv4Value(`10.${200 + group}.0.0`)
const memberOf = (but: string): number => {
  const [group = '', member = ''] = but.split('.')
  return blockOf(Number(group)) + Number(member)
}
const isFence = (value: unknown): value is Fence =>
  typeof (value as Partial<Fence> | null)?.group === 'number' && Array.isArray((value as Fence).but)

export const fencePiece: PieceKind<Fence, FenceNeeds> = {
  name: 'Fence',
  key: ({ vni, group }) => `${vni}-${group}`,
  sources: ['ports'],
  names: ({ vni, but }) => but.map((each) => `fenced ${vni} ${each}`),
  needs: {
    segment: need(
      segmentPiece,
      ({ vni }) => segmentKey(vni),
      ({ flood }) => ({ flood }),
    ),
  },
  isKept: isFence,
  failsClosed: true,
  planes: {
    memory: {
      items: (fence, { segment }) => [
        memoryItem(
          `way/${fence.vni}/${fence.group}`,
          `${fence.way}${segment?.flood === true ? ' of a VNI that floods' : ''}`,
          because(fence),
        ),
        ...fence.but.map((each) => memoryItem(`but/${fence.vni}/${each}`, 'shut', because(fence))),
      ],
      closes: (key, text) => /^(way|but)\//.test(key) && text.startsWith('shut'),
    },
    ovs: {
      items(fence, { segment }, { bridge }) {
        const { vni, group, way, but } = fence
        const flow = flowsOf(bridge, { feature: 'policy', owner: segment?.flood === true ? 1 : 0, because: because(fence) })
        const shut = flowsOf(bridge, { feature: 'policy', because: because(fence) })
        return [
          flow(
            'policyOut',
            100,
            [inVni(vni), ...ipv4, isMasked(ipv4Dst, blockOf(group), prefixMask(ipv4Dst, 16))],
            way === 'open' ? [to(places.policyOut)] : [],
          ),
          ...but.map((each) => shut('policyOut', 200, [inVni(vni), ...ipv4, is(ipv4Dst, memberOf(each))], [])),
        ]
      },
      closes: (key, text) => key.split('/')[2] === String(tables.policyOut.number) && text.endsWith(' drop'),
    },
    bess: 'it is made up',
    linux: 'it is made up',
  },
}

/** Who may be sent to by what is there: `VNI GROUP.MEMBER`, of the members of whom a case speaks. */
export function passing(seen: ReadonlyMap<string, string>, vnis: readonly number[], members: readonly string[]): ReadonlySet<string> {
  // Whatever the bridge is called.
  const flows = new Map(
    [...seen].filter(([key]) => key.startsWith('flow/')).map(([key, text]) => [key.split('/').slice(2).join('/'), text]),
  )
  const all = vnis.flatMap((vni) => members.map((member) => ({ vni, member })))
  return new Set(
    all
      .filter(({ vni, member }) => isOpenInMemory(seen, vni, member) || isOpenBySwitch(flows, vni, member))
      .map(({ vni, member }) => `${vni} ${member}`),
  )
}

const isOpenInMemory = (seen: ReadonlyMap<string, string>, vni: number, member: string): boolean =>
  seen.get(`way/${vni}/${member.split('.')[0]}`)?.startsWith('open') === true && !seen.has(`but/${vni}/${member}`)

function isOpenBySwitch(flows: ReadonlyMap<string, string>, vni: number, member: string): boolean {
  const [group, last] = member.split('.').map(Number)
  const textOf = (priority: number, to: string): string | undefined =>
    flows.get(`20/${priority}/reg0=0x${vni.toString(16)},eth_type=0x800,ipv4_dst=${to}`)
  const way = textOf(100, `10.${200 + group!}.0.0/16`)
  return way !== undefined && !way.endsWith(' drop') && textOf(200, `10.${200 + group!}.0.${last!}`) === undefined
}

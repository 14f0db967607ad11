// Programs at the ways in and out of a device (linux/pkt_sched.h, linux/pkt_cls.h): a classifier `bpf` under the queueing discipline
// `clsact`, which queues nothing.
import { attributes, nestedOf, textOf, viewOf, Writer } from './bytes.ts'
import { readDump, type Dump } from './dump.ts'
import { flag, message } from './message.ts'

export type TcHook = 'in' | 'out'

const type = { newDiscipline: 36, newFilter: 44, delFilter: 45, getFilter: 46 } as const
const attr = { kind: 1, options: 2 } as const
const bpf = { file: 6, name: 7, flags: 8 } as const
/** TCA_BPF_FLAG_ACT_DIRECT: what the program answers is what is done. */
const direct = 1
const clsact = 0xfffffff1
const parents: Readonly<Record<TcHook, number>> = { in: 0xfffffff2, out: 0xfffffff3 }
/** `mg`: programs of others at the same device have places of their own. */
const priority = 0x6d67
/** ETH_P_ALL, in network order. */
const everything = 0x0300
const headBytes = 20

function head(
  to: Writer,
  { index, handle, parent, about }: { readonly index: number; readonly handle: number; readonly parent: number; readonly about: number },
): Writer {
  return to
    .u32(0)
    .u32(index)
    .u32(handle >>> 0)
    .u32(parent >>> 0)
    .u32(about >>> 0)
}
const about = ((priority << 16) | everything) >>> 0

/** EEXIST where it is there. */
export function encodeClsact(index: number): Uint8Array {
  const to = new Writer()
  message(to, { type: type.newDiscipline, flags: flag.ack | flag.create | flag.excl, sequence: 1 }, () =>
    head(to, { index, handle: 0xffff0000, parent: clsact, about: 0 }).attrText(attr.kind, 'clsact'),
  )
  return to.done()
}

/** Both ways at once; in place of those that are there. `files` are open in this process. */
export function encodePrograms(index: number, name: string, files: Readonly<Record<TcHook, number>>): Uint8Array {
  const to = new Writer()
  for (const [i, way] of (['in', 'out'] as const).entries()) {
    message(to, { type: type.newFilter, flags: flag.ack | flag.create | flag.replace, sequence: i + 1 }, () => {
      head(to, { index, handle: 1, parent: parents[way], about }).attrText(attr.kind, 'bpf')
      to.nest(attr.options, () => to.attr32(bpf.file, files[way]).attrText(bpf.name, name).attr32(bpf.flags, direct))
    })
  }
  return to.done()
}

/** ENOENT or EINVAL where there are none. */
export function encodeProgramDrop(index: number, way: TcHook): Uint8Array {
  const to = new Writer()
  message(to, { type: type.delFilter, flags: flag.ack, sequence: 1 }, () => head(to, { index, handle: 0, parent: parents[way], about }))
  return to.done()
}

export function encodeProgramsDump(index: number, way: TcHook): Uint8Array {
  const to = new Writer()
  message(to, { type: type.getFilter, flags: flag.dump, sequence: 1 }, () => head(to, { index, handle: 0, parent: parents[way], about: 0 }))
  return to.done()
}

/** The name of the program at our place; none where there is none. */
export function readPrograms(bytes: Uint8Array): Dump<string> {
  return readDump(bytes, ({ type: of, body }) => {
    if (of !== type.newFilter || body.length < headBytes || viewOf(body).getUint32(16, true) >>> 16 !== priority) return []
    const name = textOf(nestedOf(attributes(body, headBytes), attr.options), bpf.name)
    return name === undefined ? [] : [name]
  })
}

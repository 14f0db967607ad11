// What a switch says when it refuses (OpenFlow 1.4 section 7.5.4), in words: the types, and the codes that flows of ours could meet.
import type { Refusal } from './openflow.ts'

const types: Readonly<Record<number, readonly [name: string, codes: readonly string[]]>> = {
  0: ['hello failed', ['incompatible versions', 'not permitted']],
  1: ['bad request', ['bad version', 'bad type', 'bad multipart', 'bad experimenter', 'bad experimenter type', 'not permitted', 'bad length', 'buffer empty', 'buffer unknown', 'bad table', 'is a slave', 'bad port', 'bad packet', 'buffer overflow', 'timeout waiting for the rest']],
  2: ['bad action', ['bad type', 'bad length', 'bad experimenter', 'bad experimenter type', 'bad output port', 'bad argument', 'not permitted', 'too many', 'bad queue', 'bad group', 'match is inconsistent', 'unsupported order', 'bad tag', 'bad set type', 'bad set length', 'bad set argument', 'bad set mask']],
  3: ['bad instruction', ['unknown', 'unsupported', 'bad table', 'unsupported metadata', 'unsupported metadata mask', 'bad experimenter', 'bad experimenter type', 'bad length', 'not permitted', 'duplicate']],
  4: ['bad match', ['bad type', 'bad length', 'bad tag', 'bad link mask', 'bad network mask', 'bad wildcards', 'bad field', 'bad value', 'bad mask', 'a field that it presupposes is missing', 'duplicate field', 'not permitted']],
  5: ['flow refused', ['for no stated reason', 'the table is full', 'no such table', 'it overlaps', 'not permitted', 'bad timeout', 'bad command', 'bad flags', 'cannot be kept in step', 'bad priority']],
  6: ['group refused', [
    'it is there already', 'invalid', 'weights are not supported', 'too many groups', 'too many buckets', 'chaining is not supported',
    'watching is not supported', 'it would go round in a loop', 'no such group', 'another group uses it', 'bad type', 'bad command',
    'bad bucket', 'bad watch', 'not permitted', 'no such bucket', 'the bucket is there already',
  ]],
  12: ['meter refused', [
    'for no stated reason', 'it is there already', 'invalid', 'no such meter', 'bad command', 'bad flags', 'bad rate', 'bad burst', 'bad band',
    'bad value of a band', 'too many meters', 'too many bands',
  ]],
  17: ['bundle refused', ['for no stated reason', 'not permitted', 'bad id', 'it is there already', 'no such bundle', 'it is closed', 'too many bundles', 'bad type', 'unsupported message', 'conflicting message', 'too many messages', 'a message of it failed', 'timeout', 'another bundle is under way']],
}

export function describeRefusal({ type, code }: Refusal): string {
  const [name = `error type ${type}`, codes = []] = types[type] ?? []
  return `${name}: ${codes[code] ?? `code ${code}`}`
}

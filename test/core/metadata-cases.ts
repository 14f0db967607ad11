// What metadata is taken and refused, for our own check and for a real API server (see rule-cases.ts). Where it names none, the
// test does.
export interface MetadataCase {
  readonly metadata: object
  /** Where the fault is: `metadata.labels.key`. */
  readonly refused?: string
}
const long = (length: number): string => 'a'.repeat(length)
const owner = { apiVersion: 'v1', kind: 'Pod', name: 'web-0', uid: 'u' }

export const metadataCases: Readonly<Record<string, MetadataCase>> = {
  'a name with dots': { metadata: { name: 'a.b-c.d0' } },
  'a name in capitals': { metadata: { name: 'Blue' }, refused: 'metadata.name' },
  'a name with an underscore': { metadata: { name: 'a_b' }, refused: 'metadata.name' },
  'a name that begins with a hyphen': { metadata: { name: '-a' }, refused: 'metadata.name' },
  'a name with two dots in a row': { metadata: { name: 'a..b' }, refused: 'metadata.name' },
  'a name of 253 letters': { metadata: { name: `${long(63)}.${long(63)}.${long(63)}.${long(61)}` } },
  'a name of 254 letters': { metadata: { name: long(254) }, refused: 'metadata.name' },
  'the beginning of a name': { metadata: { generateName: 'blue-' } },
  'the beginning of no name': { metadata: { generateName: 'Blue-' }, refused: 'metadata.generateName' },
  labels: { metadata: { labels: { a: 'b', 'example.org/A_b.c': 'x_Y.z', empty: '' } } },
  "a label's value with a slash": { metadata: { labels: { a: 'b/c' } }, refused: 'metadata.labels.a' },
  "a label's value of 63 letters": { metadata: { labels: { a: long(63) } } },
  "a label's value of 64 letters": { metadata: { labels: { a: long(64) } }, refused: 'metadata.labels.a' },
  "a label's value that is a number": { metadata: { labels: { a: 1 } }, refused: 'metadata.labels.a' },
  "a label's key of two slashes": { metadata: { labels: { 'a/b/c': 'd' } }, refused: 'metadata.labels.a/b/c' },
  "a label's key of 64 letters": { metadata: { labels: { [long(64)]: 'd' } }, refused: `metadata.labels.${long(64)}` },
  "a label's key in the domain of capitals": { metadata: { labels: { 'Example.org/a': 'd' } }, refused: 'metadata.labels.Example.org/a' },
  'an annotation of any text': { metadata: { annotations: { 'example.org/a': ' any\n"text" ' } } },
  'an annotation that is a number': { metadata: { annotations: { a: 1 } }, refused: 'metadata.annotations.a' },
  "an annotation's key with a blank": { metadata: { annotations: { 'a b': 'c' } }, refused: 'metadata.annotations.a b' },
  'annotations of 256 KiB': { metadata: { annotations: { a: long(256 * 1024 - 1) } } },
  'annotations of a byte more': { metadata: { annotations: { a: long(256 * 1024) } }, refused: 'metadata.annotations' },
  'a finalizer': { metadata: { finalizers: ['example.org/f'] } },
  'a finalizer with a blank': { metadata: { finalizers: ['example.org/f f'] }, refused: 'metadata.finalizers[0]' },
  'an owner': { metadata: { ownerReferences: [owner] } },
  'an owner without UID': { metadata: { ownerReferences: [{ ...owner, uid: '' }] }, refused: 'metadata.ownerReferences[0].uid' },
  'two owners that are the controller': {
    metadata: {
      ownerReferences: [
        { ...owner, controller: true },
        { ...owner, uid: 'v', controller: true },
      ],
    },
    refused: 'metadata.ownerReferences',
  },
  'a field that is not known': { metadata: { lables: {} }, refused: 'metadata.lables' },
  'what tools leave as null': { metadata: { creationTimestamp: null, labels: null } },
}

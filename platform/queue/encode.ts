/**
 * A key as a deduplication id. BullMQ joins ids with ':' and takes whole numbers for its own; '%' is escaped so that two keys never
 * meet.
 */
export function encodeKey(key: string): string {
  return `k${/[%:]/.test(key) ? key.replaceAll('%', '%25').replaceAll(':', '%3A') : key}`
}

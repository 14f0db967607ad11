// Recognising, before the JSON is parsed, a pod that is none of our business: half of the cost of answering, and a quarter
// for large pods. What the pattern does not recognise is parsed: it may only be wrong by being slow.

const ours = Buffer.from('megrez.io/')
/** A key of ours could be spelt with escapes. */
const escape = Buffer.from('\\u')
const headBytes = 1_024
/** The head of a review as the API server writes it (Go, k8s.io/api/admission/v1, order of fields), up to the operation. */
const head =
  /^\{"kind":"AdmissionReview","apiVersion":"admission\.k8s\.io\/v1","request":\{"uid":"([0-9A-Za-z-]{1,64})","kind":\{[^{}]*\},"resource":\{[^{}]*\},(?:"requestKind":\{[^{}]*\},)?(?:"requestResource":\{[^{}]*\},)?(?:"name":"[^"\\]*",)?"namespace":"([^"\\]*)","operation":"/
const brace = 0x7d

/**
 * The UID of a review whose pod has no key of ours and lives where no defaults are given, else undefined.
 *
 * @param isDefaulted whether every pod of a namespace is ours
 */
export function uidOfUnrelatedPod(body: Buffer, isDefaulted: (namespace: string) => boolean): string | undefined {
  if (body.includes(ours) || body.includes(escape)) return undefined
  const found = head.exec(body.toString('latin1', 0, headBytes))
  if (found === null || !endsWhole(body)) return undefined
  return isDefaulted(found[2]!) ? undefined : found[1]
}

function endsWhole(body: Buffer): boolean {
  let end = body.length
  while (end > 0 && body[end - 1]! <= 0x20) end--
  return body[end - 1] === brace && body[end - 2] === brace
}

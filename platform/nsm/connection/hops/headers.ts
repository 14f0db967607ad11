// The token of a call of ours, as its headers.
import { printRfc3339 } from '../../../../core/nsm/rfc3339.ts'
import type { Token } from '../../tokens/token.ts'

export const tokenHeaders = ({ token, expires }: Token): Readonly<Record<string, string>> => ({
  'nsm-client-token': token,
  'nsm-client-token-expires': printRfc3339(expires),
})

// Who may register what. Equal to the policies that NSM's registry begins with: networkservicemesh/sdk, pkg/tools/opa/policies/{common,
// server,registry} (2026-11).
import { ChainForbidden } from '../../../core/errors.ts'
import type { RegistryPath } from '../../../core/nsm/registry-path.ts'
import { areInOrder, subjectOf } from '../../../core/nsm/token-claims.ts'
import type { Clock } from '../../clock.ts'
import type { ServedCall } from '../../grpc/caller.ts'
import { isSignedBy } from './spiffe-tokens.ts'

export interface RegistryRules {
  /**
   * Of the call by itself.
   *
   * @param path with the caller's token and ours at its places
   * @throws ChainForbidden
   */
  check(path: RegistryPath, call: ServedCall): Promise<void>
  /**
   * Of what is registered under that name.
   *
   * @param owner first id of what is there; undefined: nobody has registered it, as it came from a manifest
   * @throws ChainForbidden
   */
  checkOwner(path: RegistryPath, owner: string | undefined): void
}

const forbidden = (): Error => new ChainForbidden({ part: 'registry' })

/** Callers with certificates, tokens that these have signed, and one's own registrations. */
export const spiffeRules = (clock: Clock): RegistryRules => ({
  async check({ index, tokens }, { caller }) {
    const behind = tokens.slice(0, index + 1)
    if (!areInOrder(behind, clock.now())) throw forbidden()
    const { certificate } = caller
    if (certificate === undefined || !(await isSignedBy(behind[index - 1] ?? '', certificate.x509))) throw forbidden()
  },
  checkOwner({ tokens }, owner) {
    const asking = subjectOf(tokens[0])
    if (asking === '' || owner !== asking) throw forbidden()
  },
})

// Keeps the certificate of admission fresh, and the path that it is at, where the chart leaves them to us: every worker checks them, and
// the first one renews.
import { usualPathLives } from '../core/plan/registration.ts'
import type { Clock } from '../platform/clock.ts'
import { tendAdmission, type AdmissionCertificates } from '../platform/kube/admission/certificates.ts'
import type { KubeApi } from '../platform/kube/client.ts'
import type { Log } from '../platform/log.ts'
import { usualLives, type Lives } from '../platform/tls/rotation.ts'

export interface CertificatesDeps {
  readonly client: KubeApi
  readonly clock: Clock
  readonly log: Log
  readonly random: () => number
  readonly lives?: Lives
}

/**
 * A rollback may have put back the certificate of its time: it should go before kubelets, which take up to a minute, have handed it to
 * servers.
 */
const pollMs = 15_000
const jitterPart = 0.05

/** As the chart names them. */
export const admissionOf = (namespace: string): AdmissionCertificates => {
  const service = `megrez-webhooks.${namespace}`
  const servers = 'app.kubernetes.io/name=megrez,app.kubernetes.io/component=webhooks'
  return {
    namespace,
    servers,
    paths: usualPathLives,
    shown: 'megrez-webhooks-tls',
    kept: 'megrez-webhooks-ca',
    configurations: 'megrez',
    hosts: [`${service}.svc`, service, `${service}.svc.cluster.local`],
  }
}

/** Checks at once, then four times a minute; a check that fails is logged, and followed by the next. */
export function keepCertificates(
  at: AdmissionCertificates,
  { client, clock, log, random, lives = usualLives }: CertificatesDeps,
): { stop(): Promise<void> } {
  const jitterMs = random() * lives.leafMs * jitterPart
  let stopped = false
  let cancel = (): void => undefined
  const reconcile = async (): Promise<void> => {
    let restMs = pollMs
    try {
      restMs = await tendAdmission({ client, at, log, now: clock.now(), lives, jitterMs })
    } catch (err) {
      log.warn({ err }, 'certificates of admission could not be looked at')
    }
    if (!stopped) cancel = clock.after(Math.min(Math.max(restMs, 1_000), pollMs), () => (reconciling = reconcile()))
  }
  let reconciling = reconcile()
  return {
    async stop() {
      stopped = true
      cancel()
      await reconciling
    },
  }
}

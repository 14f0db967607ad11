// How many pods a Deployment is to have, and nothing else of it (deployments/scale). Two implementations, one suite (test/laws/scales.ts).

export interface DeploymentName {
  readonly namespace: string
  readonly name: string
}
export interface Scale {
  readonly replicas: number
  readonly resourceVersion: string
}
/** Why there is none to be had. */
export type NoScale = 'NotFound' | 'Forbidden'

/**
 * Promises:
 * 1 `up` makes 1 of 0 and of nothing else, and only as it was read;
 * 2 `down` makes 0 of 1, only as it was read, and only where the last who has set the number is whoever did `up`;
 * 3 what is refused changes nothing, and is an answer.
 * Errors: StoreUnavailable.
 */
export interface Scales {
  read(of: DeploymentName, signal: AbortSignal): Promise<Scale | NoScale>
  /** Whether `down` would be done: false where somebody else has set the number since. Changes nothing. */
  isOurs(of: DeploymentName, scale: Scale, signal: AbortSignal): Promise<boolean | NoScale>
  /** @returns false where it is no longer as it was read, or not ours */
  up(of: DeploymentName, scale: Scale, signal: AbortSignal): Promise<boolean | NoScale>
  down(of: DeploymentName, scale: Scale, signal: AbortSignal): Promise<boolean | NoScale>
}

/** As much of a pod as decides which policy is in force on it; in admission it is not stored yet. */
export interface PolicyPod {
  readonly metadata: {
    readonly namespace?: string
    readonly labels?: Readonly<Record<string, string>>
    readonly annotations?: Readonly<Record<string, string>>
  }
}

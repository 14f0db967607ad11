// Whole installations: what they need of the machine, a lab, and one end for all that they have started.
import { clusterPrograms, type ClusterPrograms } from './cluster/programs.ts'
import { openLab, type Lab } from './lab.ts'
import { ovsMissing } from './programs/ovs.ts'

export interface LabSetupOptions {
  readonly install: boolean
  readonly print: (line: string) => void
}
export interface LabSetupParts {
  readonly programs: ClusterPrograms
  readonly lab: Lab
  /** Called in the opposite order when the installation is closed, or cannot be opened. */
  readonly stops: (() => Promise<void>)[]
}
export interface Closable {
  /** All of it goes; throws what stayed. */
  close(): Promise<void>
}

/** @returns what `open` makes, or what is missing on this machine */
export async function openLabSetup<T>(
  { install, print }: LabSetupOptions,
  open: (parts: LabSetupParts) => Promise<T>,
): Promise<(T & Closable) | { readonly missing: readonly string[] }> {
  const programs = await clusterPrograms({ install, print })
  if ('missing' in programs) return programs
  const missing = await ovsMissing({ install, print })
  if (missing !== undefined) return { missing: [missing] }
  const lab = await openLab()
  const stops: (() => Promise<void>)[] = [() => lab.close()]
  const close = async (): Promise<void> => {
    for (const stop of stops.splice(0).reverse()) await stop()
  }
  try {
    return { ...(await open({ programs, lab, stops })), close }
  } catch (err) {
    await close().catch((more: unknown) => print(String(more)))
    throw err
  }
}

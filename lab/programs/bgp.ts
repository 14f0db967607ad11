// BGP daemons of the distribution: BIRD, FRR, and exabgp, which announces whatever it is told to.
import { existsSync } from 'node:fs'
import { installPackages, onPath } from '../../platform/programs/debian.ts'
import { noNamespaces } from '../namespaces.ts'

/** Where Debian has FRR's daemons. */
export const frrFolder = '/usr/lib/frr'

const missing = (): readonly string[] => [
  ...(onPath('bird') === undefined ? ['bird2'] : []),
  ...(existsSync(`${frrFolder}/bgpd`) && onPath('vtysh') !== undefined ? [] : ['frr']),
  ...(onPath('exabgp') === undefined ? ['exabgp'] : []),
]

/** @returns what keeps them from running here; undefined: nothing */
export async function bgpMissing({
  install,
  print,
}: {
  readonly install: boolean
  readonly print: (line: string) => void
}): Promise<string | undefined> {
  const packages = missing()
  const why = packages.length > 0 && install ? await installPackages(packages, print) : 'installing was declined'
  const still = missing()
  if (still.length > 0) return `BGP daemons: ${still.join(', ')}: ${why ?? 'the packages have not the programs'}`
  return noNamespaces()
}

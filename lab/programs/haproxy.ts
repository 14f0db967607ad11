// HAProxy of the distribution: what asks what is said in connections.
import { installPackages, onPath } from '../../platform/programs/debian.ts'
import { noNamespaces } from '../namespaces.ts'

/** @returns what keeps it from running here; undefined: nothing */
export async function haproxyMissing({
  install,
  print,
}: {
  readonly install: boolean
  readonly print: (line: string) => void
}): Promise<string | undefined> {
  const needed: Readonly<Record<string, string>> = { haproxy: 'haproxy', nft: 'nftables', ip: 'iproute2' }
  const missing = (): readonly string[] => Object.keys(needed).filter((program) => onPath(program) === undefined)
  const why =
    missing().length > 0 && install
      ? await installPackages(
          missing().map((program) => needed[program]!),
          print,
        )
      : undefined
  return missing().length === 0 ? noNamespaces() : `${missing().join(', ')}: ${why ?? 'installing was declined'}`
}

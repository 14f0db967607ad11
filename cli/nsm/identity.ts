// Who a program of Network Service Mesh is: a SPIFFE certificate in files, as every party of a mesh has one.
import { stat } from 'node:fs/promises'
import { ConfigInvalid } from '../../core/errors.ts'
import { realRandom, realUids } from '../../platform/chance.ts'
import { realClock } from '../../platform/clock.ts'
import { makeLog } from '../../platform/log.ts'
import type { Program } from '../../platform/nsm/roles/program.ts'
import { spiffeTokens } from '../../platform/nsm/tokens/spiffe-tokens.ts'
import { followFiles } from '../../platform/tls/files.ts'
import type { Flags, GivenArguments } from '../args.ts'
import { CliError } from '../context.ts'

export const identityFlags: Flags = {
  name: { type: 'string', value: 'NAME', meaning: 'of its path segment, and of its registration' },
  cert: { type: 'string', value: 'FILE', meaning: 'its certificate, PEM, with one SPIFFE id' },
  key: { type: 'string', value: 'FILE', meaning: 'its key on P-256, PEM; tokens are signed with it' },
  ca: { type: 'string', value: 'FILE', meaning: 'the authorities of all certificates of the mesh, PEM' },
  'token-seconds': { type: 'string', value: 'N', meaning: 'the longest that its tokens hold (600)' },
  mechanism: {
    type: 'string',
    multiple: true,
    value: 'TYPE',
    meaning: 'noop, kernel, memif, vxlan, vlan or vhost, in order; noop unless given',
  },
}

/** @throws CliError */
export async function programFrom(given: GivenArguments, name: string): Promise<Program & { close(): void }> {
  const lifeMs = wholeFrom(given, 'token-seconds', 600) * 1000
  const log = makeLog('warn')
  try {
    const files = { cert: needed(given, 'cert'), key: needed(given, 'key'), clientCa: needed(given, 'ca') }
    const certificate = await followFiles(files, { clock: realClock, log })
    const tokens = spiffeTokens({ certificate, lifeMs, clock: realClock })
    const close = (): void => certificate.close()
    return { name: given.text('name') ?? name, tokens, certificate, clock: realClock, random: realRandom, newId: realUids, log, close }
  } catch (err) {
    throw err instanceof ConfigInvalid ? new CliError(2, err.message) : err
  }
}

export function needed(given: GivenArguments, flag: string): string {
  const value = given.text(flag)
  if (value === undefined) throw new CliError(2, `--${flag} is needed`)
  return value
}

/** A whole number from 1 on. */
export function wholeFrom(given: GivenArguments, flag: string, usual: number): number {
  const value = Number(given.text(flag) ?? usual)
  if (!Number.isSafeInteger(value) || value < 1) throw new CliError(2, `--${flag} is a whole number from 1 on`)
  return value
}

/** `a=b` once or more. */
export function labelsFrom(texts: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    texts.map((text) => {
      const [, key, value = ''] = /^([^=]+)=(.*)$/.exec(text) ?? []
      if (key === undefined) throw new CliError(2, `--label ${JSON.stringify(text)} is not KEY=VALUE`)
      return [key, value] as const
    }),
  )
}

export const mechanismsFrom = (given: GivenArguments): readonly string[] => {
  const texts = given.texts('mechanism')
  return (texts.length === 0 ? ['noop'] : texts).map((text) => text.toUpperCase())
}

/** URL of the network namespace of this process, as a forwarder of the node finds it, whichever process numbers it sees. */
export async function ownNamespace(): Promise<string> {
  const { dev, ino } = await stat('/proc/self/ns/net')
  return `inode://${dev}/${ino}`
}

// Lengths of time as people write them: 90s, 5m, 2h, 7d.
import { CliError } from './context.ts'

const unitSeconds: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 }

/** @returns whole seconds. @throws CliError 2 */
export function secondsIn(text: string, flag: string): number {
  const parts = [...text.matchAll(/(\d{1,9})([smhd]|$)/g)]
  if (parts.length === 0 || parts.map(([whole]) => whole).join('') !== text)
    throw new CliError(2, `--${flag} is a length of time, as 90s, 5m, 2h or 7d, not ${JSON.stringify(text)}`)
  return parts.reduce((sum, [, number = '0', unit = '']) => sum + Number(number) * (unitSeconds[unit] ?? 1), 0)
}

// What rules have logged of a Port, a line each.
import type { LoggedPackets } from '../../core/kinds/node/inquiry.ts'

export const loggedLines = (logged: readonly LoggedPackets[]): string[] =>
  logged.length === 0
    ? ['no rule has logged anything of it since the agent began']
    : logged.map(({ time, packets, outcome, direction, policy, rule, packet }) => {
        const by = policy === undefined ? 'a policy of another namespace' : `${policy} ${rule ?? ''}`
        return `${time} ${packets}x ${outcome} ${direction} ${packet} by ${by}`
      })

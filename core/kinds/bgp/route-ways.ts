/**
 * How an address is reached by what BGPSpeakers say. host: its node alone has it; block: every node that announces it; outside: whoever
 * sends a route; nobody: it is in a block of host routes, and on no node.
 */
export const routeWays = ['host', 'block', 'outside', 'nobody'] as const

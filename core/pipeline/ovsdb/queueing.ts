// What leaves a switch port, and how fast: rows of the OVSDB that are ours (ovs-vswitchd.conf.db(5), QoS and Queue).

/** Of a port's egress. */
export interface Qos {
  /** Name of the switch port. */
  readonly port: string
  /** Of tc(8), or a policer. */
  readonly type: 'linux-htb' | 'linux-hfsc' | 'egress-policer'
  /** `max-rate` in bits a second and others, by type. */
  readonly options: Readonly<Record<string, string>>
}

/** One of a port's, under the number that `set_queue` says. Its port has a Qos. */
export interface Queue {
  readonly port: string
  readonly number: number
  /** `min-rate`, `max-rate` in bits a second, `burst` in bits, `priority`. */
  readonly options: Readonly<Record<string, string>>
  /** What packets of it are marked with. */
  readonly dscp?: number
}

export const qosKey = (port: string): string => `qos/${port}`
export const queueKey = (port: string, number: number): string => `queue/${port}/${number}`

const pairs = (options: Readonly<Record<string, string>>): string =>
  Object.entries(options)
    .map(([name, value]) => `${name}:${value}`)
    .sort()
    .join(' ')
export const qosText = ({ type, options }: Qos): string => `type=${type},options=${pairs(options)}`
export const queueText = ({ options, dscp }: Queue): string => `options=${pairs(options)},dscp=${dscp ?? ''}`

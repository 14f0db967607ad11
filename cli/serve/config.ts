// The settings of one machine: callbacks may go to loopback and in the clear, unless somebody has said where they may go.
import { readConfig, type Config } from '../../platform/config.ts'

const loopback = ['127.0.0.0/8', '::1/128']

/** @param l4Port where REST listens; 0: nobody knows yet, and links begin without a host */
export function standaloneConfig(env: Readonly<Record<string, string | undefined>>, l4Port: number): Config {
  const own = l4Port === 0 ? {} : { publicUrl: `http://127.0.0.1:${l4Port}` }
  return readConfig(env, {}, { callbackHttp: true, callbackAllow: loopback, ...own })
}

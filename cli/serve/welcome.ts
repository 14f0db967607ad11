// What `npm start` prints for a person: where everything is, and an example to paste.
import { join } from 'node:path'

export interface Welcome {
  readonly url: string
  readonly admissionUrl: string
  readonly caFile: string
  readonly token: string
  readonly folder: string
  readonly queues: string
  readonly signInUrl: string
  readonly pid: number
}

export function welcome({ url, admissionUrl, caFile, folder, queues, signInUrl, pid }: Welcome): string {
  return `Megrez is ready (pid ${pid}).
  page       ${signInUrl}
             (once, within a quarter of an hour)
  REST       ${url}            contract ${url}/openapi.json, metrics ${url}/metrics
  admission  ${admissionUrl}   CA ${caFile}
  queues     ${queues}
  folder     ${folder}         token in ready.json

Try it:
  npm run megrez -- apply -n demo -f examples/pod5.yaml ${folder.endsWith('.data') ? '' : `--data ${folder} `}
  curl -s -H "authorization: Bearer $(node -p 'require("${join(folder, 'ready.json')}").token')" ${url}/v1/namespaces/demo/ports
Stop it with Ctrl-C.
`
}

// npm run story NAME [-- --dataplane NAME]: one of the stories that the design texts tell, played on this machine with real parts. Exit
// code 1 where it ends otherwise.
import { playAlkaid } from './story/alkaid.ts'
import { playCallbacks } from './story/callbacks.ts'
import { playEno } from './story/eno.ts'
import { playKos } from './story/kos.ts'
import { playL3 } from './story/l3.ts'
import { playNimbess } from './story/nimbess.ts'
import { playNsm } from './story/nsm.ts'

const stories: Readonly<Record<string, (json: boolean, dataplane?: string) => Promise<number>>> = {
  alkaid: playAlkaid,
  callbacks: playCallbacks,
  eno: playEno,
  kos: playKos,
  l3: playL3,
  nimbess: playNimbess,
  nsm: playNsm,
}
const [name = '', ...flags] = process.argv.slice(2)
const story = Object.hasOwn(stories, name) ? stories[name] : undefined
if (story === undefined) {
  process.stderr.write(`npm run story NAME: there is ${Object.keys(stories).join(', ')}\n`)
  process.exitCode = 2
} else {
  const at = flags.indexOf('--dataplane')
  process.exitCode = await story(flags.includes('--json'), at < 0 ? undefined : (flags[at + 1] ?? ''))
}

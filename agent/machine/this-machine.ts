// The machine that the process is on.
import { watch } from 'node:fs'
import { access } from 'node:fs/promises'
import { delegateConf, install, multusAway, refreshConf } from '../cni/conf.ts'
import { restoreDelegate } from '../cni/restore-delegate.ts'
import { runPlugin } from '../cni/plugin.ts'
import { listenCni } from '../cni/server.ts'
import type { Machine } from './machine.ts'
import { runProgramOfPort } from '../ports/program.ts'
import { dropSocket, hasSocketFolder, makeSocketFolder } from './sockets.ts'

export const thisMachine: Machine = {
  listen: listenCni,
  install,
  refreshConf,
  watchFolder,
  leave: restoreDelegate,
  delegateConf,
  multusAway,
  plugin: runPlugin,
  run: runProgramOfPort,
  makeSocketFolder,
  hasSocketFolder,
  dropSocket,
  // sysfs shows the network namespace of the process (netdevice(7), sysfs-class-net).
  hasInterface: (ifname) =>
    access(`/sys/class/net/${ifname}`).then(
      () => true,
      () => false,
    ),
}

/** A folder that goes away tells nothing more. */
function watchFolder(path: string, onChange: () => void): () => void {
  const watcher = watch(path, { persistent: false }, onChange)
  watcher.on('error', () => watcher.close())
  return () => watcher.close()
}

import { describe } from 'node:test'
import { openKubeStore } from '../../platform/store/kube/open.ts'
import { storeLaws } from '../laws/store.ts'
import { installCrds, kubeconfigPath, kubeSkip, newNamespace } from '../setup/kubectl.ts'

describe('kube', { skip: kubeSkip }, () => {
  storeLaws('kube', async () => {
    await installCrds()
    const store = await openKubeStore({ kubeconfig: String(kubeconfigPath) })
    return { store, namespace: await newNamespace('laws'), end: () => store.close() }
  })
})

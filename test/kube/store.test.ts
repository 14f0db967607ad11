import { describe } from 'node:test'
import { KubeClient } from '../../platform/kube/client.ts'
import { kubeconfigCredentials } from '../../platform/kube/credentials.ts'
import { KubeStore } from '../../platform/store/kube.ts'
import { storeLaws } from '../laws/store.ts'
import { installCrds, kubeconfigPath, kubeSkip, newNamespace } from '../setup/kubectl.ts'

describe('kube', { skip: kubeSkip }, () => {
  storeLaws('kube', async () => {
    await installCrds()
    const store = new KubeStore(new KubeClient(await kubeconfigCredentials(kubeconfigPath)))
    return { store, namespace: await newNamespace('laws'), end: () => store.close() }
  })
})

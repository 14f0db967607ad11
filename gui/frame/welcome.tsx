// An empty server says what it is, and plays the demo.
import { mayPlay, playDemo } from '../demo/play.ts'

export function Welcome() {
  return (
    <section class="welcome">
      <h1>Nothing is here yet</h1>
      <p>
        Megrez gives pods and VMs further NICs in virtual private clouds, with addresses that are never handed out twice. What is made
        appears here as it happens: Vpcs and Subnets, the Ports of pods, and the nodes that carry them.
      </p>
      {mayPlay() && (
        <>
          <p class="actions">
            <button type="button" class="main" onClick={() => void playDemo()}>
              Play the demo
            </button>
          </p>
          <p class="quiet">
            Five pods get their NICs, a pod that asks for a taken address is refused, and the notices of all that come in as they are filed.
            All of it can be removed again.
          </p>
        </>
      )}
      <h2>A pod with two NICs, in one command</h2>
      <pre>
        <code>npm run megrez -- apply -n demo -f examples/pod5.yaml</code>
      </pre>
      <p class="quiet">
        The folder <code>examples/</code> has more. <kbd>?</kbd> shows the keys, <kbd>/</kbd> searches.
      </p>
    </section>
  )
}

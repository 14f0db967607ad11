// An empty server says what it is.
export function Welcome() {
  return (
    <section class="welcome">
      <h1>Nothing is here yet</h1>
      <p>
        Megrez gives pods and VMs further NICs in virtual private clouds, with addresses that are never handed out twice. What is made
        appears here as it happens: Vpcs and Subnets, the Ports of pods, and the nodes that carry them.
      </p>
      <h2>Five pods, in one command</h2>
      <pre>
        <code>npm run megrez -- apply -n demo -f examples/pod5.yaml</code>
      </pre>
      <p class="quiet">
        The folder <code>examples/</code> has more. <kbd>?</kbd> shows the keys, <kbd>/</kbd> searches.
      </p>
    </section>
  )
}

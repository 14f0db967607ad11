// What the simulator itself needs of the real world, taken before the guard replaces it.
export const real = {
  setImmediate: globalThis.setImmediate,
  now: (): number => originalNow(),
}
const originalNow = performance.now.bind(performance)

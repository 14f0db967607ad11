// The double, cut off at steps of ways that lead into the tunnel, at others in each run: too many steps for the fast tests.
import { bessLaws } from '../doubles/bess-laws.ts'

bessLaws('bess on the double, with a tunnel', { tunnel: true, seeds: [1], transitions: 1, cutEach: 4 })

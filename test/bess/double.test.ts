// The double, cut off at every step of ways that lead into the tunnel: too many steps for the fast tests.
import { bessLaws } from '../doubles/bess-laws.ts'

bessLaws('bess on the double, with a tunnel', { tunnel: true, seeds: [1], transitions: 1 })

// The same policies on two nodes with bessd.
import { test } from 'node:test'
import { holds } from '../node/nimbess-story.ts'
import { bessSkip } from './test-nodes.ts'

test('each sentence of the policy of Nimbess that needs no connections holds between pods of two nodes on bess', { skip: bessSkip }, () =>
  holds('bess', 8),
)

// A dispatcher in a process of its own, for tests that kill it. It has loaded everything when the first line on its standard
// input names the store's file, and it ends in peace when there is no more input.
import { createInterface } from 'node:readline'
import { SqliteStore } from '../../platform/store/sqlite.ts'
import { openPost } from '../workers/notify-post.ts'

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]()
const { value: file } = await lines.next()
if (file !== undefined) {
  const post = await openPost({ store: SqliteStore.open(file) })
  await lines.next()
  await post.stop()
  await post.store.close()
}

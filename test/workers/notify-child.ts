// A dispatcher in a process of its own, for tests that kill it. Argument: the store's file.
import { SqliteStore } from '../../platform/store/sqlite.ts'
import { openPost } from './notify-post.ts'

await openPost({ store: SqliteStore.open(process.argv[2] ?? '') })
setInterval(() => undefined, 60_000)

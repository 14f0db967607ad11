#!/usr/bin/env node
// Plain JavaScript: whatever Node.js runs this, the bootstrap finds the right one for the rest.
process.argv.splice(2, 0, '--here', 'cli/main.ts')
await import('../bootstrap.mjs')

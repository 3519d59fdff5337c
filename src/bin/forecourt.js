#!/usr/bin/env node
// The `forecourt` command, from whatever Node npm runs on.
import { fileURLToPath } from 'node:url'
import { runOnPinnedNode } from './pinned-node.js'

const main = fileURLToPath(new URL('../main.ts', import.meta.url))
// Whoever ends this process with SIGKILL means the server: it notices that the channel between the two has closed (src/cli/exit-with-launcher.ts).
runOnPinnedNode(['--max-semi-space-size=16', main, ...process.argv.slice(2)], {
  stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  argv0: 'forecourt',
})

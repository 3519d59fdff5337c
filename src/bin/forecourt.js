#!/usr/bin/env node
// The `forecourt` command. It runs on any Node, and starts src/main.ts on the pinned one.
import { fileURLToPath } from 'node:url'
import { runOnPinnedNode } from './pinned-node.js'

const main = fileURLToPath(new URL('../main.ts', import.meta.url))
// The IPC channel tells the server when this process is killed (src/cli/exit-with-launcher.ts).
runOnPinnedNode(['--max-semi-space-size=16', main, ...process.argv.slice(2)], {
  stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  argv0: 'forecourt',
})

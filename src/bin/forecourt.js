#!/usr/bin/env node
// The `forecourt` command. It is plain JavaScript for any Node, and starts src/main.ts on the pinned one. In the npm package it starts src/main.js.
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { runOnPinnedNode } from './pinned-node.js'

const [main] = ['../main.js', '../main.ts']
  .map((name) => fileURLToPath(new URL(name, import.meta.url)))
  .filter((path) => existsSync(path))
// The IPC channel tells the server when this process is killed (src/cli/exit-with-launcher.ts).
runOnPinnedNode(['--max-semi-space-size=16', main, ...process.argv.slice(2)], {
  stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  argv0: 'forecourt',
})

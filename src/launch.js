#!/usr/bin/env node
// The `forecourt` command, from whatever Node npm runs on.
import { fileURLToPath } from 'node:url'
import { runOnPinnedNode } from './pinned-node.js'

const main = fileURLToPath(new URL('main.ts', import.meta.url))
runOnPinnedNode(['--max-semi-space-size=16', main, ...process.argv.slice(2)])

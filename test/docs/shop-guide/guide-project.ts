import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { compileClient } from '../../../src/bin/client/pack.ts'

const root = resolve(import.meta.dirname, '../../..')
const guide = readFileSync(join(root, 'docs/guide-shop.md'), 'utf8')

export interface GuideFile {
  name: string
  text: string
}

/** Returns the text of a step of the guide, or of several in a row. */
export function readSteps(first: number, last = first): string {
  return guide
    .split(/^## /m)
    .filter((section) => Number.parseInt(section, 10) >= first && Number.parseInt(section, 10) <= last)
    .join('')
}

/** Returns the files of a text. Above each block of code is the name of its file, in bold. */
export const findFiles = (text: string): GuideFile[] =>
  [...text.matchAll(/^\*\*([^*\n]+)\*\*\n\n```\w+\n(.*?)^```$/gms)].map(([, name, code]) => ({
    name: name!,
    text: code!,
  }))

/** Writes files into a folder, as a reader does: the last of a name is the one that stays. */
export async function writeFiles(folder: string, files: readonly GuideFile[]): Promise<void> {
  for (const { name, text } of files) {
    const path = join(folder, name)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, text)
  }
}

/** Creates a folder whose node_modules has the client as it is packed, and packages of this project. */
export async function createProject(packages: readonly string[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'forecourt-guide-'))
  const modules = join(folder, 'node_modules')
  compileClient(join(modules, '@forecourt/client'))
  for (const name of ['@types', ...packages]) await symlink(join(root, 'node_modules', name), join(modules, name))
  return folder
}

export const removeProject = (folder: string | undefined) =>
  folder === undefined ? undefined : rm(folder, { recursive: true, force: true })

/** Runs a tool of this project in a folder. Returns what it printed, also when it failed. */
export function runTool(folder: string, tool: string, args: readonly string[]): Promise<string> {
  return new Promise((finished) => {
    execFile(join(root, 'node_modules/.bin', tool), args, { cwd: folder }, (error, stdout, stderr) =>
      finished(stdout || stderr || (error?.message ?? '')),
    )
  })
}

/** Who is compared, and how each is started. */
import type { ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { end, startNode } from './child.ts'

export interface Contender {
  readonly name: string
  /** The arguments that Node is started with, given a database file and a folder of the contender's own. */
  readonly command: (database: string, folder: string) => readonly string[]
}

/** A contender that answers at an address. */
export interface Served {
  readonly name: string
  readonly url: string
  readonly child: ChildProcess
}

const fileOf = (url: string): string => fileURLToPath(url)
const synchronousOff = fileOf(import.meta.resolve('./contender/synchronous-off.ts'))

/** As a user runs it: the command, with its access log. */
export const service: Contender = {
  name: 'the service',
  command: (database, folder) => [
    ...['packages/cli/src/nomen.ts', 'serve', 'apps/directory', '--port', '0', '--host', '127.0.0.1'],
    ...['--database', `sqlite:${database}`, '--access-log', join(folder, 'access.log')],
  ],
}

export const byHand: Contender = {
  name: 'by hand',
  command: (database) => [fileOf(import.meta.resolve('./contender/by-hand.ts')), database],
}

export const limit: Contender = {
  name: 'the limit',
  command: (database) => [fileOf(import.meta.resolve('./contender/limit.ts')), database],
}

/** Makes the database that all contenders get a copy of: the service fills an empty one with its sample. */
export async function makeDatabase(file: string, folder: string, users: number): Promise<void> {
  const made = await start(service, file, folder, { SAMPLE_USERS: `${users}` })
  await end(made.child)
}

/** Starts a contender on its own copy of the database. With `isFast` its commits do not wait for the disk. */
export async function startOnCopy(
  { name, command }: Contender,
  file: string,
  folder: string,
  { isFast = false } = {},
): Promise<Served> {
  const copy = `${file}-${name.replaceAll(' ', '-')}${isFast ? '-fast' : ''}.db`
  if (!existsSync(copy)) await copyFile(file, copy)
  const preload = isFast ? ['--import', synchronousOff] : []
  return start({ name, command: (...given) => [...preload, ...command(...given)] }, copy, folder)
}

/** Resolves as soon as the process says where it is served. */
async function start(
  { name, command }: Contender,
  database: string,
  folder: string,
  environment: Record<string, string> = {},
): Promise<Served> {
  const child = startNode(command(database, folder), { environment })
  if (!child.stdout) throw new Error(`${name} has no output.`)
  for await (const line of createInterface(child.stdout)) {
    const url = /served at (http:\S+)/.exec(line)?.[1]
    if (url) {
      child.stdout.resume()
      return { name, url, child }
    }
  }
  throw new Error(`${name} ended before it was served.`)
}

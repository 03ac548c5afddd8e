/** The directory, served by the command in a separate process. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { nomenArguments } from '@nomen/testing/compiled'

const root = join(import.meta.dirname, '../../../..')

export interface ServedDirectory {
  readonly base: string
  readonly pid: number
  /** Stops the process (default: after its requests), and waits for its end. */
  stop(signal?: 'SIGKILL'): Promise<void>
}

/** Serves a database file in a folder. An empty file is filled with this many users. */
export async function serveDirectory(folder: string, file: string, users = 0): Promise<ServedDirectory> {
  const log = join(folder, 'access.log')
  const args = ['serve', 'apps/directory', '--port', '0', '--database', `sqlite:${file}`, '--access-log', log]
  const child = spawn(process.execPath, [...nomenArguments, ...args], {
    cwd: root,
    env: { PATH: process.env.PATH, SAMPLE_USERS: `${users}` },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const exit = once(child, 'exit')
  return {
    base: await waitForUrl(child),
    pid: child.pid as number,
    stop: async (signal) => {
      child.kill(signal)
      await exit
    },
  }
}

async function waitForUrl({ stdout }: ChildProcess): Promise<string> {
  let output = ''
  for await (const part of stdout?.iterator({ destroyOnReturn: false }) ?? []) {
    output += part
    const url = /is running at (http:\/\/\S+)\n/.exec(output)?.[1]
    if (url !== undefined) {
      stdout?.resume()
      return url
    }
  }
  throw new Error(`The directory is not served: ${output}`)
}

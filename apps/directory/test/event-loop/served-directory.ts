/** The directory served by the command, in a process of its own. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../../../..')

export interface ServedDirectory {
  readonly base: string
  readonly pid: number
  /** Ends it, and waits for that. */
  stop(): Promise<void>
}

/** Serves a database file in a folder; an empty one gets this many users. */
export async function serveDirectory(folder: string, file: string, users = 0): Promise<ServedDirectory> {
  const log = join(folder, 'access.log')
  const given = ['serve', 'apps/directory', '--port', '0', '--database', `sqlite:${file}`, '--access-log', log]
  const child = spawn(process.execPath, [join(root, 'packages/cli/src/nomen.ts'), ...given], {
    cwd: root,
    env: { PATH: process.env.PATH, SAMPLE_USERS: `${users}` },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const ended = once(child, 'exit')
  return {
    base: await addressOf(child),
    pid: child.pid as number,
    stop: async () => {
      child.kill()
      await ended
    },
  }
}

async function addressOf({ stdout }: ChildProcess): Promise<string> {
  let said = ''
  for await (const part of stdout?.iterator({ destroyOnReturn: false }) ?? []) {
    said += part
    const address = /is served at (http:\/\/\S+)\n/.exec(said)?.[1]
    if (address !== undefined) {
      stdout?.resume()
      return address
    }
  }
  throw new Error(`The directory is not served: ${said}`)
}

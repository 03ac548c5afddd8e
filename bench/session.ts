/** What every run of a benchmark has: a folder that is gone after it, processes that end with it, a line of progress. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { killAll } from './child.ts'

/** Does the work in a temporary folder. What it throws is printed, and ends the process. */
export async function session(name: string, work: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'nomen-bench-'))
  process.on('exit', () => {
    killAll()
    rmSync(folder, { recursive: true, force: true })
  })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(130))
  try {
    await work(folder)
  } catch (error) {
    say('')
    console.error(error instanceof Error ? `${name}: ${error.message}` : error)
    process.exit(1)
  }
}

/** One line that tells what goes on, on a terminal only. */
export function say(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${text}`)
}
